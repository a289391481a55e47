"""Statistics of several attempts at each task: pass@k, pass^k and the best of k, estimated without bias from n >= k."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from colbench_gym.evaluation.statistics.intervals import Interval, Values, interval


def pass_at_k(successes: Sequence[float], k: int) -> float:
    """Return the chance that one of k attempts succeeds: 1 - C(n-c, k) / C(n, k) (Chen et al. 2021, equation 1)."""
    n, c = len(successes), round(math.fsum(successes))
    return 1 - math.comb(n - c, k) / math.comb(n, k)


def pass_hat_k(successes: Sequence[float], k: int) -> float:
    """Return the chance that all k attempts succeed: C(c, k) / C(n, k) (Yao et al. 2024, tau-bench, pass^k)."""
    n, c = len(successes), round(math.fsum(successes))
    return math.comb(c, k) / math.comb(n, k)


def best_of_k(scores: Sequence[float], k: int) -> float:
    """Return the expected best score of k attempts: the mean of the maximum over all choices of k among the n.

    The i-th lowest score is the highest of C(i-1, k-1) choices. It is the U-statistic of the maximum, which has no
    bias (Hoeffding 1948); with scores of 0 and 1 it is pass@k.
    """
    n = len(scores)
    terms = (math.comb(i, k - 1) * score for i, score in enumerate(sorted(scores)))
    return math.fsum(terms) / math.comb(n, k)


def over_tasks(
    values: Values,
    k: int,
    estimate: Callable[[Sequence[float], int], float],
    in_use: Callable[[Values], Interval | None] = interval,
) -> Interval | None:
    """Return the mean of an estimate over the tasks that have at least k attempts; None where there is no such task.

    Args:
        values: of each task, one for each attempt.
        k: how many attempts.
        estimate: of one task.
        in_use: the interval that fits the values.
    """
    return in_use({task: [estimate(of, k)] for task, of in values.items() if len(of) >= k})


def sizes(values: Values) -> tuple[int, ...]:
    """Return the k that are reported: 2, 4, 8 and so on, up to the most attempts at a task, and that number itself."""
    most = max(map(len, values.values()), default=0)
    return tuple(sorted({2**n for n in range(1, most.bit_length()) if 2**n <= most} | ({most} if most > 1 else set())))
