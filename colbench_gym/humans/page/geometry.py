"""Place of a thing on a page as a person says it: below this, to the right of that, in so many columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from colbench_gym.humans.page.view import Part, View
from colbench_gym.rendering.layout import Rect

TOLERANCE_PX = 2.0  # by which things may overlap and still be one above, or beside, the other
_MOST_IN_A_GROUP = 6  # so that they can be named in one sentence
_IN_A_ROW = 0.5  # of the height of the lower one: so much two things in a row overlap


@dataclass(frozen=True)
class Place:
    """Place of a thing: ``below`` or ``to the right of`` the anchor, or ``at the top`` without one."""

    relation: str
    anchor: Part | None = None


def relation(one: Rect, other: Rect) -> str:
    """Return how one thing stands to another; "" where they overlap. Higher counts before further left."""
    if one.y + one.height <= other.y + TOLERANCE_PX:
        return "above"
    if one.y >= other.y + other.height - TOLERANCE_PX:
        return "below"
    if one.x + one.width <= other.x + TOLERANCE_PX:
        return "to the left of"
    if one.x >= other.x + other.width - TOLERANCE_PX:
        return "to the right of"
    return ""


def overlap_x(one: Rect, other: Rect) -> float:
    """Return the pixels that two things share from left to right."""
    return max(0.0, min(one.x + one.width, other.x + other.width) - max(one.x, other.x))


def overlap_y(one: Rect, other: Rect) -> float:
    """Pixels that two things share from top to bottom."""
    return max(0.0, min(one.y + one.height, other.y + other.height) - max(one.y, other.y))


def in_a_row(one: Rect, other: Rect) -> bool:
    """Return whether two things stand side by side."""
    beside = relation(one, other) in ("to the left of", "to the right of")
    return beside and overlap_y(one, other) >= _IN_A_ROW * min(one.height, other.height)


def place_of(part: Part, view: View) -> Place:
    """Return the place of a thing by its nearest neighbour above it or to its left."""
    left, over = _left(part, view.things), _above(part, view.things)
    if left and not (over and _in_columns(over, left, view)):
        return Place("to the right of", left)
    if over:
        return Place("below", over)
    higher = [other for other in view.things if relation(other.rect, part.rect) == "above"]
    if higher:
        return Place("below", max(higher, key=lambda other: other.rect.y + other.rect.height))
    return Place("at the top")


def columns(rects: Sequence[Rect]) -> int:
    """Return the most of them that stand side by side, met by one level line."""
    return max((sum(r.y <= one.y + one.height / 2 <= r.y + r.height for r in rects) for one in rects), default=0)


def groups_of_one_look(parts: Iterable[Part]) -> list[list[Part]]:
    """Group texts of one look with no larger text between them, as in cards; at least two each, no links."""
    groups: list[list[Part]] = []
    growing: dict[tuple[str, float, bool], list[Part]] = {}
    for part in parts:
        if part.block is None or part.kind not in ("heading", "text"):
            continue
        look = (part.kind, part.block.font_px, part.block.bold)
        growing = {other: group for other, group in growing.items() if other[1] >= part.block.font_px}
        if look not in growing:
            growing[look] = []
            groups.append(growing[look])
        growing[look].append(part)
    return [group[:_MOST_IN_A_GROUP] for group in groups if len(group) > 1]


def _in_columns(over: Part, left: Part, view: View) -> bool:
    """Return whether a thing and what is to its left stand in columns, as what is above them does."""
    beside = _left(over, view.things)
    return beside is not None and (beside is left or overlap_x(beside.rect, left.rect) > 0)


def _left(part: Part, things: Sequence[Part]) -> Part | None:
    """Return the nearest thing to the left in the same row; of several the one at most the same height."""
    row = [
        other
        for other in things
        if other.rect.x + other.rect.width <= part.rect.x + TOLERANCE_PX
        and other is not part
        and in_a_row(other.rect, part.rect)
    ]
    return min(
        row,
        key=lambda other: (part.rect.x - other.rect.x - other.rect.width, abs(other.rect.y - part.rect.y)),
        default=None,
    )


def _above(part: Part, things: Sequence[Part]) -> Part | None:
    over = [
        other
        for other in things
        if other.rect.y + other.rect.height <= part.rect.y + TOLERANCE_PX
        and other is not part
        and overlap_x(other.rect, part.rect) > 0
    ]
    return max(over, key=lambda other: other.rect.y + other.rect.height, default=None)
