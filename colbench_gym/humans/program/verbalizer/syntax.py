"""Kinds of expressions, told by their form alone."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from colbench_gym.python_code.syntax import nodes_of

ATOM = 5  # binds tightest: needs no parentheses anywhere


def keyword_in(keywords: Sequence[ast.keyword], name: str) -> ast.expr | None:
    """Return what a call gives for a keyword; None where it does not name it."""
    return next((keyword.value for keyword in keywords if keyword.arg == name), None)


def number_in(node: ast.AST) -> int | float | None:
    """Return the number that a constant is; None for other nodes."""
    value = node.value if isinstance(node, ast.Constant) else None
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def operator_of(node: ast.expr) -> type[ast.operator] | None:
    """Return the operator of an operation; None for other expressions."""
    return type(node.op) if isinstance(node, ast.BinOp) else None


def whole_number(node: ast.expr) -> int | None:
    """Return the value of a whole number, with its sign; None for other expressions."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        sign, node = -1, node.operand
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and not isinstance(node.value, bool):
        return sign * node.value
    return None


def is_fixed(node: ast.expr) -> bool:
    """Return whether an expression uses no names."""
    return not any(isinstance(part, (ast.Name, ast.Call)) for part in nodes_of(node))
