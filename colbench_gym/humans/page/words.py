"""Vocabulary of pages: what sections are about, what a page may have, and how people call it; read from files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.humans.page.reading import DATE, PRICE
from colbench_gym.humans.vocabulary import read_toml
from colbench_gym.rendering.layout import Element, TextBlock


@dataclass(frozen=True)
class Role:
    """Role of a section: what it is about.

    Attributes:
        name: the words for it in a sentence: "the prices".
        item: one of its things.
        titles: what its heading says.
        shape: what its contents look like, see :func:`shape_of`.
        about: words of questions.
    """

    name: str
    item: str
    titles: re.Pattern[str]
    shape: str
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


def _table(name: str) -> Mapping[str, Mapping[str, str]]:
    return read_toml(Path(__file__).with_name(name))


def any_words(words: str) -> re.Pattern[str]:
    """Return a pattern for any of some words or phrases, split at commas; * stands for any letters."""
    forms = [
        re.escape(form.strip()).replace(r"\*", r"\w*").replace(r"\ ", r"[\s-]")
        for form in words.split(",")
        if form.strip()
    ]
    return re.compile(rf"\b(?:{'|'.join(forms)})\b" if forms else r"(?!)", re.IGNORECASE)


def _split(words: str) -> tuple[str, ...]:
    return tuple(word.strip().replace("*", "") for word in words.split(",") if word.strip())


def _role(row: Mapping[str, str]) -> Role:
    titles = any_words(row.get("titles", ""))
    return Role(row["name"], row.get("item", "item"), titles, row.get("shape", ""), _split(row.get("about", "")))


def _concept(name: str, row: Mapping[str, str]) -> Concept:
    asked, shown = any_words(row["asked"]), any_words(row.get("shown", ""))
    roles = _split(row.get("roles", ""))
    return Concept(row.get("name", name), asked, shown, roles, row.get("test", ""), _split(row["asked"]))


ROLES: Mapping[str, Role] = {name: _role(row) for name, row in _table("roles.toml").items()}
CONCEPTS: Mapping[str, Concept] = {name: _concept(name, row) for name, row in _table("concepts.toml").items()}
SENTENCES: Mapping[str, Mapping[str, Any]] = read_toml(Path(__file__).with_name("sentences.toml"))  # Any: TOML
ABOUT: Mapping[str, tuple[str, ...]] = {name: _split(words) for name, words in _table("about.toml")["about"].items()}

_QUOTED = re.compile('[“"].{12,}[”"]')


def shape_of(
    said: str, titles: Sequence[str], pictures: Sequence[Element], inputs: Sequence[Element], texts: Sequence[TextBlock]
) -> frozenset[str]:
    """Return what the contents of a section look like, in the words of ``roles.toml``."""
    several = len(titles) >= 2
    dated = several and len(DATE.findall(said)) >= max(2, len(titles) - 1)
    days = re.search(r"\d:\d\d|closed", said, re.IGNORECASE) is not None
    numbers = sum(bool(re.fullmatch(r"[\d.,+%\s]+\w*", text.text)) for text in texts)
    years = sum(bool(re.fullmatch(r"(?:1[5-9]|20)\d\d", text.text)) for text in texts)
    shapes = {
        "prices": len(PRICE.findall(said)) >= 2,
        "days": dated and days,
        "dates": dated and not days,
        "quotes": _QUOTED.search(said) is not None,
        "questions": several and sum(title.endswith("?") for title in titles) >= len(titles) - 1,
        "photos": len(pictures) >= 3 and len(texts) <= len(pictures) + 1,
        "fields": len(inputs) >= 2,
        "field": len(inputs) == 1,
        "map": any(re.search(r"\bmap\b", picture.label, re.IGNORECASE) for picture in pictures),
        "figures": several and numbers >= len(titles),
        "years": several and years >= len(titles),
    }
    return frozenset(name for name, there in shapes.items() if there)
