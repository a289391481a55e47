"""RLlib on the menu: its checks pass, PPO trains, an outage ends the training."""

import gymnasium as gym
import pytest
from support.examples import run_example
from support.small_tasks import Told

import colbench_gym  # noqa: F401  registers the environments
from colbench_gym.errors import HumanError

pytestmark = pytest.mark.integration("rllib")


def test_an_outage_ends_the_training():
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.tune.registry import register_env

    def make(_):
        return gym.make("ColBench-BackendMenu-v0", pool=2, human=Told("test-0", "test-1"))

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        register_env("out", make)
        config = PPOConfig().environment("out").env_runners(num_env_runners=0)
        algorithm = config.training(train_batch_size_per_learner=64, minibatch_size=32).build_algo()
        with pytest.raises(RuntimeError) as raised:  # RLlib's own, which names ours
            algorithm.train()
        assert isinstance(raised.value.__cause__, HumanError)
        algorithm.stop()
    finally:
        ray.shutdown()


def test_the_example_trains_on_a_checked_environment(tmp_path):
    returns = [float(line) for line in run_example("train_with_rllib", 1, cwd=tmp_path).splitlines()[-1:]]
    assert 0.0 < returns[0] < 1.0
