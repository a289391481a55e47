"""Words of a question that tell what the claim it is about looks like, whatever the claim is about."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from colbench_gym.humans.code_reader import claims as c
from colbench_gym.humans.code_reader.orders import called
from colbench_gym.humans.code_reader.reader import is_edge
from colbench_gym.humans.code_reader.verbalizer import Clause
from colbench_gym.humans.code_reader.verbalizer.syntax import number_in
from colbench_gym.python_code.syntax import nodes_of


@dataclass(frozen=True)
class Cue:
    """A sign in a question, and the claims that it speaks for.

    Attributes:
        asked: pattern of a question that has the sign.
        fits: whether a claim is of the kind that is asked for.
        factor: by how much such a claim fits better than its words alone say.
    """

    asked: str
    fits: Callable[[Clause], bool]
    factor: float


def _calls(clause: Clause, *names: str) -> Iterator[ast.Call]:
    for node in nodes_of(clause.claim.node):
        if isinstance(node, ast.Call) and called(node) in names:
            yield node


def _bounds_above(clause: Clause) -> bool:
    return any(map(_is_bound, _calls(clause, "min")))


def _bounds_below(clause: Clause) -> bool:
    return any(map(_is_bound, _calls(clause, "max")))


def _is_bound(call: ast.Call) -> bool:
    return len(call.args) > 1 and any(number_in(part) is not None for part in call.args)


def _multiplies(clause: Clause) -> bool:
    return any(
        isinstance(node, (ast.BinOp, ast.AugAssign))
        and isinstance(node.op, ast.Mult)
        and any(number_in(side) is not None for side in ast.iter_child_nodes(node))
        for node in nodes_of(clause.claim.node)
    )


def _subtracts(clause: Clause) -> bool:
    return any(isinstance(node, ast.Sub) for node in nodes_of(clause.claim.node))


def _adds(clause: Clause) -> bool:
    """Return whether a claim adds a number to another, one apart from the 1 of a count."""
    return any(
        isinstance(node, (ast.BinOp, ast.AugAssign))
        and isinstance(node.op, ast.Add)
        and any(number_in(side) not in (None, 1) for side in ast.iter_child_nodes(node))
        for node in nodes_of(clause.claim.node)
    )


def _is_table(clause: Clause) -> bool:
    return any(
        isinstance(node, (ast.Dict, ast.List, ast.Tuple, ast.Set)) and _listed(node)
        for node in nodes_of(clause.claim.node)
    )


def _listed(node: ast.Dict | ast.List | ast.Tuple | ast.Set) -> bool:
    items = node.values if isinstance(node, ast.Dict) else node.elts
    fixed = (ast.Constant, ast.Tuple, ast.List)
    return len(items) > (1 if isinstance(node, ast.Dict) else 2) and all(isinstance(item, fixed) for item in items)


def _for_nothing(clause: Clause) -> bool:
    """Return whether a claim holds where something is not there, or tells what stands in its place."""
    defaults = (call.args[1] for call in _calls(clause, "get") if len(call.args) == 2)
    return any(map(_is_absence, clause.claim.where)) or any(isinstance(default, ast.Constant) for default in defaults)


def _is_absence(where: c.Circumstance) -> bool:
    if not isinstance(where, c.When):
        return isinstance(where, c.OnFailure)
    missing = ast.NotIn if where.holds else ast.In
    return is_edge(where.test) is where.holds or (
        isinstance(where.test, ast.Compare) and isinstance(where.test.ops[0], missing)
    )


CUES = (
    Cue(
        r"\b(?:maximum|max|ceiling|upper limit|capp?(?:ed)?|at most|no more than|most (?:it|one|anyone) can)\b",
        _bounds_above,
        2.5,
    ),
    Cue(r"\b(?:minimum|floor|lower limit|at least|no less than|least (?:it|one|anyone) can)\b", _bounds_below, 2.5),
    Cue(r"\b(?:minus|subtract\w*|deduct\w*|taken off|difference|which way round)\b", _subtracts, 1.6),
    Cue(r"\b(?:surcharge|supplement|extra|on top|bonus|added)\b", _adds, 1.4),
    Cue(r"\b(?:multipl\w+|factor|double|twice|triple|premium|times as)\b", _multiplies, 1.6),
    Cue(
        r"\b(?:for|does|do|is|are|has|have) (?:each|every)\b"
        r"|\b(?:which|what) (?:\w+ ){0,2}\w{3,}s\b(?<!ss)(?: \w+){0,2} (?:exist|are there|do you|there are|possible)"
        r"|\bwhich (?:\w+ ){0,2}\w{3,}s\b(?<!ss)",
        _is_table,
        1.8,
    ),
    Cue(
        r"\b(?:if|when|where|what|who|for)\b.*\b(?:no|none|nothing|nobody|not|without|missing|unknown|invalid|unreadable"
        r"|doesn't|don't|isn't|aren't|can't|cannot|other|else|fails?|empty)\b",
        _for_nothing,
        1.8,
    ),
)
