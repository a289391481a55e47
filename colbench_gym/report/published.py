"""Published results that runs stand beside, read from published.toml."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym.evaluation.statistics.intervals import Interval, interval
from colbench_gym.jsonl import read_toml

RATES = ("success", "win_rate")  # shares of tasks, whose interval follows from their number


@dataclass(frozen=True)
class PublishedRow:
    """One row of a published table."""

    method: str
    label: str  # what a run of it is labelled with; "" where tables go by agents
    protocol: str  # how it was played, in words
    numbers: dict[str, float]  # by column, from 0 to 1

    def intervals(self) -> dict[str, Interval | float]:
        """Return the numbers, those that are shares of tasks with the interval that their number implies."""
        sizes = contents()["source"]["n"]
        return {name: _share(x, sizes[name]) if name in RATES else x for name, x in self.numbers.items()}


@lru_cache(maxsize=1)
def contents() -> dict[str, Any]:  # Any: TOML
    """Return the whole file."""
    return read_toml(Path(__file__).with_name("published.toml"))


def published_table(number: int) -> tuple[tuple[str, ...], tuple[PublishedRow, ...]]:
    """Return columns and rows of a table of the paper."""
    table = next(table for table in contents()["tables"] if table["number"] == number)
    rows = (
        PublishedRow(
            row["method"],
            row.get("label", ""),
            contents()["protocols"][row["protocol"]],
            {name: round(x / 100, 4) for name, x in zip(table["columns"], row["numbers"], strict=True)},
        )
        for row in table["rows"]
    )
    return tuple(table["columns"]), tuple(rows)


def _share(mean: float, tasks: int) -> Interval:
    found = interval({str(n): (float(n < round(mean * tasks)),) for n in range(tasks)})
    assert found is not None  # there are tasks
    return Interval(mean, found.low, found.high, tasks, tasks)
