"""Limits between three labels, and code that turns a number into one of these."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.tasks.generated_backend.matters import Settings, quoted
from colbench_gym.tasks.generated_backend.wordings import alternative


def cut_options(pairs: Iterable[tuple[str, str]], labels: Sequence[str], unit: str) -> list[dict[str, str]]:
    """Return alternatives for the limits between three labels; each says what is exactly on one."""
    words = {**dict(zip(("low", "middle", "high"), map(quoted, labels), strict=True)), "unit": unit}
    each = [{**words, "first": first, "second": second} for first, second in pairs]
    return [alternative(("cuts from", "cuts above")[place % 2], more) for place, more in enumerate(each)]


def ladder(value: str, settings: Settings, labels: tuple[str, ...], style: int) -> list[str]:
    """Return statements that give one of three labels back."""
    first, second, edge = settings["cuts"].split("|")
    low, middle, high = map(repr, labels)
    if style % 6 in (0, 3):
        return [
            f"level = sum({value} {edge} limit for limit in ({first}, {second}))",
            f"return ({low}, {middle}, {high})[level]",
        ]
    if style % 3 == 1:
        return [f"return {label_expression(value, settings, labels, style)}"]
    return [
        f"if {value} {edge} {second}:",
        f"    label = {high}",
        f"elif {value} {edge} {first}:",
        f"    label = {middle}",
        "else:",
        f"    label = {low}",
        "return label",
    ]


def label_expression(value: str, settings: Settings, labels: tuple[str, ...], style: int) -> str:
    """Return an expression that is one of three labels."""
    first, second, edge = settings["cuts"].split("|")
    low, middle, high = map(repr, labels)
    if style % 3:
        pairs = f"(({second}, {high}), ({first}, {middle}))"
        return f"next((label for limit, label in {pairs} if {value} {edge} limit), {low})"
    return f"{high} if {value} {edge} {second} else {middle} if {value} {edge} {first} else {low}"
