"""Everyday domains: who asks, about which things, with which measures and words; read from the texts beside this."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

_FOLDER = resources.files(__package__)
_TEXTS = ("trade.txt", "care.txt", "travel.txt", "leisure.txt", "craft.txt", "civic.txt", "research.txt")
_GROUPS = dict(line.split("=") for line in _FOLDER.joinpath("groups.txt").read_text("utf-8").splitlines())
HELD_OUT = frozenset(_GROUPS["held_out"].split("|"))  # domains that only the split ``test_domains`` has
_TIMED_DOMAINS = frozenset(_GROUPS["timed"].split("|"))
_PEOPLE = frozenset(_GROUPS["people"].split("|"))
_ACTS = frozenset(_GROUPS["acts"].split("|"))


@dataclass(frozen=True)
class Measure:
    """A number that every item has.

    Attributes:
        name: an identifier.
        phrase: a noun phrase without an article.
        unit: the plural of its unit.
        low: the smallest usual value.
        high: the largest usual value.
        step: the distance of usual values; a power of two or a whole number, so that sums are exact.
        summable: whether a sum of it over many items makes sense.
    """

    name: str
    phrase: str
    unit: str
    low: float
    high: float
    step: float
    summable: bool

    @property
    def shown_unit(self) -> str:
        """Its unit as it stands behind a number; nothing where the noun phrase names it ("number of pages")."""
        return "" if self.unit in self.phrase.split() else f" {self.unit}"


@dataclass(frozen=True, eq=False)  # known by its identity: each is made once
class Domain:
    """A corner of everyday life.

    Attributes:
        key: its name.
        who: sentences in which the person says who they are.
        place: where it is wanted: "for my bakery".
        item: singular of the thing that it is about.
        items: plural of the same.
        names: names of such things.
        measures: numbers that a thing has.
        kind: an identifier for a quality that a thing has.
        kind_phrase: the same as a noun phrase.
        kinds: its values.
        flags: identifier and predicate ("signed by the author") of yes-or-no qualities.
        leanings: for each flag two signs: what it does to the fee and to the score, ``+``, ``-`` or ``0`` for either.
        fee: what is charged for a thing.
        score: how a thing is rated.
        by: names of the measures that the fee is charged by.
        starts: names of the measures that a score can begin with, and labels go by: more of them is better.
        verdicts: three labels, from the lowest to the highest.
        good: vague adjectives.
    """

    key: str
    who: tuple[str, ...]
    place: str
    item: str
    items: str
    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    kind: str
    kind_phrase: str
    kinds: tuple[str, ...]
    flags: tuple[tuple[str, str], ...]
    leanings: tuple[str, ...]
    fee: str
    score: str
    by: tuple[str, ...]
    starts: tuple[str, ...]
    verdicts: tuple[str, ...]
    good: tuple[str, ...]

    @property
    def acts(self) -> bool:
        """True where its verdicts are verbs: what one does with a thing, not what it is like."""
        return self.key in _ACTS

    @property
    def people(self) -> bool:
        """True where its things are persons."""
        return self.key in _PEOPLE

    @property
    def timed(self) -> bool:
        """True where its things take time, one after the other, and may have to wait."""
        return self.key in _TIMED_DOMAINS


@lru_cache(maxsize=1)
def domains() -> dict[str, Domain]:
    """Return all domains by their names, in a fixed order."""
    texts = [_FOLDER.joinpath(name).read_text("utf-8") for name in _TEXTS]
    blocks = [block.split("\n") for text in texts for block in text.strip("\n").split("\n[") if block]
    return {domain.key: domain for domain in map(_domain, blocks)}


def _domain(lines: list[str]) -> Domain:
    """Read one block of the text: a header and lines of ``field=value``."""
    fields: dict[str, list[str]] = {}
    for line in lines[1:]:
        field, _, value = line.partition("=")
        fields.setdefault(field, []).append(value)
    item, _, items = fields["item"][0].partition("/")
    kind, kind_phrase, kinds = (part.strip() for part in fields["cat"][0].split(":"))
    measures = tuple(map(_measure, fields["num"]))
    flags = [tuple(part.strip() for part in text.split(":")) for text in fields["flag"]]
    return Domain(
        key=lines[0].strip("[]"),
        who=_parts(fields["who"][0]),
        place=fields.get("for", [""])[0],
        item=item,
        items=items,
        names=_parts(fields["names"][0]),
        measures=measures,
        kind=kind,
        kind_phrase=kind_phrase,
        kinds=_parts(kinds),
        flags=tuple((name, predicate) for name, predicate, *_ in flags),
        leanings=tuple(signs[0] if signs else "00" for _, _, *signs in flags),
        fee=fields["fee"][0],
        score=fields["score"][0],
        by=_parts(fields["by"][0]) if "by" in fields else tuple(m.name for m in measures if m.summable),
        starts=_parts(fields["start"][0]) if "start" in fields else tuple(measure.name for measure in measures),
        verdicts=_parts(fields["verdict"][0]),
        good=_parts(fields["good"][0]),
    )


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|"))


def _measure(text: str) -> Measure:
    name, phrase, unit, spread = (part.strip() for part in text.split(":"))
    span, _, step = spread.partition("/")
    low, _, high = span.partition("-")
    return Measure(name[:-1], phrase, unit, float(low), float(high), float(step), name[-1] == "+")
