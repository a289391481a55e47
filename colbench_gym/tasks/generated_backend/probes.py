"""The ten calls of a task: found by running the wanted function beside every other that the request could mean."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.tasks.generated_backend.drafts import SCHEMA, Draft
from colbench_gym.tasks.generated_backend.families.grammar import literal
from colbench_gym.tasks.generated_backend.matters import Arguments
from colbench_gym.tasks.generated_backend.near_misses import near_misses
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, all_matters, source
from colbench_gym.tasks.permutation import Draw

_ROUNDS = 4  # sets of inputs to try before a draft is given up
_ENOUGH = 3  # different values that ten calls must have
_COMMON = 6  # calls that may have the same value
_MISSES = 3  # near misses that say something about the calls
_WEAK = 0.4  # share of near misses that may pass
_NUDGES = (1 - 1e-9, 1 + 1e-9)  # what another order of the same additions may do to a float, and more

# Any: arguments and results are plain data of every kind.
Function = Callable[..., Any]
_RAISED = object()


@dataclass(frozen=True)
class Probed:
    """The calls of a draft.

    Attributes:
        calls: ten call expressions.
        values: what the wanted function returns for each.
    """

    calls: tuple[str, ...]
    values: tuple[Any, ...]


def compiled(text: str, near: float = 1.0) -> Function:
    """Return the function that a source text of the grammar defines.

    With ``near`` other than 1, numbers are multiplied by it before they are rounded.
    """
    space: dict[str, Any] = {}
    if near != 1.0:
        space["round"] = lambda value, digits=None: builtins.round(value * near, digits)
        space["int"] = lambda value: builtins.int(value * near) if isinstance(value, float) else builtins.int(value)
    exec(compile(text, "<generated>", "exec"), space)  # our own text, never a contestant's
    return space[text[4 : text.index("(")]]  # type: ignore[no-any-return]  # what exec has just defined


def run(function: Function, arguments: Arguments) -> Any:
    """Return the value of a call, or a mark when it raises."""
    try:
        return function(*arguments)
    except Exception:  # noqa: BLE001  # a variant may meet data that only the wanted function is ready for
        return _RAISED


def alike(one: Any, other: Any) -> bool:
    """Return whether two values are equal for a grader, and of one type where that is seen."""
    return one is not _RAISED and other is not _RAISED and bool(one == other)


def probe(draft: Draft) -> Probed | None:
    """Return ten calls that tell the wanted function from all others; None when there are none.

    Every other alternative of every matter that the program has fails at least one of them. A matter that the person
    has no preference about shows in none of them.
    """
    plan, settings = draft.plan, draft.settings
    wanted = compiled(draft.reference)
    variants = [
        compiled(source(plan, {**settings, matter.key: option.code}))
        for matter in draft.matters
        if matter.key in settings
        for option in matter.options
        if option.code != settings[matter.key]
    ]
    dropped = (
        {k: v for k, v in settings.items() if k != m.key}
        for m in draft.matters
        if m.key in settings and not m.core and m.off
    )
    variants += [compiled(source(plan, rest)) for rest in dropped]
    same = [
        compiled(source(plan, {**settings, matter.key: option.code}))
        for matter in draft.matters
        if matter.key not in settings and not matter.off
        for option in matter.options
    ]
    same += [
        compiled(draft.reference, near) for near in _NUDGES if "round" in draft.reference or "int(" in draft.reference
    ]
    given: dict[str, tuple[Arguments, Any]] = {}
    for attempt in range(_ROUNDS):
        draw = Draw(SCHEMA, draft.description, attempt)
        for arguments in SHAPES[plan.shape].inputs(plan, settings, draw):
            arguments += _decided(draft, draw)
            text = literal(arguments)
            value = run(wanted, arguments)
            if text in given or not _plain(value) or literal(arguments) != text:
                continue
            if all(near(run(other, arguments), value) for other in same):
                given[text] = (arguments, value)
        picked = _pick(list(given.values()), variants)
        if picked is not None:
            if _is_weak(draft.reference, [list(given.values())[i] for i in picked]):
                continue
            texts = list(given)
            calls = tuple(f"{plan.function}({texts[i][1:-1].rstrip(',')})" for i in picked)
            return Probed(calls, tuple(given[texts[i]][1] for i in picked))
    return None


def _is_weak(reference: str, picked: list[tuple[Arguments, Any]]) -> bool:
    """Return whether too many versions with one comparison or number changed pass all calls."""
    wins = [
        all(alike(run(miss, arguments), value) for arguments, value in picked)
        for miss in map(compiled, near_misses(reference))
    ]
    return len(wins) >= _MISSES and sum(wins) > _WEAK * len(wins)


def _decided(draft: Draft, draw: Draw) -> Arguments:
    """Return arguments for some of the parameters that decide a matter."""
    plan = draft.plan
    matters = {matter.key: matter for matter in all_matters(plan.shape, plan.domain, plan.number)}
    codes = [draw.pick(matters[key].options).code for key in plan.defaults]
    given = codes[: draw.below(len(codes) + 1)] if codes else []
    return tuple(float(code) if "." in code else int(code) for code in given)


def _plain(value: Any) -> bool:
    return value is not None and value is not _RAISED and value == value


def near(one: Any, other: Any) -> bool:
    """Return whether two values are equal but for the last digits of floats."""
    if isinstance(one, float) and isinstance(other, (int, float)):
        return bool(abs(one - other) <= 1e-7 * max(1.0, abs(one)))
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return type(one) is type(other) and len(one) == len(other) and all(map(near, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(near(one[key], other[key]) for key in one)
    return alike(one, other)


def _pick(given: list[tuple[Arguments, Any]], variants: Sequence[Function]) -> list[int] | None:
    """Return the positions of ten inputs on which every variant shows, or None."""
    if len(given) < TESTS_PER_TASK:
        return None
    shown: list[set[int]] = [set() for _ in given]
    for number, variant in enumerate(variants):
        for position, (arguments, value) in enumerate(given):
            if not alike(run(variant, arguments), value):
                shown[position].add(number)
    hidden = set(range(len(variants)))
    if set().union(*shown) != hidden:
        return None
    picked: list[int] = []
    while hidden:
        best = max(range(len(given)), key=lambda i: (len(shown[i] & hidden), -i))
        picked.append(best)
        hidden -= shown[best]
    if len(picked) > TESTS_PER_TASK:
        return None
    values = [repr(given[i][1]) for i in picked]
    while len(picked) < TESTS_PER_TASK:
        rest = [i for i in range(len(given)) if i not in picked]
        best = min(rest, key=lambda i: (values.count(repr(given[i][1])), -len(shown[i]), i))
        picked.append(best)
        values.append(repr(given[best][1]))
    if len(set(values)) < min(_ENOUGH, len({repr(value) for _, value in given})) or len(set(values)) < 2:
        return None
    if max(values.count(value) for value in values) > _COMMON:
        return None
    return sorted(picked)
