"""Pairing of the things of two pages: by its name, else as the text that stands in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

import numpy as np

from colbench_gym.errors import MissingExtraError
from colbench_gym.humans.page.view import Part, View

_LIKE = 0.6  # of the words: two texts are versions of one
_NEAR = 0.12  # of the page's size: a text of the same kind as near as that stands in another one's place
_ALIKE_SIZE = 1.35  # ratio of font sizes up to which two texts are of one kind
_READ_WORDS = 60  # of a text, when it is compared with others
_MOST = 120  # texts without a namesake on each page that are compared with each other


@dataclass(frozen=True)
class Pair:
    """One thing on both pages."""

    wanted: Part
    got: Part


@dataclass(frozen=True)
class Match:
    """Parts that belong together on two pages, and those of one page only; all in reading order."""

    pairs: tuple[Pair, ...]  # with one name on both pages
    reworded: tuple[Pair, ...]  # texts in each other's place, with different words
    missing: tuple[Part, ...]  # wanted, without a like on the other page
    unwanted: tuple[Part, ...]  # got, without a like on the wanted page


def match(wanted: View, got: View) -> Match:
    """Match the things of two pages."""
    pairs = [Pair(part, other) for part in wanted.things if (other := got.find(part.key))]
    taken = {pair.got.place for pair in pairs}
    missing = _place_wordless([part for part in wanted.things if not got.find(part.key)], wanted, got)
    unwanted = _place_wordless([part for part in got.things if part.place not in taken], got, wanted)
    reworded = _reworded(wanted, got, missing, unwanted)
    lost, found = {pair.wanted.place for pair in reworded}, {pair.got.place for pair in reworded}
    return Match(
        tuple(pairs),
        tuple(reworded),
        tuple(part for part in missing if part.place not in lost),
        tuple(part for part in unwanted if part.place not in found),
    )


def _place_wordless(alone: Sequence[Part], here: View, there: View) -> list[Part]:
    """Return of things without words those that stand where the other page has none, instead of the last ones."""
    chosen = [part for part in alone if part.name]
    for kind in {part.kind for part in alone if not part.name}:
        many = sum(part.kind == kind and not part.name for part in alone)
        elsewhere = {_spot(part, there) for part in there.things if part.kind == kind and not part.name}
        like = [part for part in here.things if part.kind == kind and not part.name]
        chosen += sorted(like, key=lambda part: _spot(part, here) in elsewhere)[:many]
    return sorted(chosen, key=lambda part: part.place)


def _spot(part: Part, view: View) -> tuple[str, tuple[str, str, int] | None]:
    place = view.place_of(part)
    return place.relation, place.anchor.key if place.anchor else None


def _reworded(wanted: View, got: View, missing: Sequence[Part], unwanted: Sequence[Part]) -> list[Pair]:
    """Pair texts of one kind that stand in each other's place; neither page has the other's words."""
    left = [part for part in missing if part.block and part.nth == 1 and not got.count(part)][:_MOST]
    right = [part for part in unwanted if part.block and part.nth == 1 and not wanted.count(part)][:_MOST]
    if not left or not right:
        return []
    try:
        from scipy.optimize import linear_sum_assignment  # a second, which pages that are alike do not need
    except ImportError as e:
        raise MissingExtraError.of("scipy", "render", "the scripted human of web pages") from e
    gains = np.array([[_gain(one, other, wanted, got) for other in right] for one in left])
    rows, columns = linear_sum_assignment(gains, maximize=True)
    return [Pair(left[row], right[column]) for row, column in zip(rows, columns, strict=True) if gains[row, column] > 0]


def _gain(one: Part, other: Part, wanted: View, got: View) -> float:
    """Return how surely a text is another one with other words, 0 to 2."""
    a, b = one.block, other.block
    if a is None or b is None or one.kind != other.kind:
        return 0.0
    apart = max(
        abs(_across(one, wanted) - _across(other, got)),
        abs(one.rect.y / max(wanted.layout.height, 1.0) - other.rect.y / max(got.layout.height, 1.0)),
    )
    first, second = a.text.split()[:_READ_WORDS], b.text.split()[:_READ_WORDS]
    shared = len(set(first) & set(second))
    alike = 0.0
    if 2 * shared >= _LIKE * 0.8 * min(len(first), len(second)):
        alike = SequenceMatcher(None, first, second, autojunk=False).ratio()
    if alike >= _LIKE:
        return 1.0 + alike - apart / 2
    sizes = max(a.font_px, b.font_px) / max(1.0, min(a.font_px, b.font_px))
    return 1.0 - apart / _NEAR if apart < _NEAR and sizes < _ALIKE_SIZE and a.bold == b.bold else 0.0


def _across(part: Part, view: View) -> float:
    return (part.rect.x + part.rect.width / 2) / max(view.layout.width, 1.0)
