"""Stable-Baselines3 on the menu: its checker passes, PPO trains, an outage ends the training."""

from __future__ import annotations

import gymnasium as gym
import pytest
from support.examples import run_example
from support.small_tasks import Told, write_small_tasks

import colbench_gym  # noqa: F401  registers the environments
from colbench_gym.errors import HumanError
from colbench_gym.integrations.menu import Menu

pytestmark = pytest.mark.integration("sb3")


class FactorMenu:
    """Ask for the factor, or answer with what was told, 1 where nothing was."""

    size = 2

    def __call__(self, messages):
        told = messages[-1]["content"].rstrip(".").split()[-1]
        factor = told if told.isdigit() else "1"
        return ["What is the factor?", f"I WANT TO ANSWER: def f(x): return x * {factor}"]


def make(tmp_path, human):
    env = gym.make("ColBench-Backend-v0", tasks=write_small_tasks(tmp_path), human=human, max_turns=4)
    return Menu(env, FactorMenu())


def test_its_checker_passes(tmp_path):
    from stable_baselines3.common.env_checker import check_env

    env = Menu(gym.make("ColBench-Backend-v0", tasks="generated:train"))
    check_env(env)
    env.close()


def test_ppo_learns_to_ask_before_it_answers(tmp_path):
    from stable_baselines3 import PPO
    from stable_baselines3.common.evaluation import evaluate_policy

    env = make(tmp_path, Told())
    model = PPO("MlpPolicy", env, n_steps=128, batch_size=64, learning_rate=3e-3, gamma=0.95, seed=0, device="cpu")
    before, _ = evaluate_policy(model, model.get_env(), n_eval_episodes=20)
    model.learn(1280)
    after, _ = evaluate_policy(model, model.get_env(), n_eval_episodes=20)
    env.close()
    assert before < 0.5
    assert after == 1.0


def test_an_outage_ends_the_training(tmp_path):
    from stable_baselines3 import PPO

    env = make(tmp_path, Told("double"))
    with pytest.raises(HumanError, match="the line is dead"):
        PPO("MlpPolicy", env, n_steps=64, seed=0, device="cpu").learn(256)
    env.close()


def test_the_example_trains_and_saves(tmp_path):
    assert "ep_rew_mean" in run_example("train_with_sb3", 512, cwd=tmp_path)
    assert (tmp_path / "colbench_ppo.zip").is_file()
