"""``colbench show``: a dialogue as a person reads it, and why one was not graded."""

import json

import pytest
from support.command import colbench_here
from support.tables import cases, program

STRANGE = "a\x1b]0;you are owned\x07\x9b2J\u202eb\ud800[bold]"
HUMAN = program(__file__, "show_human.txt")


def test_what_failed_is_told_with_its_place(tmp_path):
    (tmp_path / "lost_human.py").write_text(HUMAN)
    command = ("eval", "ColBench-Backend-v0", "--agent", "asker:1", "-n", "1", "--out", "run")
    colbench_here(*command, "--human", "python:lost_human:Lost", cwd=tmp_path, status=1)
    shown = colbench_here("show", "run", "test-0", cwd=tmp_path)
    assert "not graded (KeyError: 'topic' (lost_human.py, line 4))" in " ".join(shown.stdout.split())


@pytest.fixture
def strange(tmp_path):
    """A run whose task, outcome, metric and page could all write to the terminal."""
    task = {"problem_description": f"Page {STRANGE}.", "ground_truth": "<html></html>", "task_id": STRANGE}
    said = [{"role": "user", "content": STRANGE}, {"role": "assistant", "content": STRANGE}]
    row = {"task": task, "dialogue_history": said, "answer": STRANGE, "reward": 0.5}
    rules = {"track": "frontend", "human_chars": 100}
    ours = {"repeat": 0, "seed": 0, "leak": {}, "versions": {STRANGE: STRANGE}, "test_outcomes": [], "success": False}
    texts = dict.fromkeys(("env_id", "outcome", "metric", "error"), STRANGE)
    row["colbench_gym"] = {"rules": rules, **ours, **texts, "pass_rate": None, "similarity": 0.5}
    for name, change in (("one", {}), ("other", {"metric": "x"})):
        changed = row | {"colbench_gym": row["colbench_gym"] | change}
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(changed) + "\n", encoding="utf-8")
    (tmp_path / "tasks.jsonl").write_text(json.dumps(task) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "command",
    cases(__file__, "texts_of_strangers_do_nothing_to_the_terminal", tuples=True),
    ids=["list", "dialogue", "tasks", "check", "compare"],
)
def test_texts_of_strangers_do_nothing_to_the_terminal(strange, command):
    done = colbench_here(*command, cwd=strange, status=None)
    printed = done.stdout + done.stderr
    assert "Traceback" not in printed
    assert not set("\x1b\x07\x9b\u202e") & set(printed), printed
    assert "\N{REPLACEMENT CHARACTER}" in printed, printed
