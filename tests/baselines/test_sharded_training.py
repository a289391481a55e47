"""All stages of SWEET-RL in one command, the model shared out over two processes on this machine."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import ROOT
from support.tiny import make_trajectory, offline_dialogues

from colbench_gym.baselines import sweet_rl
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
    out = tmp_path_factory.mktemp("runs") / "one"
    sweet_rl.train(sweet_rl.SweetRL(data=data, model=str(tiny_model), out=out, cpu=True, **SETTINGS))
    return out


@pytest.mark.timeout(600)  # two trainings by two processes
@pytest.mark.parametrize("way", WAYS)
def test_a_sharded_run_equals_one_process(way, data, tiny_model, one_process, tmp_path):
    """Two trainers, and two stages that load whole models between them."""
    from safetensors.torch import load_file

    environment, mark = WAYS[way]
    free = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    command = [
        sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone", str(LAUNCHER), "train", "sweet",
        "--data", str(data), "--model", str(tiny_model), "--out", str(tmp_path / "two"),
        *(word for name, value in SETTINGS.items() for word in (f"--{name.replace('_', '-')}", str(value))),
    ]  # fmt: skip
    done = subprocess.run(command, env=os.environ | free | environment, capture_output=True, text=True, timeout=580)
    assert done.returncode == 0, done.stderr[-3000:]
    for part in (".", "critic"):
        assert list((tmp_path / "two" / part / "checkpoints").glob(f"*/{mark}"))  # it was shared out
        ones, twos = (load_file(out / part / "model.safetensors") for out in (one_process, tmp_path / "two"))
        assert ones.keys() == twos.keys()
        for name, weights in ones.items():
            assert (weights - twos[name]).abs().max() < 1e-4, name
