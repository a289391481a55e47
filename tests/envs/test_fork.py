"""Copies of a running environment, to be played on by themselves: tree search, best of N in a turn."""

import copy

import gymnasium
import pytest

from colbench_gym.envs.pettingzoo import backend_v0
from colbench_gym.errors import UsageError

ANSWER = "I WANT TO ANSWER: def f(): pass"


@pytest.fixture
def env():
    with gymnasium.make("ColBench-Backend-v0") as env:
        env.reset(seed=3)
        env.step("What should be returned?")
        yield env


@pytest.mark.parametrize("fork", [copy.deepcopy, lambda env: env.unwrapped.fork()])
def test_a_fork_is_played_on_by_itself(env, fork):
    before = env.unwrapped.task_episode.info
    forks = [fork(env), fork(env)]
    assert forks[0].step(ANSWER)[2]
    assert forks[1].step("And then?")[4]["turn"] == 2
    assert env.unwrapped.task_episode.info == before
    assert [fork.unwrapped.task_episode.over for fork in forks] == [True, False]


def test_a_fork_draws_what_the_original_would_have_drawn(env):
    fork = env.unwrapped.fork()
    ids = [fork.reset()[1]["task_id"] for _ in range(3)]
    assert [env.reset()[1]["task_id"] for _ in range(3)] == ids
    fork.action_space.seed(1)
    env.action_space.seed(1)
    assert [fork.action_space.sample(), fork.action_space.sample()] == [env.action_space.sample() for _ in range(2)]


def test_closing_a_fork_closes_nothing_and_the_original_everything(env):
    fork, other = env.unwrapped.fork(), env.unwrapped.fork()
    other.close()
    assert env.step("And then?")[4]["turn"] == 2
    env.unwrapped.close()
    with pytest.raises(UsageError, match="the scenario is closed"):
        fork.step(ANSWER)
    with pytest.raises(UsageError, match="closed"):
        env.unwrapped.fork()


def test_a_fork_before_the_first_reset():
    with gymnasium.make("ColBench-Backend-v0") as env:
        assert env.unwrapped.fork().reset(seed=0)[1] == env.reset(seed=0)[1]


def test_a_fork_of_two_seats():
    env = backend_v0.raw_env()
    env.reset(seed=0)
    env.step("What should be returned?")
    fork = env.fork()
    for action in ("Twice x.", ANSWER, None, None):
        fork.step(action)
    assert fork.agents == []
    assert (env.agents, env.agent_selection) == (["agent_0", "human_0"], "human_0")
    assert env.observe("human_0")["dialogue"].count("What should be returned?") == 1
    env.close()
