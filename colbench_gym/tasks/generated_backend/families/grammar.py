"""Families of functions: a template with holes, and the hidden choices that fill them.

A template is the body of a function. A hole is ``$key``: inside a line it is an expression, alone on its line it is a
block of statements. ``$near`` stands behind a number that will be rounded: nothing in the source text, but the
switchable function multiplies by it there, to see whether the rounding hangs on the last bit of a float. From one
template come the source text of every member of the family and one switchable function, compiled once, that behaves
like any of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from textwrap import dedent
from typing import Any

from colbench_gym.tasks import Decision
from colbench_gym.tasks.permutation import Draw

_HOLE = re.compile(r"\$(\w+)")
_BLOCK = re.compile(r"( *)\$(\w+)")
_STEP = "    "

# Any: what a choice is set to is a number, a text, or the position of an alternative; arguments are any plain data.
Settings = Mapping[str, Any]
Arguments = tuple[Any, ...]
Variant = partial[Any]  # of the function that all members of a family share


@dataclass(frozen=True)
class Value:
    """A hidden choice among values of one kind, such as a threshold.

    Attributes:
        key: the name of its hole.
        about: noun phrases for what it is about, which do not give it away.
        values: the alternatives.
        says: whole sentences that state a value, with ``{}`` in its place.
        topics: words by which a question about it can be known.
    """

    key: str
    about: tuple[str, ...]
    values: Sequence[Any]
    says: tuple[str, ...]
    topics: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of alternatives."""
        return len(self.values)

    def setting(self, alternative: int) -> Any:
        """Value that the switchable function is told."""
        return self.values[alternative]

    def sentences(self, alternative: int) -> tuple[str, ...]:
        """Return the sentences of a person who wants this alternative."""
        shown = spoken(self.values[alternative])
        return tuple(text.format(shown) for text in self.says)

    def fragment(self, setting: Any) -> str:
        """Return the source text in its hole."""
        return literal(setting)

    def switch(self) -> str:
        """Return the expression in the switchable function."""
        return f"_{self.key}"


