"""Equality of two pieces of plain data, as ``strict`` grading means it.

Like Python's ``==`` on the data a sandbox hands back, with these decisions:

* Floats are equal within 1e-9 relative or 1e-12 absolute, so that ``a * b / c`` equals ``a * (b / c)``; so is a float
  and another number, a boolean aside. Numbers that are exact (int, Fraction, Decimal) are compared exactly.
* NaN equals NaN, inside containers too; NaT equals NaT.
* ``True == 1 == 1.0``, also as numpy scalars; a numpy array without dimensions is its scalar.
* A list is no tuple, as in Python, and neither is an array: what is returned is part of what was asked for.
* Arrays are equal when shape and values are; their dtype is not looked at.
* Sets and dicts are equal whatever their order. Members and keys are compared exactly, except where all of them are
  real numbers and the exact comparison fails: then they are paired by size, and compared as values are.

It is total: no data makes it raise, recurse deeply or take more than about linear time. Values of types that are
no plain data equal only themselves.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import math
from collections import Counter, deque
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from colbench_gym.sandboxes.values import TypeName, collide

_NUMBERS = (bool, int, float, complex, decimal.Decimal, fractions.Fraction)
_COMPLEX = (complex, np.clongdouble)
_ALL_NUMBERS = (*_NUMBERS, np.clongdouble)  # every other numpy number is read as one of Python's
_TIMES = (np.datetime64, np.timedelta64)
_ATOMS = (
    *_NUMBERS,
    *(str, bytes, bytearray, type(None), type(Ellipsis), type(NotImplemented), range),
    *(datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo),
    type,
    TypeName,
)
_SEQUENCES = (list, tuple, deque)
_SETS = (set, frozenset)
RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE = 1e-9, 1e-12  # ours: rewrites of official references stay within it
_MAX_SET_DEPTH = 40  # frozensets inside frozensets; deeper ones equal only themselves

Pair = tuple[Any, Any]  # Any: data of any type


def same_value(wanted: object, got: object) -> bool:
    """Return whether two values are equal, as the module's docstring says."""
    todo: list[Pair] = [(wanted, got)]
    while todo:
        a, b = todo.pop()
        if a is b:
            continue
        kind_a, kind_b = type(a), type(b)
        if kind_a is kind_b and (kind_a is str or kind_a is int or kind_a is bool):
            if a != b:
                return False
            continue
        if not _same_node(a, b, todo):
            return False
    return True


def _same_node(a: Any, b: Any, todo: list[Pair]) -> bool:  # Any: data of any type
    """Compare two nodes of the trees; pairs of children are left in ``todo``."""
    a, b = _plain(a), _plain(b)
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return type(a) is type(b) and _same_array(a, b, todo)
    if isinstance(a, _SEQUENCES):
        if type(a) is not type(b) or len(a) != len(b):
            return False
        todo.extend(zip(a, b, strict=True))
        return True
    if isinstance(a, dict):
        return isinstance(b, dict) and _same_dict(a, b, todo)
    if isinstance(a, _SETS):
        return isinstance(b, _SETS) and _same_set(a, b)
    return _same_atom(a, b)


def _plain(value: Any) -> Any:  # Any: data of any type
    """Return a numpy scalar as Python's own, an array without dimensions as its scalar; anything else as it is.

    What has no Python counterpart stays numpy's: times, and complex numbers of more than double precision.
    """
    if isinstance(value, np.ndarray) and value.ndim == 0:
        value = value[()]
    if not isinstance(value, np.generic) or isinstance(value, (np.clongdouble, *_TIMES)):
        return value
    if isinstance(value, np.longdouble):
        return fractions.Fraction(*value.as_integer_ratio()) if np.isfinite(value) else float(value)
    return value.item()


