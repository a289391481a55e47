"""All that a reference determines, as data without English: claims, and the circumstances under which they hold."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from colbench_gym.humans.program.shapes import Shape


@dataclass(frozen=True, eq=False)
class When:
    """A test that holds, or fails; ``late`` when it is looked at only after other tests failed."""

    test: ast.expr
    holds: bool = True
    late: bool = False


@dataclass(frozen=True, eq=False)
class Otherwise:
    """None of some tests holds."""

    tests: tuple[ast.expr, ...]


@dataclass(frozen=True, eq=False)
class Each:
    """A loop over the items of something."""

    target: ast.expr
    over: ast.expr


@dataclass(frozen=True, eq=False)
class AsLongAs:
    """A loop that goes on while a test holds."""

    test: ast.expr


@dataclass(frozen=True, eq=False)
class OnFailure:
    """An error that is caught."""

    handler: ast.ExceptHandler


@dataclass(frozen=True, eq=False)
class Opened:
    """The body of a with statement."""

    items: tuple[ast.withitem, ...]


@dataclass(frozen=True, eq=False)
class Matched:
    """A case of a match statement."""

    subject: ast.expr
    case: ast.match_case


@dataclass(frozen=True, eq=False)
class Inside:
    """The body of a helper function or a class."""

    name: str
    is_class: bool = False


Circumstance = When | Otherwise | Each | AsLongAs | OnFailure | Opened | Matched | Inside


@dataclass(frozen=True, eq=False)
class Claim(ABC):
    """One thing that the reference does, and where."""

    where: tuple[Circumstance, ...]

    @property
    @abstractmethod
    def node(self) -> ast.AST:
        """Return the code that it was read from, circumstances left out."""

    @cached_property
    def conditional(self) -> bool:
        """Return whether it holds in some cases only."""
        return any(isinstance(c, (When, Otherwise, OnFailure, Matched)) for c in self.where)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All code that it depends on: the circumstances, then its own."""
        return (*(node for c in self.where for node in _nodes_of(c)), self.node)


@dataclass(frozen=True, eq=False)
class Returns(Claim):
    """The function ends with a value."""

    statement: ast.Return

    @property
    def node(self) -> ast.AST:
        """Return the code of the claim."""
        return self.statement


@dataclass(frozen=True, eq=False)
class Raises(Claim):
    """The function fails on purpose."""

    statement: ast.Raise

    @property
    def node(self) -> ast.AST:
        """Return the code of the claim."""
        return self.statement


@dataclass(frozen=True, eq=False)
class Assigns(Claim):
    """A name, or a place in a container, gets a value."""

    statement: ast.Assign | ast.AnnAssign

    @property
    def node(self) -> ast.AST:
        """Return the code of the claim."""
        return self.statement


@dataclass(frozen=True, eq=False)
class Does(Claim):
    """Any other simple statement: a running total, an item added, a round of the loop skipped."""

    statement: ast.stmt

    @property
    def node(self) -> ast.AST:
        """Return the code of the claim."""
        return self.statement


@dataclass(frozen=True, eq=False)
class TableEntry(Claim):
    """One entry of a dictionary, or item of a list, that is too long for a sentence."""

    title: str
    key: ast.expr | None
    value: ast.expr

    @property
    def node(self) -> ast.AST:
        """Return the code of the claim."""
        return ast.Tuple([part for part in (self.key, self.value) if part is not None], ast.Load())


@dataclass(frozen=True, eq=False)
class Uses(Claim):
    """A library that is imported."""

    statement: ast.Import | ast.ImportFrom

    @property
    def node(self) -> ast.AST:
        """Return the code of the claim."""
        return self.statement


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


def _nodes_of(circumstance: Circumstance) -> Iterator[ast.AST]:
    match circumstance:
        case When(test=test) | AsLongAs(test=test):
            yield test
        case Each(target=target, over=over):
            yield from (target, over)
        case OnFailure(handler=handler):
            if handler.type is not None:
                yield handler.type
        case Opened(items=items):
            yield from items
        case Matched(subject=subject, case=case):
            yield from (subject, case.pattern, *([case.guard] if case.guard else []))
        case Inside(name=name):
            yield ast.Name(name, ast.Load())
