"""Where a statement stands: under which conditions and in which loops, as clauses in front of what it does."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass


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
