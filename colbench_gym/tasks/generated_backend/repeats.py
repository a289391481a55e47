"""Drafts that are passed over, so that no two of the first tasks of a split are the same program."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib import resources

from colbench_gym.tasks.generated_backend.drafts import Draft
from colbench_gym.tasks.generated_backend.shapes.registry import source

DIFFERENT = 20_000  # tasks of each split, at default difficulty, of which no two are the same program
FILE = "repeats.txt"  # beside this; written by benchmarks/generated_repeats.py, anew whenever any draft changes


def program(draft: Draft) -> str:
    """Return the wanted function with plain names, written in one way: equal for drafts that differ in words only."""
    names = {key: f"argument{place}" for place, key in enumerate(draft.plan.names)}
    return source(replace(draft.plan, function="function", names=names, style=0), draft.settings)


@lru_cache(maxsize=1)
def repeats() -> dict[tuple[str, str], frozenset[tuple[int, int]]]:
    """Return position and attempt of the drafts to pass over, by split and difficulty."""
    passed: dict[tuple[str, str], frozenset[tuple[int, int]]] = {}
    for line in resources.files(__package__).joinpath(FILE).read_text("utf-8").splitlines():
        split, difficulty, *drafts = line.split()
        pairs = (text.split("/") for text in drafts)
        passed[split, difficulty] = frozenset((int(index), int(attempt)) for index, attempt in pairs)
    return passed
