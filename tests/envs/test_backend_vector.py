"""Many episodes at once: sync, async and our own give the same, in every autoreset mode; and failures in the middle."""

import multiprocessing
import threading
from contextlib import closing

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from support.doubles import Closeable
from support.tables import values
from support.vector_ways import compare

from colbench_gym import BACKEND, Grade, GraderError, HumanError, UnknownTaskError, UsageError
from colbench_gym.envs.registration import BACKEND_ID, FRONTEND_ID
from colbench_gym.envs.vector import BackendVectorEnv

pytestmark = pytest.mark.slow
A = BACKEND.answer_marker
MODES = list(AutoresetMode)
START_METHODS = multiprocessing.get_all_start_methods()
TALK = values(__file__, "backend_talk.txt", {"A": A})  # of three episodes of unequal length


def ways(autoreset):
    yield "sync"
    for method in START_METHODS:
        yield f"async:{method}"
    if autoreset is AutoresetMode.NEXT_STEP:
        yield "async:spawn:pipes"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("autoreset", MODES, ids=lambda mode: mode.value)
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # fork, from Python 3.12 on
def test_all_ways_give_the_same(autoreset):
    compare(BACKEND_ID, TALK, ways(autoreset), autoreset)


@pytest.mark.parametrize(("env_id", "options"), [(BACKEND_ID, {}), (FRONTEND_ID, {"renderer": "scripted"})])
def test_observations_belong_to_the_spaces(env_id, options):
    with closing(gymnasium.make_vec(env_id, 3, **options)) as with_spaces:
        assert with_spaces.reset(seed=0)[0] in with_spaces.observation_space
        actions = with_spaces.action_space.sample()
        assert actions in with_spaces.action_space
        assert with_spaces.step(actions)[0] in with_spaces.observation_space


def test_each_episode_equals_the_one_alone():
    envs = gymnasium.make_vec(BACKEND_ID, 3)
    observations, infos = envs.reset(seed=10)
    for at in range(3):
        with gymnasium.make(BACKEND_ID) as env:
            observation, info = env.reset(seed=10 + at)
        assert {name: texts[at] for name, texts in observations.items()} == observation
        assert infos["task_id"][at] == info["task_id"]
        assert infos["messages"][at] == info["messages"]
    assert envs.np_random_seed == (10, 11, 12)
    assert len(envs.np_random) == 3
    envs.close()


def test_the_spec_is_json():
    envs = gymnasium.make_vec(BACKEND_ID, 2, autoreset_mode="SameStep", max_turns=2)
    spec = gymnasium.envs.registration.EnvSpec.from_json(envs.spec.to_json())
    first = envs.reset(seed=1)
    envs.close()
    again = gymnasium.make_vec(spec)
    assert again.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert data_equivalence(again.reset(seed=1), first)
    again.close()


class Seats(Closeable):
    """A human and grader for all episodes. It fails on the tasks named, and can wait until all have come."""

    def __init__(self, parties=1):
        self.failing = set()
        self.replies = []
        self.together = threading.Barrier(parties, timeout=60)

    def reply(self, task, dialogue, shown):
        self.together.wait()
        if task.task_id in self.failing:
            raise HumanError("the line is dead")
        self.replies.append(task.task_id)
        return f"{len(dialogue.turns)} é"

    def grade(self, task, answer):
        self.together.wait()
        if task.task_id in self.failing:
            raise GraderError("no room")
        return Grade(1.0, True, "pass_rate", ("passed",))


@pytest.fixture
def seats():
    return Seats()


@pytest.fixture
def envs(seats):
    envs = BackendVectorEnv(3, human=seats, grading=seats)
    yield envs
    envs.close()


def test_replies_and_grades_overlap():
    seats = Seats(parties=4)  # each call waits for the other three: one after the other would never end
    envs = BackendVectorEnv(4, human=seats, grading=seats)
    envs.reset(seed=0)
    envs.step(("a", "b", A, "d"))
    envs.close()


def test_one_that_fails_costs_the_others_nothing(envs, seats):
    _, infos = envs.reset(seed=0)
    ids = list(infos["task_id"])
    seats.failing = {ids[1]}
    with pytest.raises(HumanError, match=r"episode 1 \(1 of 3 failed.*the line is dead"):
        envs.step(("a", "b", A))
    with pytest.raises(UsageError, match="call it again with the same actions"):
        envs.step(("a", "other", A))
    with pytest.raises(HumanError):
        envs.step(("a", "b", A))
    seats.failing = set()
    observations, rewards, terminations, _, infos = envs.step(("a", "b", A))
    assert sorted(seats.replies) == sorted(ids[:2])  # nobody was asked twice
    assert list(infos["turn"]) == [1, 1, 1]
    assert (list(rewards), list(terminations)) == ([0.0, 0.0, 1.0], [False, False, True])
    assert "user:2 é" in observations["dialogue"][1]


