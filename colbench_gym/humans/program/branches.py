"""Spread what is written in one piece into statements, so that each of its cases is a claim of its own."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from colbench_gym.python_code.syntax import nodes_of

Node = TypeVar("Node", bound=ast.AST)
MAX_WHOLE_CHARS = 90  # of a conditional expression's source that stays one sentence
MAX_CASES = 8  # of a table whose entries are looked at one by one
MAX_COPIED = 10_000  # nodes that all searches of a reference may be made of
MAX_ENTRY_NODES, MAX_ENTRY_CHARS = 12, 60  # of an entry of a table
_APART = 1000  # columns between the copies of a statement, which is found again by its position
_READING = ("items", "get", "keys", "values")
_BINDING = (
    *(ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.NamedExpr, ast.Try, ast.With, ast.Match),
    *(ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal),
)


def spread(tree: ast.Module) -> ast.Module:
    """Turn choices inside one statement into if statements that do the same.

    These are ``return a if test else b`` where it is long or has further cases inside, and searches of a table that is
    written out, be it by a loop that ends at the first hit or by ``next()``.
    """
    searches = _Searches(tree)
    for node in searches.nodes:
        if isinstance(node, ast.expr):
            continue
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, [_spread(searches.unrolled(statement)) for statement in statements])
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


@dataclass
class _Search:
    """A search of a table for the first entry that passes a test.

    Attributes:
        names: what holds the parts of an entry.
        over: the table.
        test: what an entry has to pass.
        found: what is done then.
        else_: what is done where none passes.
    """

    names: Sequence[str]
    over: ast.expr
    test: ast.expr
    found: Sequence[ast.stmt]
    else_: Sequence[ast.stmt]


class _Searches:
    """The searches of one reference.

    Attributes:
        nodes: of the reference.
    """

    def __init__(self, tree: ast.Module) -> None:
        self.nodes = nodes_of(tree)
        self._left = MAX_COPIED

    @cached_property
    def _counts(self) -> Counter[str]:
        return _counts(self.nodes)

    @cached_property
    def _tables(self) -> dict[str, ast.expr]:
        return _tables(self.nodes)

    @cached_property
    def _inner(self) -> frozenset[str]:
        return _read_inside(self.nodes)

    @cached_property
    def _own_next(self) -> bool:
        return any(name == "next" for node in self.nodes for name in _bound(node))

    def unrolled(self, statement: ast.stmt) -> ast.stmt:
        """Return a search of a small table as a chain of if statements, any other statement as it is."""
        search = _searches(statement)
        if search is None or (self._own_next and not isinstance(statement, ast.For)):
            return statement
        entries = _entries(search.over, self._tables)
        if not 1 < len(entries) <= MAX_CASES:
            return statement
        names = list(search.names)
        rows = [_row(entry, len(names)) for entry in entries]
        parts = [node for part in (search.test, *search.found) for node in nodes_of(part)]
        read = {node.id for part in search.found for node in nodes_of(part) if isinstance(node, ast.Name)}
        own = _counts(nodes_of(statement))
        kept = [n for n in names if isinstance(statement, ast.For) and self._counts[n] > own[n]]
        size = len(parts) * len(rows)
        if (
            not self._inner.isdisjoint(kept)
            or not all(rows)
            or size > self._left
            or (not kept and read.isdisjoint(names))
            or _rebinds(parts, names)
        ):
            return statement  # also where every hit ends alike: one claim says that better
        self._left -= size
        last = dict(zip(names, rows[-1], strict=True))
        chain = [*_assignments(kept, last, statement, len(rows)), *search.else_]
        for place in reversed(range(len(rows))):
            values = dict(zip(names, rows[place], strict=True))
            found = [_filled(part, values, place) for part in search.found]
            body = [*_assignments(kept, values, statement, place), *found]
            chain = [ast.copy_location(ast.If(_filled(search.test, values, place), body, chain), statement)]
        return chain[0]


def _searches(statement: ast.stmt) -> _Search | None:
    if isinstance(statement, ast.For) and len(statement.body) == 1 and isinstance(statement.body[0], ast.If):
        choice = statement.body[0]
        *others, last = choice.body
        leaps = [p for part in others for p in nodes_of(part) if isinstance(p, (ast.Break, ast.Continue))]
        if choice.orelse or leaps or not isinstance(last, (ast.Return, ast.Break)):
            return None
        found = choice.body if isinstance(last, ast.Return) else others
        return _Search(_names(statement.target), statement.iter, choice.test, found, statement.orelse)
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ast.Return, ast.Assign)) or not isinstance(value, ast.Call) or value.keywords:
        return None
    if getattr(value.func, "id", "") != "next" or len(value.args) != 2:
        return None
    hits, default = value.args
    if not isinstance(hits, ast.GeneratorExp) or len(hits.generators) != 1 or len(hits.generators[0].ifs) != 1:
        return None
    loop = hits.generators[0]
    found, else_ = [_valued(statement, hits.elt)], [_valued(statement, default)]
    return _Search(_names(loop.target), loop.iter, loop.ifs[0], found, else_)


def _names(target: ast.expr) -> list[str]:
    """Return the names that hold the parts of an entry; none where it is taken apart in another way."""
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(set(names)) == len(parts) else []


def _valued(statement: ast.Return | ast.Assign, value: ast.expr) -> ast.stmt:
    """Return a statement with another value."""
    if isinstance(statement, ast.Return):
        return ast.copy_location(ast.Return(value), value)
    return ast.copy_location(ast.Assign(statement.targets, value), value)


def _counts(nodes: Iterable[ast.AST]) -> Counter[str]:
    return Counter(node.id for node in nodes if isinstance(node, ast.Name))


def _bound(node: ast.AST) -> list[str]:
    """Return the names that a node other than a plain assignment gives a meaning."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        return node.names
    if isinstance(node, ast.alias):
        return [node.asname or node.name]
    named = (getattr(node, "arg", None), getattr(node, "name", None), getattr(node, "rest", None))
    return [name for name in named if isinstance(name, str)]


