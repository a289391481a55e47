"""What a run says of itself, against numbers that were computed by hand."""

import json
import math

import pytest
from support.command import colbench_here
from support.tables import program

from colbench_gym import BACKEND, BackendTask, Dialogue, Trajectory, Turn
from colbench_gym.cli.tables import run_summary
from colbench_gym.evaluation.run import RunResult
from colbench_gym.evaluation.summary import questions, summarise

QUANTILE = 12.706204736174698  # Student's, 97.5 %, one degree of freedom

# An agent that answers "1" at once in the first of two repeats, and asks two things before in the second.
AGENT = program(__file__, "two_answers_agent.txt")
TASKS = [
    {
        "task_id": name,
        "problem_description": f"Write f(n). {name}",
        "ground_truth": f"def f(n):\n    return n if n < {passed} else -n - 1",
        "test_cases": {f"t{n}": f"f({n})" for n in range(10)},
        "family": family,
    }
    for name, passed, family in (("a", 10, "same"), ("b", 4, "other"))
]


def wilson(mean, n):
    """By hand: Wilson's interval with Student's quantile, n independent values."""
    z = QUANTILE
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(mean * (1 - mean) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def test_run_json_and_the_printed_table_equal_numbers_by_hand(tmp_path):
    (tmp_path / "two_answers_agent.py").write_text(AGENT)
    (tmp_path / "tasks.jsonl").write_text("".join(json.dumps(task) + "\n" for task in TASKS))
    done = colbench_here(
        "eval", "ColBench-Backend-v0", "--agent", "python:two_answers_agent:Agent", "--tasks", "tasks.jsonl",
        "--repeats", 2, "--concurrency", 1, "--out", "run", cwd=tmp_path,
    )  # fmt: skip
    run = json.loads((tmp_path / "run/run.json").read_text())
    metrics = run["metrics"]
    # task a: both dialogues pass 10 of 10; task b: both pass 4 of 10. The clusters' variance is 2/1 * 2 * (2 * 0.3)^2 / 4^2.
    assert metrics["pass_rate"]["mean"] == pytest.approx(0.7)
    effective = 0.7 * 0.3 / (2 * 2 * 0.6**2 / 16)
    assert (metrics["pass_rate"]["low"], metrics["pass_rate"]["high"]) == pytest.approx(wilson(0.7, effective))
    assert metrics["success"]["mean"] == 0.5
    assert (metrics["success"]["low"], metrics["success"]["high"]) == pytest.approx(wilson(0.5, 1.0))
    assert metrics["mean_reward"] == 0.5
    assert metrics["mean_turns"] == 2.0  # 1, 3, 1, 3
    assert metrics["per_dialogue"]["turns"] == {"mean": 2.0, "low": 2.0, "high": 2.0, "dialogues": 4, "tasks": 2}
    assert metrics["per_dialogue"]["questions"]["mean"] == 0.5  # one of two messages asks, in every second dialogue
    attempts = metrics["attempts"]["2"]
    assert (attempts["pass_at_k"]["mean"], attempts["pass_hat_k"]["mean"]) == (0.5, 0.5)
    assert attempts["best_of_k"]["mean"] == pytest.approx(0.7)
    families = metrics["groups"]["family"]
    assert (families["same"]["success"]["mean"], families["other"]["success"]["mean"]) == (1.0, 0.0)
    assert families["other"]["pass_rate"]["mean"] == pytest.approx(0.4)
    assert (run["coverage"]["share"], run["coverage"]["enough"]) == (1.0, True)
    lines = [" ".join(line.split()) for line in done.stdout.splitlines()]
    low, high = wilson(0.5, 1.0)
    assert f"success 50.0 % [{100 * low:.1f}, {100 * high:.1f}]" in lines
    assert f"pass@2 50.0 % [{100 * low:.1f}, {100 * high:.1f}]" in lines
    assert "agent's turns 2.0 [2.0, 2.0] a dialogue" in lines
    assert "family: other 0.0 % [0.0, 100.0] of 2 dialogues" in lines


def dialogue(*said):
    turns = [Turn("human", "Write f.")]
    for text in said:
        turns += [Turn("agent", text), Turn("human", "Yes?")]
    return Dialogue(tuple(turns[:-1]))


def test_questions_are_messages_that_ask_before_the_last_one():
    page = "<html><body>Why not?</body></html>"
    assert questions(dialogue("Which? And why?", f"```html\n{page}\n```", "Done. Right?")) == 1
    assert questions(dialogue(f"{page} Like this?", "Answer")) == 1
    assert questions(dialogue("Is it over?")) == 0


def trajectory(name, outcome="answered"):
    task = BackendTask(name, "Write f.", "def f(): return 1", ("f()",), ("t1",), "")
    graded = {"success": True, "pass_rate": 1.0} if outcome == "answered" else {}
    return Trajectory(task, dialogue("x"), "x", 1.0 if graded else None, BACKEND, outcome, **graded)


@pytest.mark.parametrize(("failed", "shown"), [(1, True), (2, False)])
def test_a_headline_needs_enough_dialogues(capsys, tmp_path, failed, shown):
    played = [trajectory(str(n), "human_error" if n < failed else "answered") for n in range(20)]
    run_summary("ColBench-Backend-v0", RunResult(tmp_path, summarise(played), planned=20), "backend")
    printed = capsys.readouterr().out
    assert ("100.0 %" in printed) == shown
    assert ("no result" in printed) != shown
    if not shown:
        assert "only 90% of the dialogues count, at least 95% are needed" in printed


def test_dialogues_that_were_never_played_are_missing_too(capsys, tmp_path):
    summary = summarise([trajectory("a"), trajectory("b")])
    run_summary("ColBench-Backend-v0", RunResult(tmp_path, summary, planned=50), "backend")
    assert "only 4% of the dialogues count" in capsys.readouterr().out
