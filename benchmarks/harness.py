"""Harness of benchmarks: ways take turns in rounds, ratios are medians over rounds, and results are a table and JSON.

Ways that take turns are disturbed alike by a noisy machine, so that a ratio within one round says more than two rates.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Measured:
    """One number of one way, once a round; its unit is such as ``answers/s``."""

    name: str
    unit: str
    rounds: tuple[float, ...]

    @property
    def median(self) -> float:
        """Return the median over rounds."""
        return statistics.median(self.rounds)

    def ratio_to(self, base: Measured) -> float:
        """Return the median of the ratios of rounds: this way against a base that took turns with it."""
        return statistics.median(mine / theirs for mine, theirs in zip(self.rounds, base.rounds, strict=True))


def take_turns(ways: Mapping[str, Callable[[], float]], rounds: int, unit: str) -> dict[str, Measured]:
    """Measure each way once a round, in their order; each returns its number."""
    numbers: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, way in ways.items():
            numbers[name].append(way())
    return {name: Measured(name, unit, tuple(found)) for name, found in numbers.items()}


def print_table(title: str, measured: Sequence[Measured], bases: Sequence[Measured] = ()) -> None:
    """Print a row for each way: median, least and most, and its ratio to each base."""
    table = Table("way", "median", "least", "most", *(f"against {base.name}" for base in bases), title=title)
    for way in measured:
        ratios = (f"{way.ratio_to(base):.2f}" if len(base.rounds) == len(way.rounds) else "" for base in bases)
        numbers = (f"{number:.4g}" for number in (way.median, min(way.rounds), max(way.rounds)))
        table.add_row(f"{way.name} ({way.unit})", *numbers, *ratios)
    Console().print(table)


def write_json(path: Path | None, benchmark: str, measured: Sequence[Measured], **settings: object) -> None:
    """Write all rounds of all ways, if a file is named."""
    if path is None:
        return
    rows = [{**asdict(way), "median": way.median} for way in measured]
    machine = {"python": platform.python_version(), "machine": platform.machine()}
    report = {"benchmark": benchmark, "settings": settings, **machine, "measured": rows}
    path.write_text(json.dumps(report, indent=2, default=str) + "\n", encoding="utf-8")


def descendants(pid: int) -> list[int]:
    """The processes below one, nearest first."""
    found: list[int] = []
    try:
        lists = [children.read_text() for children in Path(f"/proc/{pid}/task").glob("*/children")]
    except OSError:  # it ended while it was looked at
        return found
    for text in lists:
        below = [int(child) for child in text.split()]
        found += below
        for child in below:
            found += descendants(child)
    return found


def memory_bytes() -> int:
    """Return the resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which ``share`` of them lie."""
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def latency_in_words(seconds: Sequence[float]) -> str:
    """Return the median and the 99th percentile of some times."""
    p50, p99 = (1000 * percentile(seconds, share) for share in (0.5, 0.99))
    return f"p50 {p50:.2f} ms, p99 {p99:.2f} ms of {len(seconds)}"


def counts_in_words(counts: Counter[str]) -> str:
    """Return each count with its name."""
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


def wait_for_none(count: Callable[[], int], most_s: float = 20.0) -> int:
    """Wait until none is left, but not for ever; return how many are left."""
    deadline = time.monotonic() + most_s
    while count() and time.monotonic() < deadline:
        time.sleep(0.1)
    return count()