def _read_inside(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Return the names that functions inside other functions use, at a time that nobody knows."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
    outer = [node for node in nodes if isinstance(node, functions)]
    inner = {id(part): part for node in outer for part in nodes_of(node)[1:] if isinstance(part, functions)}
    return frozenset(part.id for node in inner.values() for part in nodes_of(node) if isinstance(part, ast.Name))


def _tables(nodes: Sequence[ast.AST]) -> dict[str, ast.expr]:
    """Return the tables that are written out and only read, by the names that hold nothing else."""
    bound = Counter(name for node in nodes for name in _bound(node))
    reads = _counts(_read_only(nodes))
    uses = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    places = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef)
    always = (statement for node in nodes if isinstance(node, places) for statement in node.body)
    found: dict[str, ast.expr] = {}
    for node in always:
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        value = node.value if isinstance(node, ast.Assign) else None
        literal = isinstance(value, (ast.List, ast.Tuple, ast.Dict))
        alone = isinstance(target, ast.Name) and bound[target.id] == 1 and uses[target.id] == reads[target.id]
        if isinstance(target, ast.Name) and value is not None and literal and alone:
            found[target.id] = value
    return found


def _read_only(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    """Return what is gone through, looked up in or asked for its entries, and so stays as it is."""
    found: list[ast.AST] = []
    for node in nodes:
        if isinstance(node, (ast.For, ast.comprehension)):
            found.append(node.iter)
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            found.append(node.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _READING:
            found.append(node.func.value)
    return found


def _entries(over: ast.expr, tables: Mapping[str, ast.expr]) -> list[ast.expr]:
    """Return the entries of a table that is written out; of a dictionary's items, pairs."""
    owner, items = over, False
    if isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and over.func.attr == "items":
        owner, items = over.func.value, not over.args
    table = tables.get(owner.id) if isinstance(owner, ast.Name) else owner
    if items and isinstance(table, ast.Dict):
        keys = [ast.dump(key) if key is not None else "" for key in table.keys[: MAX_CASES + 1]]
        if "" in keys or len(set(keys)) < len(keys):
            return []
        pairs = zip(table.keys, table.values, strict=True)
        return [ast.Tuple([key, value], ast.Load()) for key, value in pairs if key is not None]
    return [] if items or not isinstance(table, (ast.List, ast.Tuple)) else table.elts


def _row(entry: ast.expr, many: int) -> list[ast.expr]:
    """Return the constants of an entry, as many as there are names; none where they are others."""
    parts = [entry] if many == 1 else entry.elts if isinstance(entry, (ast.Tuple, ast.List)) else []
    kinds = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.USub)
    nodes = nodes_of(entry)
    fixed = all(isinstance(node, kinds) for node in nodes) and len(nodes) <= MAX_ENTRY_NODES
    short = all(len(repr(node.value)) <= MAX_ENTRY_CHARS for node in nodes if fixed and isinstance(node, ast.Constant))
    return parts if fixed and short and len(parts) == many else []


def _rebinds(parts: Iterable[ast.AST], names: Sequence[str]) -> bool:
    """Return whether what is done with an entry gives one of its names another meaning."""
    return any(isinstance(part, _BINDING) or not set(names).isdisjoint(_bound(part)) for part in parts)


class _Fill(ast.NodeTransformer):
    """Puts constants in the place of names, and moves statements apart from their copies."""

    def __init__(self, values: Mapping[str, ast.expr], place: int) -> None:
        self._values = values
        self._place = place

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Move a statement."""
        if isinstance(node, ast.stmt):
            node.col_offset += _APART * (self._place + 1)
        return super().generic_visit(node)

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Put a constant in the place of a name that is read."""
        value = self._values.get(node.id) if isinstance(node.ctx, ast.Load) else None
        return node if value is None else ast.copy_location(copy.deepcopy(value), node)


def _filled(node: Node, values: Mapping[str, ast.expr], place: int) -> Node:
    return cast(Node, _Fill(values, place).visit(copy.deepcopy(node)))


def _assignments(names: Sequence[str], values: Mapping[str, ast.expr], at: ast.stmt, place: int) -> list[ast.stmt]:
    """Return statements that give names what an entry holds, each at a place of its own."""
    made: list[ast.stmt] = []
    for number, name in enumerate(names):
        one = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], copy.deepcopy(values[name])), at)
        one.col_offset += _APART * (place + 1) + number + 1
        made.append(ast.fix_missing_locations(one))
    return made
