"""Plots of the report as SVG, drawn by matplotlib: what was scored by turns, how often, beside leaks."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from colbench_gym.errors import MissingExtraError
from colbench_gym.evaluation.summary import interval, similarity_interval
from colbench_gym.report.figure import SVG_SETTINGS, plain_label
from colbench_gym.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#3b82c4", "#d9822b", "#3a9d6e", "#b5509c", "#8a8f98", "#7a5bd0")  # told apart light, dark and in grey
INK = "#8a8f98"  # read on white and on black
BINS = 10

Runs = Mapping[str, Sequence[Trajectory]]


@dataclass(frozen=True)
class Plot:
    """A picture with its title and what it shows, in words."""

    title: str
    words: str
    svg: bytes


def plots(runs: Runs) -> tuple[Plot, ...]:
    """Return the plots of some runs of one track; runs without a graded dialogue are left out.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    graded = {name: [t for t in run if t.score is not None] for name, run in runs.items()}
    graded = {name: run for name, run in graded.items() if run}
    if not graded:
        return ()
    backend = next(iter(graded.values()))[0].rules.track == "backend"
    value = "success" if backend else "similarity"
    drawn = [
        _plot(f"{value.capitalize()} by agent turns", graded, value, lambda axes: _by_turns(axes, graded, backend)),
        _plot(
            "Tests passed" if backend else "Similarity",
            graded,
            "share of dialogues",
            lambda axes: _scores(axes, graded),
        ),
    ]
    if any(t.leak.get("run") for run in graded.values() for t in run):
        drawn.append(_plot("Reward beside leak", graded, "reward", lambda axes: _leaks(axes, graded)))
    return tuple(drawn)


def _plot(title: str, runs: Runs, y_label: str, draw: Callable[[Axes], str]) -> Plot:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError.of("matplotlib", "report", "plots of a report") from error
    with mpl.rc_context(SVG_SETTINGS):
        figure = Figure(figsize=(4.6, 2.9), layout="constrained")
        axes = figure.add_subplot()
        words = draw(axes)
        axes.set_ylabel(y_label, color=INK)
        axes.tick_params(colors=INK)
        axes.xaxis.label.set_color(INK)
        for side, spine in axes.spines.items():
            spine.set_visible(side in ("left", "bottom"))
            spine.set_color(INK)
        if len(runs) > 1:
            axes.legend(frameon=False, labelcolor=INK, fontsize=8)
        out = io.BytesIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return Plot(title, words, out.getvalue())


def _value(trajectory: Trajectory, backend: bool) -> float:
    return float(trajectory.success) if backend else float(trajectory.score or 0.0)


def _by_number_of_turns(run: Iterable[Trajectory], backend: bool) -> dict[int, tuple[float, ...]]:
    """Return for each number of turns: mean, and how far its 95 % interval goes below and above it."""
    groups: dict[int, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for trajectory in run:
        groups[trajectory.dialogue.count("agent")][trajectory.task.task_id].append(_value(trajectory, backend))
    of = interval if backend else similarity_interval
    intervals = {turns: of({t: tuple(v) for t, v in by_task.items()}) for turns, by_task in sorted(groups.items())}
    return {
        turns: (it.mean, max(0.0, it.mean - it.low), max(0.0, it.high - it.mean))
        for turns, it in intervals.items()
        if it is not None
    }


def _by_turns(axes: Axes, runs: Runs, backend: bool) -> str:
    from matplotlib.ticker import MaxNLocator

    words = []
    for (name, run), colour in zip(runs.items(), _colours(len(runs)), strict=True):
        means = _by_number_of_turns(run, backend)
        y = [mean for mean, *_ in means.values()]
        beside = [[low for _, low, _ in means.values()], [high for *_, high in means.values()]]
        axes.errorbar(list(means), y, beside, fmt="o-", color=colour, label=_short(name), capsize=2)
        words.append(f"{name}: " + ", ".join(f"{turns} turns {mean:.0%}" for turns, (mean, *_) in means.items()))
    axes.set_xlabel("agent turns")
    axes.set_ylim(-0.02, 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    return "; ".join(words)


def _scores(axes: Axes, runs: Runs) -> str:
    width = 0.8 / BINS / len(runs)
    words = []
    for place, ((name, run), colour) in enumerate(zip(runs.items(), _colours(len(runs)), strict=True)):
        counts = Counter(round(BINS * float(t.score or 0.0)) for t in run)
        x = [step / BINS + (place - (len(runs) - 1) / 2) * width for step in range(BINS + 1)]
        axes.bar(x, [counts[step] / len(run) for step in range(BINS + 1)], width, color=colour, label=_short(name))
        words.append(f"{name}: {counts[BINS] / len(run):.0%} at the top, {counts[0] / len(run):.0%} at 0")
    axes.set_xlabel("score")
    return "; ".join(words)


def _leaks(axes: Axes, runs: Runs) -> str:
    for (name, run), colour in zip(runs.items(), _colours(len(runs)), strict=True):
        leaks = [t.leak.get("run", 0.0) for t in run]
        axes.scatter(leaks, [float(t.reward or 0.0) for t in run], s=12, color=colour, alpha=0.5, label=_short(name))
    axes.set_xlabel("longest run of the reference's tokens told")
    return "reward of each dialogue beside the longest part of the reference that the human gave away"


def _colours(count: int) -> list[str]:
    return [COLOURS[place % len(COLOURS)] for place in range(count)]


def _short(name: str) -> str:
    return plain_label(name if len(name) <= 28 else f"…{name[-27:]}")
