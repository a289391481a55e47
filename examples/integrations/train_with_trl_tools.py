"""TRL: GRPO with the episode as tools, ask and answer. Run: python train_with_trl_tools.py MODEL STEPS TOKENS"""

import sys
from functools import partial

import torch
from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from colbench_gym.integrations.trl import ToolEnv, tool_rows
from colbench_gym.scenario import open_scenario

model, steps, tokens = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
args = GRPOConfig("runs/grpo-tools", max_steps=steps, max_completion_length=tokens, bf16=torch.cuda.is_available())
with open_scenario("backend", tasks="generated:train", reward="pass_rate") as scenario:
    rows = Dataset.from_list(tool_rows(scenario, 1000))
    GRPOTrainer(model, args=args, train_dataset=rows, environment_factory=partial(ToolEnv, scenario)).train()
