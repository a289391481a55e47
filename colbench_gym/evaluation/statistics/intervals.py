"""Means of values that are clustered by task, with 95 % confidence intervals."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from colbench_gym.evaluation.statistics.student import quantile

CONFIDENCE = 0.95
# Ours: over 34 official pages, standard deviation of the `layout-2` score of a page with one word written backwards.
SIMILARITY_SD = 0.013


@dataclass(frozen=True)
class Estimate:
    """A mean with the ends of its 95 % confidence interval."""

    mean: float
    low: float
    high: float

    @property
    def reach(self) -> tuple[float, float]:
        """Lengths of the interval below and above the mean."""
        return max(0.0, self.mean - self.low), max(0.0, self.high - self.mean)

    def points(self, sign: str = "") -> str:
        """Return it in percent for a table, such as ``48.0 [41.2, 54.9]``; with the sign "+" as a difference."""
        mean, low, high = (f"{100 * number:{sign}.1f}" for number in (self.mean, self.low, self.high))
        return f"{mean} [{low}, {high}]"

    def percent(self) -> str:
        """Return it for a table, such as ``48.0 % [41.2, 54.9]``."""
        return self.points().replace(" ", " % ", 1)


@dataclass(frozen=True)
class Interval(Estimate):
    """A mean with its 95 % confidence interval; those of rates and similarities are in [0, 1].

    Attributes:
        mean: over the dialogues that count.
        low: lower end.
        high: upper end.
        dialogues: how many values went in.
        tasks: over how many tasks (the clusters).
    """

    dialogues: int
    tasks: int


Values = Mapping[str, Sequence[float]]  # of each task, one for each dialogue


def interval(*runs: Values) -> Interval | None:
    """Return the mean of rates in [0, 1] that are clustered by task, with a Wilson interval; None without values.

    Several runs are one method trained from several seeds: what differs between runs beyond chance widens the interval.

    The clusters' (linearised) variance of the ratio mean gives the effective number of independent values
    n = p (1 - p) / variance, which with Student's quantile at tasks - 1 degrees of freedom goes into Wilson's
    interval (Korn and Graubard 1998; Wilson 1927). Unlike the plain t interval it stays inside [0, 1] and does not
    collapse when every value is equal: then n is the number of tasks.
    """
    clusters = _Clusters.of(runs)
    if clusters is None or clusters.tasks == 1:
        return None if clusters is None else clusters.interval(0.0, 1.0)
    mean, z = clusters.mean, clusters.quantile
    spread = mean * (1 - mean)
    n = spread / clusters.variance if clusters.variance > 1e-15 and spread > 0 else float(clusters.tasks)
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(spread / n + z * z / (4 * n * n))
    return clusters.interval(min(mean, centre - half), max(mean, centre + half))


def similarity_interval(*runs: Values) -> Interval | None:
    """Return the mean of similarities in [0, 1] that are clustered by task, with a t interval; None without values.

    The variance is that of the ratio mean over the clusters, with tasks - 1 degrees of freedom, but at least what
    pages have that differ by one word (:data:`SIMILARITY_SD`). A binomial interval would be far too wide: a page does
    not succeed or fail.
    """
    clusters = _Clusters.of(runs)
    if clusters is None or clusters.tasks == 1:
        return None if clusters is None else clusters.interval(0.0, 1.0)
    half = clusters.quantile * similarity_error(clusters.variance, clusters.tasks)
    return clusters.interval(clusters.mean - half, clusters.mean + half)


def count_interval(values: Values) -> Interval | None:
    """Return the mean of counts of at least 0 that are clustered by task, with a t interval; None of less than two."""
    largest = max((value for of in values.values() for value in of), default=0.0) or 1.0
    clusters = _Clusters.of([{task: [value / largest for value in of] for task, of in values.items()}])
    if clusters is None or clusters.tasks == 1:
        return None
    half = clusters.quantile * math.sqrt(clusters.variance)
    ends = (clusters.mean, max(0.0, clusters.mean - half), clusters.mean + half)
    mean, low, high = (largest * end for end in ends)
    return Interval(mean, low, high, clusters.values, clusters.tasks)


def similarity_error(variance: float, tasks: int) -> float:
    """Return the standard error of a mean similarity, or of a difference of two, over that many tasks."""
    return math.sqrt(max(variance, SIMILARITY_SD**2 / tasks))


def student(tasks: int) -> float:
    """Return Student's quantile for a two-sided interval over ``tasks`` clusters, of which there are at least two."""
    return quantile((1 + CONFIDENCE) / 2, tasks - 1)


@dataclass(frozen=True)
class _Clusters:
    """Values clustered by task, and by run where there are several: their mean, and its linearised variance.

    The variance of a ratio of two sums; that between runs, less what it is by chance, comes on top (as in the two-way
    clustering of Cameron, Gelbach and Miller 2011), and its few degrees of freedom with it.
    """

    mean: float
    variance: float
    quantile: float
    values: int
    tasks: int

    def interval(self, low: float, high: float) -> Interval:
        """Return the mean with the ends of an interval, which are cut to [0, 1]."""
        return Interval(self.mean, max(0.0, low), min(1.0, high), self.values, self.tasks)

    @classmethod
    def of(cls, runs: Sequence[Values]) -> _Clusters | None:
        """Return the clusters that hold a value; None where no one does."""
        cells = [(run, task, run_values[task]) for run, run_values in enumerate(runs) for task in run_values]
        cells = [cell for cell in cells if cell[2]]
        total = sum(len(values) for *_, values in cells)
        if not total:
            return None
        mean = min(1.0, max(0.0, math.fsum(v for *_, values in cells for v in values) / total))
        residuals: tuple[dict[object, float], ...] = ({}, {}, {})  # by task, by run, by both
        for run, task, values in cells:
            for of, cluster in zip(residuals, (task, run, (run, task)), strict=True):
                of[cluster] = of.get(cluster, 0.0) + math.fsum(values) - len(values) * mean
        by_task, by_run, by_both = (_squares(of.values()) / total**2 for of in residuals)
        tasks, seeds = len(residuals[0]), len(residuals[1])
        quantile = student(tasks) if tasks > 1 else math.inf
        between = max(0.0, by_run - by_both) if seeds > 1 else 0.0
        if between:
            half = math.hypot(quantile * math.sqrt(by_task), student(seeds) * math.sqrt(between))
            return cls(mean, by_task + between, half / math.sqrt(by_task + between), total, tasks)
        return cls(mean, by_task, quantile, total, tasks)


def _squares(residuals: Collection[float]) -> float:
    count = len(residuals)
    return count / max(1, count - 1) * math.fsum(r * r for r in residuals)