@dataclass(frozen=True)
class Pick:
    """A hidden choice among pieces of code, such as an order or a rounding.

    Attributes:
        key: the name of its hole.
        about: noun phrases for what it is about, which do not give it away.
        options: for each alternative its code and the whole sentences that state it.
        topics: words by which a question about it can be known.
    """

    key: str
    about: tuple[str, ...]
    options: tuple[tuple[str, ...], ...]
    topics: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of alternatives."""
        return len(self.options)

    def setting(self, alternative: int) -> int:
        """Value that the switchable function is told."""
        return alternative

    def sentences(self, alternative: int) -> tuple[str, ...]:
        """Return the sentences of a person who wants this alternative."""
        return self.options[alternative][1:]

    def fragment(self, setting: int) -> str:
        """Return the source text in its hole."""
        return dedent(self.options[setting][0]).strip("\n")

    def switch(self) -> str:
        """Return the expression in the switchable function."""
        *most, last = (f"({self.fragment(i)})" for i in range(self.size))
        return f"({''.join(f'{code} if _{self.key} == {i} else ' for i, code in enumerate(most))}{last})"

    def switch_block(self, indent: str) -> list[str]:
        """Return the statements in the switchable function."""
        lines = []
        for i in range(self.size):
            lines.append(f"{indent}{'el' if i else ''}if _{self.key} == {i}:")
            lines += [indent + _STEP + line for line in (self.fragment(i) or "pass").split("\n")]
        return lines


Choice = Value | Pick


@dataclass(frozen=True, eq=False)
class Family:
    """Functions that one vague request could mean.

    Attributes:
        names: names that the function may have; no other family has one of them.
        parameters: the text between the parentheses of the signature.
        wordings: vague public requests, none of which depends on a hidden choice.
        template: the body of the function, with holes.
        choices: what is hidden.
        inputs: argument tuples worth calling it with; they may depend on the settings (to probe a threshold).
        indifferent: matters on which the person has no preference.
    """

    names: tuple[str, ...]
    parameters: str
    wordings: tuple[str, ...]
    template: str
    choices: tuple[Choice, ...]
    inputs: Callable[[Settings, Draw], list[Arguments]] = field(repr=False)
    indifferent: tuple[Decision, ...] = ()

    @cached_property
    def size(self) -> int:
        """Number of members, names and wordings aside."""
        size = 1
        for choice in self.choices:
            size *= choice.size
        return size

    @property
    def surfaces(self) -> int:
        """Number of ways in which the same member can be asked for."""
        return len(self.names) * len(self.wordings)

    def surface(self, number: int) -> tuple[str, str]:
        """Return the name and the wording with that number."""
        return self.names[number % len(self.names)], self.wordings[number // len(self.names)]

    def description(self, name: str, wording: str) -> str:
        """Return the vague public request; nothing hidden goes into it."""
        return f"{wording} The signature of the function is: def {name}({self.parameters})"

    def alternatives(self, member: int) -> dict[str, int]:
        """Return the number of a member, spelt in its choices."""
        spelt = {}
        for choice in self.choices:
            member, spelt[choice.key] = divmod(member, choice.size)
        return spelt

    def settings(self, alternatives: Mapping[str, int]) -> dict[str, Any]:
        """Values of the choices."""
        return {choice.key: choice.setting(alternatives[choice.key]) for choice in self.choices}

    def source(self, name: str, settings: Settings) -> str:
        """Return the source text of one member."""
        lines = [f"def {name}({self.parameters}):"]
        for line in self._lines:
            lines += [_STEP + filled for filled in self._fill(line, settings)]
        return "\n".join(lines) + "\n"

    def member(self, settings: Settings, near: float = 1.0) -> Variant:
        """Return the function with these settings, to be called with the task's arguments.

        A keyword, the key of a choice after an underscore, changes its setting.
        """
        return partial(self._switchable, _near=near, **{f"_{key}": setting for key, setting in settings.items()})

    @cached_property
    def rounds(self) -> bool:
        """True if something is rounded."""
        return "$near" in self.template or any("$near" in c.fragment(0) for c in self.choices if isinstance(c, Pick))

    @cached_property
    def _by_key(self) -> dict[str, Choice]:
        return {choice.key: choice for choice in self.choices}

    @cached_property
    def _lines(self) -> tuple[str, ...]:
        return tuple(dedent(self.template).strip("\n").split("\n"))

    def _fill(self, line: str, settings: Settings) -> list[str]:
        block = _BLOCK.fullmatch(line)
        choice = self._by_key[block[2]] if block else None
        if block and isinstance(choice, Pick):
            parts = choice.fragment(settings[choice.key]).split("\n")
            return [filled for part in parts if part for filled in self._fill(block[1] + part, settings)]
        return [self._all_holes(line, lambda key: self._by_key[key].fragment(settings[key]), "")]

    @cached_property
    def _switchable(self) -> Callable[..., Any]:
        holes = ", ".join(f"_{key}" for key in ("near", *self._by_key))
        lines = [f"def switchable({self.parameters}, *, {holes}):"]
        for line in self._lines:
            lines += [_STEP + switched for switched in self._switch(line)]
        namespace: dict[str, Any] = {}
        exec(compile("\n".join(lines), "<switchable>", "exec"), namespace)  # our own text, never a contestant's
        return namespace["switchable"]  # type: ignore[no-any-return]  # what exec has just defined

    def _switch(self, line: str) -> list[str]:
        block = _BLOCK.fullmatch(line)
        choice = self._by_key[block[2]] if block else None
        if block and isinstance(choice, Pick):
            return [switched for part in choice.switch_block(block[1]) for switched in self._switch(part)]
        return [self._all_holes(line, lambda key: self._by_key[key].switch(), " * _near")]

    def _all_holes(self, line: str, filling: Callable[[str], str], near: str) -> str:
        """Return the line with every hole filled, those in the fillings included."""
        while True:
            line = line.replace("$near", near)
            filled = _HOLE.sub(lambda hole: filling(hole[1]), line)
            if filled == line:
                return line
            line = filled


def literal(value: Any) -> str:
    """Return the source text of plain data; sets in a fixed order."""
    text = repr(value)
    if "{" not in text and "set(" not in text:  # no set in it
        return text
    if isinstance(value, set):
        return "{" + ", ".join(sorted(map(literal, value))) + "}" if value else "set()"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(literal, value)) + ("," if len(value) == 1 else "") + ")"
    return text


def spoken(value: Any) -> str:
    """Return a value as a person says it in a sentence."""
    if isinstance(value, str):
        return f'"{value}"' if value else "an empty text"
    if isinstance(value, (list, dict, tuple, set)) and not value:
        return f"an empty {type(value).__name__}"
    return str(value)
