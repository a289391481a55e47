"""Training that ends early by what is held out, and models that are copied to a hub (a stub in its place)."""

import json
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest
from support.lazily import filtered_bc, multiturn_dpo, sweet_rl

from colbench_gym import UsageError

pytestmark = pytest.mark.train

PATHS = {"data": (Path("d"),), "model": "m", "out": Path("o")}


def dpo(data, model, out, **changes):
    quick = {"max_steps": 6, "batch_size": 2, "learning_rate": 1e-3, "cpu": True, "save_steps": 1}
    multiturn_dpo.train(multiturn_dpo.MultiTurnDPO(data=(data,), model=str(model), out=out, **{**quick, **changes}))


def same_file(first, second, name="model.safetensors"):
    return (first / name).read_bytes() == (second / name).read_bytes()


def evaluations(out):
    rows = [json.loads(line) for line in (out / "metrics.jsonl").read_text().splitlines()]
    return [row["eval_score/accuracy"] for row in rows if "eval_loss" in row]


def test_training_ends_when_a_held_out_metric_is_not_better_and_keeps_the_best_weights(data, tiny_model, tmp_path):
    """An accuracy of 1 after the first step cannot be passed: two evaluations later it is over."""
    watch = {"eval_data": data, "early_stopping": "score/accuracy:2", "learning_rate": 3e-3, "keep_checkpoints": 3}
    whole = tmp_path / "whole"
    dpo(data, tiny_model, whole, **watch)
    accuracies = evaluations(whole)
    best = accuracies.index(max(accuracies))
    assert len(accuracies) == best + 3 < 6
    assert json.loads((whole / "run.json").read_text())["steps"] == best + 3
    assert same_file(whole, whole / "checkpoints" / f"checkpoint-{best + 1}")
    assert not same_file(whole, whole / "checkpoints" / f"checkpoint-{best + 3}")
    assert "early_stopping is 'score/accuracy:2'" in (whole / "README.md").read_text()

    for left in (best + 2, best + 3):  # killed while it was patient, and after the last step
        stopped = tmp_path / f"stopped-{left}"
        shutil.copytree(whole, stopped)
        (stopped / "model.safetensors").unlink()
        for step in range(left + 1, best + 4):
            shutil.rmtree(stopped / "checkpoints" / f"checkpoint-{step}")
        dpo(data, tiny_model, stopped, **watch, resume=True)
        assert evaluations(stopped) == accuracies
        assert same_file(whole, stopped)


def test_a_metric_that_cannot_be_watched_is_refused():
    with pytest.raises(UsageError, match=r"'loss:2' and no held-out dialogues to watch.*--eval-data FILE"):
        multiturn_dpo.MultiTurnDPO(**PATHS, early_stopping="loss:2")
    held_out = PATHS | {"eval_data": Path("e")}
    for words in ("loss", "loss:0", "loss:x", "reward:2", ":3"):
        with pytest.raises(UsageError, match=r"expected METRIC:PATIENCE, the metric one of loss, loss/preference"):
            multiturn_dpo.MultiTurnDPO(**held_out, early_stopping=words)
    with pytest.raises(UsageError, match="the metric one of loss, the patience"):
        filtered_bc.FilteredBC(**held_out, early_stopping="score/accuracy:2")
    with pytest.raises(UsageError, match="the metric one of loss, score/accuracy, the patience"):
        sweet_rl.SweetRL(**held_out, judge="value", early_stopping="score/margin:2")
    with pytest.raises(UsageError, match=r"eval_data.*has no effect here: a language model as a judge is not trained"):
        sweet_rl.SweetRL(**held_out, judge="llm", early_stopping="loss:2")
    assert sweet_rl.SweetRL(**held_out, early_stopping="score/margin:2").watched == ("score/margin", 2)