def _same_atom(a: Any, b: Any) -> bool:  # Any: data of any type
    if isinstance(a, _TIMES) or isinstance(b, _TIMES):
        return type(a) is type(b) and (_equal(a, b) or bool(np.isnat(a) and np.isnat(b)))
    if isinstance(a, _ALL_NUMBERS) or isinstance(b, _ALL_NUMBERS):
        return isinstance(a, _ALL_NUMBERS) and isinstance(b, _ALL_NUMBERS) and _same_number(a, b)
    return isinstance(a, _ATOMS) and isinstance(b, _ATOMS) and _equal(a, b)


def _equal(a: Any, b: Any) -> bool:  # Any: data of any type
    """Return ``a == b``; values that cannot be compared (years and days, times out of range) are not equal."""
    try:
        return bool(a == b)
    except (TypeError, ValueError, ArithmeticError):
        return False


def _same_number(a: Any, b: Any) -> bool:  # Any: numbers of any type
    if isinstance(a, _COMPLEX) or isinstance(b, _COMPLEX):
        return _same_number(_plain(a.real), _plain(b.real)) and _same_number(_plain(a.imag), _plain(b.imag))
    if _is_nan(a) or _is_nan(b):
        return _is_nan(a) and _is_nan(b)
    if isinstance(a, float) or isinstance(b, float):
        return _close(a, b)
    if isinstance(a, decimal.Decimal) or isinstance(b, decimal.Decimal):
        # Equal numbers have equal hashes; comparing a Decimal with a very long int takes quadratic time.
        return hash(a) == hash(b) and _equal(a, b)
    return _equal(a, b)


def _close(a: Any, b: Any) -> bool:  # Any: real numbers, at least one of them a float
    """Return whether two numbers are equal but for rounding; a boolean is not the rounding of anything."""
    if isinstance(a, bool) or isinstance(b, bool) or math.inf in (a, b) or -math.inf in (a, b):
        return _equal(a, b)
    try:
        return math.isclose(a, b, rel_tol=RELATIVE_TOLERANCE, abs_tol=ABSOLUTE_TOLERANCE)
    except (OverflowError, ValueError):  # an int larger than any float; a signalling NaN
        return False


def _is_nan(value: Any) -> bool:  # Any: a number of any type
    if isinstance(value, decimal.Decimal):
        return value.is_nan()
    return bool(value != value)  # true of NaN only


def _same_array(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], todo: list[Pair]) -> bool:  # Any: any shape and type
    if a.shape != b.shape:
        return False
    if a.dtype.kind in "biufc" and b.dtype.kind in "biufc":
        return _same_numbers(a, b)
    if a.dtype.kind == b.dtype.kind and a.dtype.kind in "SUmM":
        return _same_flat_array(a, b)
    todo.append((list(a.reshape(-1)), list(b.reshape(-1))))
    return True


