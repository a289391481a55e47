"""An environment goes on in another process: it is pickled as its settings, its random numbers and what was said."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import gymnasium
import pytest
from support.doubles import Closeable

from colbench_gym import UsageError, open_scenario
from colbench_gym.envs.pettingzoo import backend_v0

ANSWER = "I WANT TO ANSWER: def f(): pass"


def play_on(env):
    try:
        return env.step(ANSWER), env.reset()
    finally:
        env.close()


def test_an_episode_goes_on_in_another_process():
    with gymnasium.make("ColBench-Backend-v0", tasks="generated:train", reward="pass_rate") as env:
        env.reset(seed=3)
        env.step("What should be returned?")
        with ProcessPoolExecutor(1, get_context("spawn")) as pool:
            assert pool.submit(play_on, env).result() == play_on(env)


@pytest.mark.parametrize("begun", [True, False])
def test_what_is_read_back_is_as_it_was_and_closes_by_itself(begun):
    options = {"human": "scripted:terse", "renderer": "scripted", "max_turns": 3}
    with gymnasium.make("ColBench-Frontend-v0", render_mode="ansi", **options) as env:
        if begun:
            env.reset(seed=1)
            env.step("<html><p>Hello</p></html>")
        back = pickle.loads(pickle.dumps(env))
        if begun:
            assert back.render() == env.render()
            assert back.unwrapped.task_episode.info == env.unwrapped.task_episode.info
        assert back.reset(seed=5) == env.reset(seed=5)
        env.unwrapped.fork().close()
        back.close()
        assert env.step("Hello?")[4]["turn"] == 1
    assert pickle.loads(pickle.dumps(back)).unwrapped._scenario is None


def test_two_seats_are_pickled_too():
    env = backend_v0.raw_env()
    env.reset(seed=0)
    env.step("What?")
    back = pickle.loads(pickle.dumps(env))
    assert (back.agent_selection, back.observe("human_0")) == ("human_0", env.observe("human_0"))
    back.step("That.")
    assert env.agent_selection == "human_0"
    back.close()
    env.close()


class Mute(Closeable):
    def reply(self, task, dialogue, shown):
        return "No."


def test_live_parts_are_refused_by_name():
    with open_scenario("backend", human=Mute()) as scenario, pytest.raises(UsageError, match="the live object human, "):
        pickle.dumps(scenario)
