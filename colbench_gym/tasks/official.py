"""Task files in the official format, and the official files themselves from the hub."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.errors import InputFileError, MissingExtraError, UnknownNameError, UnknownTaskError
from colbench_gym.jsonl import read_rows, text_field, wrong_type
from colbench_gym.rules import Track
from colbench_gym.tasks import BackendTask, Decision, FrontendTask, Task

if TYPE_CHECKING:
    import numpy as np

HUB_DATASET = "facebook/collaborative_agent_bench"
HUB_FILES = {"train": "backend_tasks/train.jsonl", "test": "backend_tasks/test.jsonl"}


class FileTasks:
    """Tasks of one file or list, in its order (a :class:`~colbench_gym.tasks.TaskSet`)."""

    def __init__(self, spec: str, tasks: tuple[Task, ...]) -> None:
        self.spec = spec
        self._tasks = tasks
        self._by_id = {task.task_id: task for task in tasks}

    @property
    def size(self) -> int:
        """Number of tasks."""
        return len(self._tasks)

    def at(self, index: int) -> Task:
        """Return the task at a position, from 0."""
        if not 0 <= index < len(self._tasks):
            raise UnknownTaskError(f"no task at position {index} in {self.spec} ({len(self._tasks)} tasks, from 0)")
        return self._tasks[index]

    def get(self, task_id: str | int) -> Task:
        """Return the task with that id."""
        try:
            return self._by_id[str(task_id)]
        except KeyError:
            first, last = self._tasks[0].task_id, self._tasks[-1].task_id
            listing = f". List them with: colbench tasks list {self.spec}" if Path(self.spec).is_file() else ""
            raise UnknownTaskError(
                f"no task {str(task_id)!r} in {self.spec} ({len(self._tasks)} tasks, the first is {first!r}, the last "
                f"{last!r}){listing}"
            ) from None

    def sample(self, rng: np.random.Generator) -> Task:
        """Draw one task, with replacement."""
        return self._tasks[int(rng.integers(len(self._tasks)))]

    def __repr__(self) -> str:
        return f"FileTasks({self.spec!r}, {len(self._tasks)} tasks)"


def read_tasks(path: Path, track: Track) -> FileTasks:
    """Read a whole task file.

    Raises:
        InputFileError: a broken row, an id used twice, no row at all; nothing is loaded then.
    """
    tasks: list[Task] = []
    first_line: dict[str, int] = {}
    for number, row in read_rows(path):
        task = task_from_row(row, track, path, number, position=len(tasks))
        if task.task_id in first_line:
            raise InputFileError(
                f"{path}, line {number}: the id {task.task_id!r} was used on line {first_line[task.task_id]} already; "
                "give every row its own 'task_id'"
            )
        first_line[task.task_id] = number
        tasks.append(task)
    if not tasks:
        raise InputFileError(f"{path}: no task in it; expected one JSON object a line")
    return FileTasks(str(path), tuple(tasks))


def row_id(row: Mapping[str, Any], path: Path, number: int, position: int) -> str:
    """Return a row's id: ``task_id``, else ``index``, else its position from 0."""
    for name in ("task_id", "index"):
        value = row.get(name)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (str, int)):
                raise wrong_type(path, number, name, value, "a string or an integer")
            return str(value)
    return str(position)


def task_from_row(row: Mapping[str, Any], track: Track, path: Path, number: int, position: int) -> Task:
    """Return the task in one row of a file.

    Raises:
        InputFileError: a field is missing or of the wrong type, or the row is of the other track.
    """
    task_id = row_id(row, path, number, position)
    description = text_field(path, number, row, "problem_description")
    reference = text_field(path, number, row, "ground_truth")
    if track == "frontend":
        if "test_cases" in row:
            raise InputFileError(
                f"{path}, line {number}: got a row with the field 'test_cases', which a backend task has, expected a "
                "frontend task (a page as 'ground_truth', no tests); use the file with ColBench-Backend-v0 or --track "
                "backend"
            )
        return FrontendTask(task_id, description, reference, row=row)
    calls = _calls(row, path, number)
    hidden = text_field(path, number, row, "hidden_information") if "hidden_information" in row else reference
    return BackendTask(
        task_id=task_id,
        description=description,
        reference=reference,
        calls=tuple(calls.values()),
        test_names=tuple(calls),
        hidden_information=hidden,
        decisions=_decisions(row, path, number),
        row=row,
    )