class StubHub:
    """Keeps what was uploaded, by commit message, in place of huggingface_hub's client."""

    def __init__(self, monkeypatch, token="hf_x", refusal=None):
        from huggingface_hub import HfApi

        self.made, self.commits, self.refusal = [], {}, refusal
        monkeypatch.setenv("HF_TOKEN", token)
        monkeypatch.setattr(HfApi, "create_repo", lambda _, name, **options: self.create(name, **options))
        monkeypatch.setattr(HfApi, "upload_folder", lambda _, **options: self.upload(**options))

    def create(self, name, *, private=None, **_):
        self.made.append((name, private))
        return SimpleNamespace(repo_id=name)

    def upload(self, *, repo_id, folder_path, commit_message, allow_patterns=None, ignore_patterns=None, **_):
        from huggingface_hub.utils import filter_repo_objects

        if self.refusal:
            raise self.refusal
        files = [str(file.relative_to(folder_path)) for file in Path(folder_path).rglob("*") if file.is_file()]
        kept = filter_repo_objects(files, allow_patterns=allow_patterns, ignore_patterns=ignore_patterns)
        self.commits[commit_message] = sorted(kept)
        return SimpleNamespace(is_done=lambda: True, done=lambda: True)


def test_checkpoints_and_the_model_with_its_card_are_pushed(data, tiny_model, tmp_path, monkeypatch):
    hub = StubHub(monkeypatch)
    dpo(data, tiny_model, tmp_path / "out", push_to_hub="me/model", max_steps=2)
    assert hub.made[0] == ("me/model", True)
    assert {name for name, _ in hub.made} == {"me/model"}
    first, second, last = hub.commits
    assert (first, second) == ("Training in progress, step 1", "Training in progress, step 2")
    assert {"model.safetensors", "tokenizer.json"} <= set(hub.commits[first])
    assert last == "Multi-turn DPO: end of training"
    assert {"README.md", "model.safetensors", "config.json", "tokenizer.json", "run.json"} <= set(hub.commits[last])
    assert "metrics.jsonl" in hub.commits[last]
    assert not any("/" in file or file.startswith("reference") for file in hub.commits[last])
    assert "base_model" not in (tmp_path / "out" / "README.md").read_text()  # a folder of this machine


def test_of_sweet_the_actor_is_pushed(data, tiny_model, tmp_path, monkeypatch):
    hub = StubHub(monkeypatch)
    options = {
        "first": 2, "candidates": 2, "max_new_tokens": 4, "critic_max_steps": 1, "max_steps": 1, "batch_size": 2,
        "actor_share": 0.5, "learning_rate": 1e-3, "cpu": True, "push_to_hub": "me/actor",
    }  # fmt: skip
    sweet_rl.train(sweet_rl.SweetRL(data=(data,), model=str(tiny_model), out=tmp_path / "out", **options))
    assert list(hub.commits)[-1] == "SWEET-RL: end of training"
    assert not any("critic" in message for message in hub.commits)
    pushed = hub.commits["SWEET-RL: end of training"]
    assert not {"candidates.0.jsonl", "scores.0.jsonl", "pairs.jsonl"} & set(pushed)


def test_no_token_is_one_line_before_anything_is_loaded(data, tmp_path, monkeypatch):
    StubHub(monkeypatch, token="")
    with pytest.raises(UsageError, match=r"got push_to_hub 'me/model' and no token of the hub.*HF_TOKEN"):
        dpo(data, "no/model", tmp_path / "out", push_to_hub="me/model")
    assert not (tmp_path / "out").exists()


def test_a_hub_that_refuses_leaves_the_model_here_and_is_tried_again(data, tiny_model, tmp_path, monkeypatch):
    out, settings = tmp_path / "out", {"push_to_hub": "me/model", "max_steps": 1, "save_steps": 0}
    hub = StubHub(monkeypatch)
    dpo(data, tiny_model, out, max_steps=1, save_steps=0)
    hub.refusal = OSError("403 Forbidden\nmore")
    with pytest.raises(
        UsageError, match=r"the hub did not take 'me/model' \(403 Forbidden\); the model is in .*--resume"
    ):
        dpo(data, tiny_model, out, **settings, resume=True)
    hub.refusal = None
    dpo(data, tiny_model, out, **settings, resume=True)
    assert list(hub.commits) == ["Multi-turn DPO: end of training"]
