"""Inputs of the human's own: realistic arguments that no hidden test uses, and changes of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from colbench_gym.humans.program.laboratory import Arguments, Laboratory, Outcome, call_text
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.shapes import is_number

OWN_INPUTS = 3  # on which drafts are compared and edge cases are tried
_TRIED = 12  # candidates that are run to find them
NEGATIVE, STRANGE = -5, "something else"  # values at which edge cases are tried
_STEPS = (1, 2, 3, 5)  # by how much the numbers of a realistic argument are changed


def run(lab: Laboratory, known: Knowledge, inputs: Sequence[Arguments]) -> list[Outcome]:
    """Run the reference on some arguments."""
    return lab.observe(known.source, [call_text(known.name, arguments, known.positional) for arguments in inputs])


def own_inputs(lab: Laboratory, known: Knowledge) -> list[dict[str, Any]]:
    """Return realistic arguments, none of them those of a hidden test, on which the reference returns something.

    They are fixed by the task: made of the arguments of its calls, changed and mixed.
    """
    for candidates in _candidates(known):
        pairs = zip(candidates, run(lab, known, candidates), strict=True)
        ended = [(given, repr(o.value)) for given, o in pairs if o.status == "returned" and o.value is not None]
        values = [value for _, value in ended]
        places = sorted(range(len(ended)), key=lambda place: values[place] in values[:place])  # unlike results first
        if places:
            return [ended[place][0] for place in places[:OWN_INPUTS]]
    return []


@lru_cache(maxsize=1024)
def _candidates(known: Knowledge) -> tuple[tuple[dict[str, Any], ...], ...]:
    """Return arguments that may be tried, mixed, and others for where the reference returns nothing on the first."""
    required = {p.name for p in known.parameters if p.default is None and not p.extra}
    full = [dict(seed) for seed in known.seeds if required <= seed.keys()]
    full = [seed for seed in full if ordinary(seed)] or full
    if not full:
        return ()
    made_inputs: dict[str, dict[str, Any]] = {}
    for turn in range(2 * _TRIED):
        base, other = full[turn % len(full)], full[(turn + 1 + turn // len(full)) % len(full)]
        mixed = dict(base)
        names = [name for name in base if name in other]
        if len(names) > 1:  # one argument of another call: those that belong together mostly stay together
            mixed[names[turn % len(names)]] = other[names[turn % len(names)]]
        if len(names) < 2 or turn >= _TRIED:
            mixed = {name: _nudged(value, _STEPS[turn % len(_STEPS)]) for name, value in mixed.items()}
        made_inputs.setdefault(repr(sorted(mixed.items(), key=lambda item: item[0])), mixed)
    apart = [{name: _nudged(value, 1) for name, value in one.items()} for one in full]
    return tuple(
        tuple(one for one in made if one not in known.seeds)[:_TRIED] for made in (made_inputs.values(), apart)
    )


def ordinary(seed: Arguments) -> bool:
    """Return whether no argument is empty, nothing, zero or below zero, so that nothing special happens by accident."""
    nothing: tuple[object, ...] = (None, "", [], (), {}, set())
    return not any(value in nothing or (is_number(value) and value <= 0) for value in seed.values())


def _nudged(value: Any, step: int) -> Any:
    """Return a value with its numbers a little larger and its lists without their last item."""
    if isinstance(value, int):
        return value if isinstance(value, bool) else value + step
    if isinstance(value, float):
        return round(value + step / 4, 4)
    if isinstance(value, str):
        words = value.split(" ")
        return " ".join(words[:-1]) if len(words) > 2 else value
    if isinstance(value, (list, tuple)):
        kept = value[:-1] if len(value) > 2 and step % 2 else value
        return type(value)(_nudged(item, step) for item in kept) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {key: _nudged(inner, step) for key, inner in value.items()}
    return value


def supposing(known: Knowledge, inputs: Sequence[Arguments], situation: Arguments) -> list[dict[str, Any]]:
    """Return realistic input with some arguments as a situation has them: the most ordinary first, short if it can be.

    Behind it each argument that is left open has other values, and last stands what is a hidden test's and not told.
    """
    needed = {p.name for p in known.parameters if p.default is None}
    usual = sorted(inputs, key=lambda one: sum(not v for v in one.values())) or [{}] * (needed <= situation.keys())
    made = [{**one, **situation} for one in usual]
    named = [value for value in situation.values() if isinstance(value, str) and value not in ("", STRANGE)]
    for name, value in made[0].items() if made else ():
        if name not in situation:
            made += [{**made[0], name: other} for other in _others(known, name, value, named)]
    short = [{name: value for name, value in one.items() if name in needed or name in situation} for one in made[:1]]
    made = sorted((*short, *made), key=lambda one: is_hidden(known, one))
    return made if made and not is_hidden(known, made[0]) else []


def is_hidden(known: Knowledge, given: Arguments) -> bool:
    """Return whether some arguments are those of a hidden test, as far as they go and are not what they are anyway."""
    usual = {p.name: ast.unparse(p.default) for p in known.parameters if p.default is not None}
    own = {name: value for name, value in given.items() if usual.get(name) != repr(value)}
    return any(own.items() <= seed.items() for seed in known.seeds)


def _others(known: Knowledge, name: str, value: Any, named: Sequence[str]) -> list[Any]:
    """Return other values of an argument: what it is compared with, limits, collections that hold what is ``named``."""
    others = [*known.choices.get(name, ()), _nudged(value, 1000), _nudged(value, -1000)]
    if isinstance(value, bool):
        others.append(not value)
    elif is_number(value):
        others += [0, *(near for number in sorted(known.numbers) for near in (number - 1, number, number + 1))][:12]
    elif isinstance(value, str):
        others += [STRANGE, ""]
    elif isinstance(value, list):
        others += [value[:-1], [], [*value, *named]]
    elif isinstance(value, dict) and value:
        others.append({**value, **dict.fromkeys(named, next(iter(value.values())))})
    return others
