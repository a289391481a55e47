"""TRL: GRPO with the episode as tools, ask and answer. Run: python train_with_trl_tools.py MODEL STEPS"""

import sys
from functools import partial

from datasets import Dataset
from trl import GRPOConfig, GRPOTrainer

from colbench_gym.integrations.trl import ToolEnv, tool_rows
from colbench_gym.scenario import open_scenario

model, steps = sys.argv[1], int(sys.argv[2])
args = GRPOConfig("runs/grpo-tools", max_steps=steps, max_completion_length=2048, report_to="none")
with open_scenario("backend", tasks="generated:train", reward="pass_rate") as scenario:
    rows = Dataset.from_list(tool_rows(scenario, 1000))
    GRPOTrainer(model, args=args, train_dataset=rows, environment_factory=partial(ToolEnv, scenario)).train()
