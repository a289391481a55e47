"""RLlib: PPO learns which questions are worth a turn. Run: python train_with_rllib.py [ITERATIONS]"""

import sys

import gymnasium as gym
from ray.rllib.algorithms.ppo import PPOConfig
from ray.tune.registry import register_env

from colbench_gym.integrations.menu import Menu

iterations = int(sys.argv[1]) if len(sys.argv) > 1 else 20
register_env("colbench", lambda _: Menu(gym.make("colbench_gym:ColBench-Backend-v0", reward="pass_rate")))
config = PPOConfig().environment("colbench").env_runners(num_env_runners=0)
algorithm = config.training(train_batch_size_per_learner=1024, minibatch_size=128).build_algo()
for _ in range(iterations):
    print(algorithm.train()["env_runners"]["episode_return_mean"])
algorithm.stop()
