"""Student's t: quantiles, and the chance that a t statistic passes one; no package is needed for them."""

from __future__ import annotations

import math
from functools import lru_cache

_TINY, _TERMS, _HALVINGS = 1e-300, 10_000, 200
_STEPS, _REACH = 4_000, 12.0  # of the sum over the standard deviation, and its reach in standard deviations


@lru_cache(maxsize=1024)
def quantile(chance: float, freedom: float) -> float:
    """Return the t below which Student's distribution lies with a chance of at least one half."""
    low, high = 0.0, 1.0
    while _tail(high, freedom) > 1 - chance:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if _tail(middle, freedom) > 1 - chance else (low, middle)
    return (low + high) / 2


def _tail(t: float, freedom: float) -> float:
    """Return the chance of more than t, which is half of a regularised incomplete beta function."""
    x, y, a, b = freedom / (freedom + t * t), t * t / (freedom + t * t), freedom / 2, 0.5
    if not y:
        return 0.5
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log(y)
    if x < (a + 1) / (a + b + 2):
        return 0.5 * math.exp(log_front) * _fraction(x, a, b) / a
    return 0.5 * (1 - math.exp(log_front) * _fraction(y, b, a) / b)


def _fraction(x: float, a: float, b: float) -> float:
    """Return the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), by Lentz."""
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or _TINY)
    value = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / ((1 + term * d) or _TINY)
            c = (1 + term / c) or _TINY
            value *= c * d
        if abs(c * d - 1) < 1e-16:
            break
    return value


def shifted_above(t: float, freedom: float, shift: float) -> float:
    """Return the chance that a t statistic whose mean is shifted (noncentral t) is above t.

    Given the standard deviation w that the sample shows, in units of the true one, the chance is that of a normal
    variable above t w - shift; the mean of that over w, whose square is chi-squared over its degrees of freedom.
    """
    import numpy as np

    spread = 1 / math.sqrt(2 * freedom)
    low, high = max(0.0, 1 - _REACH * spread), 1 + _REACH * spread
    w = low + (np.arange(_STEPS) + 0.5) * (high - low) / _STEPS
    log_density = (freedom - 1) * np.log(w) - freedom * (w * w - 1) / 2
    weights = np.exp(log_density - log_density.max())
    above = np.array([0.5 * math.erfc((t * at - shift) / math.sqrt(2)) for at in w])
    return float((weights * above).sum() / weights.sum())
