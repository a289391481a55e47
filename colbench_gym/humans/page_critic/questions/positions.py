"""Statements about where things of the wanted page stand and how large they are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from colbench_gym.humans.page.appearance import around
from colbench_gym.humans.page.geometry import overlap_y, place_of, relation
from colbench_gym.humans.page.view import Part
from colbench_gym.humans.page_critic.columns import bounding
from colbench_gym.humans.page_critic.questions.looks import WIDE, letter_sizes
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target, subject_of, subject_of_target
from colbench_gym.humans.page_critic.regions import Region, Regions
from colbench_gym.page_language.statements import (
    ALIGNS,
    CENTRE,
    ROWS,
    SIDES,
    Statement,
    Subject,
    pixel_words,
    share_words,
)
from colbench_gym.page_language.subjects import anchor
from colbench_gym.rendering.layout import Rect

_CENTRE = 0.08  # of the page's width: so far from its middle still is in the centre
_CENTRED = 0.02  # of the page's width: so far from the middle of its box a line still is centred
_UNEVEN = 0.06  # of the page's width: columns without boxes that differ by more from an even share
_LARGER_PX = 16.0  # by which something is wider or higher that looks so
MAX_TOGETHER = 6  # things in one sentence about their place
_NARROW = 0.05  # of the page's width: what is narrower takes no share of it that has a name
_ONE_LINE = 1.9  # times the font size


def spot(target: Target, regions: Regions) -> list[Statement]:
    """Return where on the page a thing stands."""
    facts = []
    if isinstance(target, ColumnsTarget):
        return []
    if target.region is not None and target.region.kind == "hero section":  # nobody sees where it ends
        opening = [part for part in regions.held(target.region.rect) if part.kind in ("heading", "picture", "text")]
        return spot(replace(target, region=None, parts=tuple(opening[:1])), regions)
    together = len(target.parts) > (1 if target.mention.concept == "link" else 2) and not target.boxes
    if together and (row := _row(target.parts, regions)):
        return row
    if target.region is not None:
        rect = target.region.rect
        if target.region.kind == "navigation bar" and regions.links:
            rect = bounding([part.rect for part in regions.links])
        return [Statement("spot", Subject(target.region.kind), spot_words(rect, regions))]
    for box, part in zip(target.boxes[:2], target.parts, strict=False):
        subject = around("box around", regions.view.subject(part))
        facts.append(Statement("spot", subject, spot_words(box.rect, regions)))
    for part in () if target.boxes else target.parts[:2]:
        rect = part.rect
        button = regions.view.button(part) if part.kind == "button" else None
        facts.append(Statement("spot", subject_of(part, regions), spot_words(button.rect if button else rect, regions)))
    return facts


def _row(parts: Sequence[Part], regions: Regions) -> list[Statement]:
    """Return where some things in one row stand together."""
    level = all(overlap_y(part.rect, parts[0].rect) > 0 for part in parts)
    if not level or len(parts) > MAX_TOGETHER:
        return []
    items = tuple(anchor(subject_of(part, regions)) for part in parts)
    return [Statement("row", None, spot_words(bounding([part.rect for part in parts]), regions), items=items)]


def in_corner(row: str, side: str, regions: Regions) -> list[Statement]:
    """Return what stands nearest to a corner of the page, and where."""
    low, right = row in ("bottom", "lower"), side == "right"
    layout = regions.view.layout
    x, y = layout.width if right else 0.0, layout.height if low else 0.0
    parts = [
        part for part in regions.view.things if part.kind != "blank box" and not part.rect.width >= WIDE * layout.width
    ]

    def apart(part: Part) -> float:
        rect = part.rect
        return abs(rect.x + rect.width * right - x) + abs(rect.y + rect.height * low - y)

    nearest = sorted(parts, key=apart)
    words = f"{ROWS[2] if low else ROWS[0]}, {SIDES[2] if right else SIDES[0]}"
    there = [part for part in nearest if spot_words(part.rect, regions) == words][:3] or nearest[:1]
    return [
        Statement("spot", subject_of(part, regions), spot_words(part.rect, regions))
        for part in sorted(there, key=lambda part: part.place)
    ]


def spot_words(rect: Rect, regions: Regions) -> str:
    """Return the third of the page's height and the side at which something stands."""
    layout = regions.view.layout
    down = (rect.y + rect.height / 2) / max(1.0, layout.height)
    row = ROWS[min(2, int(3 * down))]
    side = side_words(rect, layout.width)
    if row == ROWS[1] and side == SIDES[1]:
        return CENTRE
    return f"{row}, {side}" if rect.width < WIDE * layout.width else row


