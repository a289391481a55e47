"""What a set of trajectories says: metrics with confidence intervals, coverage and leaks."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from colbench_gym.trajectory import Trajectory

CONFIDENCE = 0.95


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % confidence interval, all in [0, 1].

    Attributes:
        mean: over the dialogues that count.
        low: lower end.
        high: upper end.
        dialogues: how many values went in.
        tasks: over how many tasks (the clusters).
    """

    mean: float
    low: float
    high: float
    dialogues: int
    tasks: int

    def percent(self) -> str:
        """Return it for a table, such as ``48.0 % [41.2, 54.9]``."""
        return f"{100 * self.mean:.1f} % [{100 * self.low:.1f}, {100 * self.high:.1f}]"


def interval(values_by_task: Mapping[str, Sequence[float]]) -> Interval | None:
    """Return the mean of values in [0, 1] that are clustered by task, with a Wilson interval; None without values.

    The clusters' (linearised) variance of the ratio mean gives the effective number of independent values
    n = p (1 - p) / variance, which with Student's quantile at tasks - 1 degrees of freedom goes into Wilson's
    interval (Korn and Graubard 1998; Wilson 1927). Unlike the plain t interval it stays inside [0, 1] and does not
    collapse when every value is equal: then n is the number of tasks.
    """
    clusters = [values for values in values_by_task.values() if values]
    total = sum(len(values) for values in clusters)
    if not total:
        return None
    mean = min(1.0, max(0.0, math.fsum(v for values in clusters for v in values) / total))
    tasks = len(clusters)
    if tasks == 1:
        return Interval(mean, 0.0, 1.0, total, tasks)
    from scipy.stats import t

    residuals = [math.fsum(values) - len(values) * mean for values in clusters]
    variance = tasks / (tasks - 1) * math.fsum(r * r for r in residuals) / total**2
    spread = mean * (1 - mean)
    n = spread / variance if variance > 1e-15 and spread > 0 else float(tasks)
    z = float(t.ppf((1 + CONFIDENCE) / 2, tasks - 1))
    centre = (mean + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(spread / n + z * z / (4 * n * n))
    return Interval(mean, max(0.0, min(mean, centre - half)), min(1.0, max(mean, centre + half)), total, tasks)


@dataclass(frozen=True)
class Summary:
    """Metrics of a run.

    Attributes:
        score: fraction of tests passed (backend; Table 2 "% tests passed") or similarity (frontend).
        success: backend: rate of dialogues whose answer passes every test (Table 2 "success rate"); None on the
            frontend track, which has none.
        reward: mean of what the environment paid; None where nothing counts.
        outcomes: how many dialogues ended how.
        counted: dialogues that count in the metrics; the others failed on our side.
        dialogues: all of them.
        turns: mean agent turns of those that count.
        leak: mean of each leak measure over those that count.
    """

    score: Interval | None
    success: Interval | None
    reward: float | None
    outcomes: Mapping[str, int]
    counted: int
    dialogues: int
    turns: float | None
    leak: Mapping[str, float]

    @property
    def failed(self) -> int:
        """Dialogues that do not count because our side failed."""
        return self.dialogues - self.counted


def summarise(trajectories: Iterable[Trajectory]) -> Summary:
    """Summarise trajectories; those without a grade are left out of the metrics and counted."""
    scores: dict[str, list[float]] = defaultdict(list)
    successes: dict[str, list[float]] = defaultdict(list)
    rewards: list[float] = []
    turns: list[int] = []
    leaks: dict[str, list[float]] = defaultdict(list)
    outcomes: Counter[str] = Counter()
    for trajectory in trajectories:
        outcomes[trajectory.outcome] += 1
        if trajectory.score is None:
            continue
        task_id = trajectory.task.task_id
        scores[task_id].append(trajectory.score)
        if trajectory.rules.track == "backend":
            successes[task_id].append(float(trajectory.success))
        rewards.append(float(trajectory.reward or 0.0))
        turns.append(trajectory.dialogue.count("agent"))
        for name, value in trajectory.leak.items():
            leaks[name].append(value)
    return Summary(
        score=interval(scores),
        success=interval(successes),
        reward=_mean(rewards),
        outcomes=dict(sorted(outcomes.items())),
        counted=len(rewards),
        dialogues=outcomes.total(),
        turns=_mean(turns),
        leak={name: math.fsum(values) / len(values) for name, values in sorted(leaks.items())},
    )


def _mean(values: Sequence[float]) -> float | None:
    return math.fsum(values) / len(values) if values else None
