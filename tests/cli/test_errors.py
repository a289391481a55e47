"""Bad usage and bad input: what was got, what was expected, what to do; exit status 2; nothing half-written."""

import json
import os
import shlex
import subprocess

import pytest
from support.command import arguments, colbench, colbench_here, environment
from support.tables import cases, values

from colbench_gym.policies import POLICY_SPECS

TASK = {
    "problem_description": "Double it. The signature of the function is: def double(x)",
    "ground_truth": "def double(x):\n    return 2 * x",
    "test_cases": {f"test{n}": f"double({n})" for n in range(10)},
    "index": 7,
}


@pytest.fixture
def tasks(tmp_path):
    file = tmp_path / "tasks.jsonl"
    file.write_text(json.dumps(TASK) + "\n")
    return file


@pytest.fixture
def refused(tmp_path):
    """Run ``colbench ARGS`` in an empty folder: it must refuse, say why, and leave nothing behind."""

    def run(*args: object, says: tuple[str, ...]) -> None:
        before = sorted(p.name for p in tmp_path.iterdir())
        errors = colbench_here(*args, cwd=tmp_path, status=2).stderr
        for part in says:
            assert part in errors, errors
        assert sorted(p.name for p in tmp_path.iterdir()) == before

    return run


EVAL = ("eval", "ColBench-Backend-v0", "--out", "run")
PAGES = ("eval", "ColBench-Frontend-v0", "--out", "run", "-n", "1")
GRADE = ("--tasks", "tasks.jsonl", "--answers", "answers.jsonl", "--out", "graded.jsonl")


@pytest.mark.parametrize(("args", "says"), cases(__file__, "usage", tuples=True))
def test_usage(refused, tasks, args, says):
    refused(*args, says=says)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    colbench_here(
        "eval", "ColBench-Backend-v0", "-n", 2, "--agent", "oracle", "--no-report", "--out", "run", cwd=folder
    )
    return folder / "run"


@pytest.mark.parametrize("command", [("table", "--out", "/proc/x.md"), ("report", "--out", "/proc/x")])
def test_a_file_where_the_kernel_lets_nobody_write(refused, run, command):
    refused(command[0], run, *command[1:], says=(f"{command[-1]}: cannot be written", "name a file"))


@pytest.mark.parametrize("command", ["table", "report"])
def test_a_run_counts_once(refused, run, command):
    refused(command, run, f"again={run.parent / '.' / run.name}", says=(f"got the run {run} twice; expected each",))


def test_a_run_is_not_compared_with_itself(refused, run):
    refused("compare", run, run.parent / "." / run.name, says=("twice; expected two runs",))


@pytest.mark.parametrize(
    "command", ["eval", "grade", "oracle", "table", "play", "report", "train sweet", "tasks synthesize", "human check"]
)
def test_no_help_page_says_that_the_default_is_none(command, tmp_path):
    page = " ".join(colbench_here(*command.split(), "--help", cwd=tmp_path).stdout.replace("│", " ").split())
    assert not [none for none in ("None", "''", "") if f"(default: {none})" in page]
    assert "(default: " in page or command == "report"


@pytest.mark.parametrize(("command", "specs"), [("eval", POLICY_SPECS), ("play", POLICY_SPECS)])
def test_the_help_page_names_every_kind_of_agent(command, specs, tmp_path):
    page = colbench_here(command, "--help", cwd=tmp_path).stdout.replace("│", " ")
    page = page.partition("--agent STR")[2].partition("--human ")[0]
    assert [spec for spec in specs if spec.lower() not in page.lower()] == []


def test_more_tasks_than_there_are(refused, tasks):
    refused(*EVAL, "--tasks", tasks.name, "-n", 2, says=("n=2 tasks", "has 1"))


@pytest.mark.parametrize(("line", "says"), values(__file__, "errors_broken_task_row.txt", globals()))
def test_broken_task_row(refused, tasks, line, says):
    with tasks.open("a") as out:
        out.write(line + "\n")
    refused(*EVAL, "--tasks", tasks.name, says=(tasks.name, *says))


