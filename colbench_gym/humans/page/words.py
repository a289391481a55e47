"""Vocabulary of pages: what sections are about, what a page may have, and how people call it; read from files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from colbench_gym.humans.vocabulary import read_toml


@dataclass(frozen=True)
class Role:
    """Role of a section: what it is about.

    Attributes:
        name: the words for it in a sentence: "the prices".
        item: one of its things.
        titles: what its heading says.
        about: words of questions.
    """

    name: str
    item: str
    titles: re.Pattern[str]
    about: tuple[str, ...]


@dataclass(frozen=True)
class Concept:
    """Something that a page has or has not.

    Attributes:
        name: in the plural or as it is said after "no".
        asked: words that mean it.
        shown: texts of a page that show it.
        roles: what the sections that show it are about, whatever they say.
        test: the name of the test that finds it, see :mod:`colbench_gym.humans.page.concepts`.
    """

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
    roles: tuple[str, ...]
    test: str
    about: tuple[str, ...]


def any_words(words: str) -> re.Pattern[str]:
    """Return a pattern for any of some words or phrases, split at commas; * stands for any letters."""
    every = [re.escape(form.strip()) for form in words.split(",") if form.strip()]
    forms = [form.replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]") for form in every]
    return re.compile(rf"\b(?:{'|'.join(forms)})\b" if forms else r"(?!)", re.IGNORECASE)


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.strip().replace("*", "") for word in words.split(",") if word.strip())


def _role(row: Mapping[str, str]) -> Role:
    titles = any_words(row.get("titles", ""))
    return Role(row["name"], row.get("item", "item"), titles, _split(row.get("about", "")))


def _concept(name: str, row: Mapping[str, str]) -> Concept:
    asked, shown = any_words(row["asked"]), any_words(row.get("shown", ""))
    roles = _split(row.get("roles", ""))
    return Concept(row.get("name", name), asked, shown, roles, row.get("test", ""), _split(row["asked"]))


_ROLES, _CONCEPTS, _ABOUT, SENTENCES = (
    read_toml(Path(__file__).with_name(f"{name}.toml")) for name in ("roles", "concepts", "about", "sentences")
)
ROLES: Mapping[str, Role] = {name: _role(row) for name, row in _ROLES.items()}
CONCEPTS: Mapping[str, Concept] = {name: _concept(name, row) for name, row in _CONCEPTS.items()}
ABOUT: Mapping[str, tuple[str, ...]] = {name: _split(words) for name, words in _ABOUT["about"].items()}
