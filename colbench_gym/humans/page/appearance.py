"""Differences in the look of things that are there: colours, sizes of letters and boxes, corners, borders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from colbench_gym.humans.page.content import Difference
from colbench_gym.humans.page.matching import Match, Pair
from colbench_gym.humans.page.view import View, area
from colbench_gym.page_language.color_names import distance, name_of, oklab
from colbench_gym.page_language.statements import (
    Statement,
    StatementKind,
    Subject,
    SubjectKind,
    corner_words,
    pixel_words,
    ratio_words,
    share_words,
)
from colbench_gym.rendering.layout import Color, Element, Rect

SAME_COLOR = 0.03  # in OKLab: what is nearer looks the same
_SAME_GROUND = 0.012  # the same for large areas
_LARGE = 0.1  # of the page
_FONT_PX = 1.0  # letters that differ by less look the same
_SHARE = 0.05  # of the page's width: a smaller change of a width nobody sees
_HEIGHT_PX, _HEIGHT_SHARE = 12.0, 0.1  # a smaller change of a height nobody sees
_PAGE_HEIGHT_PX = 40.0
_STRONG = 0.35  # in OKLab: what is further apart cannot be more different to the eye


def look_differences(wanted: View, got: View, matched: Match) -> list[Difference]:
    """Return differences between things that are on both pages."""
    found = list(_page(wanted, got))
    for pair in matched.pairs:
        if pair.wanted.block and pair.got.block:
            found += _letters(pair, wanted, got)
            found += _role(pair, wanted, got)
        elif pair.wanted.element and pair.got.element:
            subject = wanted.subject(pair.wanted, got)
            found += _fill(subject, pair.wanted.element, pair.got.element, wanted)
            found += _size(subject, pair.wanted.rect, pair.got.rect, wanted, got)
            found += _outline(subject, pair.wanted.element, pair.got.element)
    found += _buttons(wanted, got, matched.pairs)
    found += _areas(wanted, got, matched.pairs)
    return found


def color_difference(subject: Subject, here: Color, there: Color, share: float) -> Iterable[Difference]:
    """Yield two colours by their names, or which way to change it where both have one name."""
    apart = distance(here, there)
    if apart < (SAME_COLOR if share < _LARGE else _SAME_GROUND):
        return
    weight = (6.0 + 80.0 * math.sqrt(min(1.0, share))) * min(1.0, apart / _STRONG)
    if name_of(here) != name_of(there):
        yield Difference(4.0 + weight, (Statement("color", subject, name_of(here), name_of(there)),))
        return
    way = shade(here, there)
    if way:
        yield Difference(2.0 + weight, (Statement("shade", subject, way),))


def shade(here: Color, there: Color) -> str:
    """Return which way a colour has to change to become another one of its name; "" where words fail."""
    one, other = oklab(here), oklab(there)
    lighter, stronger = one[0] - other[0], math.hypot(*one[1:]) - math.hypot(*other[1:])
    if abs(lighter) >= _SAME_GROUND / 2 and abs(lighter) >= abs(stronger):
        return "lighter" if lighter > 0 else "darker"
    if abs(stronger) >= _SAME_GROUND / 2:
        return "stronger" if stronger > 0 else "paler"
    return ""


def _page(wanted: View, got: View) -> Iterable[Difference]:
    here, there = wanted.layout, got.layout
    yield from color_difference(Subject("page"), here.background, there.background, 1.0)
    says, yours = pixel_words(here.height), pixel_words(there.height)
    if abs(here.height - there.height) >= _PAGE_HEIGHT_PX and says != yours:
        yield Difference(3.0, (Statement("height", Subject("page"), says, yours),))


def _letters(pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    one, other = pair.wanted.block, pair.got.block
    if one is None or other is None:
        return
    subject = wanted.subject(pair.wanted, got)
    if pair.wanted.kind == pair.got.kind or "button" not in (pair.wanted.kind, pair.got.kind):
        writing = around("writing on", subject) if pair.wanted.kind == "button" else subject
        yield from color_difference(writing, one.color, other.color, 0.5 * _share(pair.wanted.rect, wanted))
    large = 1.0 if pair.wanted.kind == "heading" else 0.7
    if abs(one.font_px - other.font_px) >= _FONT_PX and other.font_px > 0:
        ratio = one.font_px / other.font_px
        weight = 8.0 + 40.0 * large * min(1.0, abs(math.log2(ratio)))
        yield Difference(weight, (Statement("font", subject, ratio_words(ratio)),))
    if one.bold != other.bold:
        words = ("bold", "not bold") if one.bold else ("not bold", "bold")
        yield Difference(14.0 * large, (Statement("bold", subject, *words),))


def _role(pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    if pair.wanted.kind != pair.got.kind and "button" in (pair.wanted.kind, pair.got.kind):
        subject = wanted.subject(pair.wanted, got)
        quoted = Subject("quote", subject.text, subject.ordinal)
        yield Difference(28.0, (Statement("role", quoted, pair.wanted.kind, pair.got.kind),))


def _buttons(wanted: View, got: View, pairs: Sequence[Pair]) -> Iterable[Difference]:
    """Compare buttons with words: what lies behind these, and the shape."""
    for pair in pairs:
        if pair.wanted.kind == pair.got.kind == "button" and pair.wanted.block and pair.got.block:
            subject = wanted.subject(pair.wanted, got)
            here, there = pair.wanted.block.background, pair.got.block.background
            yield from color_difference(subject, here, there, 4.0 * _share(pair.wanted.rect, wanted))
            one, other = wanted.button(pair.wanted), got.button(pair.got)
            if one and other:
                yield from _outline(subject, one, other)
                yield from _size(subject, one.rect, other.rect, wanted, got)


def _areas(wanted: View, got: View, pairs: Sequence[Pair]) -> Iterable[Difference]:
    """Compare boxes by the text that they are called by, and what lies behind texts."""
    told: set[int] = set()  # boxes of the wanted page whose colour was compared
    for pair in pairs:
        one, other = pair.wanted.block, pair.got.block
        if one is None or other is None or pair.wanted.kind == "button":
            continue
        subject = wanted.subject(pair.wanted, got)
        box, yours = wanted.box(pair.wanted), got.box(pair.got)
        if box is None or id(box) not in told:
            share = _share(box.rect, wanted) if box else _share(pair.wanted.rect, wanted)
            yield from _ground(subject, pair, box, yours, wanted, got, share)
            told.add(id(box))
        yield from _box(around("box around", subject), pair, box, yours, wanted, got)


def _ground(
    subject: Subject, pair: Pair, box: Element | None, yours: Element | None, wanted: View, got: View, share: float
) -> Iterable[Difference]:
    """Return the colour behind a text; of a header and a footer it is the bar's."""
    bars = ((Subject("header"), wanted.header, got.header), (Subject("footer"), wanted.footer, got.footer))
    for name, bar, other in bars:
        if box is not None and yours is not None and box is bar and yours is other:
            yield from color_difference(name, box.color, yours.color, share)
            return
    if pair.wanted.block is None or pair.got.block is None:
        return
    here, there = pair.wanted.block.background, pair.got.block.background
    plain = here == wanted.layout.background and there == got.layout.background
    if not plain:  # that of the page is told once
        yield from color_difference(around("background behind", subject), here, there, share)


