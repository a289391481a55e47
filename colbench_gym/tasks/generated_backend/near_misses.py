"""Versions of a function with one comparison or number changed: most of them must lose."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from colbench_gym.python_syntax import NEXT_COMPARISON, parse_module


def near_misses(source: str) -> Iterator[str]:
    """Yield the source text with one comparison turned, or one number made greater by one, at a time."""
    tree = parse_module(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in NEXT_COMPARISON:
            before = node.ops[0]
            node.ops[0] = NEXT_COMPARISON[type(before)]()
            yield ast.unparse(tree)
            node.ops[0] = before
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            number = node.value
            node.value = number + 1  # type: ignore[operator]  # an int or a float
            yield ast.unparse(tree)
            node.value = number
