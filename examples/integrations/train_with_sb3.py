"""Stable-Baselines3: PPO learns which questions are worth a turn. Run: python train_with_sb3.py [STEPS]"""

import sys

import gymnasium as gym
from stable_baselines3 import PPO

from colbench_gym.integrations.menu import Menu

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4_096
env = Menu(gym.make("colbench_gym:ColBench-Backend-v0", tasks="generated:train", reward="pass_rate"))
model = PPO("MlpPolicy", env, n_steps=512, verbose=1, seed=0, device="cpu")
model.learn(steps)
model.save("colbench_ppo")
env.close()
