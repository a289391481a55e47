"""Where a statement stands: under which conditions and in which loops, as clauses in front of what it does."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST = 360  # characters of a clause; a reply holds 400
_MORE_OF_IT = 60  # characters kept for saying that a clause goes on
_JOINTS = (", ", " and ", " then ", " plus ", " or ", " minus ", " times ", " followed by ")


@dataclass(frozen=True)
class Clause:
    """What stands in front of a statement: a condition, or another clause and a short form of it."""

    text: str
    condition: bool = False
    short: str = ""


@dataclass(frozen=True)
class Context:
    """Where a statement stands: the clauses in front of it and the code they come from."""

    clauses: tuple[Clause, ...] = ()
    nodes: tuple[ast.AST, ...] = ()
    fallback: bool = False

    def inside(self, clause: Clause, *nodes: ast.AST, fallback: bool = False) -> Context:
        """One level deeper; a fallback is what happens when no condition holds."""
        return Context((*self.clauses, clause), (*self.nodes, *nodes), self.fallback or fallback)

    def prefix(self, met: set[str]) -> str:
        """The clauses; those met before in their short form."""
        parts: list[str] = []
        condition = False
        for clause in self.clauses:
            text = clause.short if clause.short and clause.text in met else clause.text
            if clause.condition and condition:
                parts[-1] += f" and {text}"
            else:
                parts.append(f"if {text}" if clause.condition else text)
            condition = clause.condition
            if clause.short:
                met.add(clause.text)
        return "".join(f"{part}, " for part in parts)


ELSE = Clause("in all other cases")


def exclusive(tests: Sequence[ast.expr]) -> bool:
    """Whether at most one of some tests can hold: the same thing compared with different constants."""
    compared: set[str] = set()
    constants: list[object] = []
    for test in tests:
        if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], (ast.Eq, ast.In)):
            return False
        other = test.comparators[0]
        values = other.elts if isinstance(other, (ast.List, ast.Tuple, ast.Set)) else [other]
        if isinstance(test.ops[0], ast.In) is isinstance(other, ast.Constant):
            return False
        if not all(isinstance(value, ast.Constant) for value in values):
            return False
        compared.add(ast.dump(test.left))
        constants += [value.value for value in values if isinstance(value, ast.Constant)]
    return len(compared) == 1 and len(set(constants)) == len(constants)


def leaves(body: Sequence[ast.stmt]) -> bool:
    """Whether a branch ends the function or the round of the loop."""
    return bool(body) and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue))


def always_leaves(node: ast.If) -> bool:
    """Whether each branch ends the function, and some inputs take none."""
    if not leaves(node.body):
        return False
    if not node.orelse:
        return True
    return len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) and always_leaves(node.orelse[0])


def tests_of(node: ast.If) -> tuple[ast.expr, ...]:
    """The tests of a chain of branches."""
    rest = tests_of(node.orelse[0]) if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If) else ()
    return (node.test, *rest)


def in_parts(prefix: str, effect: str) -> list[str]:
    """What happens under a prefix, as clauses that fit into a reply; what is left out of one is said to go on."""
    if len(prefix) + len(effect) <= LONGEST:
        return [prefix + effect]
    if prefix and len(effect) < LONGEST // 2:
        head, rest = _cut(prefix.rstrip(", "), LONGEST - len(effect) - _MORE_OF_IT)
        return [f"{head}, and so on, {effect}", _fit(f"{effect}, and the rest of the condition for it is: {rest}")]
    head, rest = _cut(prefix + effect, LONGEST - _MORE_OF_IT)
    start = " ".join(head.split()[:6])
    return [f"{head}, and so on", _fit(f"the rest of that ({start}, and so on) is: {rest}")]


def _cut(text: str, size: int) -> tuple[str, str]:
    place = max(text.rfind(joint, 0, size) for joint in _JOINTS)
    place = place if place > 0 else size
    return text[:place].rstrip(" ,"), text[place:].lstrip(" ,")


def _fit(text: str) -> str:
    return text if len(text) <= LONGEST else f"{_cut(text, LONGEST - _MORE_OF_IT)[0]}, and so on"
