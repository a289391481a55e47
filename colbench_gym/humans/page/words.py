"""Vocabulary of pages: what sections are about, what a page may have, and how people call it; read from files."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking.toml import read_toml
from colbench_gym.humans.page.reading import CONTACT, DATE, PRICE
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
        test: the name of the test that finds it, see :mod:`colbench_gym.humans.page.concepts`.
    """

    name: str
    asked: re.Pattern[str]
    shown: re.Pattern[str]
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


ROLES: Mapping[str, Role] = {
    name: Role(
        row["name"],
        row.get("item", "item"),
        any_words(row.get("titles", "")),
        row.get("shape", ""),
        _split(row.get("about", "")),
    )
    for name, row in _table("roles.toml").items()
}
CONCEPTS: Mapping[str, Concept] = {
    name: Concept(
        row.get("name", name),
        any_words(row["asked"]),
        any_words(row.get("shown", "")),
        row.get("test", ""),
        _split(row["asked"]),
    )
    for name, row in _table("concepts.toml").items()
}
SENTENCES: Mapping[str, Mapping[str, Any]] = read_toml(Path(__file__).with_name("sentences.toml"))  # Any: TOML
ABOUT: Mapping[str, tuple[str, ...]] = {name: _split(words) for name, words in _table("about.toml")["about"].items()}

_QUOTED = re.compile('[“"].{12,}[”"]')


def shape_of(
    said: str, titles: Sequence[str], pictures: Sequence[Element], inputs: Sequence[Element], texts: Sequence[TextBlock]
) -> frozenset[str]:
    """Return what the contents of a section look like: "prices", "dates", "quotes", "questions", "photos", "fields"."""
    many = max(2, len(titles) - 1)
    found = set()
    if len(PRICE.findall(said)) >= 2:
        found.add("prices")
    if len(DATE.findall(said)) >= many and len(titles) >= 2:
        found.add("days" if re.search(r"\d:\d\d|closed", said, re.IGNORECASE) else "dates")
    if _QUOTED.search(said):
        found.add("quotes")
    if len(titles) >= 2 and sum(title.endswith("?") for title in titles) >= len(titles) - 1:
        found.add("questions")
    if len(pictures) >= 3 and len(texts) <= len(pictures) + 1:
        found.add("photos")
    if len(inputs) >= 2:
        found.add("fields")
    if len(inputs) == 1:
        found.add("field")
    if any(re.search(r"\bmap\b", picture.label, re.IGNORECASE) for picture in pictures):
        found.add("map")
    if len(titles) >= 2 and sum(bool(re.fullmatch(r"[\d.,+%\s]+\w*", text.text)) for text in texts) >= len(titles):
        found.add("figures")
    if len(titles) >= 2 and sum(bool(re.fullmatch(r"(?:1[5-9]|20)\d\d", text.text)) for text in texts) >= len(titles):
        found.add("years")
    if CONTACT.search(said):
        found.add("contact")
    return frozenset(found)
