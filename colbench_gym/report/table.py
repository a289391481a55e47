"""Tables 2 to 4 of the paper for any runs: their scores and turns with 95 % intervals, and the paper's rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Literal, cast

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.compare_runs import check_alike, compare
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.evaluation.statistics.intervals import Interval, interval, similarity_interval
from colbench_gym.report.published import PublishedRow, contents, published_table
from colbench_gym.rules import Track
from colbench_gym.scenario.paper import PAPER, differences

Column = Literal["tests_passed", "success", "similarity", "win_rate"]


@dataclass(frozen=True)
class TableRow:
    """One method, or one row of the paper; numbers are from 0 to 1, None where the method has no run of that track."""

    method: str
    tests_passed: Interval | float | None = None
    success: Interval | float | None = None
    similarity: Interval | float | None = None
    win_rate: Interval | float | None = None
    turns: Mapping[Track, float] = field(default_factory=dict)  # mean of the agent's
    runs: int = 0
    differences: Mapping[Track, tuple[str, ...]] = field(default_factory=dict)  # from the paper's set-up

    @property
    def comparable(self) -> bool:
        """True where it may stand beside the paper's numbers."""
        return not any(self.differences.values())


@dataclass(frozen=True)
class ResultTable:
    """Rows of methods and of the paper."""

    methods: tuple[TableRow, ...]
    paper: tuple[TableRow, ...]
    baseline: str = ""  # what the win rate is against
    number: int = 2  # of the paper's table
    columns: tuple[Column, ...] = ("tests_passed", "success", "similarity", "win_rate")
    protocols: tuple[str, ...] = ()  # how the paper's rows were played, where they are shown as published and grey


def result_table(
    methods: Mapping[str, Sequence[ScoredRun]],
    baseline: ScoredRun | None = None,
    number: int = 2,
    published: bool = False,
) -> ResultTable:
    """Return the table of some methods.

    Args:
        methods: runs of each; several of one track are the same method from several training seeds. Of Tables 3 and
            4, by their labels.
        baseline: a frontend run that win rates are against, on the tasks that both have.
        number: of the paper's table; 3 and 4 are of the backend track alone.
        published: show the paper's rows with the intervals that their tasks imply, and how they were played.

    Raises:
        UsageError: no run and nothing published, the baseline is no frontend run, or runs cannot be put side by side.
    """
    if not any(methods.values()) and not published:
        raise UsageError("got no run; expected at least one folder of colbench eval")
    if baseline is not None and baseline.track != "frontend":
        raise UsageError(
            f"{baseline.name} is of the backend track; expected a frontend run as the baseline: Table 2 has no win "
            "rate of programs. Compare two backend runs with colbench compare"
        )
    for run in (run for runs in methods.values() for run in runs):
        if number != 2 and run.track != "backend":
            raise UsageError(f"{run.name} is of the {run.track} track; expected backend runs, as in Table {number}")
    for of_track in grouped((run.track, run) for runs in methods.values() for run in runs).values():
        for run in of_track[1:]:
            check_alike(of_track[0], run, tasks=False)
    columns, known = published_table(number)
    names = {row.label: row.method for row in known}
    rows = tuple(_row(names.get(method, method), runs, baseline) for method, runs in methods.items())
    paper = tuple(TableRow(row.method, **(row.intervals() if published else row.numbers)) for row in known)
    against, played = "" if baseline is None else baseline.name, _protocols(known) if published else ()
    return ResultTable(rows, paper, against, number, cast("tuple[Column, ...]", columns), played)


def _protocols(rows: Sequence[PublishedRow]) -> tuple[str, ...]:
    """Return how published rows were played, and by what they were graded."""
    source, played = contents()["source"], grouped((row.protocol, row.method) for row in rows)
    return (
        f"{source['citation']} ({source['date']}).",
        f"Tasks: {source['n']['success']} of the backend, {source['n']['similarity']} pages; human: {source['human']}.",
        f"Graded: {source['grader']}.",
        *(f"{', '.join(methods)}: {protocol}." for protocol, methods in played.items()),
        "Intervals of success and win rate are what the number of tasks implies; the other two have no known spread.",
    )


def check_seeds(runs: Sequence[ScoredRun]) -> None:
    """Raise UsageError where two runs are of one track and not of the same tasks: they have no mean over seeds."""
    for first, run in ((next(other for other in runs if other.track == run.track), run) for run in runs):
        same = first.settings.get("tasks_hash", "") == run.settings.get("tasks_hash")  # a dialogue may have failed
        texts = first.task_hashes, run.task_hashes
        if not same and (first.scores.keys() != run.scores.keys() or (all(texts) and texts[0] != texts[1])):
            raise UsageError(
                f"{first.name} ({len(first.scores)} tasks) and {run.name} ({len(run.scores)} tasks) are of one method "
                "and not of the same tasks, expected training seeds on one task set; name them apart: METHOD=RUN"
            )


def _row(method: str, runs: Sequence[ScoredRun], baseline: ScoredRun | None) -> TableRow:
    check_seeds(runs)
    by_track = grouped((run.track, run) for run in runs)
    backend, frontend = by_track.get("backend", []), by_track.get("frontend", [])
    wins = [] if baseline is None else [compare(run, baseline).wins_by_task for run in frontend]
    turns = {
        track: [turn for run in of for values in run.turns.values() for turn in values]
        for track, of in by_track.items()
    }
    return TableRow(
        method,
        tests_passed=interval(*(run.scores for run in backend)),
        success=interval(*(run.successes for run in backend)),
        similarity=similarity_interval(*(run.scores for run in frontend)),
        win_rate=interval(*({task: (won,) for task, won in of_run.items()} for of_run in wins)),
        turns={track: fmean(of) for track, of in turns.items() if of},
        runs=len(runs),
        differences={
            track: tuple(dict.fromkeys(text for run in of for text in differences_of(run)))
            for track, of in by_track.items()
        },
    )


def differences_of(run: ScoredRun) -> tuple[str, ...]:
    """Return what differs from the paper's set-up: as the run recorded it, else as its configuration tells."""
    if run.differences is None or run.settings.get("profile") not in (None, PAPER.name):
        return differences(run.track, run.settings, run.not_counted, PAPER)
    return run.differences
