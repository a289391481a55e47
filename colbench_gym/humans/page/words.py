"""Vocabulary of pages: what sections are about, what a page may have, and how people call it; read from files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from colbench_gym.humans.vocabulary import read_toml


@dataclass(frozen=True)
class Role:
    """Role of a section: what it is about."""

    name: str  # in a sentence: "the prices"
    item: str  # one of its things
    titles: re.Pattern[str]  # what its heading says
    about: tuple[str, ...]  # words of questions


@dataclass(frozen=True)
class Concept:
    """Something that a page has or has not."""

    name: str  # in the plural or as it is said after "no"
    asked: re.Pattern[str]  # words that mean it
    shown: re.Pattern[str]  # texts of a page that show it
    roles: tuple[str, ...]  # what the sections that show it are about, whatever they say
    test: str  # the name of the one that finds it, see :mod:`colbench_gym.humans.page.concepts`
    about: tuple[str, ...]


def any_words(words: str) -> re.Pattern[str]:
    """Return a pattern for any of some words or phrases, split at commas; * stands for any letters."""
    every = [re.escape(form.strip()) for form in words.split(",") if form.strip()]
    forms = [form.replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]") for form in every]
    return re.compile(rf"\b(?:{'|'.join(forms)})\b" if forms else r"(?!)", re.IGNORECASE)


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.strip().replace("*", "") for word in words.split(",") if word.strip())


def _concept(name: str, row: Mapping[str, str]) -> Concept:
    asked, shown = any_words(row["asked"]), any_words(row.get("shown", ""))
    return Concept(row.get("name", name), asked, shown, _split(row.get("roles", "")), row["test"], _split(row["asked"]))


_ROLES, _CONCEPTS, _ABOUT, SENTENCES = (
    read_toml(Path(__file__).with_name(f"{name}.toml")) for name in ("roles", "concepts", "about", "sentences")
)
ROLES: Mapping[str, Role] = {
    name: Role(row["name"], row["item"], any_words(row["titles"]), _split(row["about"])) for name, row in _ROLES.items()
}
CONCEPTS: Mapping[str, Concept] = {name: _concept(name, row) for name, row in _CONCEPTS.items()}
ABOUT: Mapping[str, tuple[str, ...]] = {name: _split(words) for name, words in _ABOUT["about"].items()}
