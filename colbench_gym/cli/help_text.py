"""Flags of a command, which are the parameters of its function, and the text of its help page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, field, fields, is_dataclass, make_dataclass
from inspect import Parameter, signature
from typing import Annotated, Any, get_type_hints

from docstring_parser import parse
from tyro.conf import arg

from colbench_gym.scenario.options import BackendOptions, FrontendOptions, Options


def said_of(command: Mapping[str, Any]) -> str:  # Any: TOML
    """Return the text of a command's help page: its paragraphs, a line each."""
    about = str(command.get("about") or f"{command['does'][:1].upper()}{command['does'][1:]}.")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in about.split("\n\n"))


def flags_of(function: Callable[..., int | None], texts: Mapping[str, str]) -> type[Any]:  # Any: made here
    """Return a data class of a function's parameters, with ``run()``, which calls it.

    A parameter that is a data class stands for all of its fields; it is made, and what it checks checked, by ``run()``.

    Args:
        function: what runs the command.
        texts: what flags are; others are what the docstring of their data class says, else that of the scenario's
            option of the same name. A default that says nothing is left out.
    """
    known = signature(function, eval_str=True).parameters
    hints = {name: one.annotation for name, one in known.items()}
    groups: dict[str, type[Any]] = {name: hints[name] for name in known if is_dataclass(hints[name])}
    own = [
        (name, hints[name]) if one.default is Parameter.empty else (name, hints[name], field(default=one.default))
        for name, one in known.items()
        if name not in groups
    ]
    every = make_dataclass("Flags", own, bases=tuple(groups.values()), frozen=True, kw_only=True)
    types = get_type_hints(every, include_extras=True)
    classes = (FrontendOptions, BackendOptions, Options, *reversed(every.__mro__))
    said = {name: text for of in classes for name, text in _docs(of)}
    said |= {name: " ".join(text.split()) for name, text in texts.items()}

    def worded(one: Field[Any]) -> tuple[str, Any, Any]:
        about: Any = {"help": said[one.name]} if one.name in said else {}  # Any: of both of arg's overloads
        many = one.default is MISSING and "[tuple[" in str(types[one.name])  # tyro calls none of them the default
        about |= {"help_behavior_hint": ""} if many or one.default in (None, "", ()) else {}
        value = field(default=one.default, default_factory=one.default_factory)
        return one.name, Annotated[types[one.name], arg(**about)], value

    def run(self: object) -> int | None:
        made = {name: of(**{f.name: getattr(self, f.name) for f in fields(of)}) for name, of in groups.items()}
        return function(**made, **{name: getattr(self, name) for name, *_ in own})

    return make_dataclass("Flags", map(worded, fields(every)), namespace={"run": run}, frozen=True, kw_only=True)


def _docs(of: type[Any]) -> list[tuple[str, str]]:
    """Return what the docstring of a data class says of its fields."""
    return [(one.arg_name, " ".join((one.description or "").split())) for one in parse(of.__doc__ or "").params]
