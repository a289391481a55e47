"""Tell which hidden constants a question asks for, so that telling others can be counted as a leak."""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache

from colbench_gym.humans.code_reader.answers.open_ended import MORE
from colbench_gym.humans.code_reader.intents.decisions import stems_of
from colbench_gym.humans.code_reader.questions import questions_in
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.verbalizer import Clause, spoken
from colbench_gym.python_code.syntax import nodes_of
from colbench_gym.tasks import BackendTask

_KINDS = (
    (r"\b(?:condition|criteri|rule|when|if|case|decide|threshold|limit|cut-?off)\w*", lambda cl: cl.claim.conditional),
    (r"\b(?:constant|number|value|factor|weight|percentage|rate|limit|threshold)\w*", lambda cl: bool(cl.literals)),
    (r"\b(?:formula|calculat|comput|equation|deriv)\w*", lambda cl: _works_out(cl)),
    (r"\b(?:return|result|output|text|message|label|key|format)\w*", lambda cl: isinstance(cl.claim.node, ast.Return)),
    (r"\b(?:round|decimal)\w*", lambda cl: "round" in cl.text),
    (r"\b(?:error|exception|invalid|empty|missing|edge|special)\w*", lambda cl: cl.claim.conditional),
)


def _works_out(clause: Clause) -> bool:
    return any(isinstance(node, (ast.BinOp, ast.AugAssign)) for node in nodes_of(clause.claim.node))


def not_asked_for(told: Collection[str], task: BackendTask, known: Knowledge, message: str) -> set[str]:
    """Return those of some hidden constants that no claim and no decision has that a message is about."""
    questions = questions_in(message)
    words = frozenset[str]().union(*(question.about for question in questions))
    if any(q.has(MORE) for q in questions):
        return set()
    left = set(told)
    for decision in task.decisions:
        topics, about = stems_of(decision)
        if topics & words or about & words:
            left -= _literals_of(known, decision.says)
    return left - _of_clauses(known, message) if left else left


@lru_cache(maxsize=4096)
def _of_clauses(known: Knowledge, message: str) -> frozenset[str]:
    """Return the constants of the claims that a message is about."""
    questions = questions_in(message)
    words = frozenset[str]().union(*(question.about for question in questions))
    found: set[str] = set()
    for clause in spoken(known).clauses:
        if clause.named & words or any(q.has(kind) and fits(clause) for q in questions for kind, fits in _KINDS):
            found |= clause.literals
    return frozenset(found)


@lru_cache(maxsize=8192)
def _literals_of(known: Knowledge, says: tuple[str, ...]) -> frozenset[str]:
    """Return the hidden constants that stand in some sentences."""
    sentences = " ".join(says).lower()
    return frozenset(literal for literal in known.hidden if literal.lower() in sentences)
