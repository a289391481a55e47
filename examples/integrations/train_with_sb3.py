"""Stable-Baselines3: PPO learns which questions are worth a turn. Run: python train_with_sb3.py [STEPS]"""

import sys

from stable_baselines3 import PPO

import colbench_gym  # noqa: F401  # registers the environments

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4_096
model = PPO("MlpPolicy", "ColBench-BackendMenu-v0", n_steps=512, verbose=1, seed=0, device="cpu")
model.learn(steps)
model.save("colbench_ppo")
