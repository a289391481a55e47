"""Values and shapes in words: "an empty list", "a list of dictionaries, each with …"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from colbench_gym.humans.program.shapes import Shape
from colbench_gym.humans.program.verbalizer.calls import table
from colbench_gym.humans.program.verbalizer.wording import listing, quoted

MAX_ITEMS = 8
MAX_TEXT_CHARS = 340
MAX_SAID_CHARS = MAX_TEXT_CHARS + 2  # of a value that is said in full: a text has quotation marks
_EMPTY = {list: "an empty list", dict: "an empty dictionary", tuple: "an empty tuple", set: "an empty set"}
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


def say_value(value: object, source: str = "", inside: bool = False) -> str:
    """Return plain data as a person writes it in a sentence."""
    if value is None or isinstance(value, (int, complex)):
        return repr(value)
    if isinstance(value, str):
        shown = value if len(value) <= MAX_TEXT_CHARS else f"{value[:MAX_TEXT_CHARS]}…"
        return quoted(shown, source) if not shown.strip() or (source and shown in source) else f'"{shown}"'
    if isinstance(value, float):
        return repr(float(f"{value:.13g}" if abs(value) < 1e13 else value))  # numpy's own repr is code
    if isinstance(value, (list, tuple, dict, set, frozenset)) and not value:
        return _EMPTY.get(type(value), "an empty set")
    if isinstance(value, Mapping):
        entries = [f"{say_value(v, source, True)} for {say_value(k, source, True)}" for k, v in value.items()]
        return f"{'(' if inside else ''}a dictionary with {_some(entries)}{')' if inside else ''}"
    if isinstance(value, (list, tuple, set, frozenset)):
        items = sorted(value, key=repr) if isinstance(value, (set, frozenset)) else list(value)
        noun = {list: "a list of", tuple: "a tuple of"}.get(type(value), "a set of")
        told = [say_value(item, source, True) for item in items]
        return f"{'(' if inside else ''}{noun} {_some(told)}{')' if inside else ''}"
    return "a value that is hard to put into words"


def _some(items: list[str]) -> str:
    if len(items) <= MAX_ITEMS:
        return listing(items)
    return f"{', '.join(items[:MAX_ITEMS])} and {len(items) - MAX_ITEMS} more"


def sayable(value: object) -> bool:
    """Return whether a value can be said in full in one reply."""
    told = say_value(value)
    return len(told) <= MAX_SAID_CHARS and "more" not in told[-8:] and "hard to put" not in told


def say_shape(shape: Shape, source: str = "", many: bool = False) -> str:
    """Return a shape in words; empty when nothing is known."""
    if shape.kind == "mixed":
        told = [say_shape(part, source, many) for part in shape.alternatives]
        return listing([text for text in dict.fromkeys(told) if text], "or")
    if shape.kind not in table("shapes"):
        return ""
    noun = table("shapes")[shape.kind].split("|")[many]
    if shape.kind == "number" and shape.whole:
        noun = "whole numbers" if many else "a whole number"
    if shape.kind == "text" and _ISO_DATE.fullmatch(shape.example):
        noun = "date strings in ISO form (year-month-day)" if many else "a date string in ISO form (year-month-day)"
    if shape.kind in ("list", "set", "tuple"):
        noun += _items(shape, source)
    if shape.kind == "dictionary":
        noun += _entries(shape, source, many)
    return f"{noun} (or None)" if shape.optional and shape.kind != "none" else noun


def _items(shape: Shape, source: str) -> str:
    if shape.parts:
        kinds = [say_shape(part, source) for part in shape.parts]
        count = _COUNTS[len(shape.parts)]
        if len(set(kinds)) == 1 and kinds[0]:  # as many entries in all lists that were seen may be chance
            return f" of {f'{count} ' * (shape.kind == 'tuple')}{say_shape(shape.parts[0], source, many=True)}"
        return f" of {count} values: {', then '.join(kind or 'a value' for kind in kinds)}"
    inner = say_shape(shape.item, source, many=True) if shape.item else ""
    return f" of {inner}" if inner else ""


def _entries(shape: Shape, source: str, many: bool) -> str:
    if shape.fields:
        names = [quoted(name, source) for name, _ in shape.fields]
        each = ", each" if many else ""
        return f"{each} with the key{'s' if len(names) > 1 else ''} {listing(names)}"
    key = say_shape(shape.key, source, many=True) if shape.key else ""
    item = say_shape(shape.item, source, many=True) if shape.item else ""
    if key and item:
        return f" mapping {key} to {item}"
    return f" whose values are {item}" if item else ""
