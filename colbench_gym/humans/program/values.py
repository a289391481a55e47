"""Compare values as a person would."""

from __future__ import annotations

from math import isclose


def same(one: object, other: object) -> bool:
    """Return whether two values are equal, small rounding aside."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        return isclose(one, other, rel_tol=1e-6, abs_tol=5e-3 if abs(float(one)) > 1 else 1e-6)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
