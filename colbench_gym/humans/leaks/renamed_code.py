"""Search of a text for a whole function of the reference under other names."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, islice
from textwrap import dedent

from colbench_gym.python_code.syntax import parse_module, parsed_module

_DEFINITION = re.compile(r"^[ \t]*(?:async )?def \w+\(|(?:async )?def \w+\(", re.MULTILINE)
_MAX_DEFINITIONS = 8  # looked at in one text
_MAX_LINES = 80  # of one definition; the longest official reference has 47
_MAX_CUTS = 12  # words behind a definition that may be prose, and lines that they may stand on
_BUILTINS = frozenset(dir(builtins))
_NAMED = ("id", "arg", "name")


def holds_renamed_function(reference: str, text: str) -> bool:
    """Return whether a text defines one of the reference's functions, names, layout, brackets and comments aside."""
    if "def " not in text:
        return False
    wanted = _wanted(reference)
    return bool(wanted) and not wanted.isdisjoint(_definitions(text))


@lru_cache(maxsize=1024)
def _wanted(source: str) -> frozenset[str]:
    return frozenset(_shapes(parsed_module(source)))


def _shapes(tree: ast.Module | None) -> Iterator[str]:
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield _shape(node)


def _definitions(text: str) -> Iterator[str]:
    """The shape of each function that a text defines, prose around it or not."""
    for match in islice(_DEFINITION.finditer(text), _MAX_DEFINITIONS):
        lines = dedent(text[match.start() :]).splitlines()[:_MAX_LINES]
        attempts = chain((lines[:end] for end in range(len(lines), 0, -1)), _cut_short(lines))
        yield from _shapes(next(filter(None, (parsed_module(dedent("\n".join(few))) for few in attempts)), None))


def _cut_short(lines: list[str]) -> Iterator[list[str]]:
    """The first lines, with words taken from the end of the last of them: prose may go on behind the code."""
    for end in range(min(len(lines), _MAX_CUTS), 0, -1):
        words = lines[end - 1].split(" ")
        for kept in range(len(words) - 1, max(0, len(words) - _MAX_CUTS), -1):
            yield [*lines[: end - 1], " ".join(words[:kept]).rstrip(" .,;`")]


def _shape(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """The body as text, names numbered in the order in which they come up; docstring and annotations left out."""
    names: dict[str, str] = {}
    tree = parse_module(ast.unparse(function)).body[0]  # a copy
    assert isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef))
    tree.decorator_list, tree.returns = [], None
    first = tree.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(tree.body) > 1:
        del tree.body[0]
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        for field in _NAMED:
            name = getattr(node, field, None)
            if isinstance(name, str) and name not in _BUILTINS:
                setattr(node, field, names.setdefault(name, f"n{len(names)}"))
    return ast.unparse(tree)
