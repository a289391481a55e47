"""The hidden decisions of a generated page, and the page that they make."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations, product
from typing import Literal

from colbench_gym.tasks.generated_frontend.schema_1.page import (
    Align,
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
from colbench_gym.tasks.generated_frontend.schema_1.palettes import ACCENTS, DEPTHS, GROUNDS, palette
from colbench_gym.tasks.generated_frontend.schema_1.words import FIELDS, SEND, TITLES, Site

ButtonPlace = Literal["filled", "outlined", "header"]

COLORS = tuple(product(ACCENTS, DEPTHS, GROUNDS))
HEADERS: tuple[HeaderStyle, ...] = ("plain", "accent", "centred", "dark")
HEROES: tuple[HeroStyle, ...] = ("banner", "picture right", "picture left", "picture above", "plain")
BUTTON_PLACES: tuple[ButtonPlace | None, ...] = ("filled", "outlined", None, "header")
GRIDS = tuple(product(((2, 2), (3, 3), (4, 4), (4, 2), (6, 3)), (False, True)))  # cards, columns; pictures
OTHERS: tuple[SectionKind, ...] = ("story", "prices", "quotes", "form", "steps", "numbers")
ARRANGEMENTS: tuple[tuple[SectionKind, ...], ...] = tuple(  # cards always, with one or two others
    (*kinds[:at], "cards", *kinds[at:])
    for many in (1, 2)
    for kinds in permutations(OTHERS, many)
    for at in range(many + 1)
)
CORNERS: tuple[Corners, ...] = ("square", "rounded", "round")
ALIGNS: tuple[Align, ...] = ("left", "center")
SHAPES = tuple(product(CORNERS, ALIGNS))
FOOTERS: tuple[FooterStyle | None, ...] = (None, "dark", "accent", "columns")


@dataclass(frozen=True)
class Choice:
    """One hidden decision: what it is about, and a phrase for each alternative."""

    key: str
    alternatives: tuple[str, ...]

    @property
    def size(self) -> int:
        """Number of alternatives."""
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
    Choice("shape", tuple(f"{corner} corners, {align} texts" for corner, align in SHAPES)),
    Choice("footer", ("none", "dark", "accent", "columns")),
)
MEMBERS = math.prod(choice.size for choice in CHOICES)  # pages of one site under one name; all of them differ


def alternatives(number: int) -> dict[str, int]:
    """Return the alternative that each choice takes in a member."""
    taken = {}
    for choice in CHOICES:
        number, taken[choice.key] = divmod(number, choice.size)
    return taken


@dataclass(frozen=True)
class Plan:
    """A set of decisions, spelt out.

    Attributes:
        accent, depth, ground: the colours, see :func:`~.palettes.palette`.
        headline: which of the site's.
        button: how the site's button is drawn in the opening; ``header`` where it stands in the header, None without.
        titles: which of the sets of titles.
        columns: of the cards.
        pictures: whether the cards have some.
    """

    accent: str
    depth: str
    ground: str
    header: HeaderStyle
    hero: HeroStyle
    headline: int
    button: ButtonPlace | None
    sections: tuple[SectionKind, ...]
    titles: int
    cards: int
    columns: int
    pictures: bool
    corners: Corners
    align: Align
    footer: FooterStyle | None


def decided(taken: Mapping[str, int]) -> Plan:
    """The decisions behind the alternatives that the choices took."""
    accent, depth, ground = COLORS[taken["colours"]]
    (cards, columns), pictures = GRIDS[taken["cards"]]
    corners, align = SHAPES[taken["shape"]]
    return Plan(
        accent=accent,
        depth=depth,
        ground=ground,
        header=HEADERS[taken["header"]],
        hero=HEROES[taken["opening"]],
        headline=taken["headline"],
        button=BUTTON_PLACES[taken["button"]],
        sections=ARRANGEMENTS[taken["sections"]],
        titles=taken["titles"],
        cards=cards,
        columns=columns,
        pictures=pictures,
        corners=corners,
        align=align,
        footer=FOOTERS[taken["footer"]],
    )


def make_page(site: Site, name: str, plan: Plan) -> Page:
    """The page that the decisions make of a site."""
    return Page(
        palette=palette(plan.accent, plan.depth, plan.ground),
        header=Header(plan.header, name, site.links, site.button if plan.button == "header" else ""),
        hero=Hero(
            plan.hero,
            site.headlines[plan.headline],
            site.lead,
            site.button if plan.button in ("filled", "outlined") else "",
            "outlined" if plan.button == "outlined" else "filled",
        ),
        sections=tuple(section(site, kind, plan) for kind in plan.sections),
        footer=Footer(plan.footer, name, site.links) if plan.footer else None,
        corners=plan.corners,
        align=plan.align,
    )


def section(site: Site, kind: SectionKind, plan: Plan) -> Section:
    """One section of a site's page, with the words of the site."""
    if kind == "cards":
        cards = site.offers[: plan.cards]
        return Section("cards", site.offer_titles[plan.titles], cards, plan.columns, plan.pictures)
    title = TITLES[kind][plan.titles]
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
