"""RLlib: PPO learns which questions are worth a turn. Run: python train_with_rllib.py [ITERATIONS]"""

import sys

import gymnasium as gym
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env

iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 20
# RLlib's workers register nothing by themselves.
register_env("colbench", lambda config: gym.make("colbench_gym:ColBench-BackendMenu-v0", **config))
config = PPOConfig().environment("colbench", env_config={"reward": "pass_rate"}).env_runners(num_env_runners=0)
algorithm = config.training(train_batch_size_per_learner=1024, minibatch_size=128).build_algo()
for _ in range(iterations):
    print(algorithm.train()["env_runners"]["episode_return_mean"])
algorithm.stop()
