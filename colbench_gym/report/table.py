"""Tables 2 and 3 of the paper for any runs: their scores and turns with 95 % intervals, and the paper's rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.compare_runs import check_alike, compare
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.evaluation.statistics.intervals import Interval, Values, interval, similarity_interval
from colbench_gym.report.paper import TABLE_2, TABLE_3
from colbench_gym.rules import Track
from colbench_gym.scenario.paper import differences

Column = Literal["tests_passed", "success", "similarity", "win_rate"]


@dataclass(frozen=True)
class TableRow:
    """One method, or one row of the paper.

    Attributes:
        method: its label.
        tests_passed, success: backend, from 0 to 1; None where the method has no run there.
        similarity, win_rate: frontend.
        turns: mean agent turns of each track.
        runs: how many runs went in.
        differences: for each track that the method has, what differs from the paper's set-up.
    """

    method: str
    tests_passed: Interval | float | None = None
    success: Interval | float | None = None
    similarity: Interval | float | None = None
    win_rate: Interval | float | None = None
    turns: Mapping[Track, float] = field(default_factory=dict)
    runs: int = 0
    differences: Mapping[Track, tuple[str, ...]] = field(default_factory=dict)

    @property
    def comparable(self) -> bool:
        """True where it may stand beside the paper's numbers."""
        return not any(self.differences.values())


@dataclass(frozen=True)
class ResultTable:
    """Rows of methods and of the paper.

    Attributes:
        methods: in the order in which they were named.
        paper: the rows of Table 2.
        baseline: what the win rate is against; "" where there is none.
        number: of the paper's table.
        columns: numbers that stand in it.
    """

    methods: tuple[TableRow, ...]
    paper: tuple[TableRow, ...]
    baseline: str = ""
    number: int = 2
    columns: tuple[Column, ...] = ("tests_passed", "success", "similarity", "win_rate")


def result_table(methods: Mapping[str, Sequence[ScoredRun]], baseline: ScoredRun | None = None) -> ResultTable:
    """Return the table of some methods.

    Args:
        methods: runs of each; several of one track are the same method from several training seeds.
        baseline: a frontend run that win rates are against, on the tasks that both have.

    Raises:
        UsageError: no run, the baseline is no frontend run, or runs of one track cannot be put side by side.
    """
    if not any(methods.values()):
        raise UsageError("got no run; expected at least one folder of colbench eval")
    if baseline is not None and baseline.track != "frontend":
        raise UsageError(
            f"{baseline.name} is of the backend track; expected a frontend run as the baseline: Table 2 has no win "
            "rate of programs. Compare two backend runs with colbench compare"
        )
    for track in ("backend", "frontend"):
        of_track = [run for runs in methods.values() for run in runs if run.track == track]
        for run in of_track[1:]:
            check_alike(of_track[0], run, tasks=False)
    rows = tuple(_row(method, runs, baseline) for method, runs in methods.items())
    return ResultTable(rows, _PAPER, "" if baseline is None else baseline.name)


def ablation_table(labelled: Mapping[str, Sequence[ScoredRun]]) -> ResultTable:
    """Return Table 3: the success of labelled backend runs, and the paper's ablations.

    Args:
        labelled: runs of each label; several are training seeds.

    Raises:
        UsageError: no run, or one that is no backend run.
    """
    for run in (run for runs in labelled.values() for run in runs):
        if run.track != "backend":
            raise UsageError(
                f"{run.name} is of the {run.track} track; expected backend runs: Table 3 has their success only"
            )
    names = {ablation.label: ablation.method for ablation in TABLE_3}
    table = result_table({names.get(label, label): runs for label, runs in labelled.items()})
    paper = tuple(TableRow(ablation.method, success=ablation.success / 100) for ablation in TABLE_3)
    return ResultTable(table.methods, paper, number=3, columns=("success",))


def _row(method: str, runs: Sequence[ScoredRun], baseline: ScoredRun | None) -> TableRow:
    backend = [run for run in runs if run.track == "backend"]
    frontend = [run for run in runs if run.track == "frontend"]
    wins = [] if baseline is None else [compare(run, baseline).wins_by_task for run in frontend]
    return TableRow(
        method,
        tests_passed=_mean(interval, [run.scores for run in backend]),
        success=_mean(interval, [run.successes for run in backend]),
        similarity=_mean(similarity_interval, [run.scores for run in frontend]),
        win_rate=_mean(interval, [{task: (won,) for task, won in of_run.items()} for of_run in wins]),
        turns={track: turns for track, of in _by_track(runs).items() if (turns := _turns(of)) is not None},
        runs=len(runs),
        differences={
            track: tuple(dict.fromkeys(text for run in of for text in differences_of(run)))
            for track, of in _by_track(runs).items()
        },
    )


def differences_of(run: ScoredRun) -> tuple[str, ...]:
    """Return what differs from the paper's set-up: as the run recorded it, else as its configuration tells."""
    return differences(run.track, run.settings, run.not_counted) if run.differences is None else run.differences


def _by_track(runs: Sequence[ScoredRun]) -> dict[Track, list[ScoredRun]]:
    tracks: dict[Track, list[ScoredRun]] = {}
    for run in runs:
        tracks.setdefault(run.track, []).append(run)
    return tracks


def _mean(of: Callable[..., Interval | None], runs: Sequence[Values]) -> Interval | None:
    return of(*runs) if runs else None


def _turns(runs: Sequence[ScoredRun]) -> float | None:
    turns = [turn for run in runs for values in run.turns.values() for turn in values]
    return sum(turns) / len(turns) if turns else None


_PAPER = tuple(
    TableRow(
        row.method,
        tests_passed=row.tests_passed / 100,
        success=row.success / 100,
        similarity=row.similarity / 100,
        win_rate=row.win_rate / 100,
    )
    for row in TABLE_2
)