def _same_numbers(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:  # Any: any shape and number
    """Compare arrays of numbers as their items are compared, all items at once."""
    same = np.asarray(a == b)
    kinds = a.dtype.kind + b.dtype.kind
    if same.all() or not set(kinds) & set("fc"):
        return bool(same.all())
    if "c" in kinds:
        return _same_numbers(a.real, b.real) and _same_numbers(a.imag, b.imag)
    if "b" in kinds:
        return False
    a, b = a[~same], b[~same]
    with np.errstate(all="ignore"):
        allowed = np.maximum(RELATIVE_TOLERANCE * np.maximum(np.abs(a), np.abs(b)), ABSOLUTE_TOLERANCE)
        close = (np.abs(a - b) <= allowed) & np.isfinite(a) & np.isfinite(b)
    return bool((close | np.isnan(a) & np.isnan(b)).all())


def _same_flat_array(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:  # Any: any shape and type
    """Compare arrays of one kind of text or time, all items at once: there can be half a million of them."""
    try:
        same = np.asarray(a == b)
        if a.dtype.kind in "mM":
            same |= np.isnat(a) & np.isnat(b)
    except (TypeError, ValueError, ArithmeticError):  # years and days
        return not a.size
    return bool(same.all())


def _same_dict(a: dict[Any, Any], b: dict[Any, Any], todo: list[Pair]) -> bool:  # Any: data of any type
    if len(a) != len(b) or collide(a) or collide(b):
        return False
    if all(type(key) is str for key in a):
        if not a.keys() <= b.keys():
            return False
        todo.extend((value, b[key]) for key, value in a.items())
        return True
    ours, theirs = _by_key(a), _by_key(b)
    if ours is None or theirs is None:
        return False
    if ours.keys() != theirs.keys():
        pairs = _by_size(a, b)
        todo.extend((a[key], b[other_key]) for key, other_key in pairs)
        return bool(pairs) and all(_same_number(*pair) for pair in pairs)
    todo.extend((held, theirs[key]) for key, held in ours.items())
    return True


def _same_set(a: Collection[Any], b: Collection[Any]) -> bool:  # Any: data of any type
    if len(a) != len(b) or collide(a) or collide(b):
        return False
    ours, theirs = _keys(a), _keys(b)
    if ours is None or theirs is None:
        return False
    if Counter(ours) == Counter(theirs):
        return True
    pairs = _by_size(a, b)
    return bool(pairs) and all(_same_number(*pair) for pair in pairs)


def _by_size(a: Collection[Any], b: Collection[Any]) -> list[Pair]:  # Any: data of any type
    """Return the members of two collections of real numbers in pairs, by size; nothing where others are among them."""
    numbers = (int, float, np.integer, np.floating)
    for item in (*a, *b):
        if not isinstance(item, numbers) or isinstance(item, _TIMES) or item != item:  # numpy's durations are integers
            return []
    return list(zip(sorted(a), sorted(b), strict=True))


def _by_key(mapping: dict[Any, Any]) -> dict[Any, list[Any]] | None:  # Any: data of any type
    """Return the values under each key's canonical form; NaN keys share one, and are paired in their order."""
    keys = _keys(mapping)
    if keys is None:
        return None
    grouped: dict[Any, list[Any]] = {}
    for key, value in zip(keys, mapping.values(), strict=True):
        grouped.setdefault(key, []).append(value)
    return grouped


def _keys(keys: Iterable[Any]) -> list[Any] | None:  # Any: data of any type
    forms = [_canonical(key, 0) for key in keys]
    return None if any(form is _TOO_DEEP for form in forms) else forms


_NAN, _OPEN, _CLOSE, _TOO_DEEP = "nan", "open", "close", object()


def _canonical(key: Any, depth: int) -> Any:  # Any: data of any type
    """Return a hashable form that is equal for equal keys; flat, because the hash of a deep tuple recurses in C."""
    if type(key) is str or type(key) is int:
        return key
    if depth > _MAX_SET_DEPTH:
        return _TOO_DEEP
    form: list[Any] = []
    todo = [key]
    while todo:
        node = _plain(todo.pop())
        if type(node) is tuple:
            form.append((_OPEN, len(node)))
            todo.extend(reversed(node))
        elif isinstance(node, frozenset):
            inner = [_canonical(item, depth + 1) for item in node]
            if any(item is _TOO_DEEP for item in inner):
                return _TOO_DEEP
            form.append((_CLOSE, frozenset(Counter(inner).items())))
        else:
            form.append(_canonical_atom(node))
    return form[0] if len(form) == 1 else tuple(form)


def _canonical_atom(value: Any) -> Any:  # Any: data of any type
    if isinstance(value, _COMPLEX):
        real, imag = _canonical_atom(_plain(value.real)), _canonical_atom(_plain(value.imag))
        return real if imag == 0 else ("complex", real, imag)
    if isinstance(value, _TIMES):
        return (type(value).__name__, str(value))
    if isinstance(value, _NUMBERS):
        return (_NAN,) if _is_nan(value) else value
    return value if isinstance(value, _ATOMS) else ("itself", id(value))
