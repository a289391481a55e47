"""The examples: five functions and three pages, written by hand and short enough to follow."""

from __future__ import annotations

from pathlib import Path

from colbench_gym.errors import UnknownNameError
from colbench_gym.jsonl import read_rows
from colbench_gym.rules import Track
from colbench_gym.tasks.official import FileTasks, task_from_row

FILE = Path(__file__).with_name("examples.jsonl")


def load_examples(split: str, track: Track) -> FileTasks:
    """Return the examples of a track.

    Raises:
        UnknownNameError: a split other than ``test``, the only one.
    """
    if split != "test":
        raise UnknownNameError.among("split of the examples", split, ("test",))
    rows = [(number, row) for number, row in read_rows(FILE) if ("test_cases" in row) == (track == "backend")]
    return FileTasks("examples", tuple(task_from_row(row, track, FILE, n, at) for at, (n, row) in enumerate(rows)))
