"""Tables of cases, and programs, in files beside the tests that read them."""

import json
from pathlib import Path
from typing import Any


def rows(test: str, name: str) -> list[dict[str, Any]]:
    """Return the rows of a JSONL file beside a test, whose ``__file__`` is given."""
    return [json.loads(line) for line in program(test, name).splitlines()]


def cases(test: str, name: str, tuples: bool = False) -> Any:
    """Return a table of ``test_x.json`` beside ``test_x.py``: lists within a case are lists, or else all are tuples.

    What is written as an object comes back as it is.
    """
    table = json.loads(Path(test).with_suffix(".json").read_text(encoding="utf-8"))[name]
    if isinstance(table, dict):
        return table
    return [_tuple(case) if tuples else tuple(case) if isinstance(case, list) else case for case in table]


def values(test: str, name: str, names: dict[str, Any]) -> list[Any]:
    """Return what the lines of a text file beside a test stand for: expressions of our own, with these names."""
    return [eval(line, names) for line in program(test, name).splitlines() if line and not line.startswith("#")]


def named(test: str, name: str, part: str, names: dict[str, Any]) -> dict[str, Any]:
    """Return a part of a file beside a test: below each name stands an expression of our own, with these names."""
    text = program(test, name).partition(f"## {part}\n")[2].partition("\n## ")[0]
    blocks = (block.partition("\n")[::2] for block in text.split("#### ")[1:])
    return {title: eval(f"({expression})", names) for title, expression in blocks}


def program(test: str, name: str) -> str:
    """Return the text of a file beside a test."""
    return Path(test).with_name(name).read_text(encoding="utf-8")


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value
