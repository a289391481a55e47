"""Verdicts on questions about the wanted page: where a test or two values of one thing decide, and nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.toml import read_toml
from colbench_gym.humans.facts import Fact, Verdict
from colbench_gym.humans.page.concepts import absence, has
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.words import CONCEPTS
from colbench_gym.page_language.color_names import NAMES

READ_CHARS = 600  # of a question
_HUES = frozenset(name.split()[-1] for name in NAMES)
_SAME = {
    "gray": "grey",
    "violet": "purple",
    "magenta": "pink",
    "rose": "pink",
    "gold": "yellow",
    "amber": "orange",
    "navy": "blue",
}
_COLOR = re.compile(
    rf"\b(?:(?P<shade>dark|light|pale|bright|very dark|very light) )?(?P<hue>{'|'.join(sorted({*_HUES, *_SAME}))})\b"
)
_ASKED_COLOR = re.compile(
    rf"^\W*(?:is|are|should|will|would|must|does|do)\b.{{0,60}}\b(?:be )?(?:{'|'.join(sorted({*_HUES, *_SAME}))})\W*\?"
)
_AREAS = frozenset(["header", "footer", "menu", "sidebar", "form", "carousel", "gallery", "testimonials"])
_BY_PLACE = re.compile(r"\b(?:above|before|below|under|beneath|over|between|or)\b")
_STAYS = re.compile(r"\b(?:sticky|stick|sticks|stay|stays|remain|remains|fixed|visible)\b")


def decide(wanted: Wanted, facts: Sequence[Fact], question: Question) -> Verdict | None:
    """Return what a look at the page decides about a question; None where it decides nothing."""
    asked = question.lower[:READ_CHARS]
    return _open(wanted, asked) or _absent(wanted, asked) or _stays(facts, asked) or _color(facts, asked)


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:  # Any: TOML
    table = read_toml(Path(__file__).with_name("deciding.toml"))
    return {
        "open": [
            (row["says"], row.get("needs", ""), [re.compile(one) for one in row["asked"]]) for row in table["open"]
        ],
        "presence": [re.compile(one) for one in table["presence"]["asked"]],
        "not": [re.compile(one) for one in table["presence"]["not"]],
        **{name: [re.compile(one) for one in rows] for name, rows in table["draft"].items()},
    }


def _open(wanted: Wanted, asked: str) -> Verdict | None:
    for says, needs, patterns in _table()["open"]:
        if any(pattern.search(asked) for pattern in patterns) and _fits(wanted, needs):
            return Verdict(says, "open", reveals=False)
    return None


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


def asks_about_draft(asked: str) -> bool:
    """Return whether a question is one for the agent's own page."""
    return _has("asked", asked)


def asks_for_all(asked: str) -> bool:
    """Return whether every difference is wanted."""
    return _has("all", asked)


def asks_for_code(asked: str) -> bool:
    """Return whether the source of the page is wanted."""
    return _has("code", asked)


def refers_back(asked: str) -> bool:
    """Return whether a question is about what the one before was about."""
    return _has("back", asked)


def _has(name: str, asked: str) -> bool:
    return any(pattern.search(asked[:READ_CHARS]) for pattern in _table()[name])


def asks_for_presence(asked: str) -> bool:
    """Return whether a question asks if there is something."""
    table = _table()
    return any(one.search(asked) for one in table["presence"]) and not any(one.search(asked) for one in table["not"])


def _absent(wanted: Wanted, asked: str) -> Verdict | None:
    """Say no where something is asked for that the page has not, and what there is instead."""
    polar = asks_for_presence(asked)
    found = [
        (match.start(), -len(match.group()), name)
        for name, one in CONCEPTS.items()
        if (match := one.asked.search(asked))
    ]
    for place, (_, _, name) in enumerate(sorted(found)):
        there = has(wanted, name)
        if there is False and (polar or (name in _AREAS and place == 0 and not _BY_PLACE.search(asked))):
            sentence = absence(CONCEPTS[name])
            return Verdict(f"No, {sentence[:1].lower()}{sentence[1:]}" if polar else sentence, name, final=False)
        if there is True:
            return None
    return None


def _stays(facts: Sequence[Fact], asked: str) -> Verdict | None:
    if not _STAYS.search(asked) or not re.search(r"\b(?:scroll|scrolls|scrolling|sticky|top|fixed)\b", asked):
        return None
    slot = "sidebar scroll" if "sidebar" in asked else "colour:page" if "background" in asked else "sticky"
    told = next((one for one in facts if one.slot.split(":" if slot != "colour:page" else "\n")[0] == slot), None)
    if told is None or (slot == "colour:page" and "photo" not in told.text):
        return None
    yes = "stays" in told.text
    if not re.match(r"^\W*(?:is|are|does|do|should|shall|will|would|when)\b", asked) or " or " in asked:
        return None
    return Verdict(f"{'Yes' if yes else 'No'}, {told.text[:1].lower()}{told.text[1:]}", "behaviour")


def _color(facts: Sequence[Fact], asked: str) -> Verdict | None:
    """Compare a colour that a question supposes with the one that the thing has."""
    if not _ASKED_COLOR.match(asked) or len(_COLOR.findall(asked)) != 1 or " or " in asked:
        return None
    match = _COLOR.search(asked)
    for name, slot in (
        ("header", "colour:header"),
        ("footer", "colour:footer"),
        ("page", "colour:page"),
        ("headline", "colour:headline"),
    ):
        told = next((one for one in facts if one.slot == slot), None)
        if (
            match is not None
            and told is not None
            and re.search(rf"\b{name}\b(?!'s)", asked)
            and not re.search(r"\b(?:text|letters|links?|title|border|button)\b", asked)
        ):
            hue = _SAME.get(match["hue"], match["hue"])
            painted = _COLOR.search(told.text.lower())
            if painted is None:
                return None
            same = hue == painted["hue"] and _shade(match["shade"]) in ("", _shade(painted["shade"]))
            if not same and hue == painted["hue"]:
                return None
            return Verdict(f"{'Yes' if same else 'No'}, {told.text[:1].lower()}{told.text[1:]}", "colour")
    return None


def _shade(words: str | None) -> str:
    words = words or ""
    return "dark" if "dark" in words else "light" if words else ""
