"""All that is known of one wanted page: its facts, its outline, and verdicts where a look at it decides."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from colbench_gym.humans.asking import Question
from colbench_gym.humans.facts import Fact, Verdict
from colbench_gym.humans.page.concepts import absence, concept_facts, has, is_wished
from colbench_gym.humans.page.sections import section_facts
from colbench_gym.humans.page.telling import listed
from colbench_gym.humans.page.top import top_facts
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.whole import outline_words, whole_facts
from colbench_gym.humans.page.words import CONCEPTS
from colbench_gym.humans.vocabulary import read_toml
from colbench_gym.rendering.layout import Layout

MAX_FACTS = 150
READ_CHARS = 600  # of a question
_VAGUE = frozenset(["products", "listing", "video"])  # what is so called may be there under another name


class PageKnowledge:
    """Knowledge of a person who sees the wanted page; of the request nothing is unwanted, at most missing."""

    def __init__(self, html: str, layout: Layout, request: str = "") -> None:
        self.wanted = Wanted(html, layout, request)

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """Everything that can be said, near-equal things once."""
        wanted = self.wanted
        return tuple(_once([*whole_facts(wanted), *top_facts(wanted), *section_facts(wanted), *concept_facts(wanted)]))

    @cached_property
    def outline(self) -> str:
        """Return the parts of the page by name."""
        return f"From top to bottom the page has {listed(outline_words(self.wanted), 14)}."

    def decide(self, question: Question) -> Verdict | None:
        """Return what a look at the page decides about a question; None where it decides nothing."""
        asked = question.lower[:READ_CHARS]
        return _open(self.wanted, asked) or _absent(self.wanted, asked)


def _once(facts: Iterable[Fact]) -> list[Fact]:
    """Return facts without those that say what another says, :data:`MAX_FACTS` at most."""
    kept: dict[str, Fact] = {}
    for fact in facts:
        kept.setdefault(re.sub(r"\W+", " ", fact.text.lower()), fact)
    return list(kept.values())[:MAX_FACTS]


_TABLE = read_toml(Path(__file__).with_name("deciding.toml"))
_OPEN: list[tuple[str, str, list[re.Pattern[str]]]] = [
    (row["says"], row.get("needs", ""), [re.compile(one) for one in row["asked"]]) for row in _TABLE["open"]
]
_FORMS: dict[str, list[re.Pattern[str]]] = {
    name: [re.compile(one) for one in rows] for name, rows in _TABLE["forms"].items()
}


def _open(wanted: Wanted, asked: str) -> Verdict | None:
    rows = (says for says, needs, row in _OPEN if any(one.search(asked) for one in row) and _fits(wanted, needs))
    return next((Verdict(says, "open", reveals=False) for says in rows), None)


def _fits(wanted: Wanted, needs: str) -> bool:
    if needs == "no brand":
        headings = (heading.text.lower() for area in wanted.areas for heading in area.headings)
        return wanted.brand is None and not any(text.startswith("welcome") for text in headings)
    return bool(wanted.pictures) if needs == "picture" else not needs or "font-family" not in wanted.page.source


def asks(for_what: str, asked: str) -> bool:
    """Return whether a question, in small letters, has a form of ``deciding.toml``: "draft", "all", "presence" …"""
    return any(pattern.search(asked[:READ_CHARS]) for pattern in _FORMS[for_what])


def _absent(wanted: Wanted, asked: str) -> Verdict | None:
    """Say no where something is asked for that the page has not, and what there is instead."""
    polar = asks("presence", asked) and not asks("open", asked)
    things = asked  # without what the page says word for word, its name too, and without words that mean no thing
    for text in sorted((one.text.lower() for one in wanted.layout.texts if " " in one.text), key=len, reverse=True):
        things = things.replace(text, " ")
    for pattern in _FORMS["figurative"]:
        things = pattern.sub(" ", things)
    found = [
        (match.start(), -len(match.group()), name, match.group())
        for name, one in CONCEPTS.items()
        if (match := one.asked.search(things)) and has(wanted, name) is not None
    ]
    for place, (start, _, name, words) in enumerate(sorted(found)):
        if has(wanted, name):
            return None
        if polar or (name not in _VAGUE and place == 0 and not asks("by_place", things[:start])):
            sentence = absence(wanted, CONCEPTS[name], words)
            says_no = polar and not asks("landmark", things[:start]) and not is_wished(wanted, CONCEPTS[name])
            return Verdict(f"No, {sentence[:1].lower()}{sentence[1:]}" if says_no else sentence, name, final=False)
    return None
