"""Compare values as a person would, and exactly."""

from __future__ import annotations

from math import isclose


def same(one: object, other: object, *, exact: bool = False) -> bool:
    """Return whether two values are equal: as people say numbers, or exactly but for the last digits of floats."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)) and not isinstance(one, bool):
        if one == other or (one != one and other != other):
            return True
        try:
            if exact:
                return isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)
            return isclose(one, other, rel_tol=1e-6, abs_tol=5e-3 if abs(float(one)) > 1 else 1e-6)
        except OverflowError:
            return False
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(same(a, b, exact=exact) for a, b in zip(one, other, strict=True))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(value, other[key], exact=exact) for key, value in one.items())
    return one == other
