"""Plots of the report as SVG, drawn by matplotlib: scores by turns, questions, groups of tasks and leaks."""

from __future__ import annotations

import io
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import MissingExtraError
from colbench_gym.evaluation.statistics.groups import grouped, groups_of
from colbench_gym.evaluation.statistics.intervals import interval, similarity_interval
from colbench_gym.evaluation.summary import questions
from colbench_gym.report.figure import SVG_SETTINGS, plain_label
from colbench_gym.trajectory import Trajectory

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#3b82c4", "#d9822b", "#3a9d6e", "#b5509c", "#8a8f98", "#7a5bd0")  # told apart light, dark and in grey
INK = "#8a8f98"  # read on white and on black
BINS = 10
MAX_GROUPS = 12  # ours: in one plot; more cannot be read

Runs = Mapping[str, Sequence[Trajectory]]


@dataclass(frozen=True)
class Plot:
    """A picture with its title and what it shows, in words."""

    title: str
    words: str
    svg: bytes


def plots(runs: Runs) -> tuple[Plot, ...]:
    """Return the plots of some runs of one track by matplotlib; runs without a graded dialogue are left out."""
    graded = {name: [t for t in run if t.score is not None] for name, run in runs.items()}
    graded = {name: run for name, run in graded.items() if run}
    if not graded:
        return ()
    backend = next(iter(graded.values()))[0].rules.track == "backend"
    value = "success" if backend else "similarity"
    drawn = []
    counts: Mapping[str, tuple[str, Callable[[Dialogue], int]]] = {
        "agent turns": ("agent turns", lambda said: said.count("agent")),
        "questions": ("questions asked", questions),
    }
    for what, (words, count) in counts.items():
        if any(len({count(t.dialogue) for t in run}) > 1 for run in graded.values()):  # one point is no plot
            draw = partial(_by_count, runs=graded, backend=backend, what=what, count=count)
            drawn.append(_plot(f"{value.capitalize()} by {words}", graded, value, draw))
    title = "Tests passed" if backend else "Similarity"
    drawn.append(_plot(title, graded, "share of dialogues", lambda axes: _scores(axes, graded)))
    if any(t.leak.get("run") for run in graded.values() for t in run):
        drawn.append(_plot("Reward beside leak", graded, "reward", lambda axes: _leaks(axes, graded)))
    for about, groups in _groups(graded).items():
        draw = partial(_by_group, runs=graded, backend=backend, groups=groups)
        drawn.append(_plot(f"{value.capitalize()} by {about}", graded, value, draw))
    return tuple(drawn)


def _groups(runs: Runs) -> dict[str, dict[str, set[str]]]:
    """Return what tasks can be told apart by, where that makes a few groups: the tasks of each, by its name."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for task in {t.task.task_id: t.task for run in runs.values() for t in run}.values():
        for about, group in groups_of(task).items():
            found[plain_label(about)][group].add(task.task_id)
    return {about: dict(sorted(of.items())) for about, of in found.items() if 1 < len(of) <= MAX_GROUPS}


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
            axes.legend(frameon=False, labelcolor=INK, fontsize=8, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
        out = io.BytesIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None})
    return Plot(title, words, out.getvalue())


Bar = tuple[float, float, float]  # a mean, and how far its 95 % interval goes below and above it


def _bar(trajectories: Iterable[Trajectory], backend: bool) -> Bar | None:
    by_task = grouped((t.task.task_id, float(t.success) if backend else t.score or 0.0) for t in trajectories)
    it = (interval if backend else similarity_interval)(by_task)
    return None if it is None else (it.mean, *it.reach)


def _by_count(axes: Axes, runs: Runs, backend: bool, what: str, count: Callable[[Dialogue], int]) -> str:
    from matplotlib.ticker import MaxNLocator

    words = []
    for name, run, colour, _ in _coloured(runs):
        groups = grouped((count(trajectory.dialogue), trajectory) for trajectory in run)
        bars: dict[float, Bar] = {
            number: bar for number in sorted(groups) if (bar := _bar(groups[number], backend)) is not None
        }
        _draw_bars(axes, bars, "o-", colour, name)
        words.append(f"{name}: " + ", ".join(f"{number} {what} {bar[0]:.0%}" for number, bar in bars.items()))
    axes.set_xlabel(what)
    axes.set_ylim(-0.02, 1.02)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    return "; ".join(words)


def _by_group(axes: Axes, runs: Runs, backend: bool, groups: Mapping[str, set[str]]) -> str:
    words = []
    for name, run, colour, beside in _coloured(runs):
        found = {
            group: (place + beside * 0.5 / len(runs), bar)
            for place, (group, tasks) in enumerate(groups.items())
            if (bar := _bar((t for t in run if t.task.task_id in tasks), backend)) is not None
        }
        _draw_bars(axes, dict(found.values()), "o", colour, name)
        words.append(f"{name}: " + ", ".join(f"{group} {bar[0]:.0%}" for group, (_, bar) in found.items()))
    turned = max(map(len, groups)) * len(groups) > 50
    axes.set_xticks(range(len(groups)), [_short(group) for group in groups], rotation=30 if turned else 0)
    axes.set_xlim(-0.5, len(groups) - 0.5)
    axes.set_ylim(-0.02, 1.02)
    return "; ".join(words)


def _draw_bars(axes: Axes, bars: Mapping[float, Bar], style: str, colour: str, name: str) -> None:
    y, below, above = zip(*bars.values(), strict=True) if bars else ((), (), ())
    axes.errorbar(list(bars), y, [below, above], fmt=style, color=colour, label=_short(name), capsize=2)


def _scores(axes: Axes, runs: Runs) -> str:
    width = 0.8 / BINS / len(runs)
    words = []
    for name, run, colour, beside in _coloured(runs):
        counts = Counter(round(BINS * float(t.score or 0.0)) for t in run)
        x = [step / BINS + beside * width for step in range(BINS + 1)]
        axes.bar(x, [counts[step] / len(run) for step in range(BINS + 1)], width, color=colour, label=_short(name))
        words.append(f"{name}: {counts[BINS] / len(run):.0%} at the top, {counts[0] / len(run):.0%} at 0")
    axes.set_xlabel("score")
    return "; ".join(words)


def _leaks(axes: Axes, runs: Runs) -> str:
    for name, run, colour, _ in _coloured(runs):
        leaks = [t.leak.get("run", 0.0) for t in run]
        axes.scatter(leaks, [float(t.reward or 0.0) for t in run], s=12, color=colour, alpha=0.5, label=_short(name))
    axes.set_xlabel("longest run of the reference's tokens told")
    return "reward of each dialogue beside the longest part of the reference that the human gave away"


def _coloured(runs: Runs) -> Iterator[tuple[str, Sequence[Trajectory], str, float]]:
    """Yield each run with its colour, and how many places it stands right of the middle of all."""
    for place, (name, run) in enumerate(runs.items()):
        yield name, run, COLOURS[place % len(COLOURS)], place - (len(runs) - 1) / 2


def _short(name: str) -> str:
    return plain_label(name if len(name) <= 28 else f"{name[:13]}…{name[-14:]}")
