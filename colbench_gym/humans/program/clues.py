"""Collect what the use of a name in the code tells about its type."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from colbench_gym.humans.asking.lexicon import word_set
from colbench_gym.humans.vocabulary import read_toml

_WORDS = read_toml(Path(__file__).with_name("clues.toml"))
_METHODS, _FUNCTIONS = ({kind: word_set(names) for kind, names in _WORDS[use].items()} for use in ("methods", "given"))
_MADE: dict[str, str] = {name: kind for kind, names in _WORDS["made"].items() for name in names.split()}
_SPLITS = word_set("split splitlines")
_MEMBERSHIP = (ast.In, ast.NotIn)
_ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ARITHMETIC = (ast.Mult, ast.Div, ast.Sub, ast.Pow, ast.FloorDiv, ast.Mod)


@dataclass
class Clues:
    """Observations of one name.

    Attributes:
        votes: how often each type is suggested.
        keys: texts it is subscripted with, in order of appearance.
    """

    votes: Counter[str] = field(default_factory=Counter)
    keys: dict[str, None] = field(default_factory=dict)

    @property
    def kind(self) -> str:
        """The likeliest type; empty when nothing tells."""
        return max(self.votes, key=lambda kind: (self.votes[kind], kind), default="")


def find_clues(nodes: Sequence[ast.AST]) -> dict[str, Clues]:
    """Clues for every name that the nodes of a program use."""
    seen: defaultdict[str, Clues] = defaultdict(Clues)
    for node in nodes:
        for owner, key in _keys(node):
            if isinstance(owner, ast.Name) and isinstance(key, ast.Constant) and isinstance(key.value, str):
                seen[owner.id].keys[key.value] = None
        for part, kind in _votes(node):
            if kind and isinstance(part, ast.Name):
                seen[part.id].votes[kind] += 1
    return dict(seen)


def _keys(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what is looked up by a key, and the key."""
    if isinstance(node, ast.Subscript):
        yield node.value, node.slice
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get" and node.args:
        yield node.func.value, node.args[0]


def _votes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """Yield expressions with the type that a node suggests for each."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ARITHMETIC) and kind_of(left) != "text":
            yield from ((left, "number"), (right, "number"))
        case ast.AugAssign(target=target, value=value) | ast.Assign(targets=[target], value=value):
            yield target, kind_of(value)
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if not isinstance(operator, _MEMBERSHIP):
            yield left, kind_of(right) or "number" * isinstance(operator, _ORDERED)
        case ast.Call(func=ast.Attribute(value=owner, attr=name)):
            yield owner, "text" if name in _SPLITS else next((k for k, names in _METHODS.items() if name in names), "")
        case ast.Call(func=ast.Name(id=name), args=[argument, *others]):
            several = name in ("max", "min") and others
            yield argument, "" if several else next((k for k, names in _FUNCTIONS.items() if name in names), "")
        case ast.Subscript(value=value, slice=ast.Constant(value=str())):
            yield value, "dictionary"
        case ast.For(iter=over) | ast.comprehension(iter=over):
            yield over, "list"


def kind_of(node: ast.expr | None) -> str:
    """The type of a literal or of what an operation surely makes; empty when open."""
    match node:
        case ast.Constant(value=bool()):
            return "flag"
        case ast.Constant(value=int() | float() | complex()):
            return "number"
        case ast.Constant(value=str()):
            return "text"
        case ast.UnaryOp(op=op, operand=operand):
            return "flag" if isinstance(op, ast.Not) else kind_of(operand)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _SPLITS or name in _METHODS["text"]:
            return "list" if name in _SPLITS else "flag" if name.startswith(("is", "starts", "ends")) else "text"
        case ast.Call(func=ast.Name(id=name)):
            return _MADE.get(name, "")
        case ast.IfExp(body=left, orelse=right) | ast.BinOp(left=left, op=ast.Add(), right=right):
            return kind_of(left) or kind_of(right)
        case ast.BinOp(op=op):
            return "number" if isinstance(op, _ARITHMETIC) else ""
    return str(_WORDS["syntax"].get(type(node).__name__, ""))
