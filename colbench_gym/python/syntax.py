"""Parse Python source into syntax trees, one thread at a time.

CPython 3.11 counts the depth of the tree that it builds once for all threads, so that two at once may end in a
SystemError ("AST constructor recursion depth mismatch").
"""

from __future__ import annotations

import ast
import threading

_PARSING = threading.Lock()


def parse_module(source: str) -> ast.Module:
    """Parse a program.

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as :func:`ast.parse`.
    """
    with _PARSING:
        return ast.parse(source)


def parsed_module(source: str) -> ast.Module | None:
    """Parse a program; None when it is none."""
    try:
        return parse_module(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parse_expression(source: str) -> ast.expr:
    """Parse one expression. Raises as :func:`parse_module`."""
    with _PARSING:
        return ast.parse(source, mode="eval").body
