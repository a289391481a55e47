"""The examples, and the launch configurations; most need PyTorch."""

import json
import runpy
from pathlib import Path

import numpy as np
import pytest

from colbench_gym.learning.options import SmallTable2

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.mark.train
def test_online_reinforce_improves():
    curve = runpy.run_path(str(EXAMPLES / "online_reinforce.py"))["train"](iterations=30, seed=0)
    assert np.mean(curve[-8:]) > np.mean(curve[:8]) + 0.1


@pytest.mark.train
def test_ppo_learns_on_the_menu():
    train = runpy.run_path(str(EXAMPLES / "menu_ppo.py"))["train"]
    solved = train(4096, seed=0, tasks="generated:train:easy", pool=4, questions=3)
    assert np.mean(solved[-200:]) > np.mean(solved[:100]) + 0.15


@pytest.mark.train
def test_algorithms_of_the_leaderboard_write_its_rows_once(tmp_path):
    learn = runpy.run_path(str(EXAMPLES / "small_table2" / "algorithms.py"))["learn"]
    for methods in (["bandit"], ["bandit", "in_order"]):
        learn(methods, 40, 1, tmp_path, SmallTable2(train_tasks=4, test_tasks=3, unseen_tasks=2, first_test=0))
    rows = [json.loads(line) for line in (tmp_path / "algorithms.jsonl").read_text().splitlines()]
    both = (("test", 15), ("test_domains", 10))
    wanted = [(name, *split) for name in ("bandit", "menu, in order") for split in both]
    assert [(row["method"], row["split"], row["questions"]) for row in rows] == wanted


@pytest.mark.train
@pytest.mark.parametrize("name", ["fsdp", "deepspeed_zero2", "deepspeed_zero3"])
def test_accelerate_reads_the_configurations(name):
    from accelerate.commands.config.config_args import load_config_from_file

    config = load_config_from_file(str(EXAMPLES / "accelerate" / f"{name}.yaml"))
    assert config.distributed_type.value == name.partition("_")[0].upper()
    assert config.mixed_precision == "bf16"
