"""Tasks that the caller holds in memory: a list of rows in the official format, a ``datasets.Dataset``, or tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from colbench_gym.errors import InputFileError, TaskError, UsageError
from colbench_gym.rules import Track
from colbench_gym.tasks import SET_NAMES, BackendTask, FrontendTask, Task
from colbench_gym.tasks.official import FileTasks, task_from_row

_PLACE = Path("rows")  # stands for the file in the error messages of the reader of files
_WAYS = (
    "expected a list of dicts with the fields of a task row (problem_description, ground_truth, and test_cases for the "
    "backend), a datasets.Dataset of such rows, or a list of BackendTask or FrontendTask"
)


def tasks_from_rows(rows: Any, track: Track) -> FileTasks:  # Any: what the caller gave
    """Read tasks that are given as a sequence; fields that are None count as missing, as data sets fill them in.

    Args:
        rows: task rows as in a task file, or tasks; anything with a length that can be iterated over.
        track: which kind of task is wanted.

    Raises:
        UsageError: it is no such sequence, is empty, or a row is broken (its position and field are named), of the
            other track, or has the id of an earlier one.
    """
    kind = type(rows).__name__
    if isinstance(rows, Mapping):
        keys = f"with the keys {', '.join(map(repr, list(rows)[:5]))}" if rows else "without any key"
        raise UsageError(
            f"got tasks of type {kind} {keys}; {_WAYS}; put one row into a list, or choose one split of "
            "several, such as tasks=data['train']"
        )
    binary = isinstance(rows, (bytes, bytearray, memoryview))  # sequences of numbers, which are no rows
    if binary or not hasattr(rows, "__len__") or not (isinstance(rows, Iterable) or hasattr(rows, "__getitem__")):
        raise UsageError(
            f"got tasks of type {kind}; expected {', '.join(map(repr, SET_NAMES))}, the path of a JSONL file, a "
            "TaskSet (an object with spec, size, at(index), get(task_id) and sample(rng)), a list of task rows or a "
            "datasets.Dataset; take what a stream or an iterator gives into a list"
        )
    tasks: dict[str, Task] = {}
    for position, row in enumerate(rows):
        task = _task(row, track, position)
        if task.task_id in tasks:
            raise UsageError(
                f"tasks[{position}]: got the id {task.task_id!r}, which an earlier row has; give every row a 'task_id' "
                "of its own"
            )
        tasks[task.task_id] = task
    if not tasks:
        raise UsageError(f"got tasks without any row (an empty {kind}); {_WAYS}")
    return FileTasks(f"{kind} of {len(tasks)} tasks", tuple(tasks.values()))


def _task(row: object, track: Track, position: int) -> Task:
    if isinstance(row, (BackendTask, FrontendTask)):
        if row.track != track:
            raise TaskError(f"tasks[{position}]: got a task of the {row.track} track, expected a {track} task")
        return row
    if not isinstance(row, Mapping):
        hint = "; a DataFrame's rows are table.to_dict('records')" if isinstance(row, str) else ""
        raise UsageError(f"tasks[{position}]: got a row of type {type(row).__name__}; {_WAYS}{hint}")
    try:
        return task_from_row(_without_none(row), track, _PLACE, position + 1, position)
    except InputFileError as e:
        raise UsageError(str(e).replace(f"{_PLACE}, line {position + 1}:", f"tasks[{position}]:")) from e


def _without_none(row: Mapping[str, Any]) -> dict[str, Any]:  # Any: JSON of other people
    """Return the row without the fields, and the tests, that are None: a data set has the same ones in each row."""
    kept = {name: value for name, value in row.items() if value is not None}
    if isinstance(kept.get("test_cases"), Mapping):
        kept["test_cases"] = {name: call for name, call in kept["test_cases"].items() if call is not None}
    return kept
