"""A layout as a person talks about it: its things in reading order, each with a name, and the boxes around them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from colbench_gym.page_language.statements import Subject, SubjectKind, quote
from colbench_gym.rendering.layout import Element, Layout, Rect, TextBlock

EDGE_PX = 8.0  # so far from the edge of the page still is at its edge
BAR_WIDTH, BAR_HEIGHT = 0.9, 0.45  # of the page: at least as wide, at most as high is a header or a footer
_THIN_PX = 8.0  # what is thinner is a line
_INSIDE_PX = 1.5  # by which something may stick out of the box that it is in


@dataclass(frozen=True)
class Part:
    """One thing of a page.

    Attributes:
        kind: what a person would call it.
        name: its words as they are quoted; "" for what has none.
        nth: which of the page's things with this name, from 1; all texts count together, whatever their role.
        place: in reading order, from 0.
        rect: where it is.
        block: for a text.
        element: for anything else.
    """

    kind: SubjectKind
    name: str
    nth: int
    place: int
    rect: Rect
    block: TextBlock | None = None
    element: Element | None = None

    @property
    def key(self) -> tuple[str, str, int]:
        """Return the key that names it on its own page and its like on another one."""
        return ("text" if self.block else self.kind, self.name, self.nth)


class View:
    """One page as its named parts; made once for a layout, never changed.

    Attributes:
        layout: what it was made of.
        painted: areas of the page's own colour that the picture shows in this colour, though a picture lies below.
        things: texts, pictures, inputs, and buttons and boxes with nothing in them, in reading order.
    """

    def __init__(self, layout: Layout, painted: frozenset[Rect] = frozenset()) -> None:
        self.layout = layout
        self.painted = painted
        self.things = _name(_things(layout))
        self._by_key = {part.key: part for part in self.things}

    @cached_property
    def texts(self) -> tuple[Part, ...]:
        """The texts in reading order."""
        return tuple(part for part in self.things if part.block)

    @cached_property
    def boxes(self) -> tuple[Element, ...]:
        """Return the boxes, which set areas off."""
        return tuple(element for element in self.layout.elements if element.kind == "box")

    @cached_property
    def _counts(self) -> dict[tuple[str, str], int]:
        counts: dict[tuple[str, str], int] = defaultdict(int)
        for part in self.things:
            counts[part.key[:2]] += 1
        return counts

    @cached_property
    def _around(self) -> dict[int, Element | None]:
        return {part.place: smallest_around(part.rect, self.boxes) for part in self.things}

    def find(self, key: tuple[str, str, int]) -> Part | None:
        """Return the part that has this name, if any."""
        return self._by_key.get(key)

    def count(self, part: Part) -> int:
        """Return how many things of this page have the name of that part."""
        return self._counts.get(part.key[:2], 0)

    def box(self, part: Part) -> Element | None:
        """Return the smallest box around a part of this page."""
        return self._around[part.place]

    def label(self, box: Element) -> Part | None:
        """Return the first text that has this box as the smallest one around it."""
        return next((part for part in self.texts if self.box(part) is box), None)

    def button(self, part: Part) -> Element | None:
        """Return the button that a text stands on."""
        return smallest_around(part.rect, (one for one in self.layout.elements if one.kind == "button"))

    @cached_property
    def header(self) -> Element | None:
        """The bar at the top of the page: the largest box there that is about as wide as the page and not high."""
        return self._bar(lambda rect: rect.y <= EDGE_PX)

    @cached_property
    def footer(self) -> Element | None:
        """The bar at the bottom of the page."""
        bottom = self.layout.height - EDGE_PX
        return self._bar(lambda rect: rect.y > EDGE_PX and rect.y + rect.height >= bottom)

    def _bar(self, at_edge: Callable[[Rect], bool]) -> Element | None:
        layout = self.layout
        bars = [
            box
            for box in self.boxes
            if box.rect.width >= BAR_WIDTH * layout.width
            and box.rect.height <= BAR_HEIGHT * layout.height
            and at_edge(box.rect)
        ]
        return max(bars, key=lambda box: area(box.rect), default=None)

    def subject(self, part: Part, other: View | None = None) -> Subject:
        """Return how a part of this page is named: by an ordinal where this page or the other has several like it."""
        several = max(self.count(part), other.count(part) if other else 0) > 1
        return Subject(part.kind, part.name, part.nth if several or not part.name else 0)


def area(rect: Rect) -> float:
    """Return the area in square pixels."""
    return rect.width * rect.height


def smallest_around(rect: Rect, elements: Iterable[Element]) -> Element | None:
    """Return the smallest of the elements that hold a rectangle."""
    holding = (
        element
        for element in elements
        if element.rect.x <= rect.x + _INSIDE_PX
        and element.rect.y <= rect.y + _INSIDE_PX
        and element.rect.x + element.rect.width >= rect.x + rect.width - _INSIDE_PX
        and element.rect.y + element.rect.height >= rect.y + rect.height - _INSIDE_PX
    )
    return min(holding, key=lambda element: area(element.rect), default=None)


_Thing = tuple[SubjectKind, str, Rect, TextBlock | None, Element | None]
_KINDS: dict[str, SubjectKind] = {"picture": "picture", "input": "input", "button": "button", "box": "blank box"}


def _things(layout: Layout) -> list[_Thing]:
    """Return texts and what has none, in reading order. Buttons and boxes with something in them are known by that."""
    found: list[_Thing] = [(text.role, quote(text.text), text.rect, text, None) for text in layout.texts if text.text]
    inside = [text.rect for text in layout.texts]
    inside += [one.rect for one in layout.elements if one.kind in ("picture", "input", "button")]
    for element in layout.elements:
        kind = _KINDS.get(element.kind)
        blank = kind not in ("button", "blank box") or not any(_in_the_middle(r, element.rect) for r in inside)
        thin = kind == "blank box" and min(element.rect.width, element.rect.height) < _THIN_PX
        if kind and blank and not thin and area(element.rect) > 0:
            found.append((kind, quote(element.label) if kind == "input" else "", element.rect, None, element))
    return sorted(found, key=lambda thing: (round(thing[2].y), thing[2].x))


def _in_the_middle(rect: Rect, box: Rect) -> bool:
    """Return whether the middle of something smaller is in a box."""
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    smaller = area(rect) < area(box)
    return smaller and box.x <= x <= box.x + box.width and box.y <= y <= box.y + box.height


def _name(things: Iterable[_Thing]) -> tuple[Part, ...]:
    seen: dict[tuple[str, str], int] = defaultdict(int)
    parts = []
    for place, (kind, name, rect, block, element) in enumerate(things):
        key = ("text" if block else kind, name)
        seen[key] += 1
        parts.append(Part(kind, name, seen[key], place, rect, block, element))
    return tuple(parts)
