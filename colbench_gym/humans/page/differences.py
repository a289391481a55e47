"""All that differs between the page wanted and the page got, and the order in which a person says it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.humans.page.appearance import look_differences
from colbench_gym.humans.page.content import Difference, content_differences
from colbench_gym.humans.page.matching import match
from colbench_gym.humans.page.placement import place_differences
from colbench_gym.humans.page.view import View
from colbench_gym.page_language.sentences import TOGETHER, say
from colbench_gym.page_language.statements import Statement, StatementKind, SubjectKind

# What strikes a person first: areas missing or extra, the overall colours, the layout, the texts, then details.
AREAS, COLOURS, LAYOUT, TEXTS, DETAILS = range(5)
_OVERALL: frozenset[SubjectKind] = frozenset(["page", "header", "footer", "button"])  # whose colours one sees at once
_OF_TEXTS: frozenset[StatementKind] = frozenset(["missing", "unwanted", "wording", "length", "role"])
_OF_LAYOUT: frozenset[StatementKind] = frozenset(["place", "columns"])
_MOST_TOGETHER = 5  # things named in one sentence
_PER_FOLLOWER = 2.0  # weight that each of them but the first adds


def differences(wanted: View, got: View) -> tuple[Difference, ...]:
    """Return what a person would notice, in the order of the tiers; empty when the pages look alike."""
    matched = match(wanted, got)
    found = [
        *content_differences(wanted, got, matched),
        *place_differences(wanted, got, matched),
        *look_differences(wanted, got, matched),
    ]
    once: dict[tuple[Statement, ...], Difference] = {}
    for difference in found:
        once.setdefault(difference.statements, difference)
    return tuple(sorted(_together(once.values()), key=lambda one: (tier(one), -one.weight)))


def tier(difference: Difference) -> int:
    """Return what a difference concerns, from :data:`AREAS` to :data:`DETAILS`."""
    first = difference.statements[0]
    kinds = {one.subject.kind for one in difference.statements if one.subject}
    if first.kind in ("missing", "unwanted") and kinds & {"heading", "picture", "header", "footer"}:
        return AREAS
    if first.kind == "color" and kinds & _OVERALL:
        return COLOURS
    return TEXTS if first.kind in _OF_TEXTS else LAYOUT if first.kind in _OF_LAYOUT else DETAILS


def _together(found: Iterable[Difference]) -> Iterable[Difference]:
    """Return what is to be changed in one way said in one sentence, the most outstanding first."""
    groups: dict[tuple[StatementKind, str, str], list[Difference]] = {}
    for difference in sorted(found, key=lambda difference: -difference.weight):
        first = difference.statements[0]
        if first.kind not in TOGETHER:
            yield difference
            continue
        groups.setdefault((first.kind, first.wanted, first.got), []).append(difference)
    for group in groups.values():
        for start in range(0, len(group), _MOST_TOGETHER):
            some = group[start : start + _MOST_TOGETHER]
            weight = some[0].weight + _PER_FOLLOWER * (len(some) - 1)
            yield Difference(weight, tuple(one.statements[0] for one in some))


def ranked(found: Iterable[Difference], said: Sequence[str] = ()) -> list[str]:
    """Return differences as sentences, by their tiers; each time that one was said moves it a tier back."""
    sentences = [(tier(one), -one.weight, say(one.statements)) for one in found]
    moved = [(level + sum(text in reply for reply in said), weight, text) for level, weight, text in sentences]
    return [text for *_, text in sorted(moved, key=lambda one: one[:2])]
