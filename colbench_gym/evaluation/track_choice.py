"""The track that a file is of, for commands that get only files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from colbench_gym.action import extract_page
from colbench_gym.jsonl import read_rows
from colbench_gym.rules import Track

TrackChoice = Literal["backend", "frontend", "auto"]


def choose_track(choice: TrackChoice, tasks: str | None, answers: Path | None = None) -> Track:
    """Return the track that was chosen; under ``auto`` the one that the rows tell.

    Args:
        choice: ``backend``, ``frontend`` or ``auto``: frontend when no task among the rows has ``test_cases`` and one
            has a page, else backend (whoever reads the rows then asks ``test_cases`` of every one). A name such as
            ``generated`` stands for backend tasks, ``websight`` for pages.
        tasks: a task spec; None where the answers hold their tasks.
        answers: trajectories that hold their tasks.

    Raises:
        InputFileError: a file that is needed to tell is broken or not there.
    """
    if choice != "auto":
        return choice
    if tasks is not None:
        if tasks.partition(":")[0] == "websight":
            return "frontend"
        path = Path(tasks)
        return _track(row for _, row in read_rows(path)) if path.is_file() else "backend"
    if answers is not None:
        return _track(row["task"] for _, row in read_rows(answers) if isinstance(row.get("task"), dict))
    return "backend"


def _track(tasks: Iterable[Mapping[str, Any]]) -> Track:  # Any: JSON of other people
    any_page = False
    for task in tasks:
        if "test_cases" in task:
            return "backend"
        any_page = any_page or extract_page(str(task.get("ground_truth"))) is not None
    return "frontend" if any_page else "backend"
