"""The ten calls of a task: found by running the wanted function beside every other that the request could mean."""

from __future__ import annotations

import builtins
import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import Any

from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.tasks.generated_backend.drafts import SCHEMA, Draft
from colbench_gym.tasks.generated_backend.matters import Arguments
from colbench_gym.tasks.generated_backend.shapes.registry import SHAPES, all_matters, source
from colbench_gym.tasks.mutants import mutants
from colbench_gym.tasks.permutation import Draw

_ROUNDS = 3  # sets of inputs to try before a draft is given up
_INPUTS = 15  # in a set
_ENOUGH = 3  # different values that ten calls must have
_COMMON = 6  # calls that may have the same value
_MUTANTS = 8  # slightly wrong versions that the calls are tried on: as many as the health check tries
_MIN_MUTANTS = 3  # fewer say nothing about the calls
_WEAK = 0.4  # share of slightly wrong versions that may pass
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


@dataclass(frozen=True)
class _Input:
    """Arguments, their source text, and what the wanted function returns for them."""

    arguments: Arguments
    text: str
    value: Any


@dataclass
class _Rival:
    """A function that must give another value on at least one call, and how many inputs it has been tried on."""

    source: str
    times: int = 1  # how many calls it must show on
    tried: int = 0
    shown_by: set[int] = field(default_factory=set)

    def shows(self, position: int, inputs: Sequence[_Input]) -> bool:
        """Return whether it gives another value there."""
        if position in self.shown_by:
            return True
        shows = not alike(run(compiled(self.source), inputs[position].arguments), inputs[position].value)
        if shows:
            self.shown_by.add(position)
        return shows

    def first_shown(self, inputs: Sequence[_Input], without: Collection[int] = ()) -> int | None:
        """Return the first position where it shows; inputs that it has been tried on are not tried again."""
        known = self.shown_by.difference(without)
        if known:
            return min(known)
        for position in range(self.tried, len(inputs)):
            self.tried = position + 1
            if self.shows(position, inputs) and position not in without:
                return position
        return None


@lru_cache(maxsize=256)
def _code(text: str) -> CodeType:
    return compile(text, "<generated>", "exec")


@lru_cache(maxsize=256)
def compiled(text: str, near: float = 1.0) -> Function:
    """Return the function that a source text of the grammar defines.

    With ``near`` other than 1, numbers are multiplied by it before they are rounded.
    """
    space: dict[str, Any] = {}
    if near != 1.0:
        space["round"] = lambda value, digits=None: builtins.round(value * near, digits)
        space["int"] = lambda value: builtins.int(value * near) if isinstance(value, float) else builtins.int(value)
    exec(_code(text), space)  # our own text, never a contestant's
    name = text[text.rindex("\ndef ") + 5 :] if "\ndef " in text else text[4:]
    return space[name[: name.index("(")]]  # type: ignore[no-any-return]  # what exec has just defined


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
    reference = draft.reference
    sources = dict(_others(draft))
    if reference in sources:
        return None
    wanted = compiled(reference)
    rivals = [_Rival(text, times) for text, times in sources.items()]
    same = [compiled(text) for text in dict.fromkeys(_equals(draft)) if text != reference]
    same += [compiled(reference, near) for near in _NUDGES if "round" in reference or "int(" in reference]
    misses: list[_Rival] | None = None
    inputs: list[_Input] = []
    seen: set[str] = set()
    draw = Draw(SCHEMA, reference)  # not the request: another wording of it leaves the calls alone
    decided = _deciding(draft)
    stream = SHAPES[draft.plan.shape].inputs(draft.plan, draft.settings, draw)
    for _ in range(_ROUNDS):
        for given in itertools.islice(stream, _INPUTS):
            arguments = given + tuple(draw.pick(numbers) for numbers in decided[: draw.below(len(decided) + 1)])
            text = repr(arguments)
            value = run(wanted, arguments)
            if text in seen or not _plain(value) or repr(arguments) != text:
                continue
            if all(near(run(other, arguments), value) for other in same):
                seen.add(text)
                inputs.append(_Input(arguments, text, value))
        picked = _told_apart(inputs, rivals)
        if picked is None:
            continue
        misses = misses or [_Rival(mutant.source) for mutant in mutants(reference, _MUTANTS)]
        picked = _filled(picked, inputs, misses)
        if picked is not None:
            calls = tuple(f"{draft.plan.function}({inputs[i].text[1:-1].rstrip(',')})" for i in picked)
            return Probed(calls, tuple(inputs[i].value for i in picked))
    return None


