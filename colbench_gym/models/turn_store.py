"""JSONL files with one row a turn; processes fill them together, each taking the next work, and a later run goes on."""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from colbench_gym.concurrency import Progress, map_in_threads
from colbench_gym.jsonl import append_row, ready_to_append

TurnKey = tuple[int, int]  # dialogue, turn
Item = TypeVar("Item")


def whole_rows(file: Path) -> Iterator[dict[str, Any]]:  # Any: JSON
    """Yield the rows of a file, without a last one that a stopped run left half written."""
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.endswith("\n"))


class TurnStore:
    """Rows by (dialogue, turn). Each process appends to a file of its own; all files are read.

    Work is shared out by a queue on disk: a process takes a batch by creating ``NAME.claims/DIALOGUE-TURN``, which
    only one can. Claims hold for one run; what a killed run had claimed and not done is free again in the next.

    Args:
        folder: where the files lie; on a disk that all processes share.
        name: of the files, ``NAME.PROCESS.jsonl``.
        process: number of this process.
    """

    def __init__(self, folder: Path, name: str, process: int = 0) -> None:
        self._folder, self._name = folder, name
        self._own = folder / f"{name}.{process}.jsonl"
        self._claims = folder / f"{name}.claims"
        self._lock = threading.Lock()

    def open(self) -> None:
        """Forget claims, and take half-written last lines back. For one process, before any of them fills the store."""
        shutil.rmtree(self._claims, ignore_errors=True)
        self._claims.mkdir(parents=True)
        for file in self._folder.glob(f"{self._name}.*.jsonl"):
            ready_to_append(file)

    def rows(self) -> dict[TurnKey, dict[str, Any]]:
        """Return all rows in order, without a last line that a stopped run left half written."""
        files = sorted(self._folder.glob(f"{self._name}.*.jsonl"))
        rows = {(row["dialogue"], row["turn"]): row for file in files for row in whole_rows(file)}
        return dict(sorted(rows.items()))

    def fill(
        self,
        batches: Sequence[Sequence[tuple[TurnKey, Item]]],
        work: Callable[[Sequence[Item]], Iterable[Mapping[str, Any]]],
        progress: Progress,
        threads: int = 1,
    ) -> None:
        """Do the work of batches that miss a row and that no other process has taken.

        Args:
            batches: the same in all processes; items with their keys.
            work: returns one row for each item of a batch.
            progress: called with the number of batches taken so far, by any process, and of all batches.
            threads: batches at once.
        """
        have = self.rows()
        missing = [batch for batch in batches if any(key not in have for key, _ in batch)]

        def do(numbered: tuple[int, Sequence[tuple[TurnKey, Item]]]) -> None:
            number, batch = numbered
            if not self._claim(batch[0][0]):
                return
            rows = work([item for _, item in batch])
            with self._lock:
                for (key, _), row in zip(batch, rows, strict=True):
                    if key not in have:
                        self.add(key, row)
                progress(number, len(missing))

        numbered = list(enumerate(missing, start=1))
        if threads == 1:  # in this thread: some libraries know a current device for each thread
            for each in numbered:
                do(each)
        else:
            for _ in map_in_threads(do, numbered, threads=threads, name=self._name, ahead=len(numbered) + 1):
                pass

    def add(self, key: TurnKey, content: Mapping[str, Any]) -> None:
        """Append one row; it is written when this returns."""
        append_row(self._own, {"dialogue": key[0], "turn": key[1], **content})

    def _claim(self, key: TurnKey) -> bool:
        try:
            os.close(os.open(self._claims / f"{key[0]}-{key[1]}", os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True
