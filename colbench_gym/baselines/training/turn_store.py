"""JSONL files with one row a turn that several processes fill and a later run goes on with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from colbench_gym.jsonl import dump_row

TurnKey = tuple[int, int]  # dialogue, turn


class TurnStore:
    """Rows by (dialogue, turn). Each process appends to a file of its own; all files are read.

    Args:
        folder: where the files lie.
        name: of the files, ``NAME.PROCESS.jsonl``.
        process: number of this process.
    """

    def __init__(self, folder: Path, name: str, process: int = 0) -> None:
        self._folder, self._name = folder, name
        self._own = folder / f"{name}.{process}.jsonl"

    def rows(self) -> dict[TurnKey, dict[str, Any]]:
        """Return all rows in order, without a last line that a stopped run left half written."""
        rows: dict[TurnKey, dict[str, Any]] = {}
        for file in sorted(self._folder.glob(f"{self._name}.*.jsonl")):
            for row in _whole_rows(file):
                rows[row["dialogue"], row["turn"]] = row
        return dict(sorted(rows.items()))

    def mend(self) -> None:
        """Take a half-written last line of this process's file back, so that rows can be appended."""
        if self._own.exists():
            self._own.write_text("".join(dump_row(row) for row in _whole_rows(self._own)), encoding="utf-8")

    def add(self, key: TurnKey, content: Mapping[str, Any]) -> None:
        """Append one row; it is on disk when this returns."""
        with self._own.open("a", encoding="utf-8") as out:
            out.write(dump_row({"dialogue": key[0], "turn": key[1], **content}))


def _whole_rows(file: Path) -> list[dict[str, Any]]:
    rows = []
    for line in file.read_text(encoding="utf-8").splitlines(keepends=True):
        if line.endswith("\n"):
            rows.append(json.loads(line))
    return rows
