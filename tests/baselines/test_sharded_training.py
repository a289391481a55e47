"""All stages of SWEET-RL in one command, the model shared out over two processes on this machine."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import ROOT
from support.tiny import make_trajectory, offline_dialogues

from colbench_gym.trajectory import write_trajectories

pytestmark = pytest.mark.train

SETTINGS = {
    "max_steps": 2,
    "batch_size": 2,
    "learning_rate": 1e-3,
    "critic_max_steps": 4,
    "critic_batch_size": 2,
    "critic_learning_rate": 1e-3,
    "candidates": 2,
    "max_new_tokens": 4,
    "actor_share": 0.5,
}
FSDP = {
    "ACCELERATE_USE_FSDP": "true",
    "FSDP_VERSION": "2",
    "FSDP_AUTO_WRAP_POLICY": "TRANSFORMER_BASED_WRAP",
    "FSDP_STATE_DICT_TYPE": "FULL_STATE_DICT",
    "FSDP_RESHARD_AFTER_FORWARD": "true",
    "FSDP_CPU_RAM_EFFICIENT_LOADING": "false",
}
ZERO3 = {
    "ACCELERATE_USE_DEEPSPEED": "true",
    "ACCELERATE_DEEPSPEED_ZERO_STAGE": "3",
    "ACCELERATE_DEEPSPEED_ZERO3_INIT": "false",
    "ACCELERATE_DEEPSPEED_ZERO3_SAVE_16BIT_MODEL": "true",
    "ACCELERATE_GRADIENT_ACCUMULATION_STEPS": "auto",
    "ACCELERATE_GRADIENT_CLIPPING": "auto",
    "DS_ACCELERATOR": "cpu",
}
LAUNCHER = Path(__file__).parents[1] / "support" / "sharded_on_processors.py"
WAYS = {"fsdp": (FSDP, "pytorch_model_fsdp.bin")}  # variables, and a file that marks its checkpoints
if importlib.util.find_spec("deepspeed") is not None:  # the user's to install, in no extra
    WAYS["zero3"] = (ZERO3, "zero_to_fp32.py")


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """One dialogue hides its thoughts and so has a row a turn: not all pairs have equally many rows."""
    dialogues = offline_dialogues()
    texts = ["I think.\nOUTPUT: Why?", "Hm.\nOUTPUT: Is x positive?", "I WANT TO ANSWER: 1"]
    dialogues[1] = make_trajectory(texts, ["Because.", "Yes."], 0.3, "0")
    file = tmp_path_factory.mktemp("data") / "offline.jsonl"
    write_trajectories(file, dialogues, official=True)
    return file


@pytest.fixture(scope="module")
def one_process(data, tiny_model, tmp_path_factory):
    """In a process of its own too: what other tests left in this one reaches neither run."""
    out = tmp_path_factory.mktemp("runs") / "one"
    _train(["-m", "colbench_gym"], {}, data, tiny_model, out, "--cpu")
    return out


def _train(launcher, environment, data, model, out, *options):
    free = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    settings = (word for name, value in SETTINGS.items() for word in (f"--{name.replace('_', '-')}", str(value)))
    command = [
        sys.executable,
        *launcher,
        "train",
        "sweet",
        "--data",
        str(data),
        "--model",
        str(model),
        "--out",
        str(out),
    ]
    done = subprocess.run(
        [*command, *settings, *options],
        env=os.environ | free | environment,
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stderr[-3000:]


def _rows(folder, kind):
    """Return what all processes stored of each turn."""
    lines = [line for file in sorted(folder.glob(f"{kind}.*.jsonl")) for line in file.read_text().splitlines()]
    return {(row["dialogue"], row["turn"]): row[kind] for row in map(json.loads, lines)}


def _check_weights_equal(one, two):
    from safetensors.torch import load_file

    ones, twos = (load_file(out / "model.safetensors") for out in (one, two))
    assert ones.keys() == twos.keys()
    for name, weights in ones.items():
        assert (weights - twos[name]).abs().max() < 1e-4, name


@pytest.mark.timeout(900)  # two trainings by two processes, with PyTorch loaded twice as often
@pytest.mark.parametrize("way", WAYS)
def test_a_sharded_run_equals_one_process(way, data, tiny_model, one_process, tmp_path):
    """Two trainers, and two stages that load whole models between them.

    The actor learns from the pairs of one process: where two candidates are as good as each other, rounding ranks them.
    """
    environment, mark = WAYS[way]
    launcher = ["-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone", str(LAUNCHER)]
    two = tmp_path / "two"
    _train(launcher, environment, data, tiny_model, two, "--stage", "pairs")
    _check_weights_equal(one_process / "critic", two / "critic")

    ones, twos = (_rows(out, "candidates") for out in (one_process, two))
    same = [turn for turn in ones if [c["ids"] for c in ones[turn]] == [c["ids"] for c in twos[turn]]]
    assert ones.keys() == twos.keys()
    assert len(same) >= len(ones) - 2  # a draw at the border of two tokens falls as rounding has it
    scores, scores_of_two = (_rows(out, "scores") for out in (one_process, two))
    assert all(scores[turn] == pytest.approx(scores_of_two[turn], abs=1e-4) for turn in same)

    shutil.copyfile(one_process / "pairs.jsonl", two / "pairs.jsonl")
    _train(launcher, environment, data, tiny_model, two, "--resume")
    _check_weights_equal(one_process, two)
    assert all(list((two / part / "checkpoints").glob(f"*/{mark}")) for part in (".", "critic"))  # both were shared out
