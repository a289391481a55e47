"""Parts of a page, as frozen data: the grammar draws it, the builders set it, the designer edits it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from colbench_gym.tasks.generated_frontend.colors import DEPTHS, GROUNDS, HUES
from colbench_gym.tasks.generated_frontend.domains import Domain

BRANCHES = 8  # alternatives of a domain's numbers, people and addresses

LOOK_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "hue": HUES,
    "depth": DEPTHS,
    "ground": GROUNDS,
    "buttons": ("same", "contrast", "ink"),
    "font": ("sans", "serif", "mono"),
    "headings": ("bold", "large", "light", "capitals"),
    "align": ("left", "center"),
    "corners": ("square", "slight", "rounded", "round"),
    "cards": ("bordered", "shadowed", "filled", "bare"),
    "density": ("compact", "normal", "airy"),
    "width": ("full", "wide", "narrow"),
    "bands": ("none", "every second"),
}
PART_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "header": ("split", "centred", "left", "button", "search", "pills"),
    "tone": ("plain", "accent", "dark", "clear"),
    "notice": ("none", "accent", "dark"),
    "opening": (
        "banner",
        "picture right",
        "picture left",
        "picture above",
        "backdrop",
        "plain",
        "centred",
        "card",
        "halves",
        "sign-up",
        "figures",
    ),
    "frame": ("none", "left", "right"),
    "footer": ("none", "dark line", "accent line", "plain line", "columns", "dark columns", "centred links"),
}


@dataclass(frozen=True)
class Look:
    """Look of a page; the values of each field are those of :data:`LOOK_OPTIONS`.

    Attributes:
        hue, depth: of the accent colour.
        ground: the colour behind everything.
        buttons: filled with the accent, a contrasting hue, or ink.
        font: the family of typefaces.
        headings: their weight and size.
        align: of what stands in the sections.
        corners: of cards, buttons, fields and pictures.
        cards: how a card is set off.
        density: how much space there is around things.
        width: of the sections' contents.
        bands: whether every second section has another ground.
    """

    hue: str = "blue"
    depth: str = "strong"
    ground: str = "white"
    buttons: str = "same"
    font: str = "sans"
    headings: str = "bold"
    align: str = "left"
    corners: str = "rounded"
    cards: str = "bordered"
    density: str = "normal"
    width: str = "wide"
    bands: str = "none"


@dataclass(frozen=True)
class Section:
    """One part of a page below the opening.

    Attributes:
        kind: a key of :data:`~colbench_gym.tasks.generated_frontend.kinds.KINDS`.
        variant: one of the kind's variants.
        title: which of the titles that the kind may have.
        items: which of the domain's items for this kind, in their order there.
    """

    kind: str
    variant: str
    title: int = 0
    items: tuple[int, ...] = ()


@dataclass(frozen=True)
class Page:
    """A whole page.

    Attributes:
        domain: the kind of business.
        name: of the business.
        branch: which of the :data:`BRANCHES` alternatives of numbers, people and addresses.
        look: colours, typography and shapes.
        header: how it is set; its values are those of :data:`PART_OPTIONS`, as those of the other parts are.
        tone: of the header.
        notice: a line above the header.
        opening: how it is set.
        headline, lead, action: which of the domain's stand in the opening.
        button: whether the opening has a button; it says the action.
        sections: from top to bottom.
        frame: where a sidebar stands beside the sections.
        footer: how it is set.
    """

    domain: Domain
    name: str
    branch: int
    look: Look
    header: str
    tone: str
    notice: str
    opening: str
    headline: int
    lead: int
    action: int
    button: bool
    sections: tuple[Section, ...]
    frame: str
    footer: str
