"""Everyday domains: who asks, about which things, with which measures and words; read from the texts beside this."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

FOLDER = resources.files(__package__)
_TEXTS = ("trade.txt", "care.txt", "travel.txt", "leisure.txt", "craft.txt", "civic.txt", "research.txt", "stories.txt")
_GROUPS = dict(line.split("=") for line in FOLDER.joinpath("groups.txt").read_text("utf-8").splitlines())
OFTEN = frozenset(_GROUPS["often"].split("|"))  # domains that are drawn twice as often
HELD_OUT = frozenset(_GROUPS["held_out"].split("|"))  # domains that only the split ``test_domains`` has


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
        negative: in which case it is below zero, as a clause; empty where it never is.
    """

    name: str
    phrase: str
    unit: str
    low: float
    high: float
    step: float
    summable: bool
    negative: str = ""

    @property
    def shown_unit(self) -> str:
        """Its unit as it stands behind a number; nothing where the noun phrase names it ("number of pages")."""
        return "" if self.unit in self.phrase.split() else f" {self.unit}"


@dataclass(frozen=True, eq=False)  # known by its identity: each is made once
class Domain:
    """A corner of everyday life.

    Attributes:
        key: its name.
        item: singular of the thing that it is about.
        items: plural of the same.
        names: names of such things.
        measures: numbers that a thing has.
        kind: an identifier for a quality that a thing has.
        kind_phrase: the same as a noun phrase.
        kinds: its values.
        flags: identifier and predicate ("signed by the author") of yes-or-no qualities.
        leanings: for each flag what it does to the esteem of a thing: ``+``, ``-`` or ``0`` for either.
        verdicts: three labels, from the lowest to the highest.
        good: for each measure an adjective for things that have much of it.
    """

    key: str
    item: str
    items: str
    names: tuple[str, ...]
    measures: tuple[Measure, ...]
    kind: str
    kind_phrase: str
    kinds: tuple[str, ...]
    flags: tuple[tuple[str, str], ...]
    leanings: tuple[str, ...]
    verdicts: tuple[str, ...]
    good: tuple[str, ...]


@lru_cache(maxsize=1)
def domains() -> dict[str, Domain]:
    """Return all domains by their names, in a fixed order."""
    return {key: _domain(key, fields) for name in _TEXTS for key, fields in blocks(name)}


def blocks(name: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield the blocks of a text: what stands in the header, and the values of each field of ``field=value``."""
    for block in FOLDER.joinpath(name).read_text("utf-8").strip("\n").split("\n["):
        head, *lines = block.strip("[").split("\n")
        fields: dict[str, list[str]] = {}
        for line in lines:
            field, _, value = line.partition("=")
            fields.setdefault(field, []).append(value)
        yield head.rstrip("]"), fields


def _domain(key: str, fields: dict[str, list[str]]) -> Domain:
    item, _, items = fields["item"][0].partition("/")
    kind, kind_phrase, kinds = (part.strip() for part in fields["cat"][0].split(":"))
    measures = tuple(map(measure, fields["num"]))
    flags = [tuple(part.strip() for part in text.split(":")) for text in fields["flag"]]
    return Domain(
        key=key,
        item=item,
        items=items,
        names=parts(fields["names"][0]),
        measures=measures,
        kind=kind,
        kind_phrase=kind_phrase,
        kinds=parts(kinds),
        flags=tuple((name, predicate) for name, predicate, *_ in flags),
        leanings=tuple(signs[0] if signs else "0" for _, _, *signs in flags),
        verdicts=parts(fields["verdict"][0]),
        good=parts(fields.get("good", [""])[0]),
    )


def parts(text: str) -> tuple[str, ...]:
    """Return what stands between bars."""
    return tuple(part.strip() for part in text.split("|"))


def measure(text: str) -> Measure:
    """Read one measure."""
    name, phrase, unit, spread, *negative = (part.strip() for part in text.split(":"))
    span, _, step = spread.partition("/")
    low, _, high = span.partition("-")
    return Measure(name[:-1], phrase, unit, float(low), float(high), float(step), name[-1] == "+", *negative)
