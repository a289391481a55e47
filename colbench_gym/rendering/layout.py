"""What stands where on a rendered page: text blocks, boxes, pictures and controls, as frozen data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Color = tuple[int, int, int]  # red, green, blue, 0 to 255, as seen (blended over what lies below)
Align = Literal["left", "center", "right", "justify"]
ElementKind = Literal["box", "picture", "button", "input", "navigation"]


@dataclass(frozen=True)
class Rect:
    """A rectangle in page coordinates, CSS pixels; the origin is the page's top left corner."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class TextBlock:
    """A run of visible text that belongs together (the text of one block-level element, or of one line of links).

    Attributes:
        text: as it is shown, white space collapsed, case as rendered.
        rect: around the text's own lines.
        color: of the text.
        background: what lies behind it.
        font_px: font size in CSS pixels.
        bold: whether the weight is 600 or more.
        align: how its lines are aligned.
        role: what a person would call it.
    """

    text: str
    rect: Rect
    color: Color
    background: Color
    font_px: float
    bold: bool
    align: Align
    role: Literal["heading", "text", "link", "button", "label"]


@dataclass(frozen=True)
class Element:
    """Something visible that is not text.

    Attributes:
        kind: ``box`` is an area set off from what lies below it by a background, a border or a shadow.
        rect: where it is.
        color: its background as seen; for a picture the mean is not taken: (0, 0, 0).
        border: colour of its border, None without one.
        radius_px: radius of its top left corner in CSS pixels.
        label: placeholder or value of an input, text of a button, alternative text of a picture.
    """

    kind: ElementKind
    rect: Rect
    color: Color
    border: Color | None
    radius_px: float
    label: str


@dataclass(frozen=True)
class Layout:
    """A page as data. Lists are in reading order: from top to bottom, then from left to right.

    Attributes:
        width, height: of the whole page, CSS pixels.
        background: of the page.
        texts: every visible text block.
        elements: every visible box, picture and control.
    """

    width: float
    height: float
    background: Color
    texts: tuple[TextBlock, ...]
    elements: tuple[Element, ...]


EMPTY = Layout(0.0, 0.0, (255, 255, 255), (), ())
