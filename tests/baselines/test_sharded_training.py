"""All stages of SWEET-RL by two processes on this machine: the model shared out or not, killed and gone on with."""

import importlib.util
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from support.command import ROOT
from support.tiny import make_trajectory, offline_dialogues

from colbench_gym.trajectory import write_trajectories

pytestmark = pytest.mark.train

MANY_KILLS = os.environ.get("COLBENCH_MANY_KILLS") == "1"
SETTINGS = {
    "max_steps": 2, "batch_size": 2, "learning_rate": 1e-3, "critic_max_steps": 4, "critic_batch_size": 2,
    "critic_learning_rate": 1e-3, "candidates": 2, "max_new_tokens": 4, "actor_share": 0.5,
}  # fmt: skip
FSDP = {
    "ACCELERATE_USE_FSDP": "true", "FSDP_VERSION": "2", "FSDP_AUTO_WRAP_POLICY": "TRANSFORMER_BASED_WRAP",
    "FSDP_STATE_DICT_TYPE": "FULL_STATE_DICT", "FSDP_RESHARD_AFTER_FORWARD": "true",
    "FSDP_CPU_RAM_EFFICIENT_LOADING": "false",
}  # fmt: skip
ZERO3 = {
    "ACCELERATE_USE_DEEPSPEED": "true", "ACCELERATE_DEEPSPEED_ZERO_STAGE": "3",
    "ACCELERATE_DEEPSPEED_ZERO3_INIT": "false", "ACCELERATE_DEEPSPEED_ZERO3_SAVE_16BIT_MODEL": "true",
    "ACCELERATE_GRADIENT_ACCUMULATION_STEPS": "auto", "ACCELERATE_GRADIENT_CLIPPING": "auto",
    "DS_ACCELERATOR": "cpu",
}  # fmt: skip
TORCHRUN = ["-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone"]
LAUNCHER = [*TORCHRUN, str(Path(__file__).parents[1] / "support" / "sharded_on_processors.py")]
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


def _start(launcher, environment, data, model, out, *options):
    free = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    paths = {"data": data, "model": model, "out": out}
    settings = (w for name, value in (paths | SETTINGS).items() for w in (f"--{name.replace('_', '-')}", str(value)))
    command = [sys.executable, *launcher, "train", "sweet", *settings, *options]
    with out.with_suffix(".errors").open("w") as errors:
        return subprocess.Popen(command, env=os.environ | free | environment, stdout=subprocess.DEVNULL, stderr=errors)


def _train(*run):
    process = _start(*run)
    try:
        code = process.wait(timeout=500)
    finally:
        _kill(process)
    assert code == 0, run[4].with_suffix(".errors").read_text()[-3000:]


def _kill(process):
    """Kill a process and all that it started: torchrun's workers have groups of their own."""
    family = [process.pid]
    for pid in family:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            family += map(int, children.read_text().split())
    for pid in family if process.poll() is None else ():
        os.kill(pid, signal.SIGKILL)
    process.wait()


def _work_done(out):
    """Return how many lines there are of metrics, references, candidates and scores."""
    lines = 0
    for folder, _, names in os.walk(out):  # old checkpoints vanish while they are looked at
        for name in names:
            if name.endswith(".jsonl"):
                with suppress(FileNotFoundError):
                    lines += Path(folder, name).read_text().count("\n")
    return lines


def _train_and_kill(moments, *run):
    """Kill a run whenever it has written so many lines more, and go on with it; return how often it was killed."""
    killed = 0
    for lines in moments:
        process, before = _start(*run, "--resume"), _work_done(run[4])
        while process.poll() is None and _work_done(run[4]) < before + lines:
            time.sleep(0.002)
        killed += process.poll() is None
        _kill(process)
    _train(*run, "--resume")
    return killed


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
    """Two trainers, and two stages that load whole models between them."""
    environment, mark = WAYS[way]
    two = tmp_path / "two"
    _train(LAUNCHER, environment, data, tiny_model, two, "--stage", "pairs")
    _check_stages_before_the_actor(one_process, two)
    _train(LAUNCHER, environment, data, tiny_model, two, "--resume")
    _check_weights_equal(one_process, two)
    assert all(list((two / part / "checkpoints").glob(f"*/{mark}")) for part in (".", "critic"))  # both were shared out


@pytest.mark.timeout(3600 if MANY_KILLS else 900)
@pytest.mark.parametrize("way", ["ddp", *(WAYS if MANY_KILLS else ())])
def test_a_run_that_is_killed_at_random_moments_ends_as_one_process(way, data, tiny_model, one_process, tmp_path):
    """Five times under each way with COLBENCH_MANY_KILLS=1, which takes half an hour, else twice."""
    environment, _ = WAYS.get(way, ({}, ""))
    launcher, on_cpu = (LAUNCHER, ()) if environment else ([*TORCHRUN, "-m", "colbench_gym"], ("--cpu",))
    moments = random.Random(way)
    run = (launcher, environment, data, tiny_model, tmp_path / "two", "--save-steps", "1", *on_cpu)
    kills = (3, 2) if MANY_KILLS else (1, 1)
    killed = _train_and_kill([moments.randint(1, 10) for _ in range(kills[0])], *run, "--stage", "pairs")
    _check_stages_before_the_actor(one_process, tmp_path / "two")
    killed += _train_and_kill([moments.randint(1, 2) for _ in range(kills[1])], *run)
    _check_weights_equal(one_process, tmp_path / "two")
    assert killed == sum(kills)


def _check_stages_before_the_actor(one_process, two):
    """Compare critic, candidates and scores; then give two processes those of one, whose pairs the actor learns from.

    Where two candidates are as good as each other, rounding ranks them.
    """
    _check_weights_equal(one_process / "critic", two / "critic")
    ones, twos = (_rows(out, "candidates") for out in (one_process, two))
    same = [turn for turn in ones if [c["ids"] for c in ones[turn]] == [c["ids"] for c in twos[turn]]]
    assert ones.keys() == twos.keys()
    assert len(same) >= len(ones) - 2  # a draw at the border of two tokens falls as rounding has it
    scores, scores_of_two = (_rows(out, "scores") for out in (one_process, two))
    assert all(scores[turn] == pytest.approx(scores_of_two[turn], abs=1e-4) for turn in same)

    for kind in ("candidates", "scores"):
        for file in two.glob(f"{kind}.*.jsonl"):
            file.unlink()
        shutil.copyfile(one_process / f"{kind}.0.jsonl", two / f"{kind}.0.jsonl")
