"""Drafts that are passed over, so that no two of the first tasks of a split are the same program or behave alike.

A line of ``repeats.txt`` is a split, a difficulty, how many tasks from 0 on are all different, and the drafts that
would have repeated one of them, as position and attempt.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from colbench_gym.tasks.generated_backend.drafts import Draft
from colbench_gym.tasks.generated_backend.shapes.registry import source

FILE = "repeats.txt"  # beside this; written by benchmarks/generated_repeats.py, anew whenever any draft changes


@dataclass(frozen=True)
class Repeats:
    """Drafts of one split and difficulty that are passed over.

    Attributes:
        different: so many tasks from 0 on differ in what they do.
        drafts: position and attempt of each draft.
    """

    different: int = 0
    drafts: frozenset[tuple[int, int]] = frozenset()


def program(draft: Draft) -> str:
    """Return the wanted function with plain names, written in one way: equal for drafts that differ in words only."""
    names = {key: f"argument{place}" for place, key in enumerate(draft.plan.names)}
    return source(replace(draft.plan, function="function", names=names, style=0), draft.settings)


@cache
def repeats(split: str, difficulty: str) -> Repeats:
    """Return what is passed over in a split; nothing where that was never searched."""
    for line in resources.files(__package__).joinpath(FILE).read_text("utf-8").splitlines():
        if line.startswith(f"{split} {difficulty} "):
            _, _, different, *drafts = line.split()
            pairs = (text.split("/") for text in drafts)
            return Repeats(int(different), frozenset((int(index), int(attempt)) for index, attempt in pairs))
    return Repeats()
