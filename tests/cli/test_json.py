"""``--json``: what programs read in place of tables and words."""

import json

import pytest
from support.command import colbench_here as in_this_process  # with no browser: quick


@pytest.fixture
def printed(tmp_path):
    """Run ``colbench ARGS`` and read what it prints as JSON."""

    def run(*args: object):
        out = in_this_process(*args, cwd=tmp_path).stdout
        assert out.isascii()
        return json.loads(out)

    return run


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for agent in ("oracle", "asker:1"):
        more = ("--agent", agent, "-n", 8, "--repeats", 2, "--no-report", "--out", agent)
        in_this_process("eval", "ColBench-Backend-v0", *more, cwd=folder)
    return folder / "oracle", folder / "asker:1"


def test_compare(printed, runs):
    shown = printed("compare", *runs, "--json", "--power", 0.05)
    assert (shown["tasks"], shown["wins"] + shown["ties"], shown["losses"]) == (8, 8, 0)
    assert shown["success"]["a"]["mean"] == 1.0
    assert shown["score"]["difference"]["low"] <= shown["score"]["difference"]["mean"]
    assert shown["power"]["tests passed"]["tasks_needed"] > 1
    assert shown["settings"] == {"agent": ["oracle", "asker:1"]}


def test_table_and_figure(printed, runs):
    shown = printed("table", *runs, "--json")
    assert [row["method"] for row in shown["methods"]] == ["oracle", "asker:1"]
    assert shown["methods"][0]["success"]["mean"] == 1.0
    assert len(shown["paper"]) > 5
    curve = printed("table", f"sweet@1={runs[1]}", f"sweet@2={runs[0]}", "--figure", 3, "--json")
    assert "sweet" in json.dumps(curve)


def test_show(printed, runs):
    lines = printed("show", runs[0], "--json")
    assert len(lines) == 16
    assert lines[1] == {
        "task_id": "test-0", "repeat": 1, "outcome": "answered", "success": True, "score": 1.0, "turns": 1,
    }  # fmt: skip
    row = json.loads((runs[0] / "trajectories.jsonl").read_text().splitlines()[0])
    assert printed("show", runs[0], "test-0", "--json")[0] == row


def test_tasks_check(printed, tmp_path):
    task = {"problem_description": "f(x)", "ground_truth": "def f(x): return 1 / 0", "test_cases": {"a": "f(1)"}}
    (tmp_path / "tasks.jsonl").write_text(json.dumps({"index": 7, **task}) + "\n")
    shown = printed("tasks", "check", tmp_path / "tasks.jsonl", "--json")
    assert shown["tasks"] == 1
    assert {"task_id", "kind", "text"} <= shown["findings"][0].keys()


def test_doctor(printed):
    assert {"name": "python", "state": "ok"}.items() <= printed("doctor", "--json")[0].items()


def test_human_check(printed, tmp_path):
    question = {"task_id": "test-0", "question": "What is done?", "settled_by": [["a"]], "kind": "broad"}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question) + "\n")
    more = ("--tasks", "generated", "--questions", tmp_path / "questions.jsonl", "--track", "backend")
    shown = printed("human", "check", "scripted", *more, "--json")
    assert shown["total"]["questions"] == 1
    assert shown["replies"][0]["question"] == "What is done?"


def test_sandbox_check(printed):
    shown = printed("sandbox", "check", "--only", "unsafe", "--json")
    assert shown["ways"][0]["sandbox"] == "unsafe"
    assert shown["broken_promises"]["unsafe"]["values"] == []
