"""The menu: what is on it, what its answer knows, what is observed."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import colbench_gym  # noqa: F401  registers the environments
from colbench_gym.errors import UsageError
from colbench_gym.integrations.menu import AskerMenu, Menu


@pytest.fixture
def env():
    menu = Menu(gym.make("ColBench-Backend-v0", tasks="generated:train", reward="pass_rate"))
    yield menu
    menu.close()


def play(env, actions, seed):
    env.reset(seed=seed)
    return [env.step(action) for action in actions][-1]


@pytest.mark.filterwarnings("ignore:.*is different from the unwrapped version:UserWarning")
def test_it_passes_gymnasiums_checker(env):
    check_env(env, skip_render_check=True)


@pytest.mark.slow
def test_asking_all_is_worth_more_than_guessing(env):
    guessed = np.mean([play(env, [0], seed)[1] for seed in range(30)])
    asked = np.mean([play(env, [*range(1, 9), 0], seed)[1] for seed in range(30)])
    assert asked > guessed + 0.4


def test_entries_are_an_answer_and_questions_and_each_can_be_said(env):
    for seed in range(10):
        env.reset(seed=seed)
        assert len(env.entries) == env.action_space.n == AskerMenu().size
        assert env.entries[0].startswith("I WANT TO ANSWER:")
        assert all(question.strip().endswith(("?", ".")) for question in env.entries[1:])
        question = env.entries[3]
        _, reward, over, _, info = env.step(np.int64(3))
        assert (reward, over) == (0.0, False)
        assert info["messages"][-2] == {"role": "assistant", "content": question}


def test_the_words_of_the_seats_are_apart(env):
    first, _ = env.reset(seed=1)
    half = len(first) // 2
    assert first[:half].any()
    assert not first[half:].any()
    second, *_ = env.step(1)
    assert second in env.observation_space
    assert (second >= first).all()
    assert second[half:].any()


def test_equal_seeds_and_actions_give_equal_steps(env):
    runs = [play(env, [2, 5, 0], 4) for _ in range(2)]
    assert (runs[0][0] == runs[1][0]).all()
    assert runs[0][1:] == runs[1][1:]


def test_a_task_without_grammar_gets_general_questions():
    entries = AskerMenu(3)(
        [{"role": "system", "content": "Brief."}, {"role": "user", "content": "Write f(x). def f(x):"}]
    )
    assert entries[0].startswith("I WANT TO ANSWER:\ndef f(x):")
    assert len(set(entries)) == 4


def test_a_menu_needs_both_halves_of_the_words(env):
    with pytest.raises(UsageError, match="even number"):
        Menu(env.unwrapped, words=7)


@pytest.mark.parametrize("name", ["CartPole-v1", "ColBench-Frontend-v0"])
def test_only_the_backend_environment_has_a_menu(name):
    other = gym.make(name)
    with pytest.raises(
        UsageError, match=r'backend track; write for example Menu\(gymnasium.make\("ColBench-Backend-v0"'
    ):
        Menu(other)
    other.close()


@pytest.mark.parametrize("action", [99, -1, 1.5])
def test_an_action_that_is_no_place_on_the_menu_is_refused(env, action):
    env.reset(seed=1)
    with pytest.raises(UsageError, match="expected an integer from 0 to 8"):
        env.step(action)


def test_a_step_before_the_first_episode_is_refused(env):
    with pytest.raises(UsageError, match=r"call reset\(\) first"):
        env.step(0)


class ShortMenu:
    size = 3

    def __call__(self, messages):
        return ["What else?"] * 2


def test_a_menu_with_empty_places_is_refused(env):
    with pytest.raises(UsageError, match="the menu has 2 entries after 2 messages, expected its size, 3"):
        Menu(env.env, ShortMenu()).reset(seed=1)


@pytest.mark.parametrize(("menu", "expected"), [(["Why?"], "an object with `size`"), (ShortMenu, "an object of it")])
def test_what_is_no_menu_is_refused(env, menu, expected):
    with pytest.raises(UsageError, match=expected):
        Menu(env.env, menu)
