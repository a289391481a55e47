"""What came out: the table with intervals over seeds and tasks, the gates, and the picture."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from colbench_gym.errors import InputFileError, MissingExtraError
from colbench_gym.evaluation.statistics.intervals import Estimate
from colbench_gym.jsonl import read_rows

BASE, ZERO, DPO, SWEET = "filtered BC", "zero-shot", "multi-turn DPO", "SWEET-RL"
BLIND, CEILING, RANDOM = "SWEET-RL, critic without c", "the secret map", "random order"
ORDER = ((BASE, ZERO), (DPO, ZERO), (SWEET, ZERO), (DPO, BASE), (SWEET, BASE), (SWEET, DPO), (SWEET, BLIND))
RESULTS = "results.jsonl"  # of a run, in its folder
ORDERS = (RANDOM, "general order", "best constant order", "labels of the training tasks", CEILING)
YARDSTICKS = ("no question", *ORDERS, "oracle")
Rows = dict[tuple[str, str], dict[int, Mapping[str, Any]]]  # of results, by split, method, seed; Any: JSON
RESAMPLES = 2000  # of the bootstrap; ours
LABELS = 0.8  # share of turn labels that have to be right: the purpose of a critic that sees c


@dataclass(frozen=True)
class Line:
    """One method on one split.

    Attributes:
        method: its name.
        success: share of the tasks.
        beside: the same, less that of filtered BC on the same tasks with the same seeds.
        useful: share of the questions that asked for an open matter not told yet.
        questions: a dialogue.
        labels: share of the turn labels that were right, where it learns from such.
        seeds: how many.
        tasks: how many.
    """

    method: str
    success: Estimate
    beside: Estimate
    useful: float
    questions: float
    labels: float | None
    seeds: int
    tasks: int


def spread(values: npt.NDArray[np.float64], draws: int = RESAMPLES) -> Estimate:
    """Return the mean of values of seeds by tasks, with the interval of a bootstrap that draws both."""
    rng = np.random.default_rng(0)
    seeds, tasks = values.shape
    of_seeds = rng.multinomial(seeds, np.full(seeds, 1 / seeds), draws) / seeds
    of_tasks = rng.multinomial(tasks, np.full(tasks, 1 / tasks), draws) / tasks
    low, high = np.quantile(((of_seeds @ values) * of_tasks).sum(axis=1), [0.025, 0.975])
    return Estimate(float(values.mean()), float(low), float(high))


def read_lines(*files: Path) -> Mapping[str, Sequence[Line]]:
    """Return the lines of each split, in the order of the files; of equal rows the last counts.

    Raises:
        InputFileError: the files have no result, or not those of filtered BC with the same seeds.
    """
    rows = _read(files)
    lines: dict[str, list[Line]] = {}
    for (split, method), by_seed in rows.items():
        base = rows.get((split, BASE), {})
        same = base.keys() >= by_seed.keys()
        if not same or any(len(base[seed]["success"]) != len(row["success"]) for seed, row in by_seed.items()):
            raise InputFileError(
                f"{', '.join(map(str, files))}: {method} on {split} has other seeds or tasks than {BASE}, expected the "
                "same; play the seeds and tasks of colbench small-table2, and name its folder too"
            )
        values = _marks(by_seed, by_seed)
        questions, useful = (sum(row.get(name) or 0 for row in by_seed.values()) for name in ("questions", "useful"))
        labels = [row["labels"] for row in by_seed.values() if row.get("labels") is not None]
        line = Line(
            method,
            spread(values),
            spread(values - _marks(base, by_seed)),
            useful / max(questions, 1),
            questions / values.size,
            sum(labels) / len(labels) if labels else None,
            *values.shape,
        )
        lines.setdefault(split, []).append(line)
    return lines


def _read(files: Iterable[Path]) -> Rows:
    rows: Rows = {}
    for file, (number, row) in ((path, numbered) for path in files for numbered in read_rows(path)):
        split, method, seed, marks = (row.get(name) for name in ("split", "method", "seed", "success"))
        if not (isinstance(split, str) and isinstance(method, str) and isinstance(seed, int)) or (
            not isinstance(marks, str) or set(marks) not in ({"0"}, {"1"}, {"0", "1"})
        ):
            raise InputFileError(
                f"{file}:{number}: no row of results, expected split, method, seed and success, a text of 0 and 1"
            )
        rows.setdefault((split, method), {})[seed] = row
    if not rows:
        raise InputFileError(f"got no result in {', '.join(map(str, files))}, expected one; run colbench small-table2")
    return rows


def _marks(by_seed: Mapping[int, Mapping[str, Any]], seeds: Iterable[int]) -> npt.NDArray[np.float64]:  # Any: JSON
    return np.array([[float(mark) for mark in by_seed[seed]["success"]] for seed in sorted(seeds)])


def differences(*files: Path, pairs: Sequence[tuple[str, str]] = ORDER) -> str:
    """Return a table of which method is how far above which, paired by seed and task, a split each.

    Raises:
        InputFileError: the files have no result.
    """
    rows = _read(files)
    splits = list(dict.fromkeys(split for split, _ in rows))
    shown = [f"| points [95 %] | {' | '.join(splits)} |", "|---" * (1 + len(splits)) + "|"]
    for one, other in pairs:
        if all((split, name) in rows for split in splits for name in (one, other)):
            both = [(rows[split, one], rows[split, other]) for split in splits]
            cells = [spread(_marks(a, a) - _marks(b, a)).points() for a, b in both]
            shown.append(f"| {one} minus {other} | {' | '.join(cells)} |")
    return "\n".join(shown)


def markdown(lines: Sequence[Line]) -> str:
    """Return a table; the way is that from a random order to the secret map, yardsticks are in italics."""
    by_name = {line.method: line.success.mean for line in lines}
    low, high = by_name.get(RANDOM, 0.0), by_name.get(CEILING, 1.0)
    rows = ["| | success % [95 %] | minus filtered BC | way % | useful questions % | questions | turn labels right % |"]
    for line in lines:
        name = f"*{line.method}*" if line.method in YARDSTICKS else line.method
        beside = "" if line.method == BASE else line.beside.points()
        way = 100 * (line.success.mean - low) / (high - low) if high > low else 0.0
        labels = "" if line.labels is None else f"{100 * line.labels:.0f}"
        useful = f"{100 * line.useful:.1f} | {line.questions:.2f}"
        rows.append(f"| {name} | {line.success.points()} | {beside} | {way:.0f} | {useful} | {labels} |")
    return "\n".join([rows[0], "|---" * 7 + "|", *rows[1:]])


def leaderboard(lines: Mapping[str, Sequence[Line]]) -> Mapping[str, Sequence[Line]]:
    """Return the lines of each split, the most successful first."""
    return {split: sorted(of, key=lambda line: -line.success.mean) for split, of in lines.items()}


def write_json(lines: Mapping[str, Sequence[Line]], file: Path) -> None:
    """Write the lines of each split to a file."""
    rows = {split: [asdict(line) for line in of_split] for split, of_split in lines.items()}
    file.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def failed_gates(lines: Sequence[Line]) -> list[str]:
    """Return what a healthy experiment has and this one has not: the paper's order where the effect is large."""
    by_name = {line.method: line for line in lines}
    sweet, blind = by_name[SWEET], by_name[BLIND]
    labels = sweet.labels or 0.0
    gates = {
        f"SWEET-RL ({sweet.success.mean:.3f}) above itself without c ({blind.success.mean:.3f})": (
            sweet.success.mean > blind.success.mean
        ),
        f"SWEET-RL ({sweet.success.mean:.3f}) above filtered BC, its interval {sweet.beside.points()} too": (
            sweet.beside.low > 0
        ),
        f"turn labels of SWEET's critic ({labels:.2f}) at least {LABELS}": labels >= LABELS,
    }
    return [gate for gate, kept in gates.items() if not kept]


def draw(lines: Mapping[str, Sequence[Line]], file: Path) -> None:
    """Write a picture: success with its interval, a panel for each split.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as e:
        raise MissingExtraError.of("matplotlib", "report", "drawing the small Table 2") from e
    figure = Figure(figsize=(6.4 * len(lines), 5.2), layout="constrained")
    for place, (split, of_split) in enumerate(lines.items(), start=1):
        axes = figure.add_subplot(1, len(lines), place)
        means = [100 * line.success.mean for line in of_split]
        reach = zip(*((100 * low, 100 * high) for low, high in (line.success.reach for line in of_split)), strict=True)
        axes.errorbar(means, range(len(means)), xerr=[*reach], fmt="o", capsize=3)
        axes.set_yticks(range(len(means)), [line.method for line in of_split])
        axes.invert_yaxis()
        axes.set(xlabel="success, %", title=f"{split}: {of_split[0].tasks} tasks, {of_split[0].seeds} seeds")
        axes.set_xlim(0, 100)
        axes.grid(axis="x", alpha=0.3)
    figure.savefig(file, dpi=120)