def _box(
    subject: Subject, pair: Pair, box: Element | None, yours: Element | None, wanted: View, got: View
) -> Iterable[Difference]:
    """Return the box that is called by this text: missing, too much, or of another shape."""
    if box is None and yours is None:
        return
    if box is None or yours is None:
        here = wanted if box else got
        part = pair.wanted if box else pair.got
        seen = box or yours
        if seen is not None and here.label(seen) is part:
            kind: StatementKind = "missing" if box else "unwanted"
            yield Difference(12.0 + 20.0 * _share(seen.rect, here), (Statement(kind, subject),))
        return
    if wanted.label(box) is not pair.wanted:
        return
    if box is not wanted.header and box is not wanted.footer:
        yield from _size(subject, box.rect, yours.rect, wanted, got)
    yield from _outline(subject, box, yours)


def around(kind: SubjectKind, subject: Subject) -> Subject:
    """Return the box around a text, the background behind it, or the writing on a button."""
    return Subject(kind, subject.text, subject.ordinal)


def _fill(subject: Subject, one: Element, other: Element, wanted: View) -> Iterable[Difference]:
    if one.kind != "picture":
        yield from color_difference(subject, one.color, other.color, _share(one.rect, wanted))


def _size(subject: Subject, one: Rect, other: Rect, wanted: View, got: View) -> Iterable[Difference]:
    here, there = one.width / max(1.0, wanted.layout.width), other.width / max(1.0, got.layout.width)
    says, yours = share_words(here), share_words(there)
    if abs(here - there) >= _SHARE and says != yours:
        yield Difference(8.0 + 45.0 * min(1.0, abs(here - there)), (Statement("width", subject, says, yours),))
    apart = abs(one.height - other.height)
    says, yours = pixel_words(one.height), pixel_words(other.height)
    if apart >= max(_HEIGHT_PX, _HEIGHT_SHARE * one.height) and says != yours:
        yield Difference(6.0 + 34.0 * min(1.0, apart / 400.0), (Statement("height", subject, says, yours),))


def _outline(subject: Subject, one: Element, other: Element) -> Iterable[Difference]:
    here, there = (corner_words(element.radius_px, element.rect.height) for element in (one, other))
    if here != there and abs(one.radius_px - other.radius_px) >= 1.5:
        yield Difference(11.0, (Statement("corners", subject, here, there),))
    if one.kind == "picture":
        return
    says, yours = border_words(one.border), border_words(other.border)
    seen = one.border and other.border
    if says != yours and not (seen and distance(one.border or (0, 0, 0), other.border or (0, 0, 0)) < SAME_COLOR):
        yield Difference(9.0, (Statement("border", subject, says, yours),))


def border_words(color: Color | None) -> str:
    """Return a border, or that there is none."""
    if color is None:
        return "no border"
    name = name_of(color)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} border"


def _share(rect: Rect, view: View) -> float:
    return min(1.0, area(rect) / max(1.0, view.layout.width * view.layout.height))
