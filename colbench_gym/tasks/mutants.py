"""Slightly wrong versions of a program: one comparison, operator, constant, condition or return changed at a time."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from colbench_gym.python_code.syntax import parse_module

MutantKind = Literal["comparison", "arithmetic", "constant", "boolean", "return"]

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """A changed program.

    Attributes:
        kind: what was changed.
        line: where, in the original; from 1.
        source: the changed program.
    """

    kind: MutantKind
    line: int
    source: str


@dataclass(frozen=True)
class _Site:
    """A place to change.

    Attributes:
        kind, line: as of :class:`Mutant`.
        statement: the place of the statement around it in :func:`_body`; -1 where it is in none of these.
        change: edits the tree in place and returns what takes the edit back.
    """

    kind: MutantKind
    line: int
    statement: int
    change: Callable[[], Callable[[], None]]


@lru_cache(maxsize=256)
def mutants(source: str, limit: int) -> tuple[Mutant, ...]:
    """Return up to ``limit`` changed versions of a program, of as many kinds as it has places for.

    Which ones depends on the program alone. A program that does not parse has none.
    """
    try:
        tree = parse_module(source)
        original = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    texts = _texts(tree, original)
    found: dict[str, Mutant] = {}
    for site in _spread(list(_sites(tree)), source):
        if len(found) == limit:
            break
        undo = site.change()
        if texts and site.statement >= 0:
            body = [*texts[1:]]
            body[site.statement] = _indented(_body(tree)[site.statement])
            changed = "\n".join((texts[0], *body))
        else:
            changed = ast.unparse(tree)
        undo()
        if changed != original and changed not in found:
            found[changed] = Mutant(site.kind, site.line, changed)
    return tuple(found.values())


def _body(tree: ast.Module) -> list[ast.stmt]:
    """Return the statements of the function that a program consists of; none when it is more or less than that."""
    return tree.body[0].body if len(tree.body) == 1 and isinstance(tree.body[0], ast.FunctionDef) else []


def _texts(tree: ast.Module, original: str) -> list[str]:
    """Return the first line of a program and each statement of its function, so that a change can be written alone.

    Empty where these are not the whole text: with decorators or a docstring, for example.
    """
    texts = [original.partition("\n")[0], *map(_indented, _body(tree))]
    return texts if "\n".join(texts) == original else []


def _indented(statement: ast.stmt) -> str:
    return "\n".join(f"    {line}" for line in ast.unparse(statement).split("\n"))


def _spread(sites: list[_Site], source: str) -> Iterator[_Site]:
    """Return all sites, the kinds in turn, within a kind in an order that only the program decides."""

    def draw(numbered: tuple[int, _Site]) -> bytes:
        return hashlib.blake2b(f"{numbered[0]}\n{source}".encode("utf-8", "surrogatepass"), digest_size=8).digest()

    by_kind: dict[str, list[_Site]] = {}
    for _, site in sorted(enumerate(sites), key=draw):
        by_kind.setdefault(site.kind, []).append(site)
    columns = [by_kind[kind] for kind in sorted(by_kind)]
    for row in range(max(map(len, columns), default=0)):
        yield from (column[row] for column in columns if row < len(column))


def _sites(tree: ast.Module) -> Iterator[_Site]:
    silent = {id(part) for node in ast.walk(tree) for root in _silent_parts(node) for part in ast.walk(root)}
    within = {id(part): place for place, statement in enumerate(_body(tree)) for part in ast.walk(statement)}
    for node in ast.walk(tree):
        if id(node) not in silent:
            yield from _sites_of(node, within.get(id(node), -1))


def _silent_parts(node: ast.AST) -> Iterator[ast.AST]:
    """Text that does nothing (docstrings, annotations) or cannot be changed alone (an f-string)."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
        yield node
    annotations = (getattr(node, "annotation", None), getattr(node, "returns", None))
    yield from (annotation for annotation in annotations if isinstance(annotation, ast.AST))


def _sites_of(node: ast.AST, statement: int) -> Iterator[_Site]:
    line = getattr(node, "lineno", 1)
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            changed = [*node.ops[:index], _COMPARISONS[type(operator)](), *node.ops[index + 1 :]]
            yield _Site("comparison", line, statement, _field_change(node, "ops", changed))
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _OPERATORS:
        yield _Site("arithmetic", line, statement, _field_change(node, "op", _OPERATORS[type(node.op)]()))
    elif isinstance(node, ast.BoolOp):
        opposite = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield _Site("boolean", line, statement, _field_change(node, "op", opposite))
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield _Site("boolean", line, statement, _field_change(node, "test", ast.UnaryOp(ast.Not(), node.test)))
    elif isinstance(node, ast.Constant):
        other_value = _other_constant(node.value)
        if other_value is not None:
            kind: MutantKind = "boolean" if isinstance(node.value, bool) else "constant"
            yield _Site(kind, line, statement, _field_change(node, "value", other_value))
    elif isinstance(node, ast.Return) and node.value is not None:
        yield _Site("return", line, statement, _field_change(node, "value", ast.Constant(None)))


def _other_constant(value: object) -> object:
    """Return a near constant of the same type; None for those that have no neighbour."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    if isinstance(value, str):
        return value + "_" if value else "_"
    return None


def _field_change(node: ast.AST, name: str, new: object) -> Callable[[], Callable[[], None]]:
    def change() -> Callable[[], None]:
        old = getattr(node, name)
        setattr(node, name, new)
        return lambda: setattr(node, name, old)

    return change
