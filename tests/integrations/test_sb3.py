"""Stable-Baselines3 on the menus: its checker passes, PPO and MaskablePPO train, an outage ends the training."""

import runpy

import gymnasium as gym
import pytest
from support.command import ROOT
from support.doubles import Closeable
from support.examples import run_example

import colbench_gym  # noqa: F401  registers the environments
from colbench_gym.errors import HumanError

pytestmark = pytest.mark.integration("sb3")

MENU = "ColBench-BackendMenu-v0"
FEW = {"tasks": "generated:train:easy", "pool": 4, "reward": "pass_rate"}


class Out(Closeable):
    """A human who is out."""

    def reply(self, task, dialogue, shown):
        raise HumanError("the line is dead")


@pytest.mark.parametrize(("env_id", "options"), [(MENU, FEW), ("ColBench-FrontendMenu-v0", {"renderer": "scripted"})])
def test_its_checker_passes(env_id, options):
    from stable_baselines3.common.env_checker import check_env

    env = gym.make(env_id, **options)
    check_env(env)
    env.close()


def test_masked_ppo_learns_to_ask_before_it_answers():
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy

    torch.set_num_threads(1)  # a small network gains nothing from more
    env = gym.make(MENU, question_cost=0.02, **FEW)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, learning_rate=3e-3, seed=0, device="cpu")
    at_once = [env.step(0)[1] for seed in range(20) if env.reset(seed=seed)]
    model.learn(2048)
    after, _ = evaluate_policy(model, model.get_env(), n_eval_episodes=20)
    env.close()
    assert after > sum(at_once) / len(at_once) + 0.3


def test_an_outage_ends_the_training():
    from stable_baselines3 import PPO

    env = gym.make(MENU, human=Out(), **FEW)
    with pytest.raises(HumanError, match="the line is dead"):
        PPO("MlpPolicy", env, n_steps=64, seed=0, device="cpu").learn(256)
    env.close()


@pytest.mark.parametrize(
    ("name", "saved"), [("train_with_sb3", "colbench_ppo"), ("train_with_sb3_masked", "colbench_maskable_ppo")]
)
def test_the_examples_train_and_save(tmp_path, name, saved):
    assert "ep_rew_mean" in run_example(name, 512, cwd=tmp_path)
    assert (tmp_path / f"{saved}.zip").is_file()


@pytest.mark.parametrize("name", ["MaskablePPO", "DQN, masked"])
def test_what_has_learned_with_a_library_is_kept_as_it_was_at_each_point(tmp_path, name):
    module = runpy.run_path(str(ROOT / "examples" / "small_table2" / "algorithms.py"))
    module["MODELS"]["PPO"]["n_steps"] = module["MODELS"]["DQN"]["learning_starts"] = 4
    table = module["open_table"]("backend", {"tasks": "generated:validation:habits", "pool": 3})
    curve = module["Curve"](table, 2, tmp_path / "curves.jsonl", {"method": name, "seed": 0})
    players = []
    curve.point = lambda turns, choose: players.append((turns, choose))
    module["trained"](name, table, 160, 0, curve)
    assert len(players) == 11
    played = [module["evaluated"](table, choose, 0, 2) for _, choose in (players[0], players[-1], players[0])]
    assert played[0] == played[2]
    table.scenario.close()