def _calls(row: Mapping[str, Any], path: Path, number: int) -> dict[str, str]:
    if "test_cases" not in row:
        raise InputFileError(
            f"{path}, line {number}: field 'test_cases' is missing; a backend task has a dict of test name to call "
            "expression there (a page to build is a frontend task)"
        )
    calls = row["test_cases"]
    if not isinstance(calls, dict):
        raise wrong_type(path, number, "test_cases", calls, "a dict of test name to call expression")
    if not calls:
        raise InputFileError(f"{path}, line {number}: field 'test_cases' is empty; expected at least one test")
    for name, call in calls.items():
        if not isinstance(call, str):
            raise wrong_type(path, number, f"test_cases.{name}", call, "a call expression in a string")
    return calls


def _decisions(row: Mapping[str, Any], path: Path, number: int) -> tuple[Decision, ...]:
    """Return what the description leaves open; official rows do not say, generated ones do."""
    written = row.get("decisions", [])
    if not isinstance(written, list):
        raise wrong_type(path, number, "decisions", written, "a list of objects")
    decisions = []
    for place, item in enumerate(written):
        if not isinstance(item, dict) or not isinstance(item.get("key"), str):
            raise wrong_type(path, number, f"decisions[{place}]", item, "an object with a string 'key'")
        texts = {name: item.get(name, []) for name in ("about", "says", "topics")}
        for name, value in texts.items():
            if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
                raise wrong_type(path, number, f"decisions[{place}].{name}", value, "a list of strings")
        kind = item.get("kind", "")
        if not isinstance(kind, str):
            raise wrong_type(path, number, f"decisions[{place}].kind", kind, "a string")
        flags = {name: item.get(name, False) for name in ("off", "stated")}
        for name, flag in flags.items():
            if not isinstance(flag, bool):
                raise wrong_type(path, number, f"decisions[{place}].{name}", flag, "true or false")
        about, says, topics = (tuple(texts[name]) for name in ("about", "says", "topics"))
        decisions.append(Decision(item["key"], about, says, topics, kind, **flags))
    return tuple(decisions)


def download(split: str, track: Track) -> FileTasks:
    """Download the official backend tasks from the hub, cached by its client, and say which licence they carry.

    Raises:
        MissingExtraError: huggingface_hub is not installed.
        InputFileError: the file cannot be had (offline, refused).
        UnknownNameError: no such split, or the track whose tasks are not on the hub.
    """
    if track != "backend":
        raise UnknownNameError.among(f"{track} task set", "official", ("PATH.jsonl",))
    if split not in HUB_FILES:
        raise UnknownNameError.among("split of the official tasks", split, HUB_FILES)
    try:
        from huggingface_hub import hf_hub_download
        from huggingface_hub.errors import HfHubHTTPError, LocalEntryNotFoundError
    except ImportError as e:
        raise MissingExtraError.of("huggingface_hub", "hub", "downloading the official tasks") from e
    print(  # noqa: T201  a licence notice belongs before the eyes of whoever downloads
        f"The official tasks are {HUB_DATASET} by Meta, under a licence of their own (non-commercial terms; see its "
        "card on the hub). They are not part of colbench-gym.",
        file=sys.stderr,
    )
    try:
        path = hf_hub_download(HUB_DATASET, HUB_FILES[split], repo_type="dataset")
    except (HfHubHTTPError, LocalEntryNotFoundError, OSError) as e:
        raise InputFileError(
            f"official:{split}: cannot be downloaded ({e}); check the connection, or download {HUB_FILES[split]} of "
            f"{HUB_DATASET} yourself and pass its path"
        ) from e
    return read_tasks(Path(path), track)
