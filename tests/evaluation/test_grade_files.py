"""Grading of files: rows in, the same rows out with their grades."""

from contextlib import closing

import pytest
from support.doubles import Closeable
from support.json_lines import read_rows, write_rows

from colbench_gym import BackendTask, load_tasks, open_scenario, write_trajectories
from colbench_gym.errors import GraderError, InputFileError, UnknownTaskError, UsageError
from colbench_gym.evaluation.grade_files import grade_file
from colbench_gym.evaluation.rollout import collect, make_jobs
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.policies.asker import Asker
from colbench_gym.rules import MAX_MESSAGE_CHARS
from colbench_gym.sandboxes import open_sandbox

TASKS = load_tasks("generated:validation")


@pytest.fixture(scope="module")
def grader():
    with closing(open_sandbox("process")) as sandbox:
        yield UnitTestGrader(sandbox)


@pytest.mark.slow
def test_rows_keep_their_fields_and_order(grader, tmp_path):
    rows = []
    for index in range(12):
        task = TASKS.at(index)
        answer = task.reference if index % 3 else "nothing much — 何もない 🙂"
        rows.append({"note": f"n°{index}", "task_id": task.task_id, "answer": answer, "index": index})
    rows.append(dict(rows[1]))  # the same answer twice is graded twice
    result = grade_file(
        write_rows(tmp_path / "a.jsonl", rows), tmp_path / "out.jsonl", TASKS, grader, "backend", threads=3
    )
    graded = read_rows(tmp_path / "out.jsonl")
    assert [{name: row[name] for name in rows[0]} for row in graded] == rows
    assert list(graded[1])[4:] == ["reward", "success", "pass_rate", "outcome", "test_outcomes"]
    assert graded[0]["reason"].startswith("the answer is no program: line 1: ")
    assert [row["success"] for row in graded] == [bool(index % 3) for index in range(12)] + [True]
    assert (result.answers, result.errors, result.success.mean) == (13, 0, 9 / 13)


@pytest.mark.slow
def test_trajectories_are_graded_again(grader, tmp_path):
    played = []
    scenario = open_scenario("backend", grading=grader)
    jobs = make_jobs([TASKS.at(index) for index in range(8)], 2, seed=3)
    collect(jobs, Asker(2), scenario, played.append)
    for official in (False, True):
        write_trajectories(tmp_path / "t.jsonl", played, official=official)
        grade_file(tmp_path / "t.jsonl", tmp_path / "out.jsonl", None, grader, "backend")
        assert [row["pass_rate"] for row in read_rows(tmp_path / "out.jsonl")] == [t.pass_rate for t in played]


class Broken(Closeable):
    """A grader whose sandbox is gone for every other task."""

    def grade(self, task, answer):
        raise GraderError("the sandbox is gone")


def test_our_failure_is_no_score(tmp_path):
    answers = write_rows(tmp_path / "a.jsonl", [{"task_id": "validation-1", "answer": ""}])
    result = grade_file(answers, tmp_path / "out.jsonl", TASKS, Broken(), "backend")
    assert (result.errors, result.score, result.first_error) == (1, None, "the sandbox is gone")
    row = read_rows(tmp_path / "out.jsonl")[0]
    assert (row["reward"], row["pass_rate"], row["outcome"]) == (None, None, "grader_error")


def test_nothing_is_half_written(grader, tmp_path):
    (tmp_path / "out.jsonl").write_text("what was there\n")
    rows = [{"task_id": "validation-1", "answer": ""}, {"task_id": "nobody", "answer": ""}]
    with pytest.raises(UnknownTaskError, match="line 2"):
        grade_file(write_rows(tmp_path / "a.jsonl", rows), tmp_path / "out.jsonl", TASKS, grader, "backend")
    assert (tmp_path / "out.jsonl").read_text() == "what was there\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.jsonl", "out.jsonl"]


def test_lone_surrogates_go_through_and_nan_is_refused(grader, tmp_path):
    (tmp_path / "a.jsonl").write_text('{"task_id": "validation-1", "answer": "x \\ud83d"}\n')
    result = grade_file(tmp_path / "a.jsonl", tmp_path / "out.jsonl", TASKS, grader, "backend")
    assert (result.answers, result.errors, result.success.mean) == (1, 0, 0.0)
    assert read_rows(tmp_path / "out.jsonl")[0]["answer"] == "x \ud83d"
    (tmp_path / "b.jsonl").write_text('{"task_id": "validation-1", "answer": "x", "note": NaN}\n')
    with pytest.raises(InputFileError, match=r"line 1.*NaN"):
        grade_file(tmp_path / "b.jsonl", tmp_path / "out.jsonl", TASKS, grader, "backend")