def spot_side(part: Part, regions: Regions) -> str:
    """Return the side of the page at which a thing stands; "" for what is about as wide as the page."""
    width = regions.view.layout.width
    return "" if part.rect.width >= WIDE * width else side_words(part.rect, width)


def side_words(rect: Rect, width: float) -> str:
    """Return the side of the page at which something stands."""
    apart = rect.x + rect.width / 2 - width / 2
    return SIDES[1] if abs(apart) <= _CENTRE * width else SIDES[0] if apart < 0 else SIDES[2]


def places(target: Target, other: Target | None, regions: Regions) -> list[Statement]:
    """Return where a thing stands: to another one where that was asked, and on the page."""
    rect = target.rect
    if rect is None:
        return []
    if target.region is None and not target.parts:
        return []
    subject = subject_of_target(target, regions)
    behind = regions.behind(rect)
    vague = any(each is not None and each.region is not None and each.region.box is None
                and each.region.kind in ("header", "hero section") for each in (target, other))  # fmt: skip
    beside = other.rect if other and not vague else None
    if other is not None and beside is not None and (other.parts or other.region):
        reference = (
            anchor(subject_of(other.parts[0], regions))
            if other.parts
            else Subject(other.region.kind if other.region else "page")
        )
        way = "on top of" if behind is not None and behind in other.parts else relation(rect, beside)
        if way and (behind is None or behind is not regions.backdrop or behind not in other.parts):
            return [Statement("place", subject, way, other=reference)]
    facts = spot(target, regions)
    if behind is not None and target.mention.concept == "navigation bar":
        facts.append(Statement("place", subject, "on top of", other=anchor(subject_of(behind, regions))))
    elif len(target.parts) == 1 and not target.boxes:
        place = place_of(target.parts[0], regions.view)
        if place.anchor is not None:
            facts.append(Statement("place", subject, place.relation, other=anchor(subject_of(place.anchor, regions))))
    return facts


def alignment(target: Target, regions: Regions) -> list[Statement]:
    """Return how texts are aligned as it looks: a line in the middle of its box is centred, whatever makes it so."""
    if (
        target.region is not None
        or target.boxes
        or (target.parts and target.parts[0].block is None)
        or target.mention.concept == "link"
    ):
        if target.parts and target.mention.concept == "link":
            return spot(target, regions)
        area = target.region
        if area is not None and area.kind != "navigation bar" and area.rect.width >= WIDE * regions.view.layout.width:
            texts = [part for part in regions.held(area.rect) if part.block]
            return alignment(Target(Mention("text", "text", 0), tuple(texts[:1])), regions) if texts else []
        return spot(target, regions)
    facts = []
    for part in target.parts[:2]:
        words = aligned(part, regions)
        if part.block is not None and words == ALIGNS[part.block.align]:
            facts.append(Statement("align", subject_of(part, regions), words))
        else:
            facts.append(Statement("spot", subject_of(part, regions), spot_words(part.rect, regions)))
    return facts


def aligned(part: Part, regions: Regions) -> str:
    """Return how a text looks aligned."""
    block, layout = part.block, regions.view.layout
    if block is None:
        return ""
    box = regions.view.box(part)
    left, width = (box.rect.x, box.rect.width) if box else (0.0, layout.width)
    apart = abs(part.rect.x + part.rect.width / 2 - left - width / 2)
    one_line = part.rect.height <= _ONE_LINE * block.font_px
    if one_line and part.rect.width < WIDE * width and apart <= _CENTRED * layout.width and block.align == "left":
        return ALIGNS["center"]
    return ALIGNS[block.align]


