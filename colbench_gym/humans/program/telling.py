"""How facts about a function are put into words: by the sections of ``sentences.toml``."""

from __future__ import annotations

from pathlib import Path

from colbench_gym.humans.facts import Fact, fact_of
from colbench_gym.humans.vocabulary import read_toml


def tell(section: str, /, *about: str, reveals: bool = True, **values: str) -> Fact:
    """Return the fact of a section, about some names; ``values`` are what its text and its slot leave open."""
    row = read_toml(Path(__file__).with_name("sentences.toml"))[section]
    return fact_of(row, (*about, *row["about"].split(", ")), "code", values, reveals)
