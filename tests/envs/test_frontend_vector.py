"""Many frontend episodes at once: sync, async and our own give the same; and failures in the middle."""

import multiprocessing

import pytest
from gymnasium.vector import AutoresetMode
from support.frontend_seats import DRAFT, OTHER, Bakeries, Flaky, Viewer
from support.tables import values
from support.vector_ways import compare

from colbench_gym import FRONTEND, GraderError, RendererError, UsageError
from colbench_gym.envs.registration import FRONTEND_ID
from colbench_gym.envs.vector import FrontendVectorEnv
from colbench_gym.rendering.scripted import ScriptedRenderer

A = FRONTEND.answer_marker
pytestmark = pytest.mark.slow
START_METHODS = multiprocessing.get_all_start_methods()  # the backend's tests have every one in every mode
ROUNDS = [(mode, START_METHODS[at % len(START_METHODS)]) for at, mode in enumerate(AutoresetMode)]
TALK = values(
    __file__, "frontend_talk.txt", {"A": A, "DRAFT": DRAFT, "OTHER": OTHER}
)  # of three episodes of unequal length


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("autoreset", "method"), ROUNDS, ids=lambda one: getattr(one, "value", one))
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")  # fork, from Python 3.12 on
def test_all_ways_give_the_same(autoreset, method):
    compare(FRONTEND_ID, TALK, ["sync", f"async:{method}"], autoreset, renderer="scripted")


@pytest.mark.full
@pytest.mark.browser
def test_all_ways_give_the_same_with_browsers(renderer):
    compare(FRONTEND_ID, TALK, ["async:spawn"], AutoresetMode.NEXT_STEP)


def make_doubles(seats=None, num_envs=3, **kwargs):
    seats = seats or Viewer()
    given = {"tasks": Bakeries(), "human": seats, "similarity": seats, "renderer": ScriptedRenderer()}
    return FrontendVectorEnv(num_envs, **(given | kwargs))


def test_all_episodes_share_one_human_one_grader_and_one_renderer():
    seats = Flaky()
    envs = make_doubles(seats, renderer=seats, render_mode="rgb_array")
    parts = {(env._scenario.human, env._scenario.grader, env._scenario.renderer) for env in envs.envs}
    assert parts == {(seats, seats, seats)}
    envs.reset(seed=0)
    envs.step((DRAFT, OTHER, ""))
    assert len({picture.tobytes() for picture in envs.render()}) == 3
    envs.close()


def test_a_browser_that_fails_costs_the_others_nothing():
    seats = Flaky(pages=1)
    envs = make_doubles(seats, renderer=seats)
    envs.reset(seed=0)
    actions = (DRAFT, OTHER, f"{DRAFT} {A}")
    with pytest.raises(RendererError, match=r"1 of 3 failed.*it is down"):
        envs.step(actions)
    with pytest.raises(UsageError, match="call it again with the same actions"):
        envs.step((DRAFT, OTHER, "else"))
    _, rewards, terminations, _, infos = envs.step(actions)
    assert list(infos["turn"]) == [1, 1, 1]
    assert (list(rewards), list(terminations)) == ([0.0, 0.0, len(DRAFT) / 100], [False, False, True])
    envs.close()


def test_a_grader_that_fails_is_told_as_such():
    seats = Flaky(grades=1)
    envs = make_doubles(seats)
    envs.reset(seed=0)
    with pytest.raises(GraderError, match="episode 1"):
        envs.step((DRAFT, f"{DRAFT} {A}", OTHER))
    assert list(envs.step((DRAFT, f"{DRAFT} {A}", OTHER))[1]) == [0.0, len(DRAFT) / 100, 0.0]
    envs.close()
