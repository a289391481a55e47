"""Whole runs through the command line: results, resuming after every kind of end, and failures that are not scores."""

import json
import signal
import subprocess
import time

import pytest
from support.command import arguments, colbench, environment
from support.json_lines import read_rows
from support.tables import cases, program

AGENTS = program(__file__, "agents.txt")


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "agents.py").write_text(AGENTS)
    return tmp_path


def slow(out: str, *more: object, repeats: int = 2) -> list[object]:
    agent = ("--agent", "python:agents:Slow", "--tasks", "generated:train", "-n", 30, "--repeats", repeats)
    return ["eval", "ColBench-Backend-v0", *agent, "--out", out, "--concurrency", 4, "--no-report", *more]


def wait_for_lines(file, count: int) -> None:
    for _ in range(600):
        if file.exists() and file.read_bytes().count(b"\n") >= count:
            return
        time.sleep(0.05)
    raise AssertionError(f"{file} never had {count} lines")


def test_oracle_run(tmp_path):
    done = colbench(
        "eval", "ColBench-Backend-v0", "--tasks", "generated", "-n", 12, "--repeats", 2, "--out", "run", cwd=tmp_path
    )
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["status"] == "finished"
    assert run["metrics"]["success"]["mean"] == 1.0
    assert 0.6 < run["metrics"]["success"]["low"] < 1.0
    assert run["metrics"]["success"]["tasks"] == 12
    assert run["coverage"] == {
        "planned": 24, "played": 24, "counted": 24, "share": 1.0, "enough": True, "not_counted": {},
        "outcomes": {"answered": 24},
    }  # fmt: skip
    assert {"colbench_gym", "python", "numpy"} <= run["versions"].keys()
    keys = [
        (r["colbench_gym"]["task_id"], r["colbench_gym"]["repeat"])
        for r in read_rows(tmp_path / "run/trajectories.jsonl")
    ]
    assert keys == [(f"test-{n}", repeat) for n in range(12) for repeat in range(2)]
    assert sorted(p.name for p in (tmp_path / "run").iterdir()) == [
        *("progress.log", "report.html", "run.json", "spent.jsonl", "trajectories.jsonl")
    ]
    assert "100.0 %" in done.stdout


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_stopped_and_resumed_is_byte_equal(folder, how):
    colbench(*slow("whole"), cwd=folder)
    process = subprocess.Popen(
        arguments(*slow("run")), cwd=folder, env=environment(), stderr=subprocess.PIPE, text=True
    )
    journal = folder / "run/unfinished.jsonl"
    wait_for_lines(journal, 10)
    process.send_signal(how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == {signal.SIGKILL: -9, signal.SIGINT: 130, signal.SIGTERM: 143}[how], errors
    assert "Traceback" not in errors
    if how != signal.SIGKILL:
        assert json.loads((folder / "run/run.json").read_text())["status"] == "interrupted"
    with journal.open("a") as out:
        out.write('{"session": 0, "used": {}, "row": {"half')  # what a kill in the middle of a line leaves
    refused = colbench(*slow("run"), cwd=folder, status=2)
    assert "--resume" in refused.stderr
    colbench(*slow("run"), "--resume", cwd=folder)
    assert (folder / "run/trajectories.jsonl").read_bytes() == (folder / "whole/trajectories.jsonl").read_bytes()
    colbench(*slow("run"), "--resume", cwd=folder)
    assert (folder / "run/trajectories.jsonl").read_bytes() == (folder / "whole/trajectories.jsonl").read_bytes()


def test_a_full_disk_loses_nothing_that_was_written(folder):
    colbench(*slow("whole"), cwd=folder)
    size = (folder / "whole/trajectories.jsonl").stat().st_size
    limited = ["bash", "-c", 'ulimit -Sf "$0" && exec "$@"', str(size // 2 // 1024), *arguments(*slow("run"))]
    stopped = subprocess.run(limited, cwd=folder, env=environment(), capture_output=True, text=True, timeout=200)
    assert stopped.returncode == 2, stopped.stderr
    assert "make room and go on with --resume" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    colbench(*slow("run"), "--resume", cwd=folder)
    assert (folder / "run/trajectories.jsonl").read_bytes() == (folder / "whole/trajectories.jsonl").read_bytes()


def run_of(out, *more, status=0):
    args = ("--agent", "asker:1", "--tasks", "generated:train", "--out", out, "--no-report", *more)
    return colbench("eval", "ColBench-Backend-v0", *args, status=status)


def test_a_run_grows(tmp_path):
    run_of(tmp_path / "whole", "-n", 6, "--repeats", 3)
    for size in ((3, 1), (3, 2), (6, 2), (6, 3)):
        run_of(tmp_path / "run", "-n", size[0], "--repeats", size[1], "--resume")
    ours, theirs = (tmp_path / name for name in ("run", "whole"))
    assert (ours / "trajectories.jsonl").read_bytes() == (theirs / "trajectories.jsonl").read_bytes()
    runs = [json.loads((folder / "run.json").read_text()) for folder in (ours, theirs)]
    assert runs[0]["configuration"] == runs[1]["configuration"]
    assert runs[0]["metrics"] == runs[1]["metrics"]
    assert len(runs[0]["sessions"]) == 4


def test_a_run_does_not_shrink_nor_grow_by_other_tasks(tmp_path):
    task = {"problem_description": "f(x)", "ground_truth": "def f(x): return x", "test_cases": {"a": "f(1)"}}
    file = tmp_path / "tasks.jsonl"
    file.write_text("".join(json.dumps({**task, "index": n}) + "\n" for n in range(3)))
    run_of(tmp_path / "run", "--tasks", file, "-n", 2, "--repeats", 2)
    fewer = run_of(tmp_path / "run", "--tasks", file, "-n", 2, "--resume", status=2)
    assert "repeats was 2 and is now 1" in fewer.stderr
    file.write_text("".join(json.dumps({**task, "index": n}) + "\n" for n in (0, 2, 1)))
    other = run_of(tmp_path / "run", "--tasks", file, "-n", 3, "--repeats", 2, "--resume", status=2)
    assert "tasks_hash was" in other.stderr


def test_a_run_grows_where_some_tasks_are_left_out(tmp_path):
    file, calls = tmp_path / "tasks.jsonl", {name: f"f({number})" for number, name in enumerate("abcdefghij")}
    task = {"problem_description": "Write f(x).", "test_cases": calls}
    results = ("x + 1", "7", "x * 3", "x - 2")
    rows = [{**task, "index": n, "ground_truth": f"def f(x): return {result}"} for n, result in enumerate(results)]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for n, played in ((2, 1), (4, 3)):
        run_of(tmp_path / "run", "--tasks", file, "-n", n, "--exclude-findings", "constant", "--resume")
        assert len((tmp_path / "run" / "trajectories.jsonl").read_text().splitlines()) == played


def test_a_second_process_is_refused(folder):
    process = subprocess.Popen(
        arguments(*slow("run", repeats=200)), cwd=folder, env=environment(), stderr=subprocess.DEVNULL
    )
    try:
        wait_for_lines(folder / "run/unfinished.jsonl", 1)
        second = colbench(*slow("run", "--resume", repeats=200), cwd=folder, status=2)
        assert "another process" in second.stderr
    finally:
        process.kill()
        process.wait()


def test_a_failing_agent_stops_the_run_and_loses_nothing(folder):
    args = tuple(cases(__file__, "args"))
    done = colbench(*args, cwd=folder, status=1)
    assert "server gone" in done.stderr
    run = json.loads((folder / "run/run.json").read_text())
    assert run["status"] == "interrupted"
    assert run["coverage"]["played"] == 6
    (folder / "mended").touch()
    colbench(*args, "--resume", cwd=folder)
    assert len(read_rows(folder / "run/trajectories.jsonl")) == 20


def test_no_hidden_line_in_what_a_run_prints(tmp_path):
    done = colbench("eval", "ColBench-Backend-v0", "--agent", "asker:2", "-n", 5, "--out", "run", cwd=tmp_path)
    hidden = [
        line
        for row in read_rows(tmp_path / "run/trajectories.jsonl")
        for line in row["task"]["ground_truth"].splitlines()
    ]
    assert hidden
    for line in hidden:
        if len(line.strip()) > 8 and not line.startswith("def "):
            assert line.strip() not in done.stdout + done.stderr
