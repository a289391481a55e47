"""Spread what is written in one piece into statements, so that each of its cases is a claim of its own."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

from colbench_gym.python.syntax import nodes_of

Node = TypeVar("Node", bound=ast.AST)
MAX_WHOLE_CHARS = 90  # of a conditional expression's source that stays one sentence
MAX_CASES = 8  # of a table whose entries are looked at one by one
_APART = 1000  # columns between the copies of a statement, which is found again by its position


def spread(tree: ast.Module) -> ast.Module:
    """Turn choices inside one statement into if statements that do the same.

    These are ``return a if test else b`` where it is long or has further cases inside, and searches of a table that is
    written out, be it by a loop that ends at the first hit or by ``next()``.
    """
    tables = _tables(tree)
    for node in nodes_of(tree):
        if isinstance(node, ast.expr):
            continue
        for name in ("body", "orelse", "finalbody"):
            statements = getattr(node, name, None)
            if isinstance(statements, list):
                setattr(node, name, [_spread(_unrolled(tree, tables, statement)) for statement in statements])
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
        target: what holds the entry.
        over: the table.
        test: what an entry has to pass.
        found: what is done then.
        else_: what is done where none passes.
    """

    target: ast.expr
    over: ast.expr
    test: ast.expr
    found: Sequence[ast.stmt]
    else_: Sequence[ast.stmt]


def _unrolled(tree: ast.Module, tables: Mapping[str, ast.expr], statement: ast.stmt) -> ast.stmt:
    """Return a search of a small table as a chain of if statements, any other statement as it is."""
    search = _searches(statement)
    if search is None:
        return statement
    names = [part.id for part in nodes_of(search.target) if isinstance(part, ast.Name)]
    entries = _entries(search.over, tables)
    rows = [_row(entry, search.target) for entry in entries]
    if not names or not 1 < len(rows) <= MAX_CASES or not all(len(row) == len(names) for row in rows):
        return statement
    inside = {id(part) for part in nodes_of(statement)}
    outside = {part.id for part in nodes_of(tree) if isinstance(part, ast.Name) and id(part) not in inside}
    kept = [name for name in names if isinstance(statement, ast.For) and name in outside]
    used = {part.id for one in search.found for part in nodes_of(one) if isinstance(part, ast.Name)}
    if not kept and used.isdisjoint(names):
        return statement  # every hit ends alike: one claim says it better
    chain: list[ast.stmt] = list(search.else_)
    for place in reversed(range(len(rows))):
        values = dict(zip(names, rows[place], strict=True))
        body = [_filled(part, values, place) for part in search.found]
        body[:0] = [_assignment(name, values[name], statement, place) for name in kept]
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
        return _Search(statement.target, statement.iter, choice.test, found, statement.orelse)
    value = getattr(statement, "value", None)
    if not isinstance(statement, (ast.Return, ast.Assign)) or not isinstance(value, ast.Call):
        return None
    if (
        getattr(value.func, "id", "") != "next"
        or len(value.args) != 2
        or not isinstance(value.args[0], ast.GeneratorExp)
    ):
        return None
    loops, default = value.args[0].generators, value.args[1]
    if len(loops) != 1 or len(loops[0].ifs) != 1:
        return None
    found = [_valued(statement, value.args[0].elt)]
    return _Search(loops[0].target, loops[0].iter, loops[0].ifs[0], found, [_valued(statement, default)])


def _valued(statement: ast.Return | ast.Assign, value: ast.expr) -> ast.stmt:
    """Return a statement with another value."""
    if isinstance(statement, ast.Return):
        return ast.copy_location(ast.Return(value), value)
    return ast.copy_location(ast.Assign(statement.targets, value), value)


def _tables(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the tables that are written out, by the names that hold nothing else."""
    stored = Counter(n.id for n in nodes_of(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return {
        node.targets[0].id: node.value
        for node in nodes_of(tree)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and len(node.targets) == stored[node.targets[0].id] == 1
        and isinstance(node.value, (ast.List, ast.Tuple, ast.Dict))
    }


def _entries(over: ast.expr, tables: Mapping[str, ast.expr]) -> list[ast.expr]:
    """Return the entries of a table that is written out; of a dictionary's items, pairs."""
    items = isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) and over.func.attr == "items"
    owner = over.func.value if items and isinstance(over, ast.Call) and isinstance(over.func, ast.Attribute) else over
    table = tables.get(owner.id) if isinstance(owner, ast.Name) else owner
    if items and isinstance(table, ast.Dict):
        pairs = zip(table.keys, table.values, strict=True)
        return [ast.Tuple([key, value], ast.Load()) for key, value in pairs if key is not None]
    return [] if items or not isinstance(table, (ast.List, ast.Tuple)) else table.elts


def _row(entry: ast.expr, target: ast.expr) -> list[ast.expr]:
    """Return the constants of an entry, one for each name of the target; none where they do not match."""
    if isinstance(target, ast.Name):
        parts = [entry]
    elif isinstance(target, ast.Tuple) and isinstance(entry, (ast.Tuple, ast.List)):
        parts = entry.elts if all(isinstance(part, ast.Name) for part in target.elts) else []
    else:
        parts = []
    return parts if all(_is_fixed(part) for part in parts) else []


def _is_fixed(node: ast.expr) -> bool:
    kinds = (ast.Constant, ast.Tuple, ast.List, ast.UnaryOp, ast.USub)
    return all(isinstance(part, kinds) for part in nodes_of(node))


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


def _assignment(name: str, value: ast.expr, at: ast.stmt, place: int) -> ast.stmt:
    made = ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], copy.deepcopy(value)), at)
    return _filled(ast.fix_missing_locations(made), {}, place)
