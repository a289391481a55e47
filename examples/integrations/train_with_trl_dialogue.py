"""TRL: GRPO on whole dialogues in plain words. Run: python train_with_trl_dialogue.py MODEL STEPS TOKENS"""

import sys

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from colbench_gym.integrations.trl import DialogueRollout, paid_reward
from colbench_gym.scenario import open_scenario

model, steps, tokens = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
args = GRPOConfig("runs/grpo-dialogue", max_steps=steps, max_completion_length=tokens, bf16=torch.cuda.is_available())
with open_scenario("backend", tasks="generated:train", reward="pass_rate") as scenario:
    rollout = DialogueRollout(scenario, 1000)
    rows = Dataset.from_list(rollout.rows)
    GRPOTrainer(model, paid_reward, args=args, train_dataset=rows, rollout_func=rollout).train()
