"""Inputs of a reference: realistic ones, varied ones, and ones in which a place holds what a question supposes."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import date, timedelta
from functools import lru_cache
from string import ascii_lowercase, ascii_uppercase
from typing import Any

from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.shapes import Shape, is_number
from colbench_gym.humans.code_reader.trials.places import ITEM, KEY, VALUE, Place, terrain_of

Arguments = dict[str, Any]  # Any: plain data
MAX_BASES = 10  # as many as a task has calls
MAX_VARIED = 14
MAX_OTHERWISE = 2  # inputs, and values of an optional argument, beside its default
MAX_UNLIKE = 2  # inputs that are varied beyond what is seen
_STEPS = (5, 7, 3, 11, 2, 13)  # prime strides, so that varied values of two arguments do not go together
_NEXT_LETTER = {
    ord(a): b for row in (ascii_lowercase, ascii_uppercase) for a, b in zip(row, row[1:] + row[:1], strict=True)
}
HOURS = 24  # of a day
DROP = object()  # what a change returns to take a value out of its container


@lru_cache(maxsize=1024)
def _bases(known: Knowledge) -> tuple[Arguments, ...]:
    required = {p.name for p in known.parameters if p.default is None and not p.extra}
    full = [dict(seed) for seed in known.seeds if required <= seed.keys()]
    full = [seed for seed in full if _ordinary(seed)] or full
    full.sort(key=lambda seed: -min(len(repr(seed)), 400))
    if full:
        return tuple(full[:MAX_BASES])
    made = {p.name: sample(p.shape) for p in known.parameters if p.default is None and not p.extra}
    return (made,) if None not in made.values() else ()


def _ordinary(seed: Arguments) -> bool:
    """Return whether no argument is empty, nothing, zero or below zero, so that nothing special happens by accident."""
    for value in seed.values():
        if value is None or (isinstance(value, (str, list, tuple, dict, set)) and not value):
            return False
        if is_number(value) and value <= 0:
            return False
    return True


def bases(known: Knowledge) -> list[Arguments]:
    """Return realistic arguments to start from, the richest first."""
    return [dict(base) for base in _bases(known)]


def sample(shape: Shape) -> Any:
    """Return a plain value of a shape; None when it is unknown."""
    if shape.kind == "number":
        return 5
    if shape.kind == "flag":
        return True
    if shape.kind == "text":
        return shape.example or "abc"
    if shape.kind in ("list", "tuple", "set"):
        inner = sample(shape.item) if shape.item else 2
        items = [inner, inner] if inner is not None else []
        return tuple(items) if shape.kind == "tuple" else items
    if shape.kind == "dictionary":
        if shape.fields:
            return {key: sample(inner) if inner.kind else 5 for key, inner in shape.fields}
        return {"a": sample(shape.item) if shape.item else 5}
    if shape.kind == "mixed":
        return sample(shape.alternatives[0])
    return None


@lru_cache(maxsize=1024)
def _varied(known: Knowledge) -> tuple[Arguments, ...]:
    found = _bases(known)
    if not found:
        return ()
    pools = {name: pool for name in found[0] if len(pool := _pool(known, name)) > 1}
    made = []
    for turn in range(MAX_VARIED if pools else 0):
        base = dict(found[turn % len(found)])
        for place, (name, pool) in enumerate(pools.items()):
            if name in base:
                base[name] = pool[(turn * _STEPS[place % len(_STEPS)] + place) % len(pool)]
        made.append(base)
    return tuple(made)


def varied(known: Knowledge) -> list[Arguments]:
    """Return the realistic arguments, and as many in which the plain ones are mixed and set beside their limits."""
    return [dict(arguments) for arguments in (*_bases(known), *_varied(known))]


def otherwise(known: Knowledge, inputs: Sequence[Arguments], name: str) -> list[Arguments]:
    """Return some arguments with another value for an optional one than its default: one seen, or a number or flag."""
    default = next((p.default for p in known.parameters if p.name == name), None)
    usual = default.value if isinstance(default, ast.Constant) else None
    values = [seed[name] for seed in known.seeds if name in seed and seed[name] != usual]
    if isinstance(usual, bool):
        values.append(not usual)
    elif isinstance(usual, (int, float)):
        values += [usual + 1, 2 * usual + 3]
    return [{**one, name: value} for one in inputs for value in values[:MAX_OTHERWISE]]


def unlike(known: Knowledge, inputs: Sequence[Arguments]) -> list[Arguments]:
    """Return the first few inputs with other values where no constant decides, and with fewer items in their lists.

    All lists are cut to one size, half of the longest or a single item, as those of a size belong together.
    """
    made = []
    for one in inputs[:MAX_UNLIKE]:
        made.append({name: _other(known, one, name) for name in one})
        lists = {name: value for name, value in one.items() if isinstance(value, list)}
        longest = max(map(len, lists.values()), default=0)
        for size in sorted({longest // 2, 1}) if longest > 1 else ():
            made.append({**one, **{name: value[:size] for name, value in lists.items()}})
    return made


def _other(known: Knowledge, arguments: Arguments, name: str) -> Any:
    """Return another text of the same form, or a larger number; what an argument holds where constants decide."""
    value, place = arguments[name], terrain_of(known).at(name)
    if place is None or terrain_of(known).literals(place):
        return value
    if is_number(value):
        return value + 1
    named = isinstance(value, str) and any(value in repr(arguments[other]) for other in arguments if other != name)
    return value.translate(_NEXT_LETTER) if isinstance(value, str) and not named else value


def _pool(known: Knowledge, name: str) -> list[Any]:
    """Return plain values that an argument may take: those seen, and those around its limits."""
    seen = [base[name] for base in _bases(known) if name in base]
    if not seen or not all(isinstance(value, (int, float, str)) for value in seen):
        return []
    place = terrain_of(known).at(name)
    for value in terrain_of(known).literals(place) if place is not None else ():
        if isinstance(value, str) and isinstance(seen[0], str):
            seen.append(value)
        elif is_number(value) and is_number(seen[0]):
            step = step_of(value, [v for v in seen if is_number(v)])
            lowest = min(v for v in seen if is_number(v))
            seen += [v for v in (value - step, value, value + step) if v > 0 or lowest <= 0]
    if all(isinstance(value, bool) for value in seen):
        seen += [True, False]
    distinct: list[Any] = []
    for value in seen:
        if not any(value == known_one and type(value) is type(known_one) for known_one in distinct):
            distinct.append(value)
    return distinct


def step_of(value: float, seen: Sequence[float]) -> float:
    """Return a small step on the scale of some numbers."""
    if all(isinstance(v, int) for v in (value, *seen)):
        return 1
    size = max((abs(v) for v in (value, *seen)), default=1.0)
    return 0.01 if size <= 1.5 else 0.1 if size <= 20 else 1


def moved_in_time(text: str, *, later: bool) -> str | None:
    """Return a date or time of day that comes before or after one, written alike; None for other texts."""
    try:
        if re.fullmatch(r"\d\d:\d\d", text):
            hour = int(text[:2]) + (1 if later else -1)
            return f"{hour:02d}{text[2:]}" if 0 <= hour < HOURS else None
        if not re.match(r"\d{4}-\d\d-\d\d(?!\d)", text):
            return None
        return (date.fromisoformat(text[:10]) + timedelta(days=3 if later else -3)).isoformat() + text[10:]
    except (ValueError, OverflowError):
        return None


def doubled(old: Any) -> Any:
    """Return a list with all of its items twice; anything else as it is."""
    return type(old)([*old, *old]) if isinstance(old, (list, tuple)) else old


def first_thrice(old: Any) -> Any:
    """Return a list with its first item three times: to repeat all of them alike changes no mean and no winner."""
    return type(old)([*old, *old[:1], *old[:1]]) if isinstance(old, (list, tuple)) else old


def with_item(old: Any, value: Any) -> Any:
    """Return a text, list or set that holds a value; anything else as it is."""
    if isinstance(old, str):
        return old if str(value) in old else f"{old} {value}".strip()
    if isinstance(old, (list, tuple)):
        return old if value in old else type(old)([*old, value])
    if isinstance(old, set):
        return old | {value}
    return old


def lacking(old: Any, value: Any) -> Any:
    """Return a text or container without a value; anything else as it is."""
    if isinstance(old, str):
        return old.replace(str(value), "").strip() if value in old else old
    if isinstance(old, (list, tuple)):
        return type(old)([item for item in old if item != value])
    if isinstance(old, (set, dict)):
        return type(old)({k: old[k] for k in old if k != value}) if isinstance(old, dict) else old - {value}
    return old


def values_at(arguments: Arguments, place: Place) -> list[Any]:
    """Return what a place holds, once for each item."""
    if place.parameter not in arguments:
        return []
    return list(_leaves(arguments[place.parameter], place.path))


def _leaves(value: Any, path: Sequence[str]) -> Iterator[Any]:
    if not path:
        yield value
    elif path[0] == ITEM and isinstance(value, (list, tuple, set)):
        for item in sorted(value, key=repr) if isinstance(value, set) else value:
            yield from _leaves(item, path[1:])
    elif path[0] in (KEY, VALUE) and isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(key if path[0] == KEY else inner, path[1:])
    elif isinstance(value, dict) and path[0] in value:
        yield from _leaves(value[path[0]], path[1:])


def changed(
    arguments: Arguments, place: Place, change: Callable[[Any], Any], first_only: bool = False
) -> Arguments | None:
    """Return arguments in which a place holds something else; None when it is not there."""
    made = copy.deepcopy(arguments)
    if not place.path:
        if place.parameter not in made and not place.optional:
            return None
        value = change(made.get(place.parameter))
        if value is DROP:
            made.pop(place.parameter, None)
        else:
            made[place.parameter] = value
        return made
    if place.parameter not in made:
        return None
    count = [0]
    made[place.parameter] = _rebuilt(made[place.parameter], place.path, change, first_only, count)
    return made if count[0] else None


def _rebuilt(value: Any, path: Sequence[str], change: Callable[[Any], Any], first_only: bool, count: list[int]) -> Any:
    if not path:
        count[0] += 1
        return change(value)
    step, rest = path[0], path[1:]
    if step == ITEM and isinstance(value, (list, tuple)):
        items = []
        for item in value:
            new = item if first_only and count[0] else _rebuilt(item, rest, change, first_only, count)
            if new is not DROP:
                items.append(new)
        return type(value)(items) if type(value) in (list, tuple) else items
    if step in (KEY, VALUE) and isinstance(value, dict):
        entries = {}
        for key, inner in value.items():
            new_key, new = key, inner
            if not (first_only and count[0]):
                if step == KEY:
                    new_key = _rebuilt(key, rest, change, first_only, count)
                else:
                    new = _rebuilt(inner, rest, change, first_only, count)
            if new_key is not DROP and new is not DROP:
                entries[new_key] = new
        return entries
    if isinstance(value, dict) and step in value and step not in (ITEM, KEY, VALUE):
        new = _rebuilt(value[step], rest, change, first_only, count)
        if new is DROP:
            del value[step]
        else:
            value[step] = new
    return value


def leaves_of(values: Sequence[object]) -> set[object]:
    """Return the plain values that some results hold."""
    found: set[object] = set()
    for value in values:
        if isinstance(value, dict):
            found |= leaves_of(list(value.values()))
        elif isinstance(value, (list, tuple, set)):
            found |= leaves_of(list(value))
        else:
            found.add(value)
    return found


def only_input(leaves: Collection[object], inputs: Sequence[Arguments], constants: Collection[float]) -> bool:
    """Return whether a number other than 0 that comes out is no constant, or may be one of the inputs tried."""
    given = leaves_of([list(arguments.values()) for arguments in inputs])
    numbers = [leaf for leaf in leaves if is_number(leaf) and leaf]
    return any(number in given or number not in constants for number in numbers)


def item_fates(place: Place, runs: Sequence[tuple[Arguments, Arguments, object]]) -> list[tuple[object, object]]:
    """Return what the changed item of a list has become in a resulting list of the same length.

    Args:
        place: the items of a list.
        runs: arguments with the change, the same without it, and what was returned.

    Returns: pairs of an item and what stands in its place; empty when the results are no such lists.
    """
    found = []
    for changed_ones, usual, value in runs:
        given, before = changed_ones.get(place.parameter), usual.get(place.parameter)
        if place.path != (ITEM,) or not isinstance(given, list) or not isinstance(before, list):
            return []
        if not isinstance(value, list) or not len(value) == len(given) == len(before):
            return []
        found += [
            (one, value[at]) for at, (one, old) in enumerate(zip(given, before, strict=True)) if repr(one) != repr(old)
        ]
    return found