def _others(draft: Draft) -> Iterator[tuple[str, int]]:
    """Yield the programs that are not wanted: each decision of the person taken otherwise, or left out.

    With each stands on how many calls it must show: a task must not hang on a single one for a corner case.
    """
    plan, settings = draft.plan, draft.settings
    for matter in draft.matters:
        if matter.key in settings:
            hidden = matter.key not in draft.pointed or (matter.usual and matter.kind != "empty")
            times = 1 + (hidden and matter in draft.open and not matter.core)
            for option in matter.options:
                if option.code != settings[matter.key]:
                    yield source(plan, {**settings, matter.key: option.code}), times
            if not matter.core and (matter.off or times > 1):
                yield source(plan, {key: code for key, code in settings.items() if key != matter.key}), times


def _equals(draft: Draft) -> Iterator[str]:
    """Yield the programs that are as good as the wanted one: the person has no preference."""
    for matter in draft.matters:
        if matter.key not in draft.settings and not matter.off:
            for option in matter.options:
                yield source(draft.plan, {**draft.settings, matter.key: option.code})


def _deciding(draft: Draft) -> list[list[float]]:
    """Return the numbers that each parameter which decides a matter may have."""
    plan = draft.plan
    matters = {matter.key: matter for matter in all_matters(plan.shape, plan.domain, plan.number)}
    codes = [[option.code for option in matters[key].options] for key in plan.defaults]
    return [[float(code) if "." in code else int(code) for code in options] for options in codes]


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


def _told_apart(inputs: Sequence[_Input], rivals: Iterable[_Rival]) -> list[int] | None:
    """Return positions of at most ten inputs on which every rival shows, or None."""
    if len(inputs) < TESTS_PER_TASK:
        return None
    rivals = list(rivals)
    picked: list[int] = []
    for rival in rivals:
        showing = {position for position in picked if rival.shows(position, inputs)}
        while len(showing) < rival.times:
            first = rival.first_shown(inputs, showing)
            if first is None:
                return None
            picked.append(first)
            showing.add(first)
    return picked if len(picked) <= TESTS_PER_TASK else _fewest(picked, inputs, rivals)


def _fewest(picked: Sequence[int], inputs: Sequence[_Input], rivals: Sequence[_Rival]) -> list[int] | None:
    """Return few of some positions on which every rival shows, or None when more than ten are needed."""
    shown = {position: {n for n, rival in enumerate(rivals) if rival.shows(position, inputs)} for position in picked}
    hidden, fewest = Counter({n: rival.times for n, rival in enumerate(rivals)}), []
    while +hidden:
        rest = [position for position in picked if position not in fewest]
        best = max(rest, key=lambda position: sum(hidden[n] > 0 for n in shown[position]))
        fewest.append(best)
        hidden.subtract(shown[best])
    return fewest if len(fewest) <= TESTS_PER_TASK else None


def _filled(picked: list[int], inputs: Sequence[_Input], misses: Sequence[_Rival]) -> list[int] | None:
    """Return ten positions, those picked among them, on which slightly wrong versions show too; None where few do."""
    picked, passing = list(picked), 0
    for miss in misses:
        if not any(miss.shows(position, inputs) for position in picked):
            first = miss.first_shown(inputs) if len(picked) < TESTS_PER_TASK else None
            if first is None:
                passing += 1
            else:
                picked.append(first)
    if len(misses) >= _MIN_MUTANTS and passing > _WEAK * len(misses):
        return None
    texts = [repr(one.value) for one in inputs]
    values = [texts[position] for position in picked]
    while len(picked) < TESTS_PER_TASK:
        rest = [position for position in range(len(inputs)) if position not in picked]
        best = min(rest, key=lambda position: (values.count(texts[position]), position))
        picked.append(best)
        values.append(texts[best])
    if len(set(values)) < min(_ENOUGH, len(set(texts))) or len(set(values)) < 2:
        return None
    return sorted(picked) if max(map(values.count, values)) <= _COMMON else None
