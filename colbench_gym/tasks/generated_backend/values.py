"""Identifiers and usual values from the words and measures of a domain."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.tasks.generated_backend.ontology import Measure
from colbench_gym.tasks.permutation import Draw


@lru_cache(maxsize=4096)
def identifier(phrase: str) -> str:
    """Return a word or phrase as an identifier."""
    return "".join(char if char.isalnum() else "_" for char in phrase.lower().replace("'", "")).strip("_")


def usual(measure: Measure, draw: Draw, least: float = 0.0, most: float = 1.0) -> float:
    """Return a usual value of a measure, between two shares of its range."""
    steps = int((measure.high - measure.low) / measure.step)
    low, high = int(least * steps), max(int(least * steps), int(most * steps))
    return number(measure.low + draw.between(low, high) * measure.step)


def number(value: float) -> float:
    """Return a whole number as an int."""
    return int(value) if value == int(value) else value
