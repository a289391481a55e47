"""Relations between two things of a page, in the words of questions and on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from colbench_gym.humans.page.geometry import TOLERANCE_PX, in_a_row, overlap_x
from colbench_gym.humans.page.view import Part
from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.rendering.layout import Rect

Way = Literal["on", "below", "above", "left", "right", "beside"]
_WAYS: tuple[tuple[Way, str], ...] = (  # of two that begin at one place the first counts
    ("on", r"on top of|over(?:laid on|lay(?:s|ed)? on)?|across|in front of|superimposed on|overlap(?:s|ping)?|on"),
    ("left", r"(?:to the )?left of"),
    ("right", r"(?:to the )?right of"),
    ("below", r"below|beneath|underneath|under|after|follow(?:s|ing)?(?: after| on)?"),
    ("above", r"above|before|preced(?:es|ing)|atop"),
    ("beside", r"next to|beside|alongside|adjacent to"),
)
WAY_WORDS = "|".join(words for _, words in _WAYS)
_BEFORE_A_THING = re.compile(
    rf"\b({WAY_WORDS}) (?:(?:the|a|an|my|your|our|that|this|its|each|those|these) )?['\"]?(?:[\w'-]+ ){{0,2}}['\"]?$"
)
_JOINS = re.compile(r"\b(?:and|or|is|are|should|be|with)\b")
_SEEN_PX = 2.0  # so far apart two things still stand in one line
_NEAR_PX = 90.0  # so far from its inputs the button of a form may stand


def way_before(text: str, start: int) -> tuple[Way, int] | None:
    """Return the way that leads to the thing whose words begin at a place of a text, and where its words begin."""
    found = None
    for match in re.finditer(rf"\b(?:{WAY_WORDS})\b", text[:start]):
        found = match
    if found is None:
        return None
    whole = _BEFORE_A_THING.match(text[found.start() : start])
    if whole is None or _JOINS.search(text[found.end() : start]):
        return None
    return way_of(found.group()), found.start()


def way_of(words: str) -> Way:
    """Return the way that some words mean."""
    return next(way for way, pattern in _WAYS if re.fullmatch(pattern, words))


def standing(parts: Sequence[Part], way: Way, anchor: Rect) -> tuple[Part, ...]:
    """Return the parts that stand so to an anchor, the nearest first."""
    found = [part for part in parts if part.rect != anchor and stands(part.rect, way, anchor)]
    return tuple(sorted(found, key=lambda part: _apart(part.rect, anchor, way)))


def stands(rect: Rect, way: Way, anchor: Rect) -> bool:
    """Return whether something stands so to an anchor."""
    if way == "on":
        return inside(rect, anchor) and rect.width * rect.height < anchor.width * anchor.height
    if way == "below":
        return rect.y >= anchor.y + anchor.height - TOLERANCE_PX and overlap_x(rect, anchor) > 0
    if way == "above":
        return rect.y + rect.height <= anchor.y + TOLERANCE_PX and overlap_x(rect, anchor) > 0
    left = rect.x + rect.width <= anchor.x + TOLERANCE_PX
    right = rect.x >= anchor.x + anchor.width - TOLERANCE_PX
    return in_a_row(rect, anchor) and {"left": left, "right": right, "beside": True}[way]


def standing_near(parts: Sequence[Part], area: Rect) -> tuple[Part, ...]:
    """Return the parts in an area or right beside it."""
    wider = Rect(area.x - _NEAR_PX, area.y - _NEAR_PX, area.width + 2 * _NEAR_PX, area.height + 2 * _NEAR_PX)
    return tuple(part for part in parts if inside(part.rect, wider))


def _apart(rect: Rect, anchor: Rect, way: Way) -> tuple[float, float]:
    down = {"below": rect.y - anchor.y, "above": anchor.y - rect.y - rect.height}.get(way, rect.y)
    return round(max(down, 0.0) / _SEEN_PX), abs(rect.x - anchor.x) if way in ("left", "right", "beside") else rect.x
