"""Columns of a page's content, and rectangles inside and around one another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from colbench_gym.humans.page.geometry import overlap_x
from colbench_gym.humans.page.view import EDGE_PX, Part, View, area
from colbench_gym.rendering.layout import Element, Rect

_COLUMN_WIDTH, _COLUMN_HEIGHT_PX = 0.14, 80.0  # of the page, and pixels: the least of a column that is a box
_ABREAST_PX = 12.0  # the tops of boxes in one row differ by at most so much
_WHOLE_WIDTH = 0.7  # of the page: what is wider is no column
_SEEN_WIDTH = 0.15  # of the page: columns that together are narrower are none


def row_of_boxes(view: View) -> list[tuple[Rect, Element | None]]:
    """Return the boxes that stand side by side, most of them first, each as large as the next."""
    best: list[Element] = []
    for first in view.boxes:
        if first.rect.width < _COLUMN_WIDTH * view.layout.width or first.rect.height < _COLUMN_HEIGHT_PX:
            continue
        row = [
            box
            for box in view.boxes
            if abs(box.rect.y - first.rect.y) <= _ABREAST_PX
            and box.rect.width >= _COLUMN_WIDTH * view.layout.width
            and box.rect.height >= _COLUMN_HEIGHT_PX
        ]
        row = _apart(row)
        if len(row) > len(best):
            best = row
    return [(box.rect, box) for box in sorted(best, key=lambda box: box.rect.x)]


def row_of_things(view: View, top: float, bottom: float, logo: Part | None) -> list[tuple[Rect, Element | None]]:
    """Return the areas of texts and pictures that stand side by side below the header and above the footer."""
    inner = [
        part.rect
        for part in view.things
        if part.kind in ("heading", "text", "picture")
        and part is not logo
        and part.rect.y >= top - EDGE_PX
        and part.rect.y < bottom
        and part.rect.width < _WHOLE_WIDTH * view.layout.width
    ]
    inner += [box.rect for box in view.boxes if top <= box.rect.y < bottom and box.rect.height >= 100
              and box.rect.width < _WHOLE_WIDTH * view.layout.width]  # fmt: skip
    best: list[Rect] = []
    for rect in inner:
        middle = rect.y + rect.height / 2
        met = [other for other in inner if other.y <= middle <= other.y + other.height]
        clusters = _clusters(met)
        if len(clusters) > len(best):
            best = clusters
    if len(best) < 2 or best[0].width + best[-1].width < _SEEN_WIDTH * view.layout.width:
        return []
    row = bounding(best)
    spanning = [rect for rect in inner if sum(overlap_x(rect, column) > 0 for column in best) > 1]
    spanning += [part.rect for part in view.texts if part.rect.width >= _WHOLE_WIDTH * view.layout.width]
    ends = [rect.y + rect.height for rect in spanning if rect.y + rect.height <= row.y + EDGE_PX]
    starts = [rect.y for rect in spanning if rect.y >= row.y + row.height - EDGE_PX]
    first, last = max([top, *ends]), min([bottom, *starts])
    edges = [*(rect.x for rect in best), max(row.x + row.width, view.layout.width - row.x)]
    return [(Rect(left, first, right - left, last - first), None) for left, right in pairwise(edges)]


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
    """Return boxes from left to right that do not overlap."""
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
