"""The words of generated pages and their requests, read from the text files beside this module."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=8)
def lines_of(name: str) -> tuple[str, ...]:
    """Return the lines of a file that are not empty."""
    return tuple(line for line in files(__name__).joinpath(f"{name}.txt").read_text("utf-8").splitlines() if line)


@lru_cache(maxsize=8)
def lists_in(name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the lists of a file with a list in each line: ``name: part | part``."""
    named = (line.partition(": ") for line in lines_of(name))
    return {key: parts(texts) for key, _, texts in named}


@lru_cache(maxsize=64)
def table(field: str) -> Mapping[str, tuple[str, ...]]:
    """Return the phrases of a request for a field of a page, by its value."""
    found = (key.partition(" ") for key in lists_in("phrases"))
    return {value: lists_in("phrases")[f"{field} {value}"] for name, _, value in found if name == field and value}


def parts(text: str) -> tuple[str, ...]:
    """Return the parts of a list."""
    return tuple(part.strip() for part in text.split(" | "))