def test_reset_gives_a_failed_step_up(envs, seats):
    _, infos = envs.reset(seed=0)
    seats.failing = set(infos["task_id"])
    with pytest.raises(HumanError, match="3 of 3 failed"):
        envs.step(("a", "b", "c"))
    seats.failing = set()
    again = envs.reset(seed=0)
    assert list(again[1]["turn"]) == [0, 0, 0]
    assert list(envs.step(("x", "y", "z"))[4]["turn"]) == [1, 1, 1]


def test_a_grader_that_fails_is_told_as_such(envs, seats):
    _, infos = envs.reset(seed=0)
    seats.failing = {infos["task_id"][0]}
    with pytest.raises(GraderError, match="episode 0"):
        envs.step((A, "b", "c"))


@pytest.mark.parametrize(("actions", "says"), values(__file__, "backend_vector_bad_actions.txt", globals()))
def test_bad_actions_move_no_episode(envs, actions, says):
    envs.reset(seed=0)
    with pytest.raises(UsageError, match=says):
        envs.step(actions)
    assert list(envs.step(("a", "b", "c"))[4]["turn"]) == [1, 1, 1]


@pytest.mark.parametrize(("kwargs", "says"), values(__file__, "backend_vector_bad_resets.txt", globals()))
def test_bad_resets_are_refused(envs, kwargs, says):
    with pytest.raises(UsageError, match=says):
        envs.reset(**kwargs)


def test_options_reach_every_episode_and_are_not_changed(envs):
    _, infos = envs.reset(seed=0)
    options = {"task_id": infos["task_id"][2], "reset_mask": np.array([True, False, True])}
    _, infos = envs.reset(options=options)
    assert set(options) == {"task_id", "reset_mask"}
    assert list(infos["_task_id"]) == [True, False, True]
    assert infos["task_id"][0] == infos["task_id"][2] == options["task_id"]


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_each_episode_may_have_a_task_of_its_own(envs, kind):
    _, infos = envs.reset(seed=0)
    wanted = [infos["task_id"][index] for index in (2, 0, 1)]
    assert list(envs.reset(options={"task_id": kind(wanted)})[1]["task_id"]) == wanted
    drawn = envs.reset(seed=0, options={"task_id": [wanted[0], None, None]})[1]["task_id"]
    assert list(drawn) == [wanted[0], *infos["task_id"][1:]]


def test_a_task_that_is_not_there_resets_no_episode(envs):
    _, infos = envs.reset(seed=0)
    ids = [*infos["task_id"][:2], "nowhere"]
    with pytest.raises(UnknownTaskError, match="nowhere"):
        envs.reset(options={"task_id": ids})
    mask = np.array([True, True, False])
    assert list(envs.reset(options={"task_id": ids, "reset_mask": mask})[1]["task_id"][:2]) == ids[:2]


def test_an_ended_episode_must_be_reset_when_nobody_does_it(seats):
    envs = BackendVectorEnv(2, autoreset_mode=AutoresetMode.DISABLED, human=seats, grading=seats)
    envs.reset(seed=0)
    envs.step((A, "b"))
    with pytest.raises(UsageError, match="episode 0 is over"):
        envs.step(("a", "b"))
    envs.close()


def test_steps_before_reset_and_after_close_are_refused(envs):
    with pytest.raises(UsageError, match=r"call reset\(\) first"):
        envs.step(("a", "b", "c"))
    envs.close()
    envs.close()
    for call in (envs.reset, lambda: envs.step(("a", "b", "c"))):
        with pytest.raises(UsageError, match="closed"):
            call()


def test_closing_ends_the_threads():
    before = threading.active_count()
    envs = gymnasium.make_vec(BACKEND_ID, 5)
    envs.reset(seed=0)
    envs.step(("a",) * 5)
    envs.close()
    assert threading.active_count() <= before


@pytest.mark.parametrize("num_envs", [0, -1, True, 1.5])
def test_a_number_of_episodes_that_cannot_be(num_envs):
    with pytest.raises(UsageError, match="num_envs"):
        BackendVectorEnv(num_envs)


def test_an_unknown_autoreset_mode_lists_the_known():
    with pytest.raises(UsageError, match="Did you mean 'SameStep'"):
        BackendVectorEnv(1, autoreset_mode="SameStp")


def test_every_episode_renders():
    envs = gymnasium.make_vec(BACKEND_ID, 2, render_mode="ansi")
    envs.reset(seed=0)
    assert all("ongoing" in text for text in envs.render())
    envs.close()
