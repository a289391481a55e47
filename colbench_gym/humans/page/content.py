"""Things that a page lacks, has too much of, or words differently."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from colbench_gym.humans.page.geometry import area_of
from colbench_gym.humans.page.matching import Match, Pair
from colbench_gym.humans.page.view import Part, Place, View
from colbench_gym.page_language.statements import (
    MORE,
    QUOTED_WORDS,
    Statement,
    Subject,
    SubjectKind,
    count_words,
    plain,
    quote,
)
from colbench_gym.page_language.subjects import anchor

_LONGEST_CHAIN = 6  # missing things in one sentence
_LONGEST_LIST = 5  # unwanted things in one sentence
_WEIGHTS: dict[SubjectKind, float] = {
    "heading": 60.0,
    "picture": 55.0,
    "text": 45.0,
    "button": 40.0,
    "input": 40.0,
    "link": 30.0,
    "label": 25.0,
}
_AREAS = frozenset(["heading", "picture"])  # by these a person names the parts of a page
_PER_AREA = 60.0  # added for something as large as the page
_PER_FOLLOWER = 3.0  # added for each further thing in a sentence
_UNWANTED = 0.8  # what is too much stands out less than what is missing
_LENGTH_RATIO = 1.25  # of two numbers of words that a person tells apart
_CONTEXT_WORDS = 2  # quoted before the first word that differs


@dataclass(frozen=True)
class Difference:
    """One thing that differs, said in one sentence; the higher the weight, the more it stands out."""

    weight: float
    statements: tuple[Statement, ...]


def content_differences(wanted: View, got: View, matched: Match) -> list[Difference]:
    """Return missing and unwanted things, other words and other lengths."""
    return [
        *_missing(wanted, got, matched.missing),
        *_unwanted(wanted, got, matched.unwanted),
        *(_reworded(pair) for pair in matched.reworded),
        *(found for pair in matched.pairs for found in _continued(pair, wanted, got)),
    ]


def _missing(wanted: View, got: View, parts: Sequence[Part]) -> Iterable[Difference]:
    """Yield chains: what stands below, or beside, another missing thing follows it in one sentence."""
    places = {part.place: wanted.place_of(part) for part in parts}
    told: set[int] = set()
    for part in parts:
        if part.place in told:
            continue
        chain, first = _chain(part, parts, places, told), places[part.place]
        told |= {one.place for one in chain}
        others = [anchor(wanted.subject(first.anchor, got)) if first.anchor else None]
        others += [anchor(_nameless(one, wanted.subject(one, got))) for one in chain]
        weight = max(_weight(one, wanted) for one in chain) + _PER_FOLLOWER * (len(chain) - 1)
        statements = (
            Statement("missing", _counted(one, wanted, got), places[one.place].relation, other=other)
            for one, other in zip(chain, others, strict=False)
        )
        yield Difference(weight, tuple(statements))


def _chain(first: Part, parts: Sequence[Part], places: dict[int, Place], told: set[int]) -> list[Part]:
    chain, way = [first], ""
    while len(chain) < _LONGEST_CHAIN:
        follows = [
            part
            for part in parts
            if places[part.place].anchor is chain[-1]
            and part.place not in told
            and part not in chain
            and way in ("", places[part.place].relation)
        ]
        below = [part for part in follows if places[part.place].relation == "below"]
        after = next(iter(below or follows), None)
        if after is None or (after.kind == "heading" and _font_px(after) >= max(map(_font_px, chain)) > 0):
            break  # or a section begins
        chain.append(after)
        way = places[after.place].relation
    return chain


def _font_px(part: Part) -> float:
    return part.block.font_px if part.block else 0.0


def _counted(part: Part, wanted: View, got: View) -> Subject:
    """Return a missing thing by its name, and how long it is where that is not all of it."""
    subject = _nameless(part, wanted.subject(part, got))
    if part.block and part.name.endswith(MORE):
        return Subject(subject.kind, subject.text, subject.ordinal, count_words(part.block.text))
    return subject


def _nameless(part: Part, subject: Subject) -> Subject:
    """Return a subject without its number: which thing without words is missing nobody can tell."""
    return subject if part.name else Subject(subject.kind)


def _unwanted(wanted: View, got: View, parts: Sequence[Part]) -> Iterable[Difference]:
    areas = [part for part in parts if part.kind in _AREAS]  # whose headings and pictures are told before their texts
    for some in (areas, [part for part in parts if part.kind not in _AREAS]):
        for start in range(0, len(some), _LONGEST_LIST):
            named = some[start : start + _LONGEST_LIST]
            weight = max(_weight(part, got) for part in named) * _UNWANTED + _PER_FOLLOWER * (len(named) - 1)
            yield Difference(weight, tuple(Statement("unwanted", got.subject(part, wanted)) for part in named))


def _weight(part: Part, view: View) -> float:
    page = max(1.0, view.layout.width * view.layout.height)
    return _WEIGHTS.get(part.kind, 20.0) + _PER_AREA * min(1.0, area_of(part.rect) / page)


def _reworded(pair: Pair) -> Difference:
    weight = _WEIGHTS.get(pair.wanted.kind, 20.0) * 0.8
    return Difference(weight, (Statement("wording", Subject(pair.wanted.kind), pair.wanted.name, pair.got.name),))


def _continued(pair: Pair, wanted: View, got: View) -> Iterable[Difference]:
    """Yield long texts that begin alike and go on differently."""
    first, second = ((one.block.text if one.block else "").split() for one in (pair.wanted, pair.got))
    if first == second:
        return
    parting = next((at for at, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if parting is None:
        if max(len(first), len(second)) > _LENGTH_RATIO * min(len(first), len(second)):
            statement = Statement("length", wanted.subject(pair.wanted, got), str(len(first)), str(len(second)))
            yield Difference(30.0, (statement,))
        return
    says, yours = _middle(first, parting), _middle(second, parting)
    if not _reads(got, says) and not _reads(wanted, yours):  # else another text says the same
        yield Difference(25.0, (Statement("wording", Subject(pair.wanted.kind), says, yours),))


def _reads(view: View, quoted: str) -> bool:
    """Return whether a text of the page holds words out of the middle of one."""
    words = quoted.removeprefix(MORE[::-1]).removesuffix(MORE)
    return any(words in plain(part.block.text) for part in view.texts if part.block)


def _middle(words: Sequence[str], at: int) -> str:
    """Return some words around a place, as they are quoted out of the middle of a text."""
    start = max(0, at - _CONTEXT_WORDS)
    some = quote(" ".join(words[start : start + QUOTED_WORDS]))
    goes_on = start + QUOTED_WORDS < len(words) and not some.endswith(MORE)
    return f"{MORE[::-1] if start else ''}{some}{MORE if goes_on else ''}"
