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


def alternatives(test: ast.expr) -> tuple[ast.expr | None, list[ast.Constant]]:
    """Return what a test compares with fixed values alone, and these; None for other tests."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[ast.Constant() as value]):
            return left, [value]
        case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.List(elts=items) | ast.Tuple(elts=items)]):
            values = [item for item in items if isinstance(item, ast.Constant)]
            return left if items and len(values) == len(items) else None, values
        case ast.BoolOp(op=ast.Or(), values=tests):
            found = [alternatives(part) for part in tests]
            same = len({ast.dump(subject) if subject else "" for subject, _ in found}) == 1
            return found[0][0] if same else None, [value for _, values in found for value in values]
    return None, []


def searches(test: ast.BoolOp) -> tuple[list[ast.expr], ast.expr | None]:
    """Return which fixed texts all parts of a test look for in one place, and that; None for other tests."""
    found = [part for part in test.values if isinstance(part, ast.Compare) and isinstance(part.left, ast.Constant)]
    places = [part.comparators[0] for part in found if [*map(type, part.ops)] == [ast.In]]
    same = len(places) == len(test.values) and len({*map(ast.dump, places)}) == 1
    return [part.left for part in found], places[0] if same else None


def excludes(test: ast.expr, other: ast.expr) -> bool:
    """Return whether no input passes both tests: they want different values of the same thing."""
    one, two = (
        [*map(alternatives, t.values if isinstance(t, ast.BoolOp) and isinstance(t.op, ast.And) else [t])]
        for t in (test, other)
    )
    return any(
        subject
        and of
        and ast.dump(subject) == ast.dump(of)
        and {v.value for v in values}.isdisjoint(w.value for w in wanted)
        for subject, values in one
        for of, wanted in two
    )


def mounts(tests: Sequence[ast.expr]) -> bool:
    """Return whether tests compare one thing with one bound after the other, each beyond the one before."""
    found = [test for test in tests if isinstance(test, ast.Compare) and len(test.ops) == 1]
    numbers = [number for test in found if (number := number_in(test.comparators[0])) is not None]
    up, down = (all(isinstance(test.ops[0], way) for test in found) for way in ((ast.Lt, ast.LtE), (ast.Gt, ast.GtE)))
    same = len(numbers) == len(tests) and len({ast.dump(test.left) for test in found}) == 1
    return (up or down) and same and numbers == sorted({*numbers}, reverse=down)
