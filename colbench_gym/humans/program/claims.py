"""All that a reference determines, as data without English: claims, and the circumstances under which they hold."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from colbench_gym.humans.program.shapes import Shape


@dataclass(frozen=True, eq=False)
class Circumstance:
    """Something under which a claim holds.

    Attributes:
        kind: ``if`` and ``unless`` for a test that holds or fails, ``elif`` for one that is looked at only after others
            failed, ``else`` when none of the tests before holds, ``each`` for a loop over items, ``while``, ``except``,
            ``inside`` a helper function or a class.
        nodes: the code that it depends on: the test; target and what is gone through; the error; the tests before an
            ``else``; the helper's name.
        before: of an ``elif`` the tests that failed before it.
    """

    kind: Literal["if", "unless", "elif", "else", "each", "while", "except", "inside"]
    nodes: tuple[ast.AST, ...] = ()
    before: tuple[ast.expr, ...] = ()

    @property
    def short(self) -> Circumstance:
        """The same behind all the cases before it, which it need not name."""
        return Circumstance(self.kind, () if self.kind == "else" else self.nodes)


CONDITIONS = frozenset(("if", "unless", "elif", "else", "except"))


@dataclass(frozen=True, eq=False)
class Claim:
    """One thing that the reference does, and where.

    Attributes:
        where: the circumstances, the outermost first.
        node: the statement; of an entry of a long table, key and value.
        title: name of the table.
    """

    where: tuple[Circumstance, ...]
    node: ast.AST
    title: str | None = None

    @cached_property
    def conditional(self) -> bool:
        """Return whether it holds in some cases only."""
        return any(circumstance.kind in CONDITIONS for circumstance in self.where)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All code that it depends on: the circumstances, then its own."""
        return (*(node for circumstance in self.where for node in circumstance.nodes), self.node)

    @property
    def inside(self) -> str:
        """Name of the helper that it is a part of; empty for the function itself."""
        helpers = (c.nodes[0] for c in self.where if c.kind == "inside")
        return next((node.id for node in helpers if isinstance(node, ast.Name)), "")

    @property
    def value(self) -> ast.expr | None:
        """Expression that is returned, assigned or done; None for other statements."""
        value = getattr(self.node, "value", None)
        return value if isinstance(value, ast.expr) else None


@dataclass(frozen=True, eq=False)
class Parameter:
    """One argument of the function.

    Attributes:
        name: as in the signature.
        shape: what its values look like, as far as known.
        default: what it is when it is not given.
        used: whether the result depends on it at all.
        extra: ``*`` or ``**`` for arguments that collect others.
    """

    name: str
    shape: Shape
    default: ast.expr | None = None
    used: bool = True
    extra: str = ""
