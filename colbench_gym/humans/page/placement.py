"""Things that stand elsewhere on a page: order, columns, shifts and spaces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.humans.page.content import Difference
from colbench_gym.humans.page.geometry import overlap_x, relation
from colbench_gym.humans.page.matching import Match, Pair
from colbench_gym.humans.page.view import Part, View
from colbench_gym.page_language.statements import ALIGNS, Statement, pixel_words
from colbench_gym.page_language.subjects import anchor

SHIFT_PX = 10.0  # a smaller shift to the side nobody sees
GAP_PX = 8.0  # nor a smaller change of a space
_GAP_SHARE = 0.15  # or one by less than that of the space
_ONE_LINE = 1.9  # times the font size: a text that is not higher stands in one line
_MOST_IN_A_GROUP = 6  # so that they can be named in one sentence


def place_differences(wanted: View, got: View, matched: Match) -> list[Difference]:
    """Return order and columns first; shifts and spaces of what is in its place."""
    pairs = {pair.wanted.place: pair for pair in matched.pairs}
    found, grouped = _columns(wanted, got, pairs)
    for pair in matched.pairs:
        place, subject = wanted.place_of(pair.wanted), wanted.subject(pair.wanted, got)
        near = pairs.get(place.anchor.place) if place.anchor else None
        if near is not None and pair.wanted.place not in grouped:
            here, there = relation(pair.wanted.rect, near.wanted.rect), relation(pair.got.rect, near.got.rect)
            other = anchor(wanted.subject(near.wanted, got))
            plain = here in ("to the left of", "to the right of") or overlap_x(pair.wanted.rect, near.wanted.rect) > 0
            if here and there and here != there and plain:  # not from corner to corner
                found.append(Difference(50.0, (Statement("place", subject, here, there, other),)))
                continue
            if here == there == "below":
                spaces = _space(pair.wanted, near.wanted), _space(pair.got, near.got)
                says, yours = (pixel_words(space) for space in spaces)
                apart = abs(spaces[0] - spaces[1])
                if apart >= max(GAP_PX, _GAP_SHARE * max(spaces)) and says != yours:
                    said = Statement("gap", other, says, yours, anchor(subject))
                    found.append(Difference(5.0 + 35.0 * min(1.0, apart / 200.0), (said,)))
        found += _aside(pair, wanted, got)
    return found


def _space(lower: Part, upper: Part) -> float:
    return max(0.0, lower.rect.y - upper.rect.y - upper.rect.height)


def _aside(pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    """Yield how texts are aligned, and how far to the side a thing should stand."""
    subject, one, other = wanted.subject(pair.wanted, got), pair.wanted.block, pair.got.block
    left = pair.wanted.rect.x - pair.got.rect.x
    right = left + pair.wanted.rect.width - pair.got.rect.width
    shift = (left + right) / 2
    if one and other and one.align != other.align:
        if abs(shift) >= SHIFT_PX or min(_lines(pair.wanted), _lines(pair.got)) > 1:
            said = Statement("align", subject, ALIGNS[one.align], ALIGNS[other.align])
            yield Difference(24.0 if abs(shift) >= SHIFT_PX else 14.0, (said,))
        return
    least = min(abs(left), abs(shift), abs(right))
    if least >= SHIFT_PX and (left > 0) == (right > 0):
        said = Statement("shift", subject, f"{pixel_words(abs(shift))} further {'right' if shift > 0 else 'left'}")
        yield Difference(6.0 + 34.0 * min(1.0, least / 400.0), (said,))


def _lines(part: Part) -> int:
    return 1 if part.block is None or part.rect.height <= _ONE_LINE * part.block.font_px else 2


def _columns(wanted: View, got: View, pairs: dict[int, Pair]) -> tuple[list[Difference], set[int]]:
    """Find groups of like texts that stand in other columns; and which things that explains."""
    found, grouped = [], set()
    for parts in _of_one_look(pair.wanted for pair in pairs.values()):
        here = _abreast(parts)
        there = _abreast([pairs[part.place].got for part in parts])
        if here != there:
            items = tuple(anchor(wanted.subject(part, got)) for part in parts)
            grouped |= {part.place for part in parts}
            says, yours = (f"{number} column{'s' * (number != 1)}" for number in (here, there))
            statement = Statement("columns", None, says, yours, items=items)
            found.append(Difference(65.0 if parts[0].kind == "heading" else 45.0, (statement,)))
    return found, grouped


def _abreast(parts: Sequence[Part]) -> int:
    """Return the most of some things that stand side by side, met by one level line."""
    rects = [part.rect for part in parts]
    return max(sum(r.y <= one.y + one.height / 2 <= r.y + r.height for r in rects) for one in rects)


def _of_one_look(parts: Iterable[Part]) -> list[list[Part]]:
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
