"""Things that a program may depend on, as its syntax says. No is certain; yes is a guess, to be tried in a sandbox."""

from __future__ import annotations

import ast
import builtins
import re
import symtable
from collections.abc import Iterable, Iterator
from functools import lru_cache

from colbench_gym.python_code.syntax import parsed_module

# Modules that give the same values for the same arguments in every process.
_PURE = frozenset(
    {
        *(
            "bisect",
            "cmath",
            "collections",
            "copy",
            "dataclasses",
            "decimal",
            "enum",
            "fractions",
            "functools",
            "heapq",
        ),
        *("itertools", "json", "math", "operator", "re", "statistics", "string", "textwrap", "typing", "unicodedata"),
    }
)
_REFLECTIVE = frozenset(
    {
        *("id", "hash", "object", "open", "input", "eval", "exec", "compile", "globals", "vars"),
        *("__import__", "__builtins__"),
    }
)
_SETS = frozenset({"set", "frozenset"})
_REACHING = re.compile(rf"\b(?:import|{'|'.join(sorted(_REFLECTIVE))})\b")
_HASHING = re.compile(rf"[{{]|\b(?:keys|items|{'|'.join(sorted(_SETS))})\b")


def imports(source: str) -> list[str]:
    """Return the top-level names of the modules that a program imports anywhere."""
    tree = parsed_module(source)
    names: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return sorted(names)


def called(calls: Iterable[str]) -> set[str]:
    """Return the names of the functions that call expressions call, those of Python left out."""
    nodes = (node for call in calls for node in ast.walk(parsed_module(call) or ast.Module([], [])))
    names = {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    return {name for name in names if not hasattr(builtins, name)}


def may_vary(sources: Iterable[str]) -> bool:
    """Return whether the programs might give other values another time: by chance, the clock or what is around them."""
    return any(_traits(source)[0] for source in sources)


def may_hash(sources: Iterable[str]) -> bool:
    """Return whether the programs might give other values under another hash seed."""
    return any(any(_traits(source)) for source in sources)


@lru_cache(maxsize=1024)
def _traits(source: str) -> tuple[bool, bool]:
    """Return whether a program might vary with what is around it, and whether with the order of a set.

    Most calls hold data only: without certain words they need not be parsed. (Letters outside ASCII may be another
    spelling of a name.)
    """
    if source.isascii() and not _REACHING.search(source) and not _HASHING.search(source):
        return False, False
    nodes = list(_nodes(source))
    return any(map(_reaches_out, nodes)), any(map(_is_set, nodes))


@lru_cache(maxsize=256)
def stands_alone(source: str) -> bool:
    """Return whether a program is one function that uses its parameters and builtins only, and keeps nothing.

    Neither what else is in its namespace nor the calls before can then change what it returns.
    """
    tree = parsed_module(source)
    if tree is None or len(tree.body) != 1 or not isinstance(tree.body[0], ast.FunctionDef):
        return False
    function = tree.body[0]
    defaults = [*function.args.defaults, *(value for value in function.args.kw_defaults if value is not None)]
    if function.decorator_list or not all(isinstance(value, ast.Constant) for value in defaults):
        return False
    inside = symtable.symtable(source, "<reference>", "exec").get_children()
    return all(_is_closed(table) for table in inside)


def _is_closed(table: symtable.SymbolTable) -> bool:
    names = (symbol.get_name() for symbol in table.get_symbols() if symbol.is_global())
    return all(hasattr(builtins, name) for name in names) and all(map(_is_closed, table.get_children()))


def _nodes(source: str) -> Iterator[ast.AST]:
    tree = parsed_module(source)
    yield from ast.walk(tree) if tree else (ast.Name("__import__"),)


def _reaches_out(node: ast.AST) -> bool:
    if isinstance(node, ast.Import):
        return any(alias.name.partition(".")[0] not in _PURE for alias in node.names)
    if isinstance(node, ast.ImportFrom):
        return (node.module or "").partition(".")[0] not in _PURE
    return isinstance(node, ast.Name) and node.id in _REFLECTIVE


def _is_set(node: ast.AST) -> bool:
    """Return whether a node is a set, or an operation that makes one of two views of dicts."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)):
        return any(
            isinstance(side, ast.Call) and isinstance(side.func, ast.Attribute) and side.func.attr in ("keys", "items")
            for side in (node.left, node.right)
        )
    return isinstance(node, (ast.Set, ast.SetComp)) or (isinstance(node, ast.Name) and node.id in _SETS)
