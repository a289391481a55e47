"""Describe what values look like, as data: from examples and from clues in the code."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeGuard

from colbench_gym.humans.program.clues import Clues, kind_of

_KINDS: tuple[tuple[type | tuple[type, ...], str], ...] = (
    (bool, "flag"),
    ((int, float, complex), "number"),
    (str, "text"),
    (dict, "dictionary"),
    (list, "list"),
    (tuple, "tuple"),
    ((set, frozenset), "set"),
    (datetime.date, "date"),
    (type, "type"),
)
MAX_FIELDS = 12
MAX_DEPTH = 5
MAX_LOOKED_AT = 40  # items of a container


@dataclass(frozen=True)
class Shape:
    """Form of some values.

    Attributes:
        kind: number, text, flag, list, tuple, dictionary, set, date, none, mixed; empty when nothing tells.
        item: shape of the items of a container, or of the values of a dictionary.
        key: shape of the keys of a dictionary that has no fixed ones.
        fields: names and shapes of the entries of a dictionary with fixed keys.
        parts: shapes of the places of a tuple or short list that always has as many.
        whole: numbers without decimals.
        low, high: smallest and largest number seen; both 0.0 when none was.
        example: one text that was seen.
        alternatives: shapes of a mixed one.
        optional: None occurs too.
    """

    kind: str = ""
    item: Shape | None = None
    key: Shape | None = None
    fields: tuple[tuple[str, Shape], ...] = ()
    parts: tuple[Shape, ...] = ()
    whole: bool = False
    low: float = 0.0
    high: float = 0.0
    example: str = ""
    alternatives: tuple[Shape, ...] = ()
    optional: bool = False


def shape_of_values(values: Sequence[Any], fixed: frozenset[str] | set[str], depth: int = 0) -> Shape:
    """Return the shape that all values share; ``fixed`` are keys that the code itself names."""
    present = [value for value in values if value is not None]
    if not present:
        return Shape("none")
    types = dict.fromkeys(map(type, present))
    kinds = list(dict.fromkeys(map(_kind_of_value, present)))
    optional = len(present) < len(values)
    if len(kinds) > 1:
        groups = ([value for value in present if _kind_of_value(value) == kind] for kind in kinds)
        parts = tuple(shape_of_values(group, fixed, depth + 1) for group in groups)
        return Shape("mixed", alternatives=parts, optional=optional)
    kind = kinds[0]
    if kind == "number":
        real = [float(value) for value in present if not isinstance(value, complex) and abs(value) < 1e300]
        low, high = (min(real), max(real)) if real else (0.0, 0.0)
        return Shape(kind, whole=all(issubclass(kept, int) for kept in types), low=low, high=high, optional=optional)
    if kind == "text":
        return Shape(kind, example=next((value for value in present if value.strip()), ""), optional=optional)
    if depth >= MAX_DEPTH or kind not in ("list", "tuple", "set", "dictionary"):
        return Shape(kind, optional=optional)
    if kind == "dictionary":
        return replace(_shape_of_dictionaries(present, fixed, depth), optional=optional)
    items = [
        v for value in present for v in (sorted(value, key=repr) if kind == "set" else list(value))[:MAX_LOOKED_AT]
    ]
    inner = shape_of_values(items, fixed, depth + 1) if items else None
    sizes = {len(value) for value in present}
    places: tuple[Shape, ...] = ()
    if kind != "set" and len(sizes) == 1 and 2 <= min(sizes) <= 4 and (kind == "tuple" or depth > 0):
        places = tuple(
            shape_of_values([list(v)[place] for v in present], fixed, depth + 1) for place in range(min(sizes))
        )
    return Shape(kind, item=inner, parts=places, optional=optional)


def _shape_of_dictionaries(values: Sequence[dict[Any, Any]], fixed: frozenset[str] | set[str], depth: int) -> Shape:
    keys = list(dict.fromkeys(key for value in values for key in list(value)[:MAX_LOOKED_AT]))
    named = bool(keys) and all(isinstance(key, str) for key in keys) and len(keys) <= MAX_FIELDS
    fixed_here = named and any(key in fixed for key in keys)
    if fixed_here and all(key in fixed or 2 * sum(key in value for value in values) >= len(values) for key in keys):
        fields = tuple((key, shape_of_values([v[key] for v in values if key in v], fixed, depth + 1)) for key in keys)
        return Shape("dictionary", fields=fields)
    inner = [item for value in values for item in list(value.values())[:MAX_LOOKED_AT]]
    return Shape(
        "dictionary",
        key=shape_of_values(keys, fixed, depth + 1) if keys else None,
        item=shape_of_values(inner, fixed, depth + 1) if inner else None,
    )


def is_number(value: object) -> TypeGuard[float]:
    """Return whether a value is a number, and no truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _kind_of_value(value: object) -> str:
    if type(value).__module__ == "numpy":
        return "list" if hasattr(value, "tolist") and bool(getattr(value, "shape", None)) else "number"
    return _kind_of_type(type(value))  # type: ignore[arg-type]  # a class has a hash


@lru_cache(maxsize=128)
def _kind_of_type(kept: type) -> str:
    return next((kind for known, kind in _KINDS if issubclass(kept, known)), "mixed")


def shape_of_clues(clue: Clues, default: ast.expr | None = None) -> Shape:
    """Return the shape that the code suggests for a name."""
    kind = clue.kind or kind_of(default)
    return Shape(kind, fields=tuple((key, Shape()) for key in clue.keys) if kind == "dictionary" else ())
