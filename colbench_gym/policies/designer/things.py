"""Things on a page of the grammar and their looks, read off its elements: no browser is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Literal

from colbench_gym.jsonl import read_toml
from colbench_gym.page_language.statements import quote
from colbench_gym.tasks.generated_frontend.building.elements import Node
from colbench_gym.tasks.generated_frontend.building.pages import page_parts
from colbench_gym.tasks.generated_frontend.colors import RGB
from colbench_gym.tasks.generated_frontend.page import Page

Color = tuple[int, int, int]
Relation = Literal["above", "below", "to the left of", "to the right of"]
PAGE_PX = 1280.0
_MIDDLE, _LAST = 50, 99  # places of what a sidebar stands beside, and of the footer
LOOKS = read_toml(Path(__file__).with_suffix(".toml"))
SPACING, _ROLES = LOOKS["spacing"], LOOKS["roles"]
_LOOK = LOOKS["classes"]
_FONTS, _CORNERS, _WIDTHS, _SHARES = (_LOOK[name] for name in ("fonts", "corners", "widths", "shares"))


@dataclass(frozen=True)
class Box:
    """An area that is set off."""

    color: Color
    corner_px: float
    border: Color | None


@dataclass(frozen=True)
class Look:
    """Style that an element hands down to those inside.

    Attributes:
        ink: colour of the letters.
        ground: colour behind them; of a button its own.
        font_px, bold, align, upper: of the letters.
        box: the nearest area around that is set off.
        width_px: roughly how wide it is.
    """

    ink: Color
    ground: Color
    font_px: float = 16.0
    bold: bool = False
    align: str = "left"
    upper: bool = False
    box: Box | None = None
    width_px: float = PAGE_PX


@dataclass(frozen=True)
class Thing:
    """One thing of a page.

    Attributes:
        kind: heading, text, link, button, picture or input.
        text: as it is quoted, in lower case; of an input its placeholder.
        look: its style.
        corner_px, border: of a button, picture or input.
        width_px: roughly how wide it is, 0 where it is as wide as its words.
        path: from the page down: how each element sets what it holds (``column``, ``row`` or a number of columns),
            and which of its children leads on.
    """

    kind: str
    text: str
    look: Look
    corner_px: float
    border: Color | None
    width_px: float
    path: tuple[tuple[str | int, int], ...]


class Features:
    """A page as its things, found by their words."""

    def __init__(self, page: Page) -> None:
        parts = page_parts(page)
        body = parts["body"]
        setting = _inherited(body, Look((0, 0, 0), (255, 255, 255)))
        self.ground = setting.ground
        self.spacing = SPACING[page.look.density]
        self.bars = {name: _inherited(parts[name], setting).ground for name in ("header", "footer") if name in parts}
        self.things: list[Thing] = []
        for place, (name, node) in enumerate(parts.items()):
            if name != "body":
                self.things += _things_of(node, setting, _prefix(name, place, page.frame))
        self.by_text: dict[str, Thing] = {}
        self.repeated: dict[str, int] = {}  # how often beyond the first time a text stands there
        for thing in self.things:
            if thing.text and self.by_text.setdefault(thing.text, thing) is not thing:
                self.repeated[thing.text] = self.repeated.get(thing.text, 0) + 1

    def find(self, text: str) -> Thing | None:
        """Return the thing that a quote names."""
        return self.by_text.get(plain(text))

    def count(self, text: str) -> int:
        """Return how often a quoted text stands on the page."""
        words = plain(text)
        return (words in self.by_text) + self.repeated.get(words, 0)

    def of_kind(self, kind: str) -> list[Thing]:
        """Return the things of a kind, in their order."""
        return [thing for thing in self.things if thing.kind == kind]


@lru_cache(maxsize=65536)
def plain(text: str) -> str:
    """Return a quote as things have it."""
    return quote(text).casefold()


def relation(thing: Thing, landmark: Thing) -> Relation:
    """Return where a thing stands, seen from another one."""
    for (way, index), (_, other_index) in zip(thing.path, landmark.path, strict=False):
        if index != other_index:
            if way == "row" or (isinstance(way, int) and index // way == other_index // way):
                return "to the left of" if index < other_index else "to the right of"
            break
    return "above" if thing.path < landmark.path else "below"


def shared_depth(first: Thing, second: Thing) -> int:
    """Return how many elements hold both things."""
    steps = zip(first.path, second.path, strict=False)
    return len(list(takewhile(lambda both: both[0] == both[1], steps)))


def columns_of(things: Sequence[Thing]) -> int:
    """Return the number of columns that things stand in; 1 where they stand below each other."""
    if len(things) < 2:
        return 1
    depth = shared_depth(things[0], things[1])
    if depth >= min(len(things[0].path), len(things[1].path)):
        return 1
    way = things[0].path[depth][0]
    return way if isinstance(way, int) else len(things) if way == "row" else 1


@lru_cache(maxsize=8192)
def _things_of(node: Node, setting: Look, path: tuple[tuple[str | int, int], ...]) -> tuple[Thing, ...]:
    return tuple(_walk(node, setting, path))


def _prefix(name: str, place: int, frame: str) -> tuple[tuple[str | int, int], ...]:
    """Return the path to a part of a page; a sidebar and the sections stand side by side."""
    if frame == "none" or not name.startswith(("sidebar", "section")):
        return (("column", place if name != "footer" else _LAST),)
    beside = int((name == "sidebar") == (frame == "right"))
    return ("column", _MIDDLE), ("row", beside), ("column", place)


def _walk(node: Node, outside: Look, path: tuple[tuple[str | int, int], ...]) -> Iterator[Thing]:
    setting = _inherited(node, outside)
    if node.tag == "img":
        yield _thing("picture", "", node, setting, path)
    elif node.tag == "input":
        yield _thing("input", plain(node.get("placeholder")), node, setting, path)
    elif not node.inside:
        text = node.text.upper() if setting.upper else node.text
        kind = _ROLES.get(node.tag, "text")
        yield _thing(kind, plain(text), node, setting if kind != "button" else replace(setting, align="center"), path)
    way = _way(node)
    share = setting.width_px / way if isinstance(way, int) else setting.width_px
    for index, child in enumerate(node.inside):
        yield from _walk(child, replace(setting, width_px=share), (*path, (way, index)))


def _thing(kind: str, text: str, node: Node, setting: Look, path: tuple[tuple[str | int, int], ...]) -> Thing:
    classes = node.classes.split()
    corner_px, border = 0.0, None
    if kind in ("button", "picture", "input"):
        corner_px, border = _corner(classes), _border(classes, setting.ink)
    width_px = setting.width_px if (kind == "picture" and "w-full" in classes) or kind == "input" else 0.0
    return Thing(kind, text, setting, corner_px, border, width_px, path)


def _way(node: Node) -> str | int:
    classes = node.classes.split()
    for name in classes:
        if name.startswith("grid-cols-"):
            return int(name.removeprefix("grid-cols-"))
    return "row" if ("flex" in classes and "flex-col" not in classes) or node.tag == "tr" else "column"


@lru_cache(maxsize=16384)
def _inherited(node: Node, outside: Look) -> Look:
    classes = node.classes.split()
    changes: dict[str, object] = {}
    ground = outside.ground
    for name in classes:
        head, _, rest = name.partition("-")
        if head == "bg" and rest in RGB:
            ground = RGB[rest]
            changes["ground"] = ground
        elif head == "text" and rest in RGB:
            changes["ink"] = RGB[rest]
        elif head == "text" and rest in _FONTS:
            changes["font_px"] = _FONTS[rest]
        elif head == "text" and rest in ("left", "center", "right"):
            changes["align"] = rest
        elif name in ("font-semibold", "font-bold"):
            changes["bold"] = True
        elif name == "uppercase":
            changes["upper"] = True
        elif name in _SHARES:
            changes["width_px"] = outside.width_px * _SHARES[name]
        elif name in _WIDTHS:
            changes["width_px"] = min(outside.width_px, _WIDTHS[name])
    border = _border(classes, outside.ink)
    set_off = "ground" in changes or border is not None or any(name.startswith("shadow") for name in classes)
    if set_off and node.inside:
        changes["box"] = Box(ground, _corner(classes), border)
    return replace(outside, **changes) if changes else outside  # type: ignore[arg-type]  # names and types are its own


def _corner(classes: Sequence[str]) -> float:
    return next((px for name, px in _CORNERS.items() if name in classes), 0.0)


def _border(classes: Sequence[str], ink: Color) -> Color | None:
    if not any(name in ("border", "border-2") for name in classes):
        return None
    named = [RGB[name.removeprefix("border-")] for name in classes if name.removeprefix("border-") in RGB]
    return named[0] if named else ink
