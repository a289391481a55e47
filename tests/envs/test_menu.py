"""The menus: what an action says, what is observed, what is kept, and that many episodes equal one after the other."""

import pickle
import threading

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from support.doubles import Closeable
from support.tables import values

import colbench_gym  # noqa: F401  registers the environments
from colbench_gym import Grade, GraderError, HumanError, UnknownNameError, UsageError, load_tasks, open_scenario
from colbench_gym.envs.menu.env import MAX_TEXT_CHARS
from colbench_gym.envs.menu.play import WORDS
from colbench_gym.envs.menu.sheets import TOLD, UNKNOWN, WAVED_OFF, BackendSheet, keys_of
from colbench_gym.envs.menu.tracks import BackendMenuEnv, FrontendMenuEnv
from colbench_gym.tasks.generated_backend.ontology import domains
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, all_matters, composed

BACKEND, FRONTEND = "ColBench-BackendMenu-v0", "ColBench-FrontendMenu-v0"
SMALL = {"tasks": "generated:train:easy", "pool": 4, "reward": "pass_rate"}
PAGES = {"tasks": "generated:train:easy", "pool": 2, "renderer": "scripted"}


@pytest.fixture
def env():
    with gym.make(BACKEND, **SMALL) as made:
        yield made


def asked(info):
    return [int(action) for action in np.flatnonzero(info["action_mask"])[1:]]


def play(env, actions, seed):
    """Return what each step gave."""
    steps = [env.reset(seed=seed)]
    for action in actions:
        steps.append(env.step(action))
        if steps[-1][2]:
            break
    return steps


def assert_equal(first, second):
    assert data_equivalence(first, second, exact=True)


@pytest.mark.parametrize("observation", ["vector", "text"])
@pytest.mark.parametrize(("env_id", "options"), [(BACKEND, SMALL), (FRONTEND, PAGES)])
@pytest.mark.parametrize("render_mode", ["ansi", "rgb_array"])
def test_they_pass_gymnasiums_checker(env_id, options, observation, render_mode):
    with gym.make(env_id, observation=observation, render_mode=render_mode, **options) as env:
        check_env(env.unwrapped)


def test_a_question_is_heard_alone_and_its_reply_is_the_humans(env):
    _, info = env.reset(seed=1)
    questions = asked(info)
    said = [env.unwrapped.entries[action] for action in questions]
    for action in questions[:2]:
        env.step(action)
    with open_scenario("backend", tasks=SMALL["tasks"]) as scenario:
        replies = [scenario.episode(info["task_id"]).say(question) for question in said[:2]]
    assert [(e.question, e.reply) for e in env.unwrapped.play.exchanges] == list(zip(said, replies, strict=False))


def test_the_status_of_what_was_asked_is_observed(env):
    seen = {TOLD: 0, WAVED_OFF: 0}
    keys = len(keys_of("backend"))
    for seed in range(12):
        observation, info = env.reset(seed=seed)
        action = asked(info)[seed % len(asked(info))]
        place = WORDS + action - 1
        assert observation[[place, place + keys, place + 2 * keys]].tolist() == [1, 0, 0]
        observation, *_, info = env.step(action)
        status = observation[[place, place + keys, place + 2 * keys]].tolist()
        assert status in ([0, 1, 0], [0, 0, 1])
        assert observation[-1] == pytest.approx(1 / 5)
        assert info["action_mask"][action] == 0
        seen[1 + status.index(1)] += 1
    assert all(seen.values())


def test_the_mask_has_what_the_request_leaves_open(env):
    for seed in range(4):
        _, info = env.reset(seed=seed)
        mask = env.unwrapped.action_masks()
        assert (mask == info["action_mask"]).all()
        assert set(asked(info)) == {
            1 + place for place, s in env.unwrapped.play.card.sheet.status.items() if s == UNKNOWN
        }
        assert set(env.unwrapped.entries) == {0, *asked(info)}


@pytest.mark.parametrize("level", ["easy", "hard", "habits"])
def test_all_that_a_request_leaves_open_can_be_asked(level):
    tasks = load_tasks(f"generated:train:{level}")
    keys = list(keys_of("backend"))
    for index in range(10):
        status = BackendSheet(tasks.at(index)).status
        unknown = {keys[place] for place, number in status.items() if number == UNKNOWN}
        assert {matter.key for matter in tasks.member(index).open} <= unknown


def test_a_question_that_the_mask_excludes_is_wasted(env):
    observation, info = env.reset(seed=1)
    excluded = int(np.flatnonzero(info["action_mask"] == 0)[0])
    after, reward, over, _, info = env.step(excluded)
    assert (reward, over, info["turn"], env.unwrapped.play.exchanges) == (0.0, False, 1, ())
    assert (after[:-1] == observation[:-1]).all()


def test_with_the_last_question_the_answer_is_given():
    with gym.make(BACKEND, questions=2, question_cost=0.25, **SMALL) as env:
        _, info = env.reset(seed=1)
        first, second, *_ = asked(info)
        assert env.step(first)[1:3] == (-0.25, False)
        _, reward, over, _, info = env.step(second)
        assert (over, info["outcome"], info["turn"]) == (True, "answered", 2)
        assert reward == info["pass_rate"] - 0.25
        with pytest.raises(UsageError, match="after the end of the episode"):
            env.step(0)


