"""Parts of a page, as frozen data: the grammar makes it, the scripted designer edits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Align = Literal["left", "center"]
Corners = Literal["square", "rounded", "round"]
HeaderStyle = Literal["plain", "accent", "centred", "dark"]
HeroStyle = Literal["banner", "picture right", "picture left", "picture above", "plain"]
ButtonStyle = Literal["filled", "outlined"]
FooterStyle = Literal["dark", "accent", "columns"]
SectionKind = Literal["cards", "story", "prices", "quotes", "form", "steps", "numbers", "text"]


@dataclass(frozen=True)
class Palette:
    """The colours of a page, by their names in Tailwind 2.2.19, such as ``blue-800`` or ``white``.

    Attributes:
        ground: behind everything.
        text: of paragraphs.
        surface: of cards and plain bars.
        line: of borders.
        accent: of filled buttons, coloured bars and banners.
        title: of the titles of sections.
    """

    ground: str
    text: str
    surface: str
    line: str
    accent: str
    title: str


@dataclass(frozen=True)
class Header:
    """The bar at the top; ``button`` is empty where it has none."""

    style: HeaderStyle
    name: str
    links: tuple[str, ...]
    button: str = ""


@dataclass(frozen=True)
class Hero:
    """The opening of a page; ``button`` is empty where it has none."""

    style: HeroStyle
    headline: str
    lead: str
    button: str = ""
    button_style: ButtonStyle = "filled"


@dataclass(frozen=True)
class Section:
    """One part of a page below the opening.

    Attributes:
        kind: how it is set.
        title: its heading.
        items: what it lists, each as its texts: title and text of a card, name and price, words and speaker of a
            quote, label of a field, step, figure and what it counts, or one paragraph.
        columns: side by side, where ``kind`` is ``cards``.
        pictures: whether each card, or the story, comes with a picture.
        button: of a form.
    """

    kind: SectionKind
    title: str
    items: tuple[tuple[str, ...], ...]
    columns: int = 1
    pictures: bool = False
    button: str = ""


@dataclass(frozen=True)
class Footer:
    """The end of a page: one line, or three columns (name, links, address)."""

    style: FooterStyle
    name: str
    links: tuple[str, ...]


@dataclass(frozen=True)
class Page:
    """A whole page. ``corners`` of cards, buttons, fields and pictures; ``align`` of what stands in the sections."""

    palette: Palette
    header: Header | None
    hero: Hero | None
    sections: tuple[Section, ...]
    footer: Footer | None
    corners: Corners = "rounded"
    align: Align = "left"
