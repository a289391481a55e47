"""Verdicts on questions about the wanted page: where a test decides, and nowhere else; and what messages ask for."""

from __future__ import annotations

import re
from pathlib import Path

from colbench_gym.humans.asking import Question
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.page.concepts import absence, has
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.words import CONCEPTS
from colbench_gym.humans.vocabulary import read_toml

READ_CHARS = 600  # of a question
_AREAS = frozenset(["header", "footer", "menu", "sidebar", "form", "carousel", "gallery", "testimonials"])
_LANDMARK = re.compile(  # before what only says where something else should be
    r"\b(?:above|before|below|under|underneath|beneath|over|between|beside|behind|inside|next to|in|on|of|at|to)"
    r" (?:the |your |our |its )?$"
)
_BY_PLACE = re.compile(r"\b(?:above|before|below|under|beneath|over|between|or)\b")


def decide(wanted: Wanted, question: Question) -> Verdict | None:
    """Return what a look at the page decides about a question; None where it decides nothing."""
    asked = question.lower[:READ_CHARS]
    return _open(wanted, asked) or _absent(wanted, asked)


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
    if needs == "picture":
        return bool(wanted.pictures)
    if needs == "no brand":
        return wanted.brand is None and not any(
            heading.text.lower().startswith("welcome") for area in wanted.areas for heading in area.headings
        )
    if needs == "no font":
        return "font-family" not in wanted.page.source
    return True


def asks(for_what: str, asked: str) -> bool:
    """Return whether a question has the form of a list in ``deciding.toml``.

    Args:
        for_what: "draft" (the agent's own page), "all" (every difference), "code" (the source), "presence" (whether
            there is something) or "open" (more than yes or no).
        asked: the question, in small letters.
    """
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
        (match.start(), -len(match.group()), name)
        for name, one in CONCEPTS.items()
        if (match := one.asked.search(things))
    ]
    for place, (start, _, name) in enumerate(sorted(found)):
        there = has(wanted, name)
        if there is False and (polar or (name in _AREAS and place == 0 and not _BY_PLACE.search(asked))):
            sentence = absence(CONCEPTS[name])
            says_no = polar and not _LANDMARK.search(things[:start])
            return Verdict(f"No, {sentence[:1].lower()}{sentence[1:]}" if says_no else sentence, name, final=False)
        if there is True:
            return None
    return None
