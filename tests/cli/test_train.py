"""colbench train from end to end, and what it says of input that cannot be used."""

import json
import shutil

import pytest
from support.tiny import make_model, make_tokenizer, make_trajectory

from colbench_gym.cli import main
from colbench_gym.trajectory import read_trajectories, write_trajectories

pytestmark = pytest.mark.train


def run(*words, status=0):
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert ended.value.code == status


@pytest.mark.parametrize("algorithm", ["bc", "dpo", "sweet"])
def test_three_steps_on_an_official_file_and_the_result_plays(algorithm, data, tiny_model, tmp_path, capsys):
    special = ["--candidates", 2, "--max-new-tokens", 4, "--critic-max-steps", 3] if algorithm == "sweet" else []
    run("train", algorithm, "--data", data, "--model", tiny_model, "--out", tmp_path / "model", "--max-steps", 3,
        "--batch-size", 2, "--first", 6, "--cpu", *special)  # fmt: skip
    assert f"--agent hf:{tmp_path / 'model'}" in "".join(capsys.readouterr().out.split("\n"))
    played = tmp_path / "played"
    run("eval", "ColBench-Backend-v0", "--agent", f"hf:{tmp_path / 'model'}", "--out", played, "-n", 1,
        "--max-turns", 1)  # fmt: skip
    (trajectory,) = read_trajectories(played / "trajectories.jsonl")
    assert trajectory.outcome in ("answered", "out_of_turns")
    assert [bool(turn.token_ids) for turn in trajectory.dialogue.turns] == [False, True]
    assert json.loads((played / "run.json").read_text())
    assert "tokens/s" in capsys.readouterr().err
    if algorithm == "sweet":
        played = tmp_path / "best"
        run("eval", "ColBench-Backend-v0", "--agent", f"best_of:2:{tmp_path / 'model'}", "--out", played, "-n", 1,
            "--max-turns", 1, "--temperature", 1)  # fmt: skip
        assert read_trajectories(played / "trajectories.jsonl")[0].outcome in ("answered", "out_of_turns")


def said(capsys, *words):
    run("train", *words, status=2)
    return " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_no_successful_dialogue(tiny_model, tmp_path, capsys):
    write_trajectories(tmp_path / "bad.jsonl", [make_trajectory(["x"], pass_rate=0.9)], official=True)
    words = ("--data", tmp_path / "bad.jsonl", "--model", tiny_model, "--out", tmp_path / "out", "--cpu")
    assert "no successful dialogue among 1 (best score: 0.9)" in said(capsys, "bc", *words)
    for algorithm in ("dpo", "sweet"):
        assert "no pair of dialogues" in said(capsys, algorithm, *words)
    assert not (tmp_path / "out").exists()


def test_no_chat_template(data, tmp_path, capsys):
    tokenizer = make_tokenizer(None)
    make_model(tokenizer).save_pretrained(tmp_path / "base")
    tokenizer.save_pretrained(tmp_path / "base")
    words = ("--data", data, "--model", tmp_path / "base", "--out", tmp_path / "out", "--cpu", "--max-steps", 1)
    for algorithm in ("bc", "dpo", "sweet"):
        assert "has no chat template" in said(capsys, algorithm, *words)
    from support.tiny import CHATML

    (tmp_path / "chatml.jinja").write_text(CHATML)
    run("train", "bc", *words, "--chat-template", tmp_path / "chatml.jinja")
    assert (tmp_path / "out" / "chat_template.jinja").read_text() == CHATML


def test_no_such_model_file_or_template(data, tiny_model, tmp_path, capsys):
    words = ("--data", data, "--out", tmp_path / "out", "--cpu")
    for algorithm in ("bc", "dpo", "sweet"):
        message = said(capsys, algorithm, *words, "--model", tmp_path / "nowhere")
        assert "cannot be loaded as a language model" in message
        assert "expected a folder with config.json" in message
    assert "cannot be read" in said(capsys, "bc", *words[2:], "--data", tmp_path / "no.jsonl", "--model", tiny_model)
    missing = ("--model", tiny_model, "--chat-template", tmp_path / "no.jinja")
    assert "expected a Jinja chat template" in said(capsys, "bc", *words, *missing)


@pytest.fixture
def without_weights(tiny_model, tmp_path):
    """A model that is refused once it is loaded."""
    corrupt = shutil.copytree(tiny_model, tmp_path / "corrupt")
    (corrupt / "model.safetensors").write_bytes(b"not weights")
    return corrupt


def test_errors_come_before_the_model_is_loaded(data, without_weights, tmp_path, capsys):
    (tmp_path / "text.txt").write_text("Hello, this is no template.")
    (tmp_path / "broken.jinja").write_text("{% for m in messages %}\n{{ m.content }")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text('{"algorithm": "x", "options": {}}')
    words = ("--data", data, "--out", tmp_path / "out", "--cpu")
    for algorithm in ("bc", "dpo", "sweet"):
        message = said(capsys, algorithm, *words, "--model", tmp_path / "nowhere")
        assert "there is no such folder" in message
        message = said(capsys, algorithm, *words, "--model", without_weights, "--chat-template", tmp_path / "text.txt")
        assert "does not show the messages" in message
        message = said(
            capsys, algorithm, *words, "--model", without_weights, "--chat-template", tmp_path / "broken.jinja"
        )
        assert "cannot be rendered (line 2" in message
        assert "--chat-template FILE" in message
        assert "holds a run already" in said(
            capsys, algorithm, *words[:2], "--out", tmp_path / "run", "--cpu", "--model", without_weights
        )
    assert not (tmp_path / "out").exists()


def test_corrupt_weights_and_a_full_disk_are_said_in_one_line(data, tiny_model, without_weights, tmp_path, capsys):
    words = ("--data", data, "--cpu", "--max-steps", 1, "--batch-size", 1)
    assert "cannot be loaded as a language model" in said(
        capsys, "bc", *words, "--model", without_weights, "--out", tmp_path / "a"
    )

    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "config.json").symlink_to("/dev/full")
    message = said(capsys, "bc", *words, "--model", tiny_model, "--out", tmp_path / "b")
    assert "the disk is full" in message
    assert "--resume" in message


def test_settings_that_cannot_be_used(data, tiny_model, tmp_path, capsys):
    words = ("--data", data, "--model", tiny_model, "--out", tmp_path / "out", "--cpu")
    assert "multiple of 3" in said(capsys, "dpo", *words, "--batch-size", 8, "--micro-batch-size", 3)
    assert "batch_size is 0" in said(capsys, "dpo", *words, "--batch-size", 0)
    assert "longer than 20 tokens" in said(capsys, "bc", *words, "--max-tokens", 20, "--out", tmp_path / "b")
    assert "longer than 20 tokens" in said(capsys, "dpo", *words, "--max-tokens", 20, "--out", tmp_path / "c")
    assert "expected above 0" in said(capsys, "sweet", *words, "--temperature", 0)
    assert "openai:MODEL@BASE_URL" in said(
        capsys, "sweet", *words, "--sampler", "vllm", "--out", tmp_path / "d", "--critic-max-steps", 1
    )


def test_out_of_memory_says_what_to_do():
    import torch

    from colbench_gym.baselines.training.processes import explained_shortage
    from colbench_gym.errors import UsageError

    with pytest.raises(UsageError, match=r"out of memory.*--micro-batch-size 1"), explained_shortage():
        torch.empty(2**60, dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="size of tensor"), explained_shortage():
        torch.ones(2) + torch.ones(3)