def test_an_answer_longer_than_a_message_is_refused(grader, tmp_path):
    answers = write_rows(
        tmp_path / "a.jsonl", [{"task_id": TASKS.at(0).task_id, "answer": "x" * (MAX_MESSAGE_CHARS + 1)}]
    )
    with pytest.raises(InputFileError, match=r"line 1: field 'answer' has 200001 characters; expected at most 200000"):
        grade_file(answers, tmp_path / "out.jsonl", TASKS, grader, "backend")


def test_a_row_without_an_id_is_refused(grader, tmp_path):
    answers = write_rows(tmp_path / "a.jsonl", [{"task_id": None, "index": None, "answer": "x"}])
    with pytest.raises(InputFileError, match=r"line 1.*'task_id'"):
        grade_file(answers, tmp_path / "out.jsonl", TASKS, grader, "backend")


def test_failed_dialogues_stay_failures(grader, tmp_path):
    class Silent(Closeable):
        def reply(self, task, dialogue, shown):
            raise ConnectionError("gone")

    played = []
    scenario = open_scenario("backend", human=Silent(), grading=grader)
    collect(make_jobs([TASKS.at(0)], 1, seed=0), Asker(1), scenario, played.append)
    write_trajectories(tmp_path / "t.jsonl", played)
    result = grade_file(tmp_path / "t.jsonl", tmp_path / "out.jsonl", None, grader, "backend")
    assert (result.errors, result.success) == (1, None)
    row = read_rows(tmp_path / "out.jsonl")[0]
    assert (row["reward"], row["outcome"]) == (None, "human_error")


def test_other_kinds_of_output(grader, tmp_path):
    answers = write_rows(tmp_path / "a.jsonl", [{"task_id": "validation-1", "answer": "x"}])
    (tmp_path / "real.jsonl").write_text("")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "real.jsonl")
    grade_file(answers, tmp_path / "link.jsonl", TASKS, grader, "backend")
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len(read_rows(tmp_path / "real.jsonl")) == 1
    answers.write_bytes(b"\xef\xbb\xbf" + answers.read_bytes())
    assert grade_file(answers, tmp_path / "out.jsonl", TASKS, grader, "backend").answers == 1
    with pytest.raises(UsageError, match="0 threads"):
        grade_file(answers, tmp_path / "out.jsonl", TASKS, grader, "backend", threads=0)


def test_the_block_fenced_as_python_is_the_answer(grader):
    task = TASKS.at(1)
    for before in ("```bash\npip install numpy\n```\n", "It prints\n```\n42\n```\nwith\n"):
        assert grader.grade(task, f"{before}```python\n{task.reference}\n```\nDone.").success


def test_an_answer_that_is_no_program_is_told_why_it_scores_nothing(grader):
    task = BackendTask("t", "Write f.", "def f(): return 1", ("f()",), ("test_1",), "")
    grade = grader.grade(task, "```python\ndef f(:\n```\n```python\ndef f(): return 1\n```")
    assert (grade.score, grade.reason) == (0.0, "the answer is no program: line 1: invalid syntax")
    assert grader.grade(task, "def f(): return 1 / 0").reason == ""


def test_answers_to_tasks_that_a_constant_wins_are_left_out_on_request(tmp_path, capsys):
    from colbench_gym.cli.grade import GradingFlags, grade

    rows, answers = [], []
    for task_id, reference in (("same", "def f(x):\n    return 'yes'\n"), ("other", "def f(x):\n    return 2 * x\n")):
        calls = {f"test{number}": f"f({number})" for number in range(1, 11)}
        text = "Help me. The signature of the function is: def f(x)"
        row = {"task_id": task_id, "problem_description": text, "ground_truth": reference, "test_cases": calls}
        rows.append({**row, "hidden_information": reference})
        answers.append({"task_id": task_id, "answer": "def f(x):\n    return 'yes'\n"})
    tasks, given = write_rows(tmp_path / "tasks.jsonl", rows), write_rows(tmp_path / "answers.jsonl", answers)
    out = tmp_path / "graded.jsonl"
    assert grade(GradingFlags(), given, out, str(tasks)) == 0
    assert [row["success"] for row in read_rows(out)] == [True, False]
    assert grade(GradingFlags(), given, out, str(tasks), exclude_findings="constant") == 0
    assert [(row["task_id"], row["success"]) for row in read_rows(out)] == [("other", False)]
    assert "1 left out for findings of their tasks" in " ".join(capsys.readouterr().out.split())
