"""Parts that several kinds of section are built of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from colbench_gym.tasks.generated_frontend.building.elements import Node, el, say
from colbench_gym.tasks.generated_frontend.building.style import Style
from colbench_gym.tasks.generated_frontend.content import Texts
from colbench_gym.tasks.generated_frontend.domains import Domain

PICTURE_SIZES = {1: (960, 360), 2: (560, 260), 3: (400, 220), 4: (300, 180)}  # by how many stand side by side


@dataclass(frozen=True)
class Part:
    """Material of a section.

    Attributes:
        style: of the page.
        items: the texts of each item that it shows.
        variant: of its kind.
        domain, branch: whose words it has.
    """

    style: Style
    items: Sequence[Texts]
    variant: str
    domain: Domain
    branch: int


def grid(style: Style, columns: int, inside: Sequence[Node]) -> Node:
    """Return elements in rows of so many columns."""
    return el("div", f"grid grid-cols-{columns} {style.gap}", inside)


def table(style: Style, rows: Sequence[Texts]) -> Node:
    """Return a table with lines between its rows."""
    cell = f"border-b border-{style.colors.line} py-3 px-4"
    lines = [
        [say("td", f"{cell} font-semibold" if place == 0 else cell, text) for place, text in enumerate(row)]
        for row in rows
    ]
    return el("table", "w-full text-left", [el("tr", "", cells) for cells in lines])


def lined(style: Style, rows: Sequence[Texts]) -> list[Node]:
    """Return rows of two texts with dots below them."""
    line = f"flex justify-between border-b border-dotted border-{style.colors.line} py-2"
    return [el("div", line, say("span", "", first), say("span", "font-semibold", last)) for first, last, *_ in rows]
