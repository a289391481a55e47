"""Differences in the look of things that are there: colours, sizes of letters and boxes, corners, borders."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from colbench_gym.humans.page.content import Difference
from colbench_gym.humans.page.geometry import area_of
from colbench_gym.humans.page.matching import Match, Pair
from colbench_gym.humans.page.view import View
from colbench_gym.page_language.color_names import distance, name_of, oklab
from colbench_gym.page_language.statements import (
    Statement,
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
_STRONG = 0.35  # in OKLab: what is further apart cannot be more different to the eye


def look_differences(wanted: View, got: View, matched: Match) -> Iterator[Difference]:
    """Yield differences between things that are on both pages."""
    yield from color_difference(Subject("page"), wanted.layout.background, got.layout.background, 1.0)
    told: set[int] = set()  # boxes of the wanted page whose colour was compared
    for pair in matched.pairs:
        subject = wanted.subject(pair.wanted, got)
        if pair.wanted.element and pair.got.element:
            one, other = pair.wanted.element, pair.got.element
            if one.kind != "picture":
                yield from color_difference(subject, one.color, other.color, _share(one.rect, wanted))
            yield from _shape(subject, one, other, wanted, got)
            continue
        yield from _letters(subject, pair, wanted)
        if pair.wanted.kind == pair.got.kind == "button":
            yield from _button(subject, pair, wanted, got)
        if pair.wanted.kind != "button":
            yield from _ground(subject, pair, wanted, got, told)
            yield from _box(around("box around", subject), pair, wanted, got)


def color_difference(subject: Subject, here: Color, there: Color, share: float) -> Iterable[Difference]:
    """Yield two colours by their names, or which way to change it where both have one name."""
    apart = distance(here, there)
    if apart < (SAME_COLOR if share < _LARGE else _SAME_GROUND):
        return
    weight = (6.0 + 80.0 * math.sqrt(min(1.0, share))) * min(1.0, apart / _STRONG)
    if name_of(here) != name_of(there):
        yield Difference(4.0 + weight, (Statement("color", subject, name_of(here), name_of(there)),))
    elif way := shade(here, there):
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


def _letters(subject: Subject, pair: Pair, wanted: View) -> Iterable[Difference]:
    """Yield colour, size and weight of letters, and whether they are on a button."""
    one, other = pair.wanted.block, pair.got.block
    if one is None or other is None:
        return
    roles = (pair.wanted.kind, pair.got.kind)
    if "button" in roles and roles[0] != roles[1]:
        yield Difference(28.0, (Statement("role", Subject("quote", subject.text, subject.ordinal), *roles),))
    else:
        writing = around("writing on", subject) if roles[0] == "button" else subject
        yield from color_difference(writing, one.color, other.color, 0.5 * _share(pair.wanted.rect, wanted))
    large = 1.0 if roles[0] == "heading" else 0.7
    if abs(one.font_px - other.font_px) >= _FONT_PX and other.font_px > 0:
        ratio = one.font_px / other.font_px
        weight = 8.0 + 40.0 * large * min(1.0, abs(math.log2(ratio)))
        yield Difference(weight, (Statement("font", subject, ratio_words(ratio)),))
    if one.bold != other.bold:
        words = ("bold", "not bold") if one.bold else ("not bold", "bold")
        yield Difference(14.0 * large, (Statement("bold", subject, *words),))


def _button(subject: Subject, pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    """Compare buttons with words: what lies behind these, and the shape."""
    if pair.wanted.block and pair.got.block:
        here, there = pair.wanted.block.background, pair.got.block.background
        yield from color_difference(subject, here, there, 4.0 * _share(pair.wanted.rect, wanted))
    one, other = wanted.button(pair.wanted), got.button(pair.got)
    if one and other:
        yield from _shape(subject, one, other, wanted, got)


def _ground(subject: Subject, pair: Pair, wanted: View, got: View, told: set[int]) -> Iterable[Difference]:
    """Yield the colour behind a text, once for each box; of a header and a footer it is the bar's."""
    box, yours = wanted.box(pair.wanted), got.box(pair.got)
    if pair.wanted.block is None or pair.got.block is None or id(box) in told:
        return
    if box is not None:
        told.add(id(box))
    share = _share(box.rect if box else pair.wanted.rect, wanted)
    bars = ((Subject("header"), wanted.header, got.header), (Subject("footer"), wanted.footer, got.footer))
    for name, bar, other in bars:
        if box is not None and yours is not None and box is bar and yours is other:
            yield from color_difference(name, box.color, yours.color, share)
            return
    here, there = pair.wanted.block.background, pair.got.block.background
    if (here, there) != (wanted.layout.background, got.layout.background):  # that of the page is told once
        yield from color_difference(around("background behind", subject), here, there, share)


def _box(subject: Subject, pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    """Yield the box that is called by this text: missing, too much, or of another shape."""
    box, yours = wanted.box(pair.wanted), got.box(pair.got)
    if box and yours and wanted.label(box) is pair.wanted:
        bar = box is wanted.header or box is wanted.footer
        yield from _outline(subject, box, yours) if bar else _shape(subject, box, yours, wanted, got)
    elif box and not yours and wanted.label(box) is pair.wanted:
        yield Difference(12.0 + 20.0 * _share(box.rect, wanted), (Statement("missing", subject),))
    elif yours and not box and got.label(yours) is pair.got:
        yield Difference(12.0 + 20.0 * _share(yours.rect, got), (Statement("unwanted", subject),))


def around(kind: SubjectKind, subject: Subject) -> Subject:
    """Return the box around a text, the background behind it, or the writing on a button."""
    return Subject(kind, subject.text, subject.ordinal)


def _shape(subject: Subject, one: Element, other: Element, wanted: View, got: View) -> Iterable[Difference]:
    """Yield width and height, corners and border."""
    here, there = one.rect.width / max(1.0, wanted.layout.width), other.rect.width / max(1.0, got.layout.width)
    says, yours = share_words(here), share_words(there)
    if abs(here - there) >= _SHARE and says != yours:
        yield Difference(8.0 + 45.0 * min(1.0, abs(here - there)), (Statement("width", subject, says, yours),))
    apart = abs(one.rect.height - other.rect.height)
    says, yours = pixel_words(one.rect.height), pixel_words(other.rect.height)
    if apart >= max(_HEIGHT_PX, _HEIGHT_SHARE * one.rect.height) and says != yours:
        yield Difference(6.0 + 34.0 * min(1.0, apart / 400.0), (Statement("height", subject, says, yours),))
    yield from _outline(subject, one, other)


def _outline(subject: Subject, one: Element, other: Element) -> Iterable[Difference]:
    here, there = corners(one), corners(other)
    if here != there and abs(one.radius_px - other.radius_px) >= 1.5:
        yield Difference(11.0, (Statement("corners", subject, here, there),))
    says, yours = border_words(one.border), border_words(other.border)
    alike = one.border and other.border and distance(one.border, other.border) < SAME_COLOR
    if one.kind != "picture" and says != yours and not alike:
        yield Difference(9.0, (Statement("border", subject, says, yours),))


def corners(element: Element) -> str:
    """Return how round the corners of something are."""
    return corner_words(element.radius_px, element.rect.height)


def border_words(color: Color | None) -> str:
    """Return a border, or that there is none."""
    if color is None:
        return "no border"
    name = name_of(color)
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name} border"


def _share(rect: Rect, view: View) -> float:
    return min(1.0, area_of(rect) / max(1.0, view.layout.width * view.layout.height))
