"""Decisions about a page that a request may tell, each with phrases that are true of it but not all of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from colbench_gym.tasks.generated_frontend.content import titles_of
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import PART_OPTIONS, Page, Section
from colbench_gym.tasks.generated_frontend.wordings import lists_in, table

Place = Literal["look", "top", "body", "foot"]
PLACES: tuple[Place, ...] = ("look", "top", "body", "foot")  # in the order in which a request tells them


@dataclass(frozen=True)
class Aspect:
    """One decision of a page.

    Attributes:
        key: what it is about.
        value: how the page has it, in words of the grammar.
        place: the part of the page that it is about, or its look.
        phrases: of a request; empty for what no request tells.
    """

    key: str
    value: str
    place: Place = "top"
    phrases: tuple[str, ...] = ()


VOICES: Mapping[str, Mapping[str, str]] = {  # who speaks, and how they speak of themselves
    "brief": {"our": "the", "us": "the place", "who": "who they are"},
    "client": {"our": "our", "us": "us", "who": "who we are"},
    "person": {"our": "my", "us": "me", "who": "who I am"},
}
_COLUMN_WORDS = {"2": "two", "3": "three", "4": "four"}
_LIGHT = ("white", "grey", "tinted")
_LEFT_OPENINGS = ("picture right", "picture left", "plain", "halves", "sign-up", "backdrop")
_MIDDLE_OPENINGS = ("banner", "picture above", "centred", "card", "figures", "backdrop")
_BOXED = ("cards", "plans")  # sections that certainly have boxes
_HUED = re.compile("colour|tinted")  # in a phrase: no grey page is said to have it
_LOOK_FIELDS = ("ground", "font", "headings", "align", "corners", "cards", "density")
HUE_PHRASES: Mapping[str, tuple[str, ...]] = {
    hue: tuple(pattern.format(word) for pattern in lists_in("phrases")["coloured"] for word in hue_words)
    for hue, hue_words in table("hue").items()
}
LOOK_PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {name: table(name) for name in _LOOK_FIELDS}
PART_PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {name: table(name) for name in PART_OPTIONS}


def section_phrases(kind: str, domain: Domain) -> tuple[str, ...]:
    """Return all phrases by which a request of a domain may name a kind of section, whoever speaks."""
    phrases = (*KINDS[kind].phrases, *(_in_columns(_COLUMN_WORDS.values()) if kind == "cards" else ()))
    return tuple(dict.fromkeys(spoken(phrase, domain, voice) for voice in VOICES for phrase in phrases))


def spoken(phrase: str, domain: Domain, voice: str) -> str:
    """Return a phrase of a section in the words of a domain and of who speaks."""
    things, people = domain.things[0], domain.people[0]
    return phrase.format(**VOICES[voice], things=things, people=people) if "{" in phrase else phrase


def aspects_of(page: Page) -> list[Aspect]:
    """Return all decisions of a page; phrases only of those that all of the page agrees with."""
    look, domain = page.look, page.domain
    even = look.bands == "none" or page.frame != "none"  # one ground from top to bottom
    true = {
        "ground": even or look.ground not in ("white", "grey"),
        "align": page.opening in (_MIDDLE_OPENINGS if look.align == "center" else _LEFT_OPENINGS),
        "cards": any(section.kind in _BOXED for section in page.sections),
        "tone": page.tone != "plain" or look.ground in _LIGHT,
    }

    def found(key: str, name: str, value: str, place: Place = "top") -> Aspect:
        phrases = table(name).get(value, ()) if true.get(name, True) else ()
        return Aspect(key, value, place, tuple(one for one in phrases if look.hue != "gray" or not _HUED.search(one)))

    return [
        Aspect("name", page.name),
        Aspect("colour", f"{look.depth} {look.hue}", "look", HUE_PHRASES[look.hue]),
        found("ground", "ground", look.ground, "look"),
        Aspect("buttons", f"{look.buttons} colour" if page.button else "none"),
        found("typeface", "font", look.font, "look"),
        found("headings", "headings", look.headings, "look"),
        found("alignment", "align", look.align, "look"),
        found("corners", "corners", look.corners, "look"),
        found("boxes", "cards", look.cards, "look"),
        found("spacing", "density", look.density, "look"),
        Aspect("width", look.width),
        Aspect("bands", look.bands),
        found("header", "header", page.header),
        found("header colour", "tone", page.tone),
        found("notice", "notice", page.notice),
        found("opening", "opening", page.opening),
        Aspect("headline", domain.headlines[page.headline]),
        Aspect("lead", domain.leads[page.lead]),
        _button(page),
        found("sidebar", "frame", page.frame, "body"),
        found("footer", "footer", page.footer, "foot"),
        Aspect("order", ", ".join(section.kind for section in page.sections)),
        *(_section(page, section) for section in page.sections),
    ]


def _button(page: Page) -> Aspect:
    action = page.domain.actions[page.action]
    article = "an" if action[0] in "AEIOU" else "a"
    phrases = (f'{article} "{action}" button', f'a button that says "{action}"', f'a clear call to action ("{action}")')
    return Aspect("button", action if page.button else "none", "body", phrases if page.button else ())


def _section(page: Page, section: Section) -> Aspect:
    phrases = KINDS[section.kind].phrases
    if section.kind == "cards" and section.variant[0] in _COLUMN_WORDS:
        phrases = (*phrases, *_in_columns([_COLUMN_WORDS[section.variant[0]]]))
    title = titles_of(page.domain, section.kind)[section.title]
    return Aspect(section.kind, f"{title}: {len(section.items)} in the form {section.variant}", "body", phrases)


def _in_columns(counts: Iterable[str]) -> tuple[str, ...]:
    patterns = lists_in("phrases")["columns"]
    return tuple(pattern.replace("{}", count) for count in counts for pattern in patterns)
