"""A layout as a person talks about it: its things in reading order, each with a name and a place, and their boxes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from colbench_gym.graders.layout_similarity.coarse_pixels import read_png
from colbench_gym.graders.layout_similarity.seen_parts import seen_parts
from colbench_gym.humans.page.geometry import area_of, beside, centre_in, holds, overlap_x, relation
from colbench_gym.page_language.statements import Subject, SubjectKind, quote
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.layout import Element, Layout, Rect, TextBlock

EDGE_PX = 8.0  # so far from the edge of the page still is at its edge
BAR_WIDTH, BAR_HEIGHT = 0.9, 0.45  # of the page: at least as wide, at most as high is a header or a footer
MAX_KEPT_VIEWS = 64  # some 50 kB each; wanted pages of running dialogues are looked at once a turn
_THIN_PX = 8.0  # what is thinner is a line


@dataclass(frozen=True)
class Part:
    """One thing of a page: a text, which has a block, or another one, which has an element."""

    kind: SubjectKind  # what a person would call it
    name: str  # its words as they are quoted; "" for what has none
    nth: int  # of the page's things with this name, from 1; all texts count together, whatever their role
    place: int  # in reading order, from 0
    rect: Rect
    block: TextBlock | None = None
    element: Element | None = None

    @property
    def key(self) -> tuple[str, str, int]:
        """Return the key that names it on its own page and its like on another one."""
        return ("text" if self.block else self.kind, self.name, self.nth)


@dataclass(frozen=True)
class Place:
    """Place of a thing: ``below`` or ``to the right of`` the anchor, or ``at the top`` without one."""

    relation: str
    anchor: Part | None = None


class View:
    """One page as its named parts; made once for a layout, never changed."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.things = _name(_things(layout))  # in reading order; buttons and boxes only with nothing in them
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
    def _counts(self) -> Counter[tuple[str, str]]:
        return Counter(part.key[:2] for part in self.things)

    @cached_property
    def _around(self) -> dict[int, Element | None]:
        return {part.place: smallest_around(part.rect, self.boxes) for part in self.things}

    def find(self, key: tuple[str, str, int]) -> Part | None:
        """Return the part that has this name, if any."""
        return self._by_key.get(key)

    def count(self, part: Part) -> int:
        """Return how many things of this page have the name of that part."""
        return self._counts[part.key[:2]]

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
        return max((box for box in self._bars if box.rect.y <= EDGE_PX), key=_size, default=None)

    @cached_property
    def footer(self) -> Element | None:
        """The bar at the bottom of the page."""
        bottom = self.layout.height - EDGE_PX
        low = [box for box in self._bars if box.rect.y > EDGE_PX and box.rect.y + box.rect.height >= bottom]
        return max(low, key=_size, default=None)

    @cached_property
    def _bars(self) -> list[Element]:
        wide, high = BAR_WIDTH * self.layout.width, BAR_HEIGHT * self.layout.height
        return [box for box in self.boxes if box.rect.width >= wide and box.rect.height <= high]

    def place_of(self, part: Part) -> Place:
        """Return the place of a thing by its nearest neighbour above it or to its left."""
        left, over = self._left(part), self._above(part)
        if left and not (over and self._in_columns(over, left)):
            return Place("to the right of", left)
        higher = [over] if over else [one for one in self.things if relation(one.rect, part.rect) == "above"]
        return Place("below", max(higher, key=_bottom)) if higher else Place("at the top")

    def _in_columns(self, over: Part, left: Part) -> bool:
        """Return whether a thing and what is to its left stand in columns, as what is above them does."""
        before = self._left(over)
        return before is not None and (before is left or overlap_x(before.rect, left.rect) > 0)

    def _left(self, part: Part) -> Part | None:
        """Return the nearest thing to the left in the same row; of several the one at most the same height."""
        row = [one for one in self.things if one.rect.x < part.rect.x and beside(one.rect, part.rect)]
        return max(row, key=lambda one: (one.rect.x + one.rect.width, -abs(one.rect.y - part.rect.y)), default=None)

    def _above(self, part: Part) -> Part | None:
        over = [one for one in self.things if one is not part and overlap_x(one.rect, part.rect) > 0]
        return max((one for one in over if relation(one.rect, part.rect) == "above"), key=_bottom, default=None)

    def subject(self, part: Part, other: View | None = None) -> Subject:
        """Return how a part of this page is named: by an ordinal where this page or the other has several like it."""
        several = max(self.count(part), other.count(part) if other else 0) > 1
        return Subject(part.kind, part.name, part.nth if several or not part.name else 0)


def _size(element: Element) -> float:
    return area_of(element.rect)


def _bottom(part: Part) -> float:
    return part.rect.y + part.rect.height


def smallest_around(rect: Rect, elements: Iterable[Element]) -> Element | None:
    """Return the smallest of the elements that hold a rectangle."""
    return min((one for one in elements if holds(one.rect, rect)), key=_size, default=None)


_Thing = tuple[SubjectKind, str, Rect, TextBlock | None, Element | None]
_KINDS: dict[str, SubjectKind] = {"picture": "picture", "input": "input", "button": "button", "box": "blank box"}


def _things(layout: Layout) -> list[_Thing]:
    """Return texts and what has none, in reading order. Buttons and boxes with something in them are known by that."""
    found: list[_Thing] = [(text.role, quote(text.text), text.rect, text, None) for text in layout.texts if text.text]
    inside = [text.rect for text in layout.texts]
    inside += [one.rect for one in layout.elements if one.kind in ("picture", "input", "button")]
    for element in layout.elements:
        kind = _KINDS.get(element.kind)
        blank = kind not in ("button", "blank box") or not any(
            area_of(rect) < area_of(element.rect) and centre_in(rect, element.rect) for rect in inside
        )
        thin = kind == "blank box" and min(element.rect.width, element.rect.height) < _THIN_PX
        if kind and blank and not thin and area_of(element.rect) > 0:
            found.append((kind, quote(element.label) if kind == "input" else "", element.rect, None, element))
    return sorted(found, key=lambda thing: (round(thing[2].y), thing[2].x))


def _name(things: Iterable[_Thing]) -> tuple[Part, ...]:
    seen: dict[tuple[str, str], int] = defaultdict(int)
    parts = []
    for place, (kind, name, rect, block, element) in enumerate(things):
        key = ("text" if block else kind, name)
        seen[key] += 1
        parts.append(Part(kind, name, seen[key], place, rect, block, element))
    return tuple(parts)


def views(wanted: RenderedPage, got: RenderedPage | None) -> tuple[View, View | None]:
    """Return both pages as they are seen.

    A renderer without pictures, such as the scripted one, shows no text of any page; the layouts are then taken whole.
    """
    if wanted.png and (_seen(wanted).layout.texts or not wanted.layout.texts):
        return _seen(wanted), _seen(got) if got is not None else None
    return View(wanted.layout), View(got.layout) if got is not None else None


@lru_cache(maxsize=MAX_KEPT_VIEWS)
def _seen(page: RenderedPage) -> View:
    return View(seen_parts(page.layout, read_png(page.png)))
