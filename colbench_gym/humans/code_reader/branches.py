"""Spread conditional expressions into statements, so that each of their cases is a claim of its own."""

from __future__ import annotations

import ast

from colbench_gym.python.syntax import nodes_of

MAX_WHOLE_CHARS = 90  # of a conditional expression's source that stays one sentence


def spread(tree: ast.Module) -> ast.Module:
    """Turn ``return a if test else b`` into an if statement where it is long or has further cases inside."""
    for node in nodes_of(tree):
        if isinstance(node, ast.expr):
            continue
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, [_spread(statement) for statement in statements])
    return tree


def _spread(statement: ast.stmt, inner: bool = False) -> ast.stmt:
    if not isinstance(statement, ast.Return) or not isinstance(statement.value, ast.IfExp):
        return statement
    value = statement.value
    nested = any(isinstance(part, ast.IfExp) for part in nodes_of(value) if part is not value)
    if not inner and not nested and len(ast.unparse(value)) <= MAX_WHOLE_CHARS:
        return statement
    sides = [_spread(ast.copy_location(ast.Return(side), side), inner=True) for side in (value.body, value.orelse)]
    return ast.copy_location(ast.If(value.test, [sides[0]], [sides[1]]), statement)
