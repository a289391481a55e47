"""Training that is stopped at every stage: what it keeps, what it says, and that it goes on as if it had not been."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest
from support.lazily import multiturn_dpo
from support.tiny import make_trajectory, offline_dialogues

from colbench_gym import InputFileError, UsageError, write_trajectories
from colbench_gym.evaluation.run_folder import read_run_file
from colbench_gym.models.unfinished import lock, unfinished

pytestmark = pytest.mark.train
FLAGS = "--max-steps 6 --batch-size 2 --learning-rate 1e-3 --cpu"


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A run's folder with the dialogues of two tasks, and a file with those of two others."""
    folder, dialogues = tmp_path_factory.mktemp("data"), offline_dialogues()
    write_trajectories(folder / "trajectories.jsonl", dialogues[:6], official=True)
    write_trajectories(folder / "others.jsonl", dialogues[6:], official=True)
    return folder, folder / "others.jsonl"


def train(files, model, out, *more, at="", send=signal.SIGINT):
    """Train as a user does; send a signal when a line of stderr begins with ``at``. Returns status and stderr."""
    words = ["train", "dpo", "--data", *files, "--model", model, "--out", out, *FLAGS.split(), *more]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "colbench_gym", *map(str, words)]
    said = []
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, env=environment
    ) as run:
        for line in run.stderr:
            said.append(line)
            if at and line.strip().startswith(at):
                run.send_signal(send)
                at = ""
    return run.returncode, "".join(said)


def rows(out):
    return [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]


def test_a_run_that_is_stopped_at_any_stage_goes_on_as_if_it_had_not_been(files, tiny_model, tmp_path):
    whole, out = tmp_path / "whole", tmp_path / "out"
    multiturn_dpo.train(
        multiturn_dpo.MultiTurnDPO(
            data=files, model=str(tiny_model), out=whole, max_steps=6, batch_size=2, learning_rate=1e-3, cpu=True
        )
    )
    before_training = "log-probabilities before training, batches"
    status, _ = train(files, tiny_model, out, at=f"{before_training}: 3 of", send=signal.SIGKILL)
    assert status == -signal.SIGKILL
    known = [json.loads(line) for line in (out / "reference.train.0.jsonl").read_text().splitlines()]
    kept = len(known)
    assert kept >= 3
    other = [*known[:-1], {**known[-1], "row": 0, "sums": [[0.0, 0.0], [0.0, 0.0]]}]  # of data that was there before
    (out / "reference.train.0.jsonl").write_text("".join(json.dumps(row) + "\n" for row in other))
    assert unfinished(out) == "Multi-turn DPO has not finished (no checkpoint yet)"

    status, said = train(files, tiny_model, out, "--resume", at="3 ")  # long before the end of the first epoch
    assert status == 130
    assert "stopping after this step, whose state is kept" in said
    assert said.count(before_training) <= 9 - kept
    (stopped,) = {int(step) for step in re.findall(r"stopped; step (\d) of 6 is kept", said)}
    state = (
        f"Multi-turn DPO has not finished (step {stopped} of 6 is kept in {out / 'checkpoints'}/checkpoint-{stopped})"
    )
    assert unfinished(out) == state

    status, said = train(files, tiny_model, out)
    assert status == 2
    assert f"holds a run already: {state}; name another --out, or go on with it by --resume" in said
    status, said = train(files, tiny_model, out, "--resume")
    assert status == 0, said
    assert f"{6 - stopped} of 6 optimizer steps are left" in said
    assert re.search(r"tokens/s +left\n", said)
    assert [row.get("loss") for row in rows(out)] == [row.get("loss") for row in rows(whole)]
    assert (out / "model.safetensors").read_bytes() == (whole / "model.safetensors").read_bytes()
    assert unfinished(out) is None
    assert "has finished" in train(files, tiny_model, out)[1]


def test_a_signal_that_comes_again_does_not_cost_the_step(capfd):
    """A launcher's worker is told by the terminal, and by its launcher."""
    from transformers import TrainerControl, TrainerState

    from colbench_gym.baselines.training.keeping import KeepsState

    keeper, control, state = KeepsState(0), TrainerControl(), TrainerState(max_steps=6)
    with keeper.listening():
        keeper.on_step_end(None, state, control)
        assert not control.should_save
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        keeper.on_step_end(None, state, control)
        assert control.should_save
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            keeper.on_save(None, state, control)
    said = capfd.readouterr().err
    assert said.count("stopping after this step") == 1
    assert said.endswith("stopped; step 0 of 6 is kept\n")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_killed_run_has_lost_no_more_than_so_many_minutes(files, tiny_model, tmp_path):
    train(files, tiny_model, tmp_path / "out", "--save-minutes", "1e-9", at="4 ", send=signal.SIGKILL)
    steps = {path.name for path in (tmp_path / "out" / "checkpoints").iterdir()}
    assert steps & {"checkpoint-2", "checkpoint-3"}
    with pytest.raises(UsageError, match=r"save_minutes is -1.*expected at least 0"):
        multiturn_dpo.MultiTurnDPO(data=files, model="m", out=tmp_path, save_minutes=-1)


def test_an_unfinished_run_is_known_by_whoever_meets_it(files, tiny_model, tmp_path):
    from colbench_gym.policies import make_policy

    out = tmp_path / "out"
    (out / "critic").mkdir(parents=True)
    (out / "run.json").write_text(json.dumps({"algorithm": "SWEET-RL", "options": {}}))
    (out / "critic" / "run.json").write_text(json.dumps({"algorithm": "SWEET-RL critic", "options": {}}))
    state = "SWEET-RL has not finished (no checkpoint yet; SWEET-RL critic has not finished (no checkpoint yet))"
    assert unfinished(out) == state
    with pytest.raises(UsageError, match=f"holds no trained model yet: {re.escape(state)}; go on with .*--resume"):
        make_policy(f"hf:{out}")
    with pytest.raises(InputFileError, match=f"a training run: {re.escape(state)}"):
        read_run_file(out)
    held = lock(out)
    assert "SWEET-RL is being trained by another process (" in unfinished(out)
    options = {"data": files, "model": str(tiny_model), "cpu": True, "max_steps": 1}
    (out / "run.json").unlink()
    with pytest.raises(UsageError, match="another process is training here; wait for it, or use another --out"):
        multiturn_dpo.train(multiturn_dpo.MultiTurnDPO(out=out, **options))
    os.close(held)
    assert unfinished(tmp_path) is None
    (out / "run.json").write_text("[]")
    assert unfinished(out) is None


def test_several_files_are_read_and_first_counts_tasks(files, tmp_path, capfd):
    from colbench_gym.baselines.data import read_offline_data

    again = make_trajectory(["I WANT TO ANSWER: 3"], pass_rate=0.0, task="0")  # a third file, about the first task
    write_trajectories(tmp_path / "again.jsonl", [again], official=True)
    options = multiturn_dpo.MultiTurnDPO(data=(*files, tmp_path / "again.jsonl"), model="m", out=tmp_path, first=3)
    read = read_offline_data(options).trajectories
    assert [one.task.description for one in read] == [f"Write f{task}(x)." for task in "0001112220"]
    assert "10 dialogues of 3 tasks; " in capfd.readouterr().err
    with pytest.raises(UsageError, match="got no data; expected at least one run or file"):
        multiturn_dpo.MultiTurnDPO(data=(), model="m", out=tmp_path)
