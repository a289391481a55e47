"""Protocol of a shape of programs: public choices, sentences, parameters, matters, code and inputs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol

from colbench_gym.tasks.generated_backend.matters import Arguments, Matter, Settings
from colbench_gym.tasks.generated_backend.ontology import Domain
from colbench_gym.tasks.permutation import Draw

Operators = Mapping[str, str]


@dataclass(frozen=True)
class Role:
    """A parameter of the function.

    Attributes:
        key: what it is for.
        names: identifiers that it may have.
        beside: the role before it whose name it follows: both have theirs in the same place of ``names``.
    """

    key: str
    names: tuple[str, ...]
    beside: str = ""


@dataclass(frozen=True)
class Plan:
    """The public part of a program: everything that can be read from its request.

    Attributes:
        shape: which kind of program.
        domain: what it is about.
        number: which of the shape's compositions in the domain.
        operators: what it is composed of.
        function: its name.
        names: the parameter of each role, in their order.
        defaults: default values, as source text, of matters that the caller decides by a parameter.
        style: which of several ways of writing it; behaviour does not depend on it and the request does not show it.
    """

    shape: str
    domain: Domain
    number: int
    operators: Operators
    function: str
    names: Mapping[str, str]
    defaults: Mapping[str, str] = field(default_factory=dict)
    style: int = 0

    @property
    def signature(self) -> str:
        """The line that the function begins with, without its colon."""
        parts = [f"{name}={self.defaults[key]}" if key in self.defaults else name for key, name in self.names.items()]
        return f"def {self.function}({', '.join(parts)})"


class Shape(Protocol):
    """A kind of program."""

    name: str
    choices: Mapping[str, tuple[str, ...]]

    def allows(self, domain: Domain, operators: Operators) -> bool:
        """Return whether the operators can be composed."""

    def sentences(self, domain: Domain, operators: Operators) -> Sequence[tuple[str, ...]]:
        """Return wordings of the goal, of what it does in the end (none where a matter says it), of what is passed in."""

    def functions(self, domain: Domain, operators: Operators) -> tuple[str, ...]:
        """Return names for the function."""

    def roles(self, domain: Domain, operators: Operators) -> tuple[Role, ...]:
        """Return the parameters."""

    def matters(self, domain: Domain, operators: Operators) -> tuple[Matter, ...]:
        """Return what such a request could leave open."""

    def parameters(self, domain: Domain, operators: Operators) -> Mapping[str, tuple[str, ...]]:
        """Return names of parameters by which a caller may decide a matter, by the matter's key."""

    def body(self, plan: Plan, settings: Settings) -> list[str]:
        """Return the statements of the function."""

    def inputs(self, plan: Plan, settings: Settings, draw: Draw) -> Iterator[Arguments]:
        """Yield arguments, without end and without those of :meth:`parameters`, that settle most of the open matters."""


def compositions(shape: Shape, domain: Domain) -> Iterator[dict[str, str]]:
    """Yield every allowed composition of a shape's operators."""
    for values in product(*shape.choices.values()):
        operators = dict(zip(shape.choices, values, strict=True))
        if shape.allows(domain, operators):
            yield operators


def indented(lines: Sequence[str]) -> list[str]:
    """Return lines one step further to the right."""
    return ["    " + line for line in lines]