def sizes(target: Target, regions: Regions, *, wide: bool = True, high: bool = True) -> list[Statement]:
    """Return how wide and how high things are."""
    layout = regions.view.layout
    if target.mention.concept == "page":
        return [Statement("height", Subject("page"), pixel_words(layout.height))]
    if isinstance(target, ColumnsTarget):
        share = layout.width / max(1, len(target.areas))
        if any(area.box is None and abs(area.rect.width - share) > _UNEVEN * layout.width for area in target.areas):
            return []  # without boxes nobody sees where a column ends
        even = Rect(0.0, 0.0, share, 0.0)
        return [
            _width(Subject(area.kind), area.rect if area.box else even, layout.width)
            for area in target.areas[:3]
            if area.kind != "quote"
        ]
    shaped: list[tuple[Subject, Rect]] = []
    region, header = target.region, regions.header
    bar = (
        region is not None
        and region.kind == "navigation bar"
        and header is not None
        and not _is_set_off(region, regions)
    )
    if bar and header is not None and region is not None and region.rect.height <= header.rect.height:
        shaped.append((Subject(header.kind), header.rect))  # the bar that the links stand in
    elif target.region is not None:
        shaped.append((Subject(target.region.kind), target.region.rect))
    for part in target.parts[:1]:
        element = part.element or (regions.view.button(part) if part.kind == "button" else None)
        if element is not None:
            shaped.append((subject_of(part, regions), element.rect))
        elif target.boxes and (box := regions.view.box(part)):
            shaped.append((around("box around", regions.view.subject(part)), box.rect))
    facts: list[Statement] = []
    for subject, rect in shaped:
        facts += [_width(subject, rect, layout.width)] if wide and rect.width >= _NARROW * layout.width else []
        facts += [Statement("height", subject, pixel_words(rect.height))] if high else []
    if not facts and target.mention.concept == "link":
        return alignment(target, regions)
    if not facts and target.parts and target.parts[0].block:
        return letter_sizes(target, regions)
    return facts


def _is_set_off(region: Region, regions: Regions) -> bool:
    """Return whether an area has a ground of its own colour."""
    return region.box is not None and region.box.color != regions.view.layout.background


def widths(target: Target, regions: Regions) -> list[Statement]:
    """Return how wide things are, texts too."""
    told = sizes(target, regions, high=False)
    part = target.parts[0] if target.parts else None
    if part is not None and part.kind in ("text", "heading") and not target.boxes and target.region is None:
        return [_width(regions.view.subject(part), part.rect, regions.view.layout.width)]
    return told


def _width(subject: Subject, rect: Rect, width: float) -> Statement:
    return Statement("width", subject, share_words(rect.width / max(1.0, width)))


def comparison(targets: Sequence[Target], regions: Regions, *, high: bool = False) -> list[Statement]:
    """Return which of two things is wider, or higher; of columns their widest texts or pictures are compared."""
    parts: list[Part] = []
    for target in targets:
        if isinstance(target, ColumnsTarget):
            inner = [
                [
                    part
                    for part in regions.held(area.rect)
                    if part.kind in ("text", "picture") and part.rect.width <= area.rect.width + _LARGER_PX
                ]
                for area in target.areas[:3]
            ]
            parts += [max(some, key=lambda part: part.rect.width) for some in inner if some]
        elif target.mention.concept in ("section", "heading") and len(target.parts) > 1:
            under = [[part for part in regions.under(head) if part.block] for head in target.parts]
            parts += [max(some, key=lambda part: part.rect.width) for some in under if some]
        elif target.mention.concept not in ("page", "letters"):
            parts += target.parts[: 2 if target.mention.plural else 1]
    if len(parts) < 2:
        return []
    ranked = sorted(parts[:3], key=lambda part: part.rect.height if high else part.rect.width, reverse=True)
    one, other = ranked[:2]
    apart = one.rect.height - other.rect.height if high else one.rect.width - other.rect.width
    if high and apart <= _LARGER_PX:
        return []
    words = "higher than" if high else "wider than" if apart > _LARGER_PX else "as wide as"
    return [Statement("compare", subject_of(one, regions), words, other=anchor(subject_of(other, regions)))]


def nearest(other: Target, target: Target) -> Target:
    """Return of several like things the one that stands nearest to a target."""
    rect = target.rect
    if rect is None or len(other.parts) < 2:
        return other
    x, y = rect.x + rect.width / 2, rect.y + rect.height / 2

    def apart(part: Part) -> float:
        return math.hypot(part.rect.x + part.rect.width / 2 - x, part.rect.y + part.rect.height / 2 - y)

    return replace(other, parts=(min(other.parts, key=apart),))


def gaps(targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the space between two things, or between one and what stands above it."""
    parts = [target.parts[0] for target in targets if target.parts][:2]
    if len(parts) == 1:
        place = place_of(parts[0], regions.view)
        if place.anchor is None or place.relation != "below":
            return []
        parts = [place.anchor, parts[0]]
    if len(parts) < 2:
        return []
    upper, lower = sorted(parts, key=lambda part: part.rect.y)
    space = lower.rect.y - upper.rect.y - upper.rect.height
    if space < 0:
        return []
    view = regions.view
    return [Statement("gap", anchor(view.subject(upper)), pixel_words(space), other=anchor(view.subject(lower)))]
