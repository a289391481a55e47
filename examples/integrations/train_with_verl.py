"""verl: the files that its trainer reads, and the command. Run: python train_with_verl.py TASKS"""

import json
import sys
from pathlib import Path

from datasets import Dataset

from colbench_gym.integrations.verl import verl_rows
from colbench_gym.scenario import open_scenario

with open_scenario("backend", tasks="generated:train") as scenario:
    Dataset.from_list(verl_rows(scenario, int(sys.argv[1]))).to_parquet("train.parquet")
loop = {"name": "colbench", "_target_": "colbench_gym.integrations.verl.ColBenchAgentLoop"}
options = {"tasks": "generated:train", "reward": "pass_rate"}
Path("loop.yaml").write_text(json.dumps([{**loop, "scenario": options}]))  # JSON is YAML
agent = "actor_rollout_ref.rollout.agent.agent_loop_config_path=loop.yaml"
print(f"python -m verl.trainer.main_ppo data.train_files=train.parquet {agent} algorithm.adv_estimator=grpo ...")
