"""The parts of a page that people have words for: navigation bar, header, footer, hero section, columns, cards, logo."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from colbench_gym.humans.page_critic.geometry import groups_of_one_look, overlap_x, overlap_y
from colbench_gym.humans.page_critic.view import BAR_HEIGHT, BAR_WIDTH, EDGE_PX, Part, View, area
from colbench_gym.page_language.statements import SubjectKind
from colbench_gym.rendering.layout import Color, Element, Rect

_CLOSING = re.compile(r"©|\bcopyright\b|\brights reserved\b", re.IGNORECASE)
_TOP_PX = 160.0  # so far down a row of links still is the navigation of a page
_LOGO_WIDTH, _LOGO_PX = 0.2, 150.0  # of the page, and pixels: a logo is at most as wide, and at most as high
_ICON_PX = 72.0  # at most as wide and as high is an icon
_LOW_FOOTER_PX = 110.0  # an empty bar at the end of a page that is not higher is a footer
_SIDEBAR_WIDTH = 0.36  # of the page
_COLUMN_WIDTH = 0.14  # of the page: the least of a column of boxes
_CARD_WIDTH, _CARD_HEIGHT_PX = 0.75, 40.0  # of the page at most, and pixels at least
_SAME_SIZE_PX = 12.0  # boxes of one row differ in size by at most so much


@dataclass(frozen=True)
class Region:
    """One area of a page.

    Attributes:
        kind: what a person would call it.
        rect: where it is.
        color: of its ground; None where it lies on a picture.
        box: the box that it is, if it is set off.
    """

    kind: SubjectKind
    rect: Rect
    color: Color | None
    box: Element | None = None


class Regions:
    """The named areas of one page; derived from its view when asked for."""

    def __init__(self, view: View) -> None:
        self.view = view

    @cached_property
    def pictures(self) -> tuple[Part, ...]:
        """The pictures in reading order."""
        return tuple(part for part in self.view.things if part.kind == "picture")

    @cached_property
    def header(self) -> Region | None:
        """The bar at the top of the page, or else a navigation bar there."""
        bar = self.view.header
        if bar is not None:
            return self._region("header", bar.rect, bar)
        navigation = self.navigation
        if navigation is not None and navigation.rect.y <= EDGE_PX and self._is_wide(navigation.rect):
            return navigation
        return None

    @cached_property
    def navigation(self) -> Region | None:
        """The first element that is marked as navigation, or else the links in a row at the top of the page."""
        marked = [element for element in self.view.layout.elements if element.kind == "navigation"]
        if marked:
            return self._region("navigation bar", marked[0].rect, marked[0])
        top = [part for part in self.view.texts if part.kind == "link" and part.rect.y < _TOP_PX]
        row = [part for part in top if overlap_y(part.rect, top[0].rect) > 0]
        if len(row) < 2:
            return None
        around = bounding([part.rect for part in row])
        return self._region("navigation bar", around, self.view.box(row[0]))

    @cached_property
    def links(self) -> tuple[Part, ...]:
        """The links, and the buttons beside them, of the navigation bar."""
        navigation = self.navigation
        if navigation is None:
            return ()
        return tuple(part for part in self.view.texts if part.kind in ("link", "button") and inside(part.rect, navigation.rect))

    @cached_property
    def footer(self) -> Region | None:
        """The bar that ends the page, or else its closing line."""
        bar = self.view.footer
        texts = self.view.texts
        low = [
            box
            for box in self.view.boxes
            if self._is_wide(box.rect)
            and box.rect.height <= BAR_HEIGHT * self.view.layout.height
            and box.rect.y > EDGE_PX
            and not any(part.rect.y >= box.rect.y + box.rect.height for part in self.view.things)
        ]
        bar = bar or next((box for box in sorted(low, key=lambda box: -area(box.rect)) if self._ends(box)), None)
        if bar is not None:
            return self._region("footer", bar.rect, bar)
        closing = [part for part in texts[-2:] if part.block and _CLOSING.search(part.block.text)]
        return self._region("footer", bounding([part.rect for part in closing]), None) if closing else None

    def _ends(self, box: Element) -> bool:
        """Return whether a low bar holds what footers hold: a closing line, links, or nothing."""
        held = [part for part in self.view.things if inside(part.rect, box.rect) and part.element is not box]
        texts = [part for part in held if part.block]
        if not texts:
            return box.rect.height <= _LOW_FOOTER_PX
        closing = any(part.block and _CLOSING.search(part.block.text) for part in texts)
        return closing or sum(part.kind == "link" for part in texts) > 1

    @cached_property
    def sidebar(self) -> Region | None:
        """A narrow box at one side with links below one another, or one that is as high as the page."""
        width, height = self.view.layout.width, self.view.layout.height
        for box in sorted(self.view.boxes, key=lambda box: -area(box.rect)):
            rect = box.rect
            at_a_side = rect.x <= EDGE_PX or rect.x + rect.width >= width - EDGE_PX
            if rect.width > _SIDEBAR_WIDTH * width or not at_a_side or rect.height < 100:
                continue
            links = [part.rect for part in self.view.texts if part.kind == "link" and inside(part.rect, rect)]
            stacked = len(links) > 1 and len({round(link.y) for link in links}) == len(links)
            if stacked or (rect.height >= 0.6 * height and rect.height > 1.5 * rect.width):
                return self._region("sidebar", rect, box)
        return None

    @cached_property
    def title(self) -> Part | None:
        """The main heading: the largest; of several the first."""
        headings = [part for part in self.view.texts if part.kind == "heading"]
        return max(headings, key=lambda part: part.block.font_px if part.block else 0.0, default=None)

    @cached_property
    def hero(self) -> Region | None:
        """The area around the main heading: its box or picture, or what follows it up to the next heading."""
        title = self.title
        if title is None:
            return None
        box = self.view.box(title)
        if box is not None and box.rect.height < 0.9 * self.view.layout.height and not self._is_bar(box):
            return self._region("hero section", box.rect, box)
        behind = self.behind(title.rect)
        if behind is not None:
            return Region("hero section", behind.rect, None)
        below = [part.rect for part in self.view.things if part.place > title.place]
        ends = [part.rect.y for part in self.view.texts if part.place > title.place and part.kind == "heading"
                and part.rect.y > title.rect.y + 2 * title.rect.height]  # fmt: skip
        end = min([*ends, self.footer.rect.y if self.footer else self.view.layout.height])
        return self._region("hero section", bounding([title.rect, *(rect for rect in below if rect.y < end)]), None)

    @cached_property
    def subtitle(self) -> Part | None:
        """The text that follows the main heading."""
        title = self.title
        if title is None:
            return None
        after = [part for part in self.view.texts if part.place > title.place and overlap_x(part.rect, title.rect) > 0]
        return next((part for part in after if part.kind in ("text", "heading")), None)

    @cached_property
    def logo(self) -> Part | None:
        """A small picture at the top of the page."""
        for part in self.pictures:
            low = part.rect.width <= _LOGO_WIDTH * self.view.layout.width and part.rect.height <= _LOGO_PX
            called = bool(part.element and "logo" in part.element.label.lower())
            header = self.header
            if low and (called or (header is not None and inside(part.rect, header.rect))):
                return part
        return None

    @cached_property
    def icons(self) -> tuple[Part, ...]:
        """Pictures that are no larger than an icon, but for the logo."""
        small = [part for part in self.pictures if max(part.rect.width, part.rect.height) <= _ICON_PX]
        return tuple(part for part in small if part is not self.logo)

    @cached_property
    def inputs(self) -> tuple[Part, ...]:
        """The inputs in reading order."""
        return tuple(part for part in self.view.things if part.kind == "input")

    @cached_property
    def form(self) -> Region | None:
        """The area of the inputs."""
        if not self.inputs:
            return None
        return self._region("form", bounding([part.rect for part in self.inputs]), None)

    @cached_property
    def columns(self) -> tuple[Region, ...]:
        """The columns of the page's content, from left to right; none where all stands in one."""
        boxes = self._row_of_boxes()
        if len(boxes) < 2:
            boxes = self._row_of_things()
        kinds = _COLUMN_KINDS.get(len(boxes))
        if kinds is None:
            return tuple(Region("quote", rect, None, box) for rect, box in boxes) if len(boxes) > 1 else ()
        return tuple(self._region(kind, rect, box) for kind, (rect, box) in zip(kinds, boxes, strict=True))

    def _row_of_boxes(self) -> list[tuple[Rect, Element | None]]:
        """The boxes that stand side by side, most of them first, each as large as the next."""
        best: list[Element] = []
        for first in self.view.boxes:
            if first.rect.width < _COLUMN_WIDTH * self.view.layout.width or first.rect.height < 80:
                continue
            row = [
                box
                for box in self.view.boxes
                if abs(box.rect.y - first.rect.y) <= _SAME_SIZE_PX
                and box.rect.width >= _COLUMN_WIDTH * self.view.layout.width
                and box.rect.height >= 80
            ]
            row = _apart(row)
            if len(row) > len(best):
                best = row
        return [(box.rect, box) for box in sorted(best, key=lambda box: box.rect.x)]

    def _row_of_things(self) -> list[tuple[Rect, Element | None]]:
        """The areas of texts and pictures that stand side by side below the header and above the footer."""
        top = max((bar.rect.y + bar.rect.height for bar in (self.header, self.navigation) if bar and self._is_wide(bar.rect)
                   and bar.rect.height < BAR_HEIGHT * self.view.layout.height), default=0.0)  # fmt: skip
        bottom = self.footer.rect.y if self.footer else self.view.layout.height
        inner = [
            part.rect
            for part in self.view.things
            if part.kind in ("heading", "text", "picture")
            and part is not self.logo
            and part.rect.y >= top - EDGE_PX
            and part.rect.y < bottom
            and part.rect.width < 0.7 * self.view.layout.width
        ]
        inner += [box.rect for box in self.view.boxes if top <= box.rect.y < bottom and 100 <= box.rect.height
                  and box.rect.width < 0.7 * self.view.layout.width]  # fmt: skip
        best: list[Rect] = []
        for rect in inner:
            middle = rect.y + rect.height / 2
            met = [other for other in inner if other.y <= middle <= other.y + other.height]
            clusters = _clusters(met)
            if len(clusters) > len(best):
                best = clusters
        if len(best) < 2 or best[0].width + best[-1].width < 0.15 * self.view.layout.width:
            return []
        row = bounding(best)
        spanning = [rect for rect in inner if sum(overlap_x(rect, column) > 0 for column in best) > 1]
        spanning += [part.rect for part in self.view.texts if part.rect.width >= 0.7 * self.view.layout.width]
        ends = [rect.y + rect.height for rect in spanning if rect.y + rect.height <= row.y + EDGE_PX]
        starts = [rect.y for rect in spanning if rect.y >= row.y + row.height - EDGE_PX]
        first, last = max([top, *ends]), min([bottom, *starts])
        edges = [*(rect.x for rect in best), max(row.x + row.width, self.view.layout.width - row.x)]
        return [
            (Rect(left, first, right - left, last - first), None)
            for left, right in zip(edges, edges[1:], strict=False)
        ]

    @cached_property
    def cards(self) -> tuple[Element, ...]:
        """Boxes of one width that hold texts and are no bars, most of them first."""
        rows: dict[int, list[Element]] = {}
        for box in self.view.boxes:
            held = any(inside(part.rect, box.rect) for part in self.view.texts)
            wide = box.rect.width > _CARD_WIDTH * self.view.layout.width
            if held and not wide and box.rect.height >= _CARD_HEIGHT_PX and not self._is_bar(box):
                rows.setdefault(round(box.rect.width / _SAME_SIZE_PX), []).append(box)
        return tuple(max(rows.values(), key=len, default=[]))

    @cached_property
    def groups(self) -> list[list[Part]]:
        """Texts of one look side by side, as the headings of cards without boxes are."""
        return groups_of_one_look(self.view.texts)

    def behind(self, rect: Rect) -> Part | None:
        """Return the picture that something lies on, unless a box of its own colour lies between."""
        for part in self.pictures:
            if area(part.rect) > 1.5 * area(rect) and inside(rect, part.rect) and not self._covered(rect, part):
                return part
        return None

    def _covered(self, rect: Rect, picture: Part) -> bool:
        return any(
            inside(rect, box.rect) and inside(box.rect, picture.rect) and area(box.rect) < 0.8 * area(picture.rect)
            for box in self.view.boxes
            if box.rect != rect and box.color != self.view.layout.background or box.color == (255, 255, 255)
        )

    def held(self, rect: Rect) -> tuple[Part, ...]:
        """Return the things inside an area, in reading order."""
        return tuple(part for part in self.view.things if inside(part.rect, rect) and part.rect != rect)

    def _region(self, kind: SubjectKind, rect: Rect, box: Element | None) -> Region:
        if box is None or (box.kind == "navigation" and box.color == self.view.layout.background):
            ground = None if self.behind(rect) else self._ground(rect)
            return Region(kind, rect, ground, box)
        return Region(kind, rect, box.color, box)

    def _ground(self, rect: Rect) -> Color:
        around = [box for box in self.view.boxes if inside(rect, box.rect)]
        return min(around, key=lambda box: area(box.rect)).color if around else self.view.layout.background

    def _is_wide(self, rect: Rect) -> bool:
        return rect.width >= BAR_WIDTH * self.view.layout.width

    def _is_bar(self, box: Element) -> bool:
        return box is self.view.header or box is self.view.footer


