"""Claims in words: :func:`spoken` puts all claims of a reference into clauses, and says what each is about."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache

from colbench_gym.humans.asking.lexicon import stems, word_set
from colbench_gym.humans.program.claims import Claim
from colbench_gym.humans.program.reader import Knowledge, literals_in, names_in
from colbench_gym.humans.program.verbalizer.code_tokens import code_tokens
from colbench_gym.humans.program.verbalizer.expressions import Words
from colbench_gym.humans.program.verbalizer.phrases import phrase

_SIMPLE = ("flag", "number", "text", "list", "dictionary")


@dataclass(frozen=True, eq=False)
class Clause:
    """A claim in words.

    Attributes:
        claim: what is said.
        text: a clause without a capital or a full stop.
        named: stems of the names and texts in it and in its circumstances.
        literals: hidden constants that it tells, as text.
    """

    claim: Claim
    text: str
    named: frozenset[str] = field(repr=False)
    literals: frozenset[str] = field(repr=False)


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

    def says_code(self, text: str) -> bool:
        """Return whether a text repeats a stretch of the reference word for word."""
        return code_tokens(self.knowledge.source).quoted_in(text)


@lru_cache(maxsize=1024)
def spoken(knowledge: Knowledge) -> Spoken:
    """Put a reference into words."""
    return Spoken(knowledge, words_for(knowledge))


def _clauses(knowledge: Knowledge, words: Words) -> Iterator[Clause]:
    tokens = code_tokens(knowledge.source)
    named = cache(lambda node: tuple(names_in(node)))  # claims share their circumstances
    for claim in knowledge.claims:
        text = "" if _is_internal(knowledge, claim) else phrase(claim, words)
        if text and not tokens.quoted_in(text):
            names = [*(name for node in claim.nodes for name in named(node)), claim.title or ""]
            inlined = [knowledge.constants[name] for name in names if name in knowledge.constants]
            literals = frozenset(literal for literal in literals_in((*claim.nodes, *inlined)) if literal in text)
            yield Clause(claim, text, stems(names), literals)


def _is_internal(knowledge: Knowledge, claim: Claim) -> bool:
    """Return whether a claim is of the code alone: how what grows starts and ends, what is kept under its own name."""
    node, value = claim.node, claim.value
    if isinstance(node, ast.Expr) and isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        owner = getattr(value.func.value, "id", knowledge.result_name)
        kept = owner in {knowledge.result_name, *(parameter.name for parameter in knowledge.parameters)}
        return value.func.attr in ("append", "add") and not kept
    if isinstance(node, ast.Return):
        return isinstance(value, ast.Name) and value.id == knowledge.result_name
    if not isinstance(node, ast.Assign) or claim.conditional or claim.title is not None:
        return False
    empty = isinstance(value, (ast.Constant, ast.List, ast.Dict, ast.Set, ast.Call)) and ast.unparse(value) in _EMPTY
    names = [getattr(target, "id", "") for target in node.targets]  # of what is built in steps, or changes later
    stored, result = knowledge.stored, knowledge.result_name
    return empty and all(n in knowledge.growing or (stored[n] > 1 and n != result) for n in names)


_EMPTY = word_set("0 0.0 1 '' None False [] {} set() list() dict() defaultdict(int) defaultdict(list)")


def words_for(knowledge: Knowledge) -> Words:
    """Return what puts the expressions of a reference into words."""
    types = {name: clue.kind for name, clue in knowledge.clues.items() if clue.kind in _SIMPLE}
    known = {parameter.name: parameter.shape.kind for parameter in knowledge.parameters}
    types |= {name: kind for name, kind in known.items() if kind in _SIMPLE}
    result = knowledge.result_name
    stores = [c.where for c in knowledge.claims if result in map(ast.unparse, getattr(c.node, "targets", ()))]
    starts = len(stores) > 1 and not stores[0] and all(stores[1:])  # it changes in some cases
    return Words(knowledge.source, types, result, result in knowledge.growing or starts, knowledge.constants)
