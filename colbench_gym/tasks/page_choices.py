"""The hidden decisions of a generated page, and the page that they make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product

from colbench_gym.tasks.page_model import (
    Align,
    ButtonStyle,
    Corners,
    Footer,
    FooterStyle,
    Header,
    HeaderStyle,
    Hero,
    HeroStyle,
    Page,
    Section,
    SectionKind,
)
from colbench_gym.tasks.page_palettes import ACCENTS, DEPTHS, GROUNDS, palette
from colbench_gym.tasks.page_words import FIELDS, SEND, TITLES, Site

COLORS = tuple(product(ACCENTS, DEPTHS, GROUNDS))
HEADERS: tuple[HeaderStyle, ...] = ("plain", "accent", "centred", "dark")
HEROES: tuple[HeroStyle, ...] = ("banner", "picture right", "picture left", "picture above", "plain")
BUTTONS: tuple[ButtonStyle | None, ...] = ("filled", "outlined", None)
BUTTON_PLACES = (*BUTTONS, "header")
GRIDS = tuple(product(((2, 2), (3, 3), (4, 4), (4, 2), (6, 3)), (False, True)))  # cards, columns; pictures
OTHERS: tuple[SectionKind, ...] = ("story", "prices", "quotes", "form", "steps", "numbers")
ARRANGEMENTS = tuple(  # cards always, with one or two others
    (*kinds[:at], "cards", *kinds[at:])
    for many in (1, 2)
    for kinds in permutations(OTHERS, many)
    for at in range(many + 1)
)
CORNERS: tuple[Corners, ...] = ("square", "rounded", "round")
ALIGNS: tuple[Align, ...] = ("left", "center")
FOOTERS: tuple[FooterStyle | None, ...] = (None, "dark", "accent", "columns")


@dataclass(frozen=True)
class Choice:
    """One hidden decision: what it is about, and a phrase for each alternative."""

    key: str
    alternatives: tuple[str, ...]

    @property
    def size(self) -> int:
        """How many alternatives."""
        return len(self.alternatives)


CHOICES: tuple[Choice, ...] = (
    Choice("colours", tuple(f"{depth} {accent} on a {ground} ground" for accent, depth, ground in COLORS)),
    Choice("header", HEADERS),
    Choice("opening", HEROES),
    Choice("headline", ("first headline", "second headline", "third headline", "fourth headline")),
    Choice("button", ("filled", "outlined", "none", "in the header")),
    Choice("sections", tuple(", ".join(kinds) for kinds in ARRANGEMENTS)),
    Choice("titles", ("first set of titles", "second set of titles", "third set of titles")),
    Choice(
        "cards",
        tuple(f"{n} cards in {columns} columns{' with pictures' * pictures}" for (n, columns), pictures in GRIDS),
    ),
    Choice("shape", tuple(f"{corner} corners, {align} texts" for corner, align in product(CORNERS, ALIGNS))),
    Choice("footer", ("none", "dark", "accent", "columns")),
)
MEMBERS = math.prod(choice.size for choice in CHOICES)  # pages of one site under one name; all of them differ


def alternatives(number: int) -> dict[str, int]:
    """Which alternative each choice takes in a member."""
    taken = {}
    for choice in CHOICES:
        number, taken[choice.key] = divmod(number, choice.size)
    return taken


def make_page(site: Site, name: str, taken: Mapping[str, int]) -> Page:
    """The page that the choices make of a site."""
    button = BUTTON_PLACES[taken["button"]]
    corners, align = tuple(product(CORNERS, ALIGNS))[taken["shape"]]
    footer = FOOTERS[taken["footer"]]
    in_header = button == "header"
    (cards, columns), pictures = GRIDS[taken["cards"]]
    return Page(
        palette=palette(*COLORS[taken["colours"]]),
        header=Header(HEADERS[taken["header"]], name, site.links, site.button if in_header else ""),
        hero=Hero(
            HEROES[taken["opening"]],
            site.headlines[taken["headline"]],
            site.lead,
            site.button if button in ("filled", "outlined") else "",
            "outlined" if button == "outlined" else "filled",
        ),
        sections=tuple(
            section(site, kind, taken["titles"], cards=cards, columns=columns, pictures=pictures)
            for kind in ARRANGEMENTS[taken["sections"]]
        ),
        footer=Footer(footer, name, site.links) if footer else None,
        corners=corners,
        align=align,
    )


def section(
    site: Site, kind: SectionKind, titles: int, *, cards: int = 3, columns: int = 3, pictures: bool = False
) -> Section:
    """One section of a site's page, with the words of the site."""
    if kind == "cards":
        return Section("cards", site.offer_titles[titles], site.offers[:cards], columns, pictures)
    title = TITLES[kind][titles]
    if kind == "story":
        return Section("story", title, ((site.story,),), pictures=True)
    if kind == "form":
        return Section("form", title, tuple((field,) for field in FIELDS), button=SEND)
    items: dict[str, tuple[tuple[str, ...], ...]] = {
        "prices": site.prices,
        "quotes": site.quotes,
        "steps": tuple((step,) for step in site.steps),
        "numbers": site.numbers,
    }
    return Section(kind, title, items[kind])
