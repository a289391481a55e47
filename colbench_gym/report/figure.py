"""Figure 3 of the paper for labelled runs: success by the number behind the label's ``@``, one curve for each name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Literal

from tabulate import tabulate

from colbench_gym.errors import MissingExtraError, UsageError
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.evaluation.statistics.intervals import Interval, interval
from colbench_gym.person import harmless
from colbench_gym.report.formats import csv_text
from colbench_gym.report.published import contents
from colbench_gym.report.table import check_seeds, differences_of

PICTURES = ("svg", "png", "pdf")
_BEST_OF = "best_of:"
_CSV = ("source", "curve", "x", "success", "low", "high", "dialogues", "tasks", "runs", "comparable")
SVG_SETTINGS = {"svg.hashsalt": "colbench", "svg.fonttype": "none"}  # equal curves, equal bytes
_SIZE_IN = (6.4, 4.0)  # inches


@dataclass(frozen=True)
class CurvePoint:
    """One point of a curve."""

    x: float  # number of samples, dialogues or whatever the label says
    success: Interval  # backend, over the runs of this label
    runs: int
    differences: tuple[str, ...]  # from the paper's set-up


Curves = Mapping[str, tuple[CurvePoint, ...]]
Part = Literal["3a", "3b"]  # best of N; dialogues in the training data


def curves(labelled: Mapping[str, Sequence[ScoredRun]], published: bool = False) -> Curves:
    """Return the curves of labelled backend runs, each sorted by x.

    Args:
        labelled: runs of each label, NAME@X, or NAME where the agent is ``best_of:X:RUN``.
        published: the paper's points are enough.

    Raises:
        UsageError: no run, one that is no backend run, a label that names no point, or seeds on unlike tasks.
    """
    points: dict[str, list[CurvePoint]] = {}
    for label, runs in labelled.items():
        for run in (run for run in runs if run.track != "backend"):
            raise UsageError(
                f"{run.name} is of the {run.track} track; expected backend runs: Figure 3 shows their success"
            )
        check_seeds(runs)
        name, x = _place(label, str(runs[0].settings.get("agent", "")))
        success = interval(*(run.successes for run in runs))
        assert success is not None  # a run that was read has a dialogue that counts
        apart = tuple(dict.fromkeys(text for run in runs for text in differences_of(run)))
        points.setdefault(name, []).append(CurvePoint(x, success, len(runs), apart))
    if not points and not published:
        raise UsageError("got no run; expected at least one folder of colbench eval --label NAME@X")
    return {name: tuple(sorted(of, key=lambda point: point.x)) for name, of in points.items()}


def _place(label: str, agent: str) -> tuple[str, float]:
    """Return the curve and the x of a label."""
    name, at, text = label.rpartition("@")
    if not at and agent.startswith(_BEST_OF):
        name, text = label, agent.removeprefix(_BEST_OF).partition(":")[0]
    try:
        x = float(text)
    except ValueError:
        x = math.nan
    if not name or not (0 < x < math.inf):
        raise UsageError(
            f"got the label {label!r}, expected NAME@X with a number above 0, such as sweet@16; write it as "
            "NAME@X=RUN, or play the run with --label"
        )
    return name, x


def paper_points(part: Part) -> tuple[tuple[str, float, float], ...]:
    """Return the paper's points: curve, x, and success from 0 to 1."""
    drawn = contents()["figures"][part]["curves"]
    return tuple((curve["method"], x, round(y / 100, 4)) for curve in drawn for x, y in curve["points"])


def to_text(shown: Curves, part: Part = "3a") -> str:
    """Return the points as a table for a terminal, and the paper's below."""
    points = [(harmless(name), point) for name, of in shown.items() for point in of]
    rows = [
        [f"{name}{' *' if point.differences else ''}", f"{point.x:g}", point.success.percent(), point.runs]
        for name, point in points
    ]
    rows += [[f"paper: {name}", f"{x:g}", f"{100 * y:.1f} %", ""] for name, x, y in paper_points(part)]
    heads = ("curve", "x", "success [95 % interval]", "runs")
    table: str = tabulate(rows, headers=heads, tablefmt="simple", disable_numparse=True)
    apart = grouped((point.differences, f"{name}@{point.x:g}") for name, point in points if point.differences)
    said = [f"  {', '.join(names)}: {harmless('; '.join(texts))}." for texts, names in apart.items()]
    head = ["* differs from the paper's set-up:"] if said else []
    figure = contents()["figures"][part]
    paper = f"{contents()['source']['citation']}, Figure 3 ({part[1]}): {figure['note']}."
    return "\n".join([table, "", paper, *head, *said])


def to_csv(shown: Curves, part: Part = "3a") -> str:
    """Return one line for each point: success from 0 to 1, with the ends of its interval."""
    rows: list[tuple[object, ...]] = [
        ("run", harmless(name), f"{p.x:g}", *astuple(p.success), p.runs, not p.differences)
        for name, of in shown.items()
        for p in of
    ]
    rows += [("paper", name, f"{x:g}", success, *[""] * 5, True) for name, x, success in paper_points(part)]
    return csv_text(_CSV, rows)


def draw(shown: Curves, out: Path, part: Part = "3a") -> None:
    """Draw the curves with their intervals, and the paper's points, into a file that ends in one of :data:`PICTURES`.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as e:
        raise MissingExtraError.of("matplotlib", "report", "drawing Figure 3") from e
    with mpl.rc_context(SVG_SETTINGS):
        figure = Figure(figsize=_SIZE_IN, layout="constrained")
        axes = figure.subplots()
        for name, of in shown.items():
            means = [100 * point.success.mean for point in of]
            reach = zip(*((100 * low, 100 * high) for low, high in (point.success.reach for point in of)), strict=True)
            label = plain_label(name) + (" *" if any(point.differences for point in of) else "")
            axes.errorbar([p.x for p in of], means, yerr=[*reach], marker="o", capsize=3, label=label)
        known = paper_points(part)
        for name, marker in zip(dict.fromkeys(name for name, _, _ in known), "*Ps", strict=False):
            xs, ys = zip(*((x, 100 * y) for of, x, y in known if of == name), strict=True)
            axes.plot(xs, ys, marker=marker, markersize=10, color="0.55", linestyle=":", label=f"paper, {name}")
        if part == "3a":
            axes.set_xscale("log", base=2)
        axes.margins(0.1)
        ticks = sorted({point.x for of in shown.values() for point in of} | {x for _, x, _ in known})
        axes.set_xticks(ticks, [f"{x:g}" for x in ticks])
        axes.set_xticks([], minor=True)
        axes.set(xlabel=contents()["figures"][part]["x"], ylabel="success, %", ylim=(0, None))
        axes.grid(alpha=0.3)
        axes.legend(frameon=False)
        if any(point.differences for of in shown.values() for point in of):
            figure.supxlabel("* differs from the paper's set-up; 95 % intervals, clustered by task", fontsize=8)
        dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}  # no time in the file
        figure.savefig(out, metadata=dates.get(out.suffix[1:].lower(), {}))


def plain_label(text: str) -> str:
    """Return a name as matplotlib shows it: no formulas in it, and no legend entry that it would hide."""
    shown = harmless(text).replace("$", r"\$")
    return f" {shown}" if shown.startswith("_") else shown