_COLUMN_KINDS: dict[int, tuple[SubjectKind, ...]] = {
    2: ("left column", "right column"),
    3: ("left column", "middle column", "right column"),
}


def inside(inner: Rect, outer: Rect) -> bool:
    """Return whether the middle of one rectangle lies in another."""
    x, y = inner.x + inner.width / 2, inner.y + inner.height / 2
    return outer.x - 1 <= x <= outer.x + outer.width + 1 and outer.y - 1 <= y <= outer.y + outer.height + 1


def bounding(rects: Sequence[Rect]) -> Rect:
    """Return the smallest rectangle around some; at least one is given."""
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right = max(rect.x + rect.width for rect in rects)
    bottom = max(rect.y + rect.height for rect in rects)
    return Rect(left, top, right - left, bottom - top)


def _apart(boxes: Iterable[Element]) -> list[Element]:
    """Boxes from left to right that do not overlap."""
    kept: list[Element] = []
    for box in sorted(boxes, key=lambda box: (box.rect.x, -area(box.rect))):
        if not kept or box.rect.x >= kept[-1].rect.x + kept[-1].rect.width - EDGE_PX:
            kept.append(box)
    return kept


def _clusters(rects: Iterable[Rect]) -> list[Rect]:
    """Join the rectangles that overlap from left to right."""
    joined: list[Rect] = []
    for rect in sorted(rects, key=lambda rect: rect.x):
        if joined and rect.x < joined[-1].x + joined[-1].width:
            joined[-1] = bounding([joined[-1], rect])
        else:
            joined.append(rect)
    return joined