def test_asking_is_worth_more_than_answering_at_once():
    with gym.make(BACKEND, questions=12, **SMALL) as env:
        at_once, after_all = [], []
        for seed in range(6):
            at_once.append(play(env, [0], seed)[-1][1])
            _, info = env.reset(seed=seed)
            after_all.append(play(env, [*asked(info), 0], seed)[-1][1])
    assert np.mean(after_all) > np.mean(at_once) + 0.3


@pytest.mark.parametrize("observation", ["vector", "text"])
@pytest.mark.parametrize(("env_id", "options"), [(BACKEND, SMALL), (FRONTEND, PAGES)])
def test_what_is_kept_changes_nothing(env_id, options, observation):
    rng = np.random.default_rng(0)
    with (
        gym.make(env_id, observation=observation, questions=3, **options) as kept,
        gym.make(env_id, observation=observation, questions=3, keep_replies=False, **options) as fresh,
    ):
        for seed in [*range(3), *range(3)]:
            _, info = kept.reset(seed=seed)
            actions = [*rng.permutation(asked(info)), 0]
            assert_equal(play(kept, actions, seed), play(fresh, actions, seed))
        assert any(kept.unwrapped.play.card.replies)
        assert not fresh.unwrapped.play.card.replies
        assert not fresh.unwrapped.play.card.grades


@pytest.mark.parametrize("mode", list(AutoresetMode))
@pytest.mark.parametrize(("env_id", "options", "observation"), [(BACKEND, SMALL, "vector"), (FRONTEND, PAGES, "text")])
def test_many_episodes_equal_those_of_sync_vector_env(env_id, options, observation, mode):
    options = {**options, "observation": observation, "questions": 2}
    many = gym.make_vec(env_id, num_envs=3, autoreset_mode=mode, **options)
    sync = SyncVectorEnv([lambda: gym.make(env_id, **options)] * 3, autoreset_mode=mode)
    assert many.observation_space == sync.observation_space
    assert many.action_space == sync.action_space
    rng = np.random.default_rng(0)
    got, expected = many.reset(seed=5), sync.reset(seed=5)
    assert_equal(got, expected)
    for _ in range(6):
        actions = np.array([rng.choice([0, *asked({"action_mask": mask})]) for mask in expected[-1]["action_mask"]])
        got, expected = many.step(actions), sync.step(actions)
        assert_equal(got, expected)
        if mode is AutoresetMode.DISABLED and got[2].any():
            mask = {"reset_mask": got[2]}
            ours, theirs = many.reset(options=mask), sync.reset(options=dict(mask))
            assert_equal(ours[0], theirs[0])
            expected = sync.step(np.zeros(3, int)), many.step([0, 0, 0])
            assert_equal(*expected)
            break
    many.close()
    sync.close()


class Failing(Closeable):
    """A human and a grader that fail as long as they are told to."""

    human = grader = True

    def reply(self, task, dialogue, shown):
        if self.human:
            raise HumanError("the line is dead")
        return "Ignore upper and lower case."

    def grade(self, task, answer):
        if self.grader:
            raise GraderError("no paper")
        return Grade(1.0, True, "paper 1")


@pytest.mark.parametrize("many", [False, True])
def test_after_an_outage_the_episode_is_as_it_was(many):
    seats = Failing()
    options = {**SMALL, "human": seats, "grading": seats, "reward": "success"}
    env = gym.make_vec(BACKEND, num_envs=2, **options) if many else gym.make(BACKEND, **options)
    _, info = env.reset(seed=1)
    actions = [asked({"action_mask": mask})[0] for mask in info["action_mask"]] if many else asked(info)[0]
    answer = [0, 0] if many else 0
    with pytest.raises(HumanError, match="dead"):
        env.step(actions)
    seats.human = False
    assert np.all(env.step(actions)[4]["turn"] == 1)
    with pytest.raises(GraderError, match="paper"):
        env.step(answer)
    seats.grader = False
    assert np.all(env.step(answer)[1] == 1.0)
    env.close()


class Fickle(Closeable):
    """A human who replies to two at a time, to each something else."""

    def __init__(self):
        self._replies, self._both = iter("12"), threading.Barrier(2)

    def reply(self, task, dialogue, shown):
        self._both.wait(20)
        return f"Round it to {next(self._replies)} decimals."


def test_what_two_ask_at_once_has_one_reply():
    envs = gym.make_vec(BACKEND, num_envs=2, human=Fickle(), **SMALL | {"pool": 1})
    _, info = envs.reset(seed=1)
    envs.step([asked({"action_mask": mask})[0] for mask in info["action_mask"]])
    assert len({env.play.exchanges[0].reply for env in envs.unwrapped.envs}) == 1
    envs.close()


def test_a_function_is_paid_by_its_own_dialogue():
    with gym.make(BACKEND, **SMALL | {"reward": lambda info: float(info["turn"])}) as env:
        for count in (0, 2, 0):
            _, info = env.reset(seed=1)
            assert play(env, [*asked(info)[:count], 0], 1)[-1][1] == count + 1


