"""Rectangles on a page: how they lie to each other, in rows and in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.rendering.layout import Rect, TextBlock

SLACK_PX = 2.0  # by which things may overlap and still be one above, or beside, the other
_NEXT_PX = 24.0  # at most so far is what is written for something
_IN_A_ROW = 0.3  # of the height of the lower one: so much two things in a row overlap


def area_of(rect: Rect) -> float:
    """Return the area in square pixels."""
    return rect.width * rect.height


def bounding(rects: Sequence[Rect]) -> Rect:
    """Return the smallest rectangle around some; at least one is given."""
    left, top = min(rect.x for rect in rects), min(rect.y for rect in rects)
    right = max(rect.x + rect.width for rect in rects)
    return Rect(left, top, right - left, max(rect.y + rect.height for rect in rects) - top)


def holds(outer: Rect, inner: Rect) -> bool:
    """Return whether one rectangle lies in another."""
    right, bottom = outer.x + outer.width, outer.y + outer.height
    over = inner.x + inner.width <= right + SLACK_PX and inner.y + inner.height <= bottom + SLACK_PX
    return over and outer.x <= inner.x + SLACK_PX and outer.y <= inner.y + SLACK_PX


def centre_in(rect: Rect, outer: Rect) -> bool:
    """Return whether the middle of a rectangle lies in another."""
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2
    return outer.x <= x <= outer.x + outer.width and outer.y <= y <= outer.y + outer.height


def relation(one: Rect, other: Rect) -> str:
    """Return how one thing stands to another; "" where they overlap. Higher counts before further left."""
    if one.y + one.height <= other.y + SLACK_PX:
        return "above"
    if one.y >= other.y + other.height - SLACK_PX:
        return "below"
    if one.x + one.width <= other.x + SLACK_PX:
        return "to the left of"
    return "to the right of" if one.x >= other.x + other.width - SLACK_PX else ""


def overlap_x(one: Rect, other: Rect) -> float:
    """Return the pixels that two things share from left to right; negative where they are apart."""
    return min(one.x + one.width, other.x + other.width) - max(one.x, other.x)


def gap(one: Rect, other: Rect) -> float:
    """Return how far two things are apart, along the page and across; 0 where they touch."""
    high = max(one.y, other.y) - min(one.y + one.height, other.y + other.height)
    return max(0.0, high) + max(0.0, -overlap_x(one, other))


def nearest(rect: Rect, texts: Sequence[TextBlock]) -> str:
    """Return what is written next to something, above it or to its left."""
    near = [one for one in texts if relation(one.rect, rect) in ("above", "to the left of")]
    return min([(_NEXT_PX, ""), *((gap(one.rect, rect), one.text) for one in near)])[1]


def beside(one: Rect, other: Rect) -> bool:
    """Return whether two things stand side by side: they share height and no width."""
    shared = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return shared > _IN_A_ROW * min(one.height, other.height) and overlap_x(one, other) <= SLACK_PX


def rows_of(rects: Iterable[Rect]) -> list[list[Rect]]:
    """Return rectangles in rows from top to bottom, each from left to right."""
    rows: list[list[Rect]] = []
    for rect in sorted(rects, key=lambda rect: (rect.y, rect.x)):
        if rows and all(beside(rect, other) for other in rows[-1]):
            rows[-1].append(rect)
        else:
            rows.append([rect])
    return [sorted(row, key=lambda rect: rect.x) for row in rows]