def test_empty_and_binary_task_files(refused, tmp_path):
    (tmp_path / "empty.jsonl").write_text("\n")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    refused(*EVAL, "--tasks", "empty.jsonl", says=("empty.jsonl", "no task"))
    refused(*EVAL, "--tasks", "binary.jsonl", says=("binary.jsonl", "UTF-8"))


def test_task_that_cannot_be_graded(refused, tasks):
    tasks.write_text(json.dumps({**TASK, "ground_truth": "def double(x):\n    raise ValueError"}) + "\n")
    refused(*EVAL, "--tasks", tasks.name, says=("'7'", "colbench tasks check"))


@pytest.mark.parametrize("command", [("tasks", "check"), ("tasks", "list"), ("oracle", "--tasks")])
def test_tasks_without_tests_and_without_pages_are_backend_tasks(refused, tasks, command):
    tasks.write_text(json.dumps({name: value for name, value in TASK.items() if name != "test_cases"}) + "\n")
    refused(*command, tasks.name, says=(f"{tasks.name}, line 1: field 'test_cases' is missing",))


@pytest.mark.parametrize(("row", "says"), cases(__file__, "broken_answer_row", tuples=True))
def test_broken_answer_row(refused, tasks, tmp_path, row, says):
    (tmp_path / "answers.jsonl").write_text(json.dumps(row) + "\n")
    refused("grade", *GRADE, says=("answers.jsonl", *says))


def test_grade_files_that_are_not_there(refused, tasks, tmp_path):
    refused("grade", *GRADE, says=("answers.jsonl", "cannot be read"))
    (tmp_path / "answers.jsonl").write_text(json.dumps({"index": 7, "answer": ""}) + "\n")
    refused("grade", *GRADE[:-1], "no/where.jsonl", says=("no/where.jsonl", "does not exist"))
    refused("grade", *GRADE[:-1], ".", says=("is a folder",))


def test_unwritable_output_folder(refused, tasks, tmp_path):
    (tmp_path / "file").write_text("")
    refused(*EVAL[:-1], "file/run", "--tasks", tasks.name, says=("file/run", "--out"))
    if os.getuid() != 0:
        (tmp_path / "closed").mkdir(mode=0o500)
        refused(*EVAL[:-1], "closed/run", "--tasks", tasks.name, says=("--out",))


def test_as_a_command(tmp_path):
    done = colbench("eval", "ColBench-Backend-v0", "--tasks", "missing.jsonl", "--out", "run", cwd=tmp_path, status=2)
    assert done.stderr.startswith("colbench: missing.jsonl: no such task file")
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_a_closed_output_is_no_failure():
    command = f"{shlex.join(arguments('table', '--published'))} >&- 2>&-"
    assert subprocess.run(command, shell=True, env=environment(), check=False).returncode == 0


@pytest.mark.parametrize("option", [("--leaks", "count"), ("--human-knows", "claims")])
def test_what_only_a_model_human_can_be_told_is_refused_for_another_one(option, refused, tmp_path):
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps({"task_id": "x", "question": "Which type?", "settled_by": [["int"]]}) + "\n")
    check = ("human", "check", "scripted", "--tasks", "generated", "--track", "backend", "--questions", questions)
    refused(*check, *option, says=(f"={option[1]!r}", "no language model"))


def test_ctrl_c_within_an_exec_is_a_status_as_elsewhere(tmp_path):
    # Python itself ends by the signal after a KeyboardInterrupt within an exec, as importing a dataclass runs one.
    (tmp_path / "slow_import.py").write_text('exec("raise KeyboardInterrupt")')
    done = colbench(
        "eval", "ColBench-Backend-v0", "--out", "run", "--agent", "python:slow_import:f", cwd=tmp_path, status=130
    )
    assert "stopped by Ctrl-C" in done.stderr
