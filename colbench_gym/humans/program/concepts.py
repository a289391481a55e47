"""Things that a reference does not do: concepts by the words that people use for them, each with its own test."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking.lexicon import related, split_words, stem
from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.vocabulary import read_toml


@dataclass(frozen=True)
class Concept:
    """One thing that a program may do.

    Attributes:
        words: words for it.
        stems: their stems.
        done: decides whether a reference does it.
        no: what is said of references that do not.
    """

    words: tuple[str, ...]
    stems: frozenset[str]
    done: Callable[[Knowledge], bool]
    no: str


@lru_cache(maxsize=1)
def concepts() -> tuple[Concept, ...]:
    """Return all concepts of ``concepts.toml``."""
    rows = read_toml(Path(__file__).with_name("concepts.toml"))["concept"]
    return tuple(_concept(row) for row in rows)


@lru_cache(maxsize=1)
def features() -> Mapping[str, str]:
    """Return the matters of trades, by the stem of their word."""
    words = read_toml(Path(__file__).with_name("concepts.toml"))["features"]["words"].split()
    return {stem(word): word for word in words}


def concept_facts(known: Knowledge) -> Iterator[Fact]:
    """Yield what a reference surely does, and what it does not do at all."""
    for concept in concepts():
        if not concept.done(known) and not concept.stems & _spoken_of(known):
            text = f"{concept.no[:1].upper()}{concept.no[1:]}."
            yield Fact("absent", text, about=concept.words, source="concept", absent=True, reveals=False, weight=0.3)


def absent_feature(stems: frozenset[str], known: Knowledge) -> str:
    """Return the word of a question for a matter that a reference and its request never speak of; "" without one."""
    if known.hidden - {"2", "100"}:  # a number without a name may stand for anything
        return ""
    table = features()
    for own in sorted(stems & table.keys()):
        if not ({own} | related([own])) & _spoken_of(known):
            return table[own]
    return ""


def _spoken_of(known: Knowledge) -> frozenset[str]:
    """Return the stems of all that a reference and its request name."""
    return known.vocabulary | known.topics


def _concept(row: Mapping[str, Any]) -> Concept:
    words = tuple(row["words"].split())
    stems = frozenset(stem(part) for word in words for part in split_words(word))
    operators = tuple(getattr(ast, name) for name in row.get("operators", ()))
    nodes = tuple(getattr(ast, name) for name in row.get("nodes", ()))
    calls, numbers = frozenset(row.get("calls", ())), frozenset(row.get("numbers", ()))
    fractions = row.get("test") == "has fractions"  # a number such as 0.85 may be 15 percent

    def done(known: Knowledge) -> bool:
        if known.called & calls or known.numbers & numbers or (fractions and any(n % 1 for n in known.numbers)):
            return True
        return any(
            isinstance(node, nodes) or (isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, operators))
            for node in known.nodes
        )

    return Concept(words, stems, done, row["no"])
