"""Things that stand elsewhere on a page: order, columns, shifts and spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.humans.page.content import Difference
from colbench_gym.humans.page.geometry import columns, groups_of_one_look, overlap_x, place_of, relation
from colbench_gym.humans.page.matching import Match, Pair
from colbench_gym.humans.page.view import Part, View
from colbench_gym.page_language.statements import ALIGNS, Statement, pixel_words
from colbench_gym.page_language.subjects import anchor

SHIFT_PX = 10.0  # a smaller shift to the side nobody sees
GAP_PX = 8.0  # nor a smaller change of a space
_GAP_SHARE = 0.15  # or one by less than that of the space
_ONE_LINE = 1.9  # times the font size: a text that is not higher stands in one line


def place_differences(wanted: View, got: View, matched: Match) -> list[Difference]:
    """Return order and columns first; shifts and spaces of what is in its place."""
    pairs = {pair.wanted.place: pair for pair in matched.pairs}
    found, grouped = _columns(wanted, got, matched.pairs)
    last_shift = 0.0
    for pair in matched.pairs:
        place = place_of(pair.wanted, wanted)
        beside = pairs.get(place.anchor.place) if place.anchor else None
        if beside is not None and pair.wanted.place not in grouped:
            here, there = relation(pair.wanted.rect, beside.wanted.rect), relation(pair.got.rect, beside.got.rect)
            if here and there and here != there and _plain(here, pair.wanted, beside.wanted):
                subject, other = wanted.subject(pair.wanted, got), anchor(wanted.subject(beside.wanted, got))
                found.append(Difference(50.0, (Statement("place", subject, here, there, other),)))
                continue
            if here == there == "below":
                found += _gap(pair, beside, wanted, got)
        if place.anchor is None:
            found += _lower(pair, wanted, got)
        for shift, difference in _aside(pair, wanted, got):
            again = abs(shift - last_shift) < SHIFT_PX
            found.append(Difference(difference.weight * (0.4 if again else 1.0), difference.statements))
            last_shift = shift
    return found


def _plain(here: str, one: Part, other: Part) -> bool:
    """Return whether it is not from corner to corner: two things above one another share some of the width."""
    return here not in ("above", "below") or overlap_x(one.rect, other.rect) > 0


def _gap(pair: Pair, over: Pair, wanted: View, got: View) -> Iterable[Difference]:
    here, there = _space(pair.wanted, over.wanted), _space(pair.got, over.got)
    says, yours = pixel_words(here), pixel_words(there)
    if abs(here - there) < max(GAP_PX, _GAP_SHARE * max(here, there)) or says == yours:
        return
    weight = 5.0 + 35.0 * min(1.0, abs(here - there) / 200.0)
    subject, other = anchor(wanted.subject(over.wanted, got)), anchor(wanted.subject(pair.wanted, got))
    yield Difference(weight, (Statement("gap", subject, says, yours, other),))


def _lower(pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    """Return how far from the top of the page the first thing stands."""
    shift = pair.wanted.rect.y - pair.got.rect.y
    if abs(shift) >= SHIFT_PX:
        way = "down" if shift > 0 else "up"
        statement = Statement("shift", wanted.subject(pair.wanted, got), f"{pixel_words(abs(shift))} further {way}")
        yield Difference(6.0 + 34.0 * min(1.0, abs(shift) / 400.0), (statement,))


def _space(lower: Part, upper: Part) -> float:
    return max(0.0, lower.rect.y - upper.rect.y - upper.rect.height)


def _aside(pair: Pair, wanted: View, got: View) -> Iterable[tuple[float, Difference]]:
    """Return how texts are aligned, and how far to the side a thing should stand: (shift in pixels, difference)."""
    subject = wanted.subject(pair.wanted, got)
    one, other = pair.wanted.block, pair.got.block
    shift = _middle(pair.wanted) - _middle(pair.got)
    if one and other and one.align != other.align:
        several_lines = min(_lines(pair.wanted), _lines(pair.got)) > 1
        if several_lines or abs(shift) >= SHIFT_PX:
            statement = Statement("align", subject, ALIGNS[one.align], ALIGNS[other.align])
            yield shift, Difference(24.0 if abs(shift) >= SHIFT_PX else 14.0, (statement,))
        return
    left = pair.wanted.rect.x - pair.got.rect.x
    right = left + pair.wanted.rect.width - pair.got.rect.width
    if min(abs(left), abs(shift), abs(right)) < SHIFT_PX or (left > 0) != (right > 0):
        return
    least = min(abs(left), abs(shift), abs(right))
    way = "right" if shift > 0 else "left"
    statement = Statement("shift", subject, f"{pixel_words(abs(shift))} further {way}")
    yield shift, Difference(6.0 + 34.0 * min(1.0, least / 400.0), (statement,))


def _middle(part: Part) -> float:
    return part.rect.x + part.rect.width / 2


def _lines(part: Part) -> int:
    return 1 if part.block is None or part.rect.height <= _ONE_LINE * part.block.font_px else 2


def _columns(wanted: View, got: View, pairs: Sequence[Pair]) -> tuple[list[Difference], set[int]]:
    """Find groups of like texts that stand in other columns; and which things that explains."""
    found, grouped = [], set()
    likes = {pair.wanted.place: pair for pair in pairs}
    for parts in groups_of_one_look(pair.wanted for pair in pairs):
        group = [likes[part.place] for part in parts]
        here = columns([pair.wanted.rect for pair in group])
        there = columns([pair.got.rect for pair in group])
        if here != there:
            items = tuple(anchor(wanted.subject(pair.wanted, got)) for pair in group)
            grouped |= {pair.wanted.place for pair in group}
            statement = Statement("columns", None, _columns_words(here), _columns_words(there), items=items)
            found.append(Difference(65.0 if group[0].wanted.kind == "heading" else 45.0, (statement,)))
    return found, grouped


def _columns_words(number: int) -> str:
    return f"{number} column{'s' * (number != 1)}"
