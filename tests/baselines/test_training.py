"""Whole runs: equal curves, resumed runs, adapters, two processes, and what a run leaves behind."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from support.command import ROOT
from support.lazily import filtered_bc, multiturn_dpo, sweet_rl
from support.tables import cases
from support.tiny import make_trajectory

from colbench_gym import ConfigurationChangedError, UsageError, write_trajectories

pytestmark = pytest.mark.train

QUICK = {"max_steps": 4, "batch_size": 2, "learning_rate": 1e-3, "cpu": True}
QUICK_SWEET = {
    **QUICK, "critic_max_steps": 3, "critic_learning_rate": 1e-3, "candidates": 4, "max_new_tokens": 6, "first": 2,
    "actor_share": 1.0,
}  # fmt: skip


def metrics(out):
    lines = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    timed = ("train_runtime", "train_samples_per_second", "train_steps_per_second", "train_loss",
             "train_tokens_per_second")  # fmt: skip
    return [{name: value for name, value in line.items() if name not in timed} for line in lines]


def weights(out, name="model.safetensors"):
    from safetensors.torch import load_file

    return load_file(out / name)


def equal_weights(first, second, tolerance=0.0):
    ours, theirs = weights(first), weights(second)
    return all((ours[name] - theirs[name]).abs().max() <= tolerance for name in ours) and ours.keys() == theirs.keys()


def bc(data, model, out, **changes):
    options = filtered_bc.FilteredBC(data=(data,), model=str(model), out=out, **{**QUICK, **changes})
    filtered_bc.train(options)
    return options


def dpo(data, model, out, **changes):
    options = multiturn_dpo.MultiTurnDPO(data=(data,), model=str(model), out=out, **{**QUICK, **changes})
    multiturn_dpo.train(options)
    return options


def sweet(data, model, out, **changes):
    chosen = {**QUICK_SWEET, **changes}
    if chosen.get("judge") == "llm":
        chosen = {name: value for name, value in chosen.items() if not name.startswith("critic_")}
    options = sweet_rl.SweetRL(data=(data,), model=str(model), out=out, **chosen)
    sweet_rl.train(options)
    return options


@pytest.fixture(scope="module")
def sweet_run(data, tiny_model, tmp_path_factory):
    out = tmp_path_factory.mktemp("runs") / "sweet"
    sweet(data, tiny_model, out)
    return out


@pytest.mark.parametrize("train", [bc, dpo])
def test_equal_seeds_give_equal_curves(train, data, tiny_model, tmp_path):
    train(data, tiny_model, tmp_path / "whole", save_steps=2)
    train(data, tiny_model, tmp_path / "again", save_steps=2)
    assert metrics(tmp_path / "whole") == metrics(tmp_path / "again")
    assert equal_weights(tmp_path / "whole", tmp_path / "again")
    train(data, tiny_model, tmp_path / "other", save_steps=2, seed=1)
    assert metrics(tmp_path / "whole") != metrics(tmp_path / "other")


def test_half_a_checkpoint_is_passed_over_and_after_the_last_step_no_other_is_taken(data, tiny_model, tmp_path):
    """Three steps of an epoch of four: a trainer that goes on from the last checkpoint would take the fourth."""
    dpo(data, tiny_model, tmp_path / "whole", max_steps=3)
    stopped = tmp_path / "stopped"
    dpo(data, tiny_model, stopped, max_steps=3, save_steps=1, keep_checkpoints=3)
    (stopped / "checkpoints" / "checkpoint-3" / "trainer_state.json").write_text('{"epoch"')
    (stopped / "checkpoints" / "checkpoint-2" / "rng_state.pth").write_bytes(b"PK half")
    for _ in range(2):
        (stopped / "model.safetensors").unlink()
        dpo(data, tiny_model, stopped, max_steps=3, save_steps=1, keep_checkpoints=3, resume=True)
        assert equal_weights(tmp_path / "whole", stopped)
        assert [line["loss"] for line in metrics(stopped) if "loss" in line] == [
            line["loss"] for line in metrics(tmp_path / "whole") if "loss" in line
        ]
    runs = [json.loads((out / "run.json").read_text()) for out in (tmp_path / "whole", stopped)]
    assert runs[0]["final"] == runs[1]["final"]
    assert runs[1]["steps"] == 3


def test_another_configuration_is_not_gone_on_with(data, tiny_model, tmp_path):
    dpo(data, tiny_model, tmp_path / "run", max_steps=1)
    with pytest.raises(ConfigurationChangedError, match=r"beta was 0\.1 and is 0\.2"):
        dpo(data, tiny_model, tmp_path / "run", max_steps=1, beta=0.2, resume=True)
    with pytest.raises(ConfigurationChangedError, match="the algorithm was"):
        bc(data, tiny_model, tmp_path / "run", max_steps=1, resume=True)


def test_lora_and_full_agree_at_the_first_step_and_an_adapter_plays(data, tiny_model, tmp_path):
    from colbench_gym.models.loading import load_causal_model
    from colbench_gym.policies import make_policy

    dpo(data, tiny_model, tmp_path / "full", max_steps=2)
    dpo(data, tiny_model, tmp_path / "lora", max_steps=2, lora_rank=4)
    full, lora = metrics(tmp_path / "full")[0], metrics(tmp_path / "lora")[0]
    for name in ("loss", "loss/preference", "loss/nll", "score/margin"):
        assert full[name] == pytest.approx(lora[name], abs=1e-6)
    assert not (tmp_path / "lora" / "model.safetensors").exists()
    import torch

    merged = load_causal_model(str(tmp_path / "lora"), torch.float32)
    assert "lora" not in " ".join(name for name, _ in merged.named_parameters())
    dpo(data, tmp_path / "lora", tmp_path / "on", max_steps=1)  # all weights, from the merged adapter
    assert weights(tmp_path / "on").keys() == weights(tmp_path / "full").keys()
    with pytest.raises(UsageError, match="is a LoRA adapter"):
        dpo(data, tmp_path / "lora", tmp_path / "onto", max_steps=1, lora_rank=4)
    policy = make_policy(f"hf:{tmp_path / 'lora'}", max_tokens=2)
    assert isinstance(policy.act([{"role": "user", "content": "Hi"}]), str)
    policy.close()


def test_accumulated_micro_batches_equal_one_batch(data, tiny_model, tmp_path):
    for train in (bc, dpo):
        name = train.__name__
        train(data, tiny_model, tmp_path / f"{name}1", batch_size=4, micro_batch_size=1, max_steps=2)
        train(data, tiny_model, tmp_path / f"{name}4", batch_size=4, micro_batch_size=4, max_steps=2)
        for first, second in zip(metrics(tmp_path / f"{name}1"), metrics(tmp_path / f"{name}4"), strict=True):
            if "loss" in first:
                assert first["loss"] == pytest.approx(second["loss"], abs=1e-5)


def test_two_processes_equal_one(data, tiny_model, sweet_run, tmp_path):
    """All stages of SWEET-RL: the critic's steps, the shared-out candidates and scores, the actor's steps."""
    free = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    flags = {name: value for name, value in QUICK_SWEET.items() if name != "cpu"}
    command = [
        sys.executable, "-m", "torch.distributed.run", "--nproc_per_node=2", "--standalone", "-m", "colbench_gym", "train", "sweet",
        "--data", str(data), "--model", str(tiny_model), "--out", str(tmp_path / "two"), "--cpu",
        *(word for name, value in flags.items() for word in (f"--{name.replace('_', '-')}", str(value))),
    ]  # fmt: skip
    done = subprocess.run(command, env=os.environ | free, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr[-3000:]
    for part in (".", "critic"):
        ones, twos = metrics(sweet_run / part), metrics(tmp_path / "two" / part)
        assert [line["loss"] for line in ones if "loss" in line] == pytest.approx(
            [line["loss"] for line in twos if "loss" in line], abs=1e-4
        )
        assert equal_weights(sweet_run / part, tmp_path / "two" / part, tolerance=1e-4)
    assert done.stdout.count("written to") == 1


def test_a_stopped_sweet_run_goes_on_with_what_it_has(data, tiny_model, sweet_run, tmp_path):
    stopped = tmp_path / "stopped"
    shutil.copytree(sweet_run, stopped)
    for name in ("checkpoints", "rows"):
        shutil.rmtree(stopped / name)
    for name in ("model.safetensors", "pairs.jsonl", "metrics.jsonl"):
        (stopped / name).unlink()
    run = json.loads((stopped / "run.json").read_text())
    run["options"]["out"] = str(stopped)
    run.pop("done")
    (stopped / "run.json").write_text(json.dumps(run))
    for name, keep in (("candidates", 9), ("scores", 5)):
        lines = (stopped / f"{name}.0.jsonl").read_text().splitlines(keepends=True)
        (stopped / f"{name}.0.jsonl").write_text("".join(lines[:keep]) + lines[keep][:20])  # a line cut in half
    critic = (stopped / "critic" / "model.safetensors").stat().st_mtime_ns
    sweet(data, tiny_model, stopped, resume=True)
    assert (stopped / "critic" / "model.safetensors").stat().st_mtime_ns == critic
    for name in ("candidates.0.jsonl", "scores.0.jsonl", "pairs.jsonl"):
        assert (stopped / name).read_text() == (sweet_run / name).read_text()
    assert metrics(stopped) == metrics(sweet_run)
    assert equal_weights(stopped, sweet_run)


def test_stages_one_by_one(data, tiny_model, sweet_run, tmp_path):
    for stage in ("critic", "candidates", "pairs"):
        sweet(data, tiny_model, tmp_path / "run", stage=stage, resume=True)
    assert (tmp_path / "run" / "pairs.jsonl").read_text() == (sweet_run / "pairs.jsonl").read_text()
    assert not (tmp_path / "run" / "model.safetensors").exists()


def test_the_reference_never_leaks_to_the_actor(sweet_run, tokenizer):
    from datasets import load_from_disk

    def text(rows, columns):
        return " ".join(tokenizer.decode(ids) for row in rows for name in columns for ids in _flat(row[name]))

    actor = text(load_from_disk(str(sweet_run / "rows")), ("chosen_ids", "rejected_ids"))
    critic = text(load_from_disk(str(sweet_run / "critic" / "rows")), ("chosen_ids", "rejected_ids"))
    assert "SECRET" in critic
    assert "Write f0(x)." in actor
    assert "SECRET" not in actor
    assert "For the judge only" not in actor
    stored = (sweet_run / "candidates.0.jsonl").read_text() + (sweet_run / "pairs.jsonl").read_text()
    assert "SECRET" not in stored


def _flat(ids):
    return ids if isinstance(ids[0], list) else [ids]


def test_the_actors_rows_keep_the_sampled_ids(sweet_run):
    from datasets import load_from_disk

    sampled = {
        tuple(c["ids"])
        for line in (sweet_run / "candidates.0.jsonl").read_text().splitlines()
        for c in json.loads(line)["candidates"]
    }
    for row in load_from_disk(str(sweet_run / "rows")):
        for side in ("chosen", "rejected"):
            ((ids,), (turns,)) = row[f"{side}_ids"], row[f"{side}_turns"]
            assert tuple(i for i, turn in zip(ids, turns, strict=True) if turn == 0) in sampled


def test_card_and_run_file_stand_beside_the_weights(sweet_run):
    card = (sweet_run / "README.md").read_text()
    assert "2503.15478" in card
    assert "| recipe | paper |" in card
    run = json.loads((sweet_run / "run.json").read_text())
    assert run["done"]
    assert run["steps"] == 4
    assert run["data"]["pairs"] == 48
    assert run["versions"]["transformers"]
    assert json.loads((sweet_run / "critic" / "run.json").read_text())["data"]["pairs"]["pairs"] == 4


ABLATIONS = cases(__file__, "ablations")


@pytest.mark.parametrize("name", ABLATIONS)
def test_every_ablation_is_one_option_and_ends_in_an_actor(name, data, tiny_model, tmp_path, tokenizer):
    from datasets import load_from_disk

    small = {"max_steps": 1, "critic_max_steps": 1, "first": 1, "candidates": 2}
    options = sweet(data, tiny_model, tmp_path / "run", **ABLATIONS[name] | small)
    judge = sweet_rl.Sweet(options).load_judge()
    if name == "released":
        row = load_from_disk(str(tmp_path / "run" / "critic" / "rows"))[0]
        assert row["aggregation"] == "mean"
        assert load_from_disk(str(tmp_path / "run" / "rows"))[0]["nll_over"] == "sequence"
        assert metrics(tmp_path / "run" / "critic")[0]["loss"] == pytest.approx(
            0.693147, abs=1e-5
        )  # no likelihood term
        assert judge.released
        assert len((tmp_path / "run" / "scores.0.jsonl").read_text().splitlines()) == 5  # the turns of two dialogues
    elif name == "no training-time information":
        row = load_from_disk(str(tmp_path / "run" / "critic" / "rows"))[0]
        assert "SECRET" not in tokenizer.decode(row["chosen_ids"][0])
        assert not judge.privileged
    elif name == "no length normalisation":
        assert load_from_disk(str(tmp_path / "run" / "critic" / "rows"))[0]["aggregation"] == "sum"
        assert judge.aggregation == "sum"
    elif name == "named deviations":
        assert load_from_disk(str(tmp_path / "run" / "rows"))[0]["aggregation"] == "mean"
        card = (tmp_path / "run" / "README.md").read_text()
        for named in ("distinct_candidates is True", "same_kind is True", "actor_aggregation is 'mean'"):
            assert f"Deviates from the defaults: {named}" in card
        assert "Deviates from the defaults: learning_rate" in card
        assert "Deviates from the defaults: seed" not in card
    else:
        kinds = {"regression head": "HeadJudge", "value function": "HeadJudge", "LLM as a judge": "LLMJudge"}
        assert type(judge).__name__ == kinds[name]
    assert (tmp_path / "run" / "tokenizer.json").exists()


def test_frontend_dialogues_train_and_say_what_is_not_there(tiny_model, tmp_path, capsys):
    pages = [
        make_trajectory([f"<html>{at}</html>", "I WANT TO ANSWER:"], pass_rate=score, task="9", track="frontend")
        for at, score in enumerate((0.95, 0.5, 0.2))
    ]
    write_trajectories(tmp_path / "pages.jsonl", pages, official=True)
    changes = {"max_steps": 1, "critic_max_steps": 1, "candidates": 2}
    bc(tmp_path / "pages.jsonl", tiny_model, tmp_path / "bc", max_steps=1, batch_size=1)
    dpo(tmp_path / "pages.jsonl", tiny_model, tmp_path / "dpo", max_steps=1)
    sweet(tmp_path / "pages.jsonl", tiny_model, tmp_path / "sweet", **changes)
    assert json.loads((tmp_path / "dpo" / "run.json").read_text())["data"]["pairs"]["pairs"] == 3
    printed = capsys.readouterr().err
    assert "no picture is there" in printed
    assert "step       loss  score/margin  score/accuracy" in printed
    assert "{'loss'" not in printed
    assert "no picture is there" in (tmp_path / "sweet" / "README.md").read_text()


def test_held_out_dialogues_give_loss_and_accuracy(data, tiny_model, sweet_run, tmp_path):
    """Evaluation changes no training step; the critic's accuracy stands in its metrics."""
    sweet(data, tiny_model, tmp_path / "run", stage="critic", eval_data=data, save_steps=2)
    trained = [line for line in metrics(tmp_path / "run" / "critic") if "loss" in line]
    held_out = [line for line in metrics(tmp_path / "run" / "critic") if "eval_loss" in line]
    assert [line["loss"] for line in trained] == [
        line["loss"] for line in metrics(sweet_run / "critic") if "loss" in line
    ]
    assert [line["step"] for line in held_out] == [2, 3]
    assert 0 <= held_out[0]["eval_score/accuracy"] <= 1
    assert held_out[0]["eval_score/margin"] == pytest.approx(
        held_out[0]["eval_score/chosen"] - held_out[0]["eval_score/rejected"], abs=1e-5
    )
    bc(data, tiny_model, tmp_path / "bc", max_steps=2, eval_data=data, save_steps=2)
    assert [line["eval_loss"] > 0 for line in metrics(tmp_path / "bc") if "eval_loss" in line] == [True]
    pages = [make_trajectory(["<html></html>"], pass_rate=0.95, track="frontend")]
    write_trajectories(tmp_path / "pages.jsonl", pages, official=True)
    with pytest.raises(UsageError, match="got frontend dialogues; expected backend"):
        bc(data, tiny_model, tmp_path / "other", eval_data=tmp_path / "pages.jsonl")
