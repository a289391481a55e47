"""Help pages: what a command and its flags are, by commands.toml and docstrings, without "(default: None)"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from tyro.conf import arg
from tyro.constructors import ConstructorRegistry, StructConstructorSpec, StructFieldSpec, StructTypeInfo

_UNSAID = arg(help_behavior_hint="")


def said_of(command: Mapping[str, Any]) -> str:  # Any: TOML
    """Return the text of a command's help page: its paragraphs, a line each."""
    about = str(command.get("about") or f"{command['does'][:1].upper()}{command['does'][1:]}.")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in about.split("\n\n"))


def with_help(flags: Mapping[str, str]) -> ConstructorRegistry:
    """Return rules for ``tyro.cli`` by which fields have these texts, and a default that says nothing is left out."""
    registry = ConstructorRegistry()
    asking = False

    @registry.struct_rule
    def rule(info: StructTypeInfo) -> StructConstructorSpec | None:
        nonlocal asking
        if asking:
            return None
        asking = True
        try:
            spec = ConstructorRegistry.get_struct_spec(info)
        finally:
            asking = False
        if not isinstance(spec, StructConstructorSpec):
            return None
        return replace(spec, fields=tuple(_worded(field, flags) for field in spec.fields))

    return registry


def _worded(field: StructFieldSpec, flags: Mapping[str, str]) -> StructFieldSpec:
    worded = replace(field, helptext=partial(_text, field, flags))
    if field.default in (None, ""):
        unsaid: Any = _UNSAID  # Any: tyro calls it an object
        worded = replace(worded, type=Annotated[field.type, unsaid])  # type: ignore[arg-type, unused-ignore]
    return worded


def _text(field: StructFieldSpec, flags: Mapping[str, str]) -> str | None:
    """Return what a flag is; called when a help page is shown."""
    if field.name in flags:
        return " ".join(flags[field.name].split())
    said = field.helptext() if callable(field.helptext) else field.helptext
    return said or _options_help().get(field.name)


def _options_help() -> dict[str, str]:
    """Return what the options of a scenario are, by their docstrings."""
    from docstring_parser import parse

    from colbench_gym.scenario.options import BackendOptions, FrontendOptions, Options

    entries = [entry for of in (FrontendOptions, BackendOptions, Options) for entry in parse(of.__doc__ or "").params]
    return {entry.arg_name: " ".join((entry.description or "").split()) for entry in entries}
