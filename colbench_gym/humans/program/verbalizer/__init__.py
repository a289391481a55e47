"""Claims in words: :func:`spoken` puts all claims of a reference into clauses, and says what each is about."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from colbench_gym.humans.asking.lexicon import PLAIN, stem_list, stems
from colbench_gym.humans.program import claims as c
from colbench_gym.humans.program.reader import Knowledge, literals_in, names_in
from colbench_gym.humans.program.verbalizer.code_tokens import code_tokens
from colbench_gym.humans.program.verbalizer.expressions import Words
from colbench_gym.humans.program.verbalizer.phrases import phrase
from colbench_gym.python_code.syntax import nodes_of

MAX_ORIGINS = 40  # names that one in a condition is made of, which say what the condition is about
_SIMPLE = ("flag", "number", "text", "list", "dictionary")


@dataclass(frozen=True, eq=False)
class Clause:
    """A claim in words.

    Attributes:
        claim: what is said.
        text: a clause without a capital or a full stop.
        stems: stems of what it is about.
        named: stems of the names and texts in it and in its circumstances.
        literals: hidden constants that it tells, as text.
        names: identifiers of several words that it is about, as stems in order.
        near: stems of what its loop variables go through, and of what the names in its conditions are made of.
    """

    claim: c.Claim
    text: str
    stems: frozenset[str] = field(repr=False)
    named: frozenset[str] = field(repr=False)
    literals: frozenset[str] = field(repr=False)
    names: frozenset[str] = field(repr=False)
    near: frozenset[str] = field(default=frozenset(), repr=False)


@dataclass(frozen=True, eq=False)
class Spoken:
    """A reference that can be talked about.

    Attributes:
        knowledge: its claims.
        words: puts its expressions into words.
    """

    knowledge: Knowledge
    words: Words

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        """The claims in words; those that would quote the code are left out."""
        return tuple(_clauses(self.knowledge, self.words))

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Stems of all that is known."""
        return self.knowledge.vocabulary | stems([parameter.name for parameter in self.knowledge.parameters])

    def kind_of(self, node: ast.expr) -> str:
        """Return what is known of an expression's type: by use, or by the shape of an argument's entry."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("lower", "upper", "strip")
        ):
            return "text"
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
            for parameter in self.knowledge.parameters:
                shape = parameter.shape.item or parameter.shape
                kind = {name: inner.kind for name, inner in shape.fields}.get(str(node.slice.value), "")
                if kind:
                    return kind
        if isinstance(node, ast.Name):
            known = {parameter.name: parameter.shape.kind for parameter in self.knowledge.parameters}
            return known.get(node.id, "") or self.words.kind(node)
        return self.words.kind(node)

    def says_code(self, text: str) -> bool:
        """Return whether a text repeats a stretch of the reference word for word."""
        return code_tokens(self.knowledge.source).quoted_in(text)


@lru_cache(maxsize=1024)
def spoken(knowledge: Knowledge) -> Spoken:
    """Put a reference into words."""
    return Spoken(knowledge, words_for(knowledge))


def _clauses(knowledge: Knowledge, words: Words) -> Iterator[Clause]:
    tokens = code_tokens(knowledge.source)
    sources, origins = _sources(knowledge), _origins(knowledge)

    @cache  # claims share their circumstances
    def named(node: ast.AST) -> tuple[str, ...]:
        return (*names_in(node), *_truths(node))

    @cache
    def made_of(test: ast.expr) -> frozenset[str]:
        return stems(source for name in set(named(test)) for source in origins.get(name, ())[:MAX_ORIGINS])

    for claim in knowledge.claims:
        text = phrase(claim, words)
        if not text or tokens.quoted_in(text):
            continue
        names = [name for node in claim.nodes for name in named(node)]
        if isinstance(claim, c.TableEntry):
            names = [*names, claim.title]
        literals = frozenset(literal for literal in literals_in(claim.nodes) if literal in text)
        phrases = frozenset(spaced for name in names if " " in (spaced := " ".join(stem_list(name))))
        told = stems([text]) - PLAIN
        near = stems(source for name in names for source in sources.get(name, ()))
        near = near.union(*(made_of(where.test) for where in claim.where if isinstance(where, c.When)))
        stated = stems(names)
        yield Clause(claim, text, stated | told, stated, literals, phrases, near)


def _sources(knowledge: Knowledge) -> dict[str, list[str]]:
    """Return, for each loop variable, the names of what it goes through."""
    found: dict[str, list[str]] = {}
    for node in knowledge.nodes:
        if not isinstance(node, (ast.For, ast.comprehension)):
            continue
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
        over = node.iter
        sides = [over] * len(targets)
        if isinstance(over, ast.Call) and getattr(over.func, "id", "") == "zip" and len(over.args) == len(targets):
            sides = list(over.args)
        for target, side in zip(targets, sides, strict=True):
            for name in names_in(target):
                found.setdefault(name, []).extend(names_in(side))
    return found


def _origins(knowledge: Knowledge) -> dict[str, list[str]]:
    """Return, for each name that gets a value, the names which that is made of."""
    found: dict[str, list[str]] = {}
    for node in knowledge.nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found.setdefault(node.targets[0].id, []).extend(names_in(node.value))
    return found


def _truths(node: ast.AST) -> list[str]:
    """Return the constants True, False and None in some code."""
    return [
        str(part.value)
        for part in nodes_of(node)
        if isinstance(part, ast.Constant) and (part.value is None or isinstance(part.value, bool))
    ]


def words_for(knowledge: Knowledge) -> Words:
    """Return what puts the expressions of a reference into words."""
    types = {name: clue.kind for name, clue in knowledge.clues.items() if clue.kind in _SIMPLE}
    known = {parameter.name: parameter.shape.kind for parameter in knowledge.parameters}
    types |= {name: kind for name, kind in known.items() if kind in _SIMPLE}
    return Words(knowledge.source, types, counters=frozenset(_counters(knowledge)))


def _counters(knowledge: Knowledge) -> list[str]:
    found = []
    for node in knowledge.nodes:
        if isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Call):
            name = getattr(node.iter.func, "id", "")
            if name == "enumerate" and len(node.iter.args) == 1 and isinstance(node.target, ast.Tuple):
                found.append(getattr(node.target.elts[0], "id", ""))
    return found
