"""Agreement of a page of the grammar with what was said: one test for each kind of statement."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from colbench_gym.page_language.color_names import distance, name_of, oklab, rgb_of
from colbench_gym.page_language.statements import (
    ALIGNS,
    RATIOS,
    SHARES,
    Statement,
    StatementKind,
    Subject,
    corner_words,
    pixels_of,
)
from colbench_gym.policies.designer import things
from colbench_gym.policies.designer.things import Box, Color, Features, Thing

WEIGHTS: Mapping[StatementKind, float] = things.LOOKS["weights"]
REPETITION_COST = 0.5  # ours: of a text that stands twice, which no page of the grammar has
_NEAR = 0.35  # ours: colours further apart than this in OKLab have nothing in common
_HEIGHTS_PX = {"box around": 200.0, "picture": 300.0}  # ours, about; else that of a button
_BUTTON_PX = 40.0
_PAGE = Subject("page")


@dataclass(frozen=True)
class Evidence:
    """A statement, and the page that it was said of."""

    statement: Statement
    shown: Features

    @property
    def weight(self) -> float:
        """Number of times that it counts as one statement."""
        return WEIGHTS.get(self.statement.kind, 1.0)

    def agreement(self, page: Features) -> float | None:
        """Return how well a page agrees, from 0 to 1; None where nothing can be told."""
        test = _TESTS.get(self.statement.kind)
        return test(self.statement, page, self.shown) if test else None


def agreement(page: Features, heard: Sequence[Evidence]) -> float:
    """Return the weighted sum of all that agrees."""
    total = -REPETITION_COST * sum(page.repeated.values())
    for evidence in heard:
        value = evidence.agreement(page)
        if value is not None:
            total += evidence.weight * value
    return total


def _subject(subject: Subject | None, page: Features) -> Thing | None:
    if subject is None:
        return None
    if subject.text:
        return page.find(subject.text)
    if subject.kind in ("picture", "input", "button") and subject.ordinal:
        things = page.of_kind(subject.kind)
        return things[subject.ordinal - 1] if subject.ordinal <= len(things) else None
    return None


def _missing(said: Statement, page: Features, shown: Features) -> float | None:
    subject, neighbour = said.subject or _PAGE, _subject(said.other, page)
    if subject.text:
        thing = page.find(subject.text)
        if thing is None:
            return 0.0
        return 1.0 if neighbour is None or not said.wanted or things.relation(thing, neighbour) == said.wanted else 0.6
    if subject.kind not in ("picture", "input"):
        return None
    many = page.of_kind(subject.kind)
    if len(many) <= len(shown.of_kind(subject.kind)):
        return 0.0
    if neighbour is None:
        return 0.7
    there = [thing for thing in many if things.relation(thing, neighbour) == said.wanted]
    return min(1.0, 0.4 + 0.2 * max((things.shared_depth(thing, neighbour) for thing in there), default=0))


def _unwanted(said: Statement, page: Features, shown: Features) -> float | None:
    subject = said.subject or _PAGE
    if subject.kind in ("box around", "background behind"):
        thing = page.find(subject.text)
        return None if thing is None else float(thing.look.box is None)
    if subject.text:
        fewer = max(0, shown.count(subject.text) - 1) if subject.ordinal else 0
        return float(page.count(subject.text) <= fewer)
    if subject.kind in ("picture", "input"):
        return float(len(page.of_kind(subject.kind)) < len(shown.of_kind(subject.kind)))
    return float(subject.kind not in page.bars) if subject.kind in ("header", "footer") else None


def _wording(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    if said.wanted.startswith("… "):
        return None
    gone = not said.got or page.find(said.got) is None
    return 0.7 * (page.find(said.wanted) is not None) + 0.3 * gone


def _place(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    thing, neighbour = _subject(said.subject, page), _subject(said.other, page)
    return float(bool(thing and neighbour and things.relation(thing, neighbour) == said.wanted))


def _columns(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    found = [thing for item in said.items if (thing := page.find(item.text)) is not None]
    number = said.wanted.partition(" ")[0]
    if not said.items or not number.isdecimal():
        return None
    right = bool(found) and things.columns_of(found) == int(number)
    return 0.5 * len(found) / len(said.items) + 0.5 * right


def _color(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    color = _color_of(said.subject or _PAGE, page)
    if color is None or name_of(color) == said.wanted:
        return None if color is None else 1.0
    return 0.6 * max(0.0, 1 - distance(color, rgb_of(said.wanted)) / _NEAR)


def _color_of(subject: Subject, page: Features) -> Color | None:
    if subject.kind == "page":
        return page.ground
    if subject.kind in ("header", "footer") and not subject.text:
        return page.bars.get(subject.kind, page.ground)
    thing = _subject(subject, page)
    if thing is None:
        return None
    if subject.kind == "box around":
        return thing.look.box.color if thing.look.box else page.ground
    if subject.kind == "background behind" or (thing.kind == "button" and subject.kind != "writing on"):
        return thing.look.ground
    return thing.look.ink


def _shade(said: Statement, page: Features, shown: Features) -> float | None:
    now, before = (_color_of(said.subject or _PAGE, features) for features in (page, shown))
    if now is None or before is None:
        return None
    step = oklab(now)[0] - oklab(before)[0]
    return float(0.005 < (step if said.wanted in ("lighter", "paler") else -step) < 0.2)


def _font(said: Statement, page: Features, shown: Features) -> float | None:
    now, before = _subject(said.subject, page), _subject(said.subject, shown)
    if now is None or before is None:
        return None
    wanted = RATIOS.get(said.wanted, 1.0) * before.look.font_px
    return max(0.0, 1 - 3 * abs(now.look.font_px - wanted) / wanted)


def _gap(said: Statement, page: Features, shown: Features) -> float | None:
    if not said.got or not page.things or not shown.things:
        return None
    more = page.spacing - shown.spacing
    return float(more > 0 if pixels_of(said.wanted) > pixels_of(said.got) else more < 0)


def _count(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    number, _, noun = said.wanted.partition(" ")
    noun = noun.removesuffix("s")
    if number not in ("no", "a", "an") and not number.isdecimal():
        return None
    wanted = int(number) if number.isdecimal() else int(number != "no")
    if noun in ("header", "footer"):
        return float((noun in page.bars) == (wanted > 0))
    if noun not in ("picture", "input", "button", "link", "heading"):
        return None
    return 1 / (1 + abs(len(page.of_kind(noun)) - wanted))


def _order(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    kind = said.wanted.removesuffix("s")
    wanted = [things.plain(item.text) for item in said.items]
    shown_texts = [thing.text for thing in page.of_kind(kind)][: len(wanted) + 2]
    return SequenceMatcher(None, wanted, shown_texts, autojunk=False).ratio()


def _edge(said: Statement, thing: Thing) -> Thing | Box | None:
    """Return what a statement gives corners and a border: the thing, or the box around it, if there is one."""
    return thing.look.box if said.subject is not None and said.subject.kind == "box around" else thing


def _corners(said: Statement, thing: Thing) -> bool:
    edge = _edge(said, thing)
    height_px = _HEIGHTS_PX.get(thing.kind if edge is thing else "box around", _BUTTON_PX)
    return edge is not None and corner_words(edge.corner_px, height_px) == said.wanted


def _border(said: Statement, thing: Thing) -> bool:
    edge = _edge(said, thing)
    return (edge is None or edge.border is None) == (said.wanted == "no border")


def _width(said: Statement, thing: Thing) -> float | None:
    share = SHARES.get(said.wanted)
    return max(0.0, 1 - 4 * abs(thing.width_px / things.PAGE_PX - share)) if thing.width_px and share else None


_Test = Callable[[Statement, Features, Features], "float | None"]


def _of_subject(test: Callable[[Statement, Thing], float | None]) -> _Test:
    """Return a test of the page from a test of what the statement is about, which tells nothing where that is not."""

    def tested(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
        thing = _subject(said.subject, page)
        value = None if thing is None else test(said, thing)
        return None if value is None else float(value)

    return tested


_TESTS: Mapping[StatementKind, _Test] = {
    "missing": _missing,
    "unwanted": _unwanted,
    "wording": _wording,
    "place": _place,
    "columns": _columns,
    "color": _color,
    "shade": _shade,
    "font": _font,
    "bold": _of_subject(lambda said, thing: thing.look.bold == (said.wanted == "bold")),
    "align": _of_subject(lambda said, thing: ALIGNS.get(thing.look.align) == said.wanted),
    "corners": _of_subject(_corners),
    "border": _of_subject(_border),
    "width": _of_subject(_width),
    "gap": _gap,
    "role": _of_subject(lambda said, thing: thing.kind == said.wanted),
    "count": _count,
    "order": _order,
}
