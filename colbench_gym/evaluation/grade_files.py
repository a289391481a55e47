"""Grade a file of answers, or of trajectories, against a file of tasks."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from colbench_gym.action import extract_page
from colbench_gym.concurrency import map_in_threads
from colbench_gym.errors import (
    GraderError,
    HumanError,
    InfrastructureError,
    InputFileError,
    UnknownTaskError,
    UsageError,
)
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.evaluation.statistics.intervals import Interval, interval, similarity_interval
from colbench_gym.graders import Grade, Grader
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.jsonl import read_rows, write_rows, writing, wrong_type
from colbench_gym.rules import MAX_MESSAGE_CHARS, Track
from colbench_gym.tasks import BackendTask, Task, TaskSet
from colbench_gym.tasks.official import row_id, task_from_row
from colbench_gym.trajectory import RepeatedTasks, answer_of

Json = dict[str, Any]  # Any: JSON of other people


@dataclass(frozen=True)
class GradedFile:
    """Figures of a graded file."""

    answers: int
    errors: int  # answers that could not be graded; they count nowhere
    score: Interval | None
    success: Interval | None  # backend
    first_error: str
    containment: str = ""  # what kept programs in while they were graded, "" where none ran
    left_out: int = 0  # answers to tasks that were not wanted; they are not in the file


@dataclass(frozen=True)
class _Answer:
    """Row of a file: its task, its answer, how its dialogue ended, and whether its pictures have official addresses."""

    row: Json
    task: Task
    text: str
    outcome: str = "answered"
    official: bool = False


def grade_file(
    answers: Path,
    out: Path,
    tasks: TaskSet | None,
    grader: Grader,
    track: Track,
    threads: int | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    select: Callable[[Iterable[Task]], Iterable[Task]] = lambda tasks: tasks,
    official: bool = False,
) -> GradedFile:
    """Grade every row of ``answers`` and write ``out``, whose rows are the input's with the grade's fields added.

    Args:
        answers: JSONL; rows have ``answer`` and ``task_id`` or ``index``, or are trajectories with their own ``task``.
            On the frontend track the page in an answer is found as in a message; without one it scores 0.
        out: written as a whole at the end, in the input's order.
        tasks: where ids are looked up; may be None when every row has its own ``task``.
        grader: who grades.
        track: which kind of task a row's own ``task`` is.
        threads: gradings at once; twice the cores when not given.
        progress: called with answers done and answers in all.
        select: returns those of the tasks whose answers are wanted; the others are not graded and not written.
        official: of pages, rewrite picture addresses as :func:`~colbench_gym.action.official_addresses` does.

    Raises:
        InputFileError: a broken row, or a file that cannot be read or written; nothing is written then.
        UnknownTaskError: an id that is not among the tasks.
        TaskError: a task that cannot be graded.
    """
    if threads is not None and threads < 1:
        raise UsageError(f"{threads} threads were asked for; expected at least 1")
    repeated = RepeatedTasks()
    with closing(read_rows(answers)) as read:
        rows = tuple(
            _answer(row, tasks, track, answers, number, repeated.place(row, position)[0])
            for position, (number, row) in enumerate(read)
        )
    if not rows:
        raise InputFileError(f"{answers}: no answer in it; expected one JSON object a line with the field 'answer'")
    check_writable(out)
    answered = {row.task.task_id: row.task for row in rows}
    wanted = {task.task_id: task for task in select(answered.values())}
    left_out = sum(row.task.task_id not in wanted for row in rows)
    rows = tuple(row for row in rows if row.task.task_id in wanted)
    if isinstance(grader, UnitTestGrader):
        grader.use_kept_values()
        grader.check_tasks(wanted.values())
    graded: list[tuple[str, Grade]] = []
    errors: list[str] = []

    def with_grades() -> Generator[Json, None, None]:
        grade_one = partial(_grade, grader=grader, official=official)
        with closing(map_in_threads(grade_one, rows, threads=threads, name="grading", progress=progress)) as grades:
            for answer, grade in grades:
                if isinstance(grade, Grade):
                    graded.append((answer.task.task_id, grade))
                else:
                    errors.append(str(grade))
                yield answer.row | _fields(answer, grade)

    with closing(with_grades()) as written:
        write_rows(out, written)
    containment = grader.versions["containment"] if isinstance(grader, UnitTestGrader) else ""
    scores = grouped((task, grade.score) for task, grade in graded)
    successes = grouped((task, float(grade.success)) for task, grade in graded if track == "backend")
    score = interval(scores) if track == "backend" else similarity_interval(scores)
    return GradedFile(len(rows), len(errors), score, interval(successes), "".join(errors[:1]), containment, left_out)


def _answer(row: Json, tasks: TaskSet | None, track: Track, path: Path, number: int, position: int) -> _Answer:
    text = answer_of(row, track, path, number)
    if len(text) > MAX_MESSAGE_CHARS:
        raise InputFileError(
            f"{path}, line {number}: field 'answer' has {len(text)} characters; expected at most {MAX_MESSAGE_CHARS}, "
            "as in a message; shorten it, or leave the row out"
        )
    named = row.get("task_id") is not None or row.get("index") is not None
    if not named and "task" in row:
        if not isinstance(row["task"], dict):
            raise wrong_type(path, number, "task", row["task"], "a task object")
        own = task_from_row(row["task"], track, path, number, position)
        ours = row.get("colbench_gym")
        outcome, official = "answered", True
        if isinstance(ours, dict):
            outcome, rules = str(ours.get("outcome")), ours.get("rules")
            official = isinstance(rules, dict) and rules.get("official_addresses") is True
        return _Answer(row, own if tasks is None else tasks.get(own.task_id), text, outcome, official)
    if tasks is None:
        raise InputFileError(
            f"{path}, line {number}: the row names its task but holds none; name the file of tasks with --tasks"
        )
    if not named:
        raise InputFileError(f"{path}, line {number}: field 'task_id' is missing; expected 'task_id' or 'index'")
    try:
        return _Answer(row, tasks.get(row_id(row, path, number, position)), text)
    except UnknownTaskError as e:
        raise UnknownTaskError(f"{path}, line {number}: {e}") from e


def check_writable(out: Path) -> None:
    """Fail before the work rather than after it.

    Raises:
        InputFileError: the file cannot be written.
    """
    if out.is_dir():
        raise InputFileError(f"{out}: is a folder; expected the name of a file to write")
    if not out.parent.is_dir():
        raise InputFileError(f"{out}: the folder {out.parent} does not exist; make it, or name another file")
    with writing(out):
        with tempfile.TemporaryFile(dir=out.parent):  # what a mode allows, the disk or the kernel may not
            pass
        if out.exists():
            out.open("ab").close()


def _grade(answer: _Answer, grader: Grader, official: bool) -> Grade | InfrastructureError:
    if answer.outcome == "human_error":
        return HumanError(f"the dialogue on task {answer.task.task_id!r} has no answer: its human failed")
    backend = isinstance(answer.task, BackendTask)
    text = answer.text if backend else extract_page(answer.text, official or answer.official) or ""
    try:
        return grader.grade(answer.task, text)
    except GraderError as e:
        return e


def _fields(answer: _Answer, grade: Grade | InfrastructureError) -> Json:
    backend = isinstance(answer.task, BackendTask)
    score = "pass_rate" if backend else "similarity"
    if not isinstance(grade, Grade):
        failed = "human_error" if isinstance(grade, HumanError) else "grader_error"
        return {"reward": None, "success": False, score: None, "outcome": failed, "test_outcomes": []}
    return {
        "reward": float(grade.success) if backend else grade.score,
        "success": grade.success,
        score: grade.score,
        **({} if backend else {"metric": grade.metric}),
        "outcome": "out_of_turns" if answer.outcome == "out_of_turns" else "answered",
        "test_outcomes": list(grade.test_outcomes),
        **({"reason": grade.reason} if grade.reason else {}),
    }