@pytest.mark.parametrize("observation", ["vector", "text"])
def test_nothing_hidden_is_observed(observation):
    with gym.make(BACKEND, observation=observation, **SMALL) as env:
        for seed in range(4):
            _, info = env.reset(seed=seed)
            steps = play(env, asked(info)[:3], seed)
            task = env.unwrapped.play.card.task
            shown = f"{steps!r} {env!r} {env.unwrapped.play!r} {env.unwrapped._table!r}"
            assert not [line for line in task.reference.splitlines()[1:] if len(line) > 30 and line.strip() in shown]
            assert not [call for call in task.calls if call in shown]


def test_a_copy_and_a_pickle_go_on_by_themselves(env):
    env.reset(seed=1)
    first, second, *_ = asked(env.unwrapped._table.info(env.unwrapped.play))
    env.step(first)
    copied, back = env.unwrapped.fork(), pickle.loads(pickle.dumps(env.unwrapped))
    steps = [one.step(second) for one in (copied, back, env)]
    assert_equal(steps[0], steps[2])
    assert_equal(steps[1], steps[2])
    assert_equal(copied.reset(), env.reset())
    copied.close()
    back.close()
    assert env.step(0)[2]


def test_the_keys_are_those_of_the_grammar():
    met = {
        matter.key
        for offset, domain in enumerate(domains().values())
        for shape in SHAPES
        for number in range(offset % 7, len(composed(shape, domain)), 7)
        for matter in all_matters(shape, domain, number)
    }
    assert set(keys_of("backend")) == met
    assert all(question.endswith("?") for key, question in keys_of("frontend").items() if key != "draft")


def test_what_is_said_can_be_seen(capsys):
    with gym.make(BACKEND, render_mode="ansi", **SMALL) as env:
        _, info = env.reset(seed=1)
        env.step(asked(info)[0])
        env.step(0)
        exchange = env.unwrapped.play.exchanges[0]
        text = env.render()
        assert f"agent: {exchange.question}\n\nhuman: {exchange.reply}\n\nagent: I WANT TO ANSWER:\ndef " in text
        assert "questions 1 of 5, answered, pass_rate" in text
    with gym.make(BACKEND, render_mode="human", **SMALL) as env:
        env.reset(seed=1)
        env.step(asked(info)[0])
        assert capsys.readouterr().out.count(exchange.reply) == 1


def test_a_draft_can_be_shown_again_and_is_revised():
    with gym.make(FRONTEND, **PAGES) as env:
        env.reset(seed=1)
        draft = env.unwrapped.keys.index("draft")
        env.step(draft)
        *_, info = env.step(draft)
        assert info["action_mask"][draft] == 1
        assert all("<html" in exchange.question for exchange in env.unwrapped.play.exchanges)


def test_a_long_text_begins_with_the_request_and_ends_with_what_can_be_said():
    with gym.make(FRONTEND, observation="text", questions=12, **PAGES) as env:
        before = env.reset(seed=1)[0]
        for _ in range(11):
            observation = env.step(1)[0]
        assert len(observation) == MAX_TEXT_CHARS
        assert observation[:100] == before[:100]
        assert observation[-100:] == before[-100:]


@pytest.mark.parametrize(
    ("options", "error", "expected"),
    values(
        __file__,
        "menu_what_is_no_option_is_refused.txt",
        {"UnknownNameError": UnknownNameError, "UsageError": UsageError},
    ),
)
@pytest.mark.parametrize("make", [gym.make, gym.make_vec])
def test_what_is_no_option_is_refused(make, options, error, expected):
    with pytest.raises(error, match=expected):
        make(BACKEND, **options)


@pytest.mark.parametrize("action", [99, -1, 1.5, "1"])
def test_what_is_no_action_is_refused(env, action):
    env.reset(seed=1)
    with pytest.raises(UsageError, match="expected an integer from 0 to"):
        env.step(action)


def test_a_task_without_grammar_is_refused():
    row = {"problem_description": "Write f(x).", "ground_truth": "def f(x): return x", "test_cases": {"test1": "f(1)"}}
    with gym.make(BACKEND, tasks=[row]) as env, pytest.raises(UsageError, match="one of the generated grammar"):
        env.reset(seed=1)


def test_a_table_stands_alone(env):
    table = env.unwrapped._table
    for wrong in ({"table": 3}, {"table": table, "questions": 3}):
        with pytest.raises(UsageError, match="expected a Table of the backend track alone"):
            BackendMenuEnv(**wrong)
    with pytest.raises(UsageError, match="expected a Table of the frontend track"):
        FrontendMenuEnv(table=table)


def test_actions_are_one_for_each_episode():
    envs = gym.make_vec(BACKEND, num_envs=2, **SMALL)
    envs.reset(seed=1)
    for actions in ([0], [0, 99], [0.5, 0.5], [[0], [0, 1]]):
        with pytest.raises(UsageError, match="expected 2 integers from 0 to"):
            envs.step(actions)
    envs.close()
