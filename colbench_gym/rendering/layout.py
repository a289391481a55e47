"""Layout of a rendered page: text blocks, boxes, pictures and controls, as frozen data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal, get_args

Color = tuple[int, int, int]  # red, green, blue, 0 to 255, as seen (blended over what lies below)
Align = Literal["left", "center", "right", "justify"]
ElementKind = Literal["box", "picture", "button", "input", "navigation"]
TextRole = Literal["heading", "text", "link", "button", "label"]

# Ours, against pages without measure: an official page has at most a few hundred of each.
LIMITS: Mapping[str, int] = {
    "nodes": 20_000,  # looked at
    "pieces": 4_000,  # text nodes taken
    "texts": 1_000,  # text blocks kept
    "elements": 1_000,  # kept
    "lines": 500,  # of one text
    "chars": 2_000,  # of one text or label
    "contrast": 8,  # between a text and what lies behind it, in the most different channel; less cannot be seen
}
MAX_PX = float(1 << 25)  # Chromium's own, but a transform can take a box farther; it is put there then


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
    role: TextRole


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
        cut: whether there was more than :data:`LIMITS` allow.
    """

    width: float
    height: float
    background: Color
    texts: tuple[TextBlock, ...]
    elements: tuple[Element, ...]
    cut: bool = False


EMPTY = Layout(0.0, 0.0, (255, 255, 255), (), ())


@cache
def script(*place: str) -> str:
    """Return a JavaScript function in a file of this room: ``layout.js`` gives what :func:`read_layout` reads."""
    return files("colbench_gym.rendering").joinpath(*place).read_text(encoding="utf-8")


def read_layout(raw: Mapping[str, Any]) -> Layout:  # Any: JSON of our own script
    """Read what ``layout.js`` returned: finite numbers within MAX_PX, and no more than LIMITS allow.

    The script runs beside a page that nobody trusts, in a browser that such a page may have broken.

    Raises:
        ValueError, KeyError, TypeError: it is something else.
    """
    texts = [
        TextBlock(
            text=_text(text["text"]),
            rect=_rect(text["rect"]),
            color=_color(text["color"]),
            background=_color(text["background"]),
            font_px=_number(text["font"]),
            bold=bool(text["bold"]),
            align=_one_of(get_args(Align), text["align"]),
            role=_one_of(get_args(TextRole), text["role"]),
        )
        for text in _items(raw, "texts")
    ]
    elements = [
        Element(
            kind=_one_of(get_args(ElementKind), element["kind"]),
            rect=_rect(element["rect"]),
            color=_color(element["color"]),
            border=None if element["border"] is None else _color(element["border"]),
            radius_px=_number(element["radius"]),
            label=_text(element["label"]),
        )
        for element in _items(raw, "elements")
    ]
    return Layout(
        width=_number(raw["width"]),
        height=_number(raw["height"]),
        background=_color(raw["background"]),
        texts=tuple(sorted(texts, key=_reading_order)),
        elements=tuple(sorted(elements, key=_reading_order)),
        cut=bool(raw["cut"]),
    )


def _reading_order(part: TextBlock | Element) -> tuple[float, float, float, float]:
    rect = part.rect
    return rect.y, rect.x, -rect.height, -rect.width


def _items(raw: Mapping[str, Any], name: str) -> Sequence[Any]:  # Any: JSON
    items: Sequence[Any] = raw[name]
    if not isinstance(items, list) or len(items) > LIMITS[name]:
        raise ValueError(f"got {type(items).__name__} for {name}, expected a list of at most {LIMITS[name]}")
    return items


def _text(raw: object) -> str:
    if not isinstance(raw, str) or len(raw) > LIMITS["chars"]:
        raise ValueError(f"got {type(raw).__name__}, expected a text of at most {LIMITS['chars']} characters")
    return raw


def _number(raw: object) -> float:
    if not isinstance(raw, (int, float)) or raw != raw:  # NaN; of a huge int, math.isnan would raise
        raise ValueError(f"got {type(raw).__name__} that is no number, expected one")
    return float(min(MAX_PX, max(-MAX_PX, raw)))


def _rect(raw: Sequence[object]) -> Rect:
    x, y, width, height = map(_number, raw)
    return Rect(x, y, width, height)


def _color(raw: Sequence[object]) -> Color:
    red, green, blue = (int(min(255.0, max(0.0, _number(channel)))) for channel in raw)
    return red, green, blue


def _one_of(known: tuple[Any, ...], name: str) -> Any:  # Any: the literals of one type
    if name not in known:
        raise ValueError(f"got {str(name)[:40]!r}, expected one of {known}")
    return name
