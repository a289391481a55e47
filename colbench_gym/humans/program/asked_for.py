"""Tell which hidden constants a question asks for, so that telling others can be counted as a leak."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from colbench_gym.humans.asking import questions_in
from colbench_gym.humans.asking.lexicon import stems
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.verbalizer import Clause, spoken
from colbench_gym.python_code.syntax import nodes_of
from colbench_gym.tasks import BackendTask, Decision

_LIMITS = ("condition", "threshold", "boundary", "rule", "exception")
_STRANGE = ("empty", "missing value", "invalid value", "error")
_FITS: Mapping[str, Callable[[Clause], bool]] = {  # claims that a question about a kind of matter is about, by kind
    **dict.fromkeys((*_LIMITS, *_STRANGE), lambda clause: clause.claim.conditional),
    **dict.fromkeys(("constant", "weight", "limit", "fixed amount"), lambda clause: bool(clause.literals)),
    "formula": lambda clause: any(isinstance(n, (ast.BinOp, ast.AugAssign)) for n in nodes_of(clause.claim.node)),
    "result form": lambda clause: isinstance(clause.claim.node, ast.Return),
    "rounding": lambda clause: "round" in clause.text,
}


def not_asked_for(told: Collection[str], task: BackendTask, known: Knowledge, message: str) -> set[str]:
    """Return those of some hidden constants that no claim and no decision has that a message is about."""
    questions = questions_in(message)
    words = frozenset[str]().union(*(question.stems for question in questions))
    if any(question.further or question.closing for question in questions):
        return set()
    left = set(told)
    for decision in task.decisions:
        if _stems_of(decision) & words or any(decision.kind in question.kinds for question in questions):
            left -= _literals_of(known, decision.says)
    return left - _of_clauses(known, message) if left else left


@lru_cache(maxsize=8192)
def _stems_of(decision: Decision) -> frozenset[str]:
    return stems((*decision.topics, *decision.about))


@lru_cache(maxsize=4096)
def _of_clauses(known: Knowledge, message: str) -> frozenset[str]:
    """Return the constants of the claims that a message is about."""
    questions = questions_in(message)
    words = frozenset[str]().union(*(question.stems for question in questions))
    kinds = {kind for question in questions for kind in question.kinds}
    found: set[str] = set()
    for clause in spoken(known).clauses:
        if clause.named & words or any(kind in _FITS and _FITS[kind](clause) for kind in kinds):
            found |= clause.literals
    return frozenset(found)


@lru_cache(maxsize=8192)
def _literals_of(known: Knowledge, says: tuple[str, ...]) -> frozenset[str]:
    """Return the hidden constants that stand in some sentences."""
    sentences = " ".join(says).lower()
    return frozenset(literal for literal in known.hidden if literal.lower() in sentences)
