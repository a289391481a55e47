"""Loops over things, as comprehensions or statement by statement."""

from __future__ import annotations

from dataclasses import dataclass

from colbench_gym.tasks.generated_backend.shapes.collections.sources import Reach
from colbench_gym.tasks.generated_backend.shapes.protocol import indented

_MAX_LINE = 190  # characters of a comprehension; a longer one is written as a loop


@dataclass(frozen=True)
class Loop:
    """A loop over the things that count.

    Attributes:
        parts: how the parts of a thing are reached.
        setup: statements before the loop.
        inside: statements that leave things out, at the start of the loop's body.
        conditions: expressions that must hold.
        value: expression of the number that counts.
    """

    parts: Reach
    setup: tuple[str, ...]
    inside: tuple[str, ...]
    conditions: tuple[str, ...]
    value: str

    def gather(self, target: str, entry: str, style: int) -> list[str]:
        """Return statements that put an entry for each thing that counts into a list."""
        guard = f" if {' and '.join(self.conditions)}" if self.conditions else ""
        short = f"{target} = [{entry} {self.parts.head}{guard}]"
        if not self.inside and style % 6 and len(short) <= _MAX_LINE:
            return [*self.setup, short]
        return [f"{target} = []", *self.each([f"{target}.append({entry})"], style)]

    def each(self, statements: list[str], style: int) -> list[str]:
        """Return a loop that does something with each thing that counts."""
        body = list(self.inside)
        if not self.conditions:
            body += statements
        elif style % 2 or len(self.conditions) > 1:
            body += [f"if {' and '.join(self.conditions)}:", *indented(statements)]
        else:
            body += [f"if {_negated(self.conditions[0])}:", "    continue", *statements]
        return [*self.setup, f"{self.parts.head}:", *indented(body)]


def _negated(condition: str) -> str:
    for operator, opposite in (
        (" not in ", " in "),
        (" in ", " not in "),
        (" >= ", " < "),
        (" > ", " <= "),
        (" == ", " != "),
        (" != ", " == "),
    ):
        if condition.count(operator) == 1 and " and " not in condition:
            return condition.replace(operator, opposite)
    return condition[4:] if condition.startswith("not ") else f"not {condition}"
