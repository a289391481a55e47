"""Compare two runs task by task: the paired difference of their means, and how often one does better."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import correlation, fmean, pvariance, stdev, variance

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.scored_runs import ScoredRun, Scores
from colbench_gym.evaluation.statistics.intervals import (
    Estimate,
    Interval,
    interval,
    similarity_error,
    similarity_interval,
    student,
)
from colbench_gym.rules import Track

_SAME = 1e-9  # scores this close are a tie: means of equal numbers may differ in the last bits
_SETTINGS = (
    *("agent", "human", "grading", "profile", "max_turns", "max_questions", "repeats", "seed", "temperature"),
    *("max_tokens", "prompts_hash", "versions"),
)


@dataclass(frozen=True)
class ScoreDifference(Estimate):
    """A mean of run A minus that of run B over the same tasks, all in [-1, 1]."""

    tasks: int


@dataclass(frozen=True)
class ScoreComparison:
    """One number of both runs, over the tasks that both have; a task's value is the mean of its dialogues."""

    a: Interval
    b: Interval
    difference: ScoreDifference
    spread: float | None = None  # standard deviation over tasks of what A is better by; None for a single task


@dataclass(frozen=True)
class Comparison:
    """Scores of two runs side by side."""

    a: str  # what the runs were read from
    b: str
    track: Track
    metric: str
    tasks: int  # that both have
    only_a: int  # tasks of one run that the other has not; they count nowhere
    only_b: int
    not_counted_a: int  # dialogues that failed on our side; they count nowhere
    not_counted_b: int
    score: ScoreComparison  # fraction of tests passed (backend) or similarity (frontend)
    success: ScoreComparison | None  # backend: rate of dialogues whose answer passes every test
    win_rate: Interval  # share of tasks on which A's score is higher than B's, a tie counting half (paper, Table 2)
    wins: int
    ties: int
    losses: int
    wins_by_task: Mapping[str, float]  # 1, 0.5 or 0
    settings: Mapping[str, tuple[str, str]]  # what differs in the configuration of two run folders: (A's, B's)


def compare(a: ScoredRun, b: ScoredRun) -> Comparison:
    """Compare two runs on the tasks that both have.

    Raises:
        UsageError: they are of different tracks or metrics, share no task, or mean different tasks by one id.
    """
    check_alike(a, b)
    both = [task for task in a.scores if task in b.scores]

    def measured(of_a: Scores, of_b: Scores) -> ScoreComparison:
        return _measure(a.track, [fmean(of_a[task]) for task in both], [fmean(of_b[task]) for task in both])

    better = {task: fmean(a.scores[task]) - fmean(b.scores[task]) for task in both}
    wins = {task: 0.5 if abs(by) <= _SAME else float(by > 0) for task, by in better.items()}
    win_rate, won = interval({task: [value] for task, value in wins.items()}), list(wins.values())
    assert win_rate is not None  # there is a task
    return Comparison(
        a=a.name,
        b=b.name,
        track=a.track,
        metric=a.metric,
        tasks=len(both),
        only_a=len(a.scores) - len(both),
        only_b=len(b.scores) - len(both),
        not_counted_a=a.not_counted,
        not_counted_b=b.not_counted,
        score=measured(a.scores, b.scores),
        success=measured(a.successes, b.successes) if a.track == "backend" else None,
        win_rate=win_rate,
        wins=won.count(1.0),
        ties=won.count(0.5),
        losses=won.count(0.0),
        wins_by_task=wins,
        settings={
            name: (str(a.settings.get(name, "none")), str(b.settings.get(name, "none")))
            for name in _SETTINGS
            if a.settings and b.settings and a.settings.get(name) != b.settings.get(name)
        },
    )


def check_alike(a: ScoredRun, b: ScoredRun, tasks: bool = True) -> None:
    """Raise UsageError unless the scores of two runs mean the same.

    With ``tasks`` they must also share a task, and mean the same task by each id that both have.
    """
    if a.track != b.track:
        raise UsageError(f"{a.name} is of the {a.track} track, {b.name} of the {b.track} track; expected one track")
    again = "grade both alike with colbench grade, and compare what it writes"
    if a.metric != b.metric:
        raise UsageError(
            f"{a.name} was measured by {a.metric or 'a metric that it does not name'}, {b.name} by "
            f"{b.metric or 'one that it does not name'}; expected one metric; {again}"
        )
    gradings = [run.settings.get("grading") for run in (a, b)]
    if a.track == "backend" and None not in gradings and gradings[0] != gradings[1]:
        raise UsageError(
            f"{a.name} was graded {gradings[0]!r}, {b.name} {gradings[1]!r}; expected one grading; {again}"
        )
    both = [task for task in a.scores if task in b.scores] if tasks else []
    if tasks and not both:
        raise UsageError(
            f"no task of {a.name} (such as {next(iter(a.scores))!r}) is in {b.name} (such as "
            f"{next(iter(b.scores))!r}); expected runs on the same tasks"
        )
    for task in both:
        if a.task_hashes.get(task, "") != b.task_hashes.get(task, "") and task in a.task_hashes.keys() & b.task_hashes:
            raise UsageError(
                f"the id {task!r} is one task in {a.name} and another one in {b.name}; expected runs on the same tasks"
            )


def _measure(track: Track, means_a: Sequence[float], means_b: Sequence[float]) -> ScoreComparison:
    """Return both means over tasks and their difference, with the intervals that fit the track's scores.

    That of a difference of rates is put together from the two Wilson intervals and the correlation over tasks (method
    10 of Newcombe 1998; Zou and Donner 2008): like them it stays within its bounds and does not collapse to a point
    where every task ends alike, as the paired t interval and the bootstrap do. That of similarities is a paired t one.
    """
    of = interval if track == "backend" else similarity_interval
    mean_a, mean_b = (of({str(n): [v] for n, v in enumerate(means)}) for means in (means_a, means_b))
    assert mean_a is not None  # there is a task
    assert mean_b is not None
    tasks, differences = len(means_a), [x - y for x, y in zip(means_a, means_b, strict=True)]
    if track == "backend":
        r, (below_a, above_a), (below_b, above_b) = _correlation(means_a, means_b), mean_a.reach, mean_b.reach
        below, above = _joined(below_a, above_b, r), _joined(above_a, below_b, r)
    else:
        one = tasks == 1
        below = above = 2.0 if one else student(tasks) * similarity_error(variance(differences) / tasks, tasks)
    mean = mean_a.mean - mean_b.mean
    difference = ScoreDifference(mean, max(-1.0, mean - below), min(1.0, mean + above), tasks)
    return ScoreComparison(mean_a, mean_b, difference, stdev(differences) if tasks > 1 else None)


def _joined(x: float, y: float, r: float) -> float:
    return math.sqrt(max(0.0, x * x - 2 * r * x * y + y * y))


def _correlation(x: Sequence[float], y: Sequence[float]) -> float:
    """Return Pearson's correlation; 0 where one of them does not vary."""
    varies = min(pvariance(x), pvariance(y)) > _SAME**2
    return max(-1.0, min(1.0, correlation(x, y))) if varies else 0.0
