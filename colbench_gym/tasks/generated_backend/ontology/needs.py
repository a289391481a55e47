"""Needs: what people of a trade want worked out, under the name that they give it.

A block of ``needs.txt`` is ``[domain end]`` with lines ``field=value``. What it does not name (the item, the kind, the
first flag, the measures) is that of the domain. A block of ``lists.txt`` is what they want done with many things or
with a text: its lines name the end and the measure, and ``{g}`` and ``{w}`` in them stand for what limits the things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from colbench_gym.tasks.generated_backend.ontology import Domain, Measure, blocks, domains, measure, parts

_ROLES = ("one", "two_", "kind_", "flag_")


@dataclass(frozen=True, eq=False)  # known by its identity: each is made once
class Need:
    """A number or a verdict that somebody needs.

    Attributes:
        view: the domain in the words of this need.
        one: the measure that it begins with.
        two: the measure that may change it.
        noun: what people call it.
        unit: what stands behind its amounts.
        goals: what the function is for.
        asks: whole requests for it, with a gap for what is handed over, or none.
        given: how people speak of the arguments.
        extras: which of a second measure, a kind and a flag can be handed over with it.
        leanings: which way the flag, the second measure and the kind change it: ``+``, ``-`` or ``0`` for either.
        rates: usual amounts for one unit of the measure.
        each: that unit in the singular.
        hints: clauses that point at matters, by their keys.
        calls: names for the function.
        arguments: names for what is handed over, by the keys of roles.
        says: ways of telling the rate.
    """

    view: Domain
    one: Measure
    two: Measure
    noun: str
    unit: str
    goals: tuple[str, ...]
    asks: tuple[str, ...]
    given: Mapping[str, str]
    extras: tuple[str, ...]
    leanings: tuple[str, ...]
    rates: tuple[str, ...]
    each: str
    hints: Mapping[str, tuple[str, ...]]
    calls: tuple[str, ...]
    arguments: Mapping[str, tuple[str, ...]]
    says: tuple[str, ...]


@lru_cache(maxsize=1)
def needs() -> Mapping[tuple[str, str], tuple[Need, ...]]:
    """Return the needs of each domain and end."""
    found: dict[tuple[str, str], tuple[Need, ...]] = {}
    for head, fields in blocks("needs.txt"):
        domain, end = head.split()
        found[domain, end] = (*found.get((domain, end), ()), _need(domains()[domain], end, fields))
    return found


def need_of(domain: Domain, operators: Mapping[str, str]) -> Need:
    """Return the need of a program that works out one value."""
    return needs()[domain.key, operators["end"]][int(operators["main"])]


@lru_cache(maxsize=1)
def lists() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return for each domain frames of requests, clauses that point at groups of matters, and goals."""
    return {
        head: {key: tuple(part for value in values for part in parts(value)) for key, values in fields.items()}
        for head, fields in blocks("lists.txt")
    }


def wishes(domain: Domain, *words: str) -> tuple[str, ...]:
    """Return what people of a trade want done with many things or with a text, by the words of its line."""
    return lists().get(domain.key, {}).get(" ".join(words), ())


def asks(domain: Domain, shape: str, operators: Mapping[str, str], kind: str = "") -> tuple[str, ...]:
    """Return whole requests of a need, else frames of a trade: "say" for what is returned too, "bare" without that."""
    if shape == "charge":
        return need_of(domain, operators).asks
    return lists().get(domain.key, {}).get(kind, ())


def worries(domain: Domain, shape: str, operators: Mapping[str, str], group: str) -> tuple[str, ...]:
    """Return clauses of people of a trade that point at a group of matters: at odd input, or at more rules."""
    key = "rules" if group == "rules" else "messy"
    if shape == "charge":
        return need_of(domain, operators).hints.get(key, ())
    return lists().get(domain.key, {}).get(key, ())


def _need(domain: Domain, end: str, fields: Mapping[str, list[str]]) -> Need:
    first = {field: values[0] for field, values in fields.items()}
    own = tuple(map(measure, fields.get("num", ())))
    measures = (*own, *domain.measures[len(own) :])
    main = next((n for n, m in enumerate(measures) if m.name == first.get("main")), 0)
    item, _, items = first.get("item", f"{domain.item}/{domain.items}").partition("/")
    name, flag = (part.strip() for part in first.get("flag", ":".join(domain.flags[0])).split(":")[:2])
    kind, phrase, kinds = first.get("cat", f"{domain.kind}:{domain.kind_phrase}:{'|'.join(domain.kinds)}").split(":")
    noun, (rates, each) = first["noun"], first["rate"].split("/")
    view = replace(
        domain,
        item=item,
        items=items,
        measures=measures,
        flags=((name, flag), *domain.flags[1:]),
        verdicts=parts(first["verdict"]) if "verdict" in first else domain.verdicts,
        kind=kind.strip(),
        kind_phrase=phrase.strip(),
        kinds=parts(kinds),
    )
    return Need(
        view=view,
        one=measures[main],
        two=measures[(main + 1) % 3],
        noun=noun,
        unit=first.get("unit", " euros" if end == "price" else " points"),
        goals=parts(first["goal"]),
        asks=tuple(fields.get("ask", ())),
        given={key: first[key] for key in ("one", "two", "kind", "asked") if key in first},
        extras=tuple(first["with"].split()),
        leanings=tuple(first["lean"].split()),
        rates=tuple(rates.split()),
        each=each,
        hints={field[5:]: parts(values[0]) for field, values in fields.items() if field.startswith("hint ")},
        calls=tuple(first["call"].split()),
        arguments={key: tuple(text.split()) for key, text in zip(_ROLES, parts(first["args"]), strict=True)},
        says=parts(first["say"]),
    )
