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
from colbench_gym.policies.designer.things import (
    PAGE_PX,
    Color,
    Features,
    Thing,
    columns_of,
    plain,
    relation,
    shared_depth,
)

WEIGHTS: Mapping[StatementKind, float] = {  # ours: how much a statement counts; all others count 1
    "order": 5.0,
    "missing": 2.0,
    "unwanted": 1.5,
    "wording": 2.0,
    "columns": 2.0,
    "count": 1.5,
    "color": 1.5,
    "shade": 0.5,
    "gap": 0.2,
    "width": 0.6,
}
REPETITION_COST = 0.5  # ours: of a text that stands twice, which no page of the grammar has
_NEAR = 0.35  # ours: colours further apart than this in OKLab have nothing in common
_BUTTON_PX = 40.0  # ours: about the height of a button


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
    subject = said.subject
    if subject is None:
        return None
    if subject.text:
        thing = page.find(subject.text)
        if thing is None:
            return 0.0
        neighbour = _subject(said.other, page)
        return 1.0 if neighbour is None or not said.wanted or relation(thing, neighbour) == said.wanted else 0.6
    if subject.kind not in ("picture", "input"):
        return None
    many = page.of_kind(subject.kind)
    if len(many) <= len(shown.of_kind(subject.kind)):
        return 0.0
    neighbour = _subject(said.other, page)
    if neighbour is None:
        return 0.7
    nearest = max(
        (shared_depth(thing, neighbour) for thing in many if relation(thing, neighbour) == said.wanted), default=0
    )
    return min(1.0, 0.4 + 0.2 * nearest)


def _unwanted(said: Statement, page: Features, shown: Features) -> float | None:
    subject = said.subject
    if subject is None:
        return None
    if subject.kind in ("box around", "background behind"):
        thing = page.find(subject.text)
        return None if thing is None else float(thing.box is None)
    if subject.text:
        fewer = max(0, shown.count(subject.text) - 1) if subject.ordinal else 0
        return float(page.count(subject.text) <= fewer)
    if subject.kind in ("picture", "input"):
        return float(len(page.of_kind(subject.kind)) < len(shown.of_kind(subject.kind)))
    if subject.kind in ("header", "footer"):
        return float(subject.kind not in page.bars)
    return None


def _wording(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    wanted = said.wanted.removeprefix("… ")
    right = page.find(wanted) is not None if wanted == said.wanted else None
    if right is None:
        return None
    gone = not said.got or page.find(said.got) is None
    return 0.7 * right + 0.3 * gone


def _place(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    thing, neighbour = _subject(said.subject, page), _subject(said.other, page)
    if thing is None or neighbour is None:
        return 0.0
    return float(relation(thing, neighbour) == said.wanted)


def _columns(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    things = [thing for item in said.items if (thing := page.find(item.text)) is not None]
    number = said.wanted.partition(" ")[0]
    if not said.items or not number.isdecimal():
        return None
    if not things:
        return 0.0
    right = columns_of(things) == int(number)
    return 0.5 * len(things) / len(said.items) + 0.5 * right


def _color(said: Statement, page: Features, shown: Features) -> float | None:  # noqa: ARG001  one signature
    color = _color_of(said.subject or Subject("page"), page)
    return None if color is None else _alike(color, said.wanted)


def _color_of(subject: Subject, page: Features) -> Color | None:
    if subject.kind == "page":
        return page.ground
    if subject.kind in ("header", "footer") and not subject.text:
        return page.bars.get(subject.kind, page.ground)
    thing = _subject(subject, page)
    if thing is None:
        return None
    if subject.kind == "box around":
        return thing.box.color if thing.box else page.ground
    if subject.kind == "background behind" or (thing.kind == "button" and subject.kind != "writing on"):
        return thing.ground
    return thing.ink


def _alike(color: Color, name: str) -> float:
    if name_of(color) == name:
        return 1.0
    return 0.6 * max(0.0, 1 - distance(color, rgb_of(name)) / _NEAR)


def _shade(said: Statement, page: Features, shown: Features) -> float | None:
    subject = said.subject or Subject("page")
    now, before = _color_of(subject, page), _color_of(subject, shown)
    if now is None or before is None:
        return None
    step = oklab(now)[0] - oklab(before)[0]
    if said.wanted in ("lighter", "paler"):
        return float(0.005 < step < 0.2)
    return float(-0.2 < step < -0.005)


def _font(said: Statement, page: Features, shown: Features) -> float | None:
    now, before = _subject(said.subject, page), _subject(said.subject, shown)
    if now is None or before is None:
        return None
    wanted = RATIOS.get(said.wanted, 1.0) * before.font_px
    return max(0.0, 1 - 3 * abs(now.font_px - wanted) / wanted)


def _gap(said: Statement, page: Features, shown: Features) -> float | None:
    if not said.got or not page.things or not shown.things:
        return None
    more = pixels_of(said.wanted) > pixels_of(said.got)
    return float(page.spacing > shown.spacing) if more else float(page.spacing < shown.spacing)


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
    wanted = [plain(item.text) for item in said.items]
    shown_texts = [thing.text for thing in page.of_kind(kind)][: len(wanted) + 2]
    return SequenceMatcher(None, wanted, shown_texts, autojunk=False).ratio()


def _corners(said: Statement, thing: Thing) -> bool:
    if said.subject is not None and said.subject.kind == "box around":
        return thing.box is not None and corner_words(thing.box.corner_px, 200.0) == said.wanted
    return corner_words(thing.corner_px, 300.0 if thing.kind == "picture" else _BUTTON_PX) == said.wanted


def _border(said: Statement, thing: Thing) -> bool:
    around = said.subject is not None and said.subject.kind == "box around"
    border = (thing.box.border if thing.box else None) if around else thing.border
    return (border is None) == (said.wanted == "no border")


def _width(said: Statement, thing: Thing) -> float | None:
    share = SHARES.get(said.wanted)
    return max(0.0, 1 - 4 * abs(thing.width_px / PAGE_PX - share)) if thing.width_px and share else None


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
    "bold": _of_subject(lambda said, thing: thing.bold == (said.wanted == "bold")),
    "align": _of_subject(lambda said, thing: ALIGNS.get(thing.align) == said.wanted),
    "corners": _of_subject(_corners),
    "border": _of_subject(_border),
    "width": _of_subject(_width),
    "gap": _gap,
    "role": _of_subject(lambda said, thing: thing.kind == said.wanted),
    "count": _count,
    "order": _order,
}
