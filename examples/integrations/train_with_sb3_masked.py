"""sb3-contrib: MaskablePPO asks nothing in vain. Run: python train_with_sb3_masked.py [STEPS]"""

import sys

import gymnasium as gym
from sb3_contrib import MaskablePPO

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4_096
env = gym.make("colbench_gym:ColBench-BackendMenu-v0", tasks="generated:train:easy", reward="pass_rate")
model = MaskablePPO("MlpPolicy", env, n_steps=512, verbose=1, seed=0, device="cpu")
model.learn(steps)
model.save("colbench_maskable_ppo")
env.close()
