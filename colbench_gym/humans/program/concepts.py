"""Things that a reference does not do: concepts by the words that people use for them, each with its own test."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking.lexicon import split_words, stem, word_set
from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.reader import Knowledge, names_in
from colbench_gym.humans.vocabulary import read_toml
from colbench_gym.python_code.syntax import nodes_of

_TABLES = read_toml(Path(__file__).with_name("concepts.toml"))
_CLOSED = {name: word_set(words) for name, words in _TABLES["closed"].items()}


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
    rows = _TABLES["concept"]
    return tuple(_concept(row) for row in rows)


def concept_facts(known: Knowledge) -> Iterator[Fact]:
    """Yield what a reference surely does, and what it does not do at all."""
    for concept in concepts():
        if not concept.done(known) and not concept.stems & _spoken_of(known):
            text = f"{concept.no[:1].upper()}{concept.no[1:]}."
            yield Fact("absent", text, about=concept.words, source="concept", absent=True, reveals=False, weight=0.3)


def is_closed(known: Knowledge) -> bool:
    """Return whether a reference reads nothing but its arguments, as far as its calls and imports tell."""
    modules = {alias.name for node in known.nodes if isinstance(node, ast.Import) for alias in node.names}
    modules |= {node.module or "" for node in known.nodes if isinstance(node, ast.ImportFrom)}
    roots = {module.partition(".")[0] for module in modules}
    return roots <= _CLOSED["modules"] and known.called.isdisjoint(_CLOSED["calls"])


def _spoken_of(known: Knowledge) -> frozenset[str]:
    """Return the stems of all that a reference and its request name."""
    return known.vocabulary | known.topics


def _concept(row: Mapping[str, Any]) -> Concept:
    words = tuple(row["words"].split())
    stems = frozenset(stem(part) for word in words for part in split_words(word))
    operators, needed = (tuple(getattr(ast, name) for name in row.get(key, ())) for key in ("operators", "needs"))
    nodes = tuple(getattr(ast, name) for name in row.get("nodes", ()))
    calls, numbers = frozenset(row.get("calls", ())), frozenset(row.get("numbers", ()))
    pattern, test = re.compile(row.get("pattern", "(?!)")), _TESTS.get(row.get("test", ""))

    def done(known: Knowledge) -> bool:
        if known.called & calls or known.numbers & numbers or any(map(pattern.search, known.strings)):
            return True
        if (test is not None and test(known)) or (needed and not _calculates(known, needed)):
            return True
        return any(isinstance(node, nodes) for node in known.nodes) or _calculates(known, operators)

    return Concept(words, stems, done, row["no"])


def _calculates(known: Knowledge, operators: tuple[type, ...]) -> bool:
    """Return whether a reference calculates with one of some operators."""
    return any(isinstance(n, (ast.BinOp, ast.AugAssign)) and isinstance(n.op, operators) for n in known.nodes)


def _compares_sizes(known: Knowledge) -> bool:
    """Return whether something is told by its size, other than what is left out of a list."""
    filters = [test for node in known.nodes if isinstance(node, ast.comprehension) for test in node.ifs]
    left_out = {id(part) for test in filters for part in nodes_of(test)}
    compared = (node for node in known.nodes if isinstance(node, ast.Compare) and id(node) not in left_out)
    return any(isinstance(operator, (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) for node in compared for operator in node.ops)


def _goes_down(known: Knowledge) -> bool:
    """Return whether a reference looks into what is inside of what it goes through."""
    functions = {node.name for node in known.nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    loops = [node for node in known.nodes if isinstance(node, (ast.For, ast.comprehension))]
    targets = {name for loop in loops for name in names_in(loop.target)}
    owners = [node.value for node in known.nodes if isinstance(node, (ast.Subscript, ast.Attribute))]
    inside = any(isinstance(owner, ast.Subscript) or getattr(owner, "id", "") in targets for owner in owners)
    return len(loops) > 1 or inside or bool(functions & known.called)


_TESTS: Mapping[str, Callable[[Knowledge], bool]] = {
    "has fractions": lambda known: any(number % 1 for number in known.numbers),  # 0.85 may be 15 percent
    "compares sizes": _compares_sizes,
    "goes down": _goes_down,
    "returns early": lambda known: any(
        isinstance(part, ast.Return) for node in known.nodes if isinstance(node, ast.For) for part in nodes_of(node)
    ),
}
