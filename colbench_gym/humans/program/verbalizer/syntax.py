"""Kinds of expressions, told by their form alone."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from colbench_gym.python_code.syntax import nodes_of

MAX_STEP = 1_000_000_000  # of a rounding that is told as one
ATOM = 5  # binds tightest: needs no parentheses anywhere


@dataclass(frozen=True)
class SteppedRounding:
    """Rounding to a multiple of something: ``round(x / 5) * 5``, ``round(x * 4) / 4``.

    Attributes:
        call: the call of ``round`` in it.
        value: what is rounded.
        step: of what the result is a multiple, in words.
    """

    call: ast.Call
    value: ast.expr
    step: str


def stepped_rounding(node: ast.AST) -> SteppedRounding | None:
    """Return the rounding that an expression is; None for other nodes."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, (ast.Mult, ast.Div)):
        return None
    call, factor = node.left, number_in(node.right)
    if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "round" or len(call.args) != 1:
        return None
    inner = call.args[0]
    inverse = ast.Div if isinstance(node.op, ast.Mult) else ast.Mult
    same = isinstance(inner, ast.BinOp) and isinstance(inner.op, inverse) and number_in(inner.right) == factor
    if call.keywords or not isinstance(inner, ast.BinOp) or not same or factor is None or not 0 < factor <= MAX_STEP:
        return None
    if isinstance(node.op, ast.Mult):
        return SteppedRounding(call, inner.left, repr(factor))
    exact = round(1 / factor, 4) * factor == 1 if factor > 1 / MAX_STEP else False
    return SteppedRounding(call, inner.left, f"{1 / factor:g}" if exact else f"1/{factor!r}")


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
