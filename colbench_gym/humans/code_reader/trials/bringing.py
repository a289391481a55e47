"""Bring about what a question supposes, arguments in which every constraint holds, and run the reference on them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from colbench_gym.humans.code_reader.experiments import Outcome, equal
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.shapes import is_number
from colbench_gym.humans.code_reader.trials.fitting import CONTAINERS, Constraint
from colbench_gym.humans.code_reader.trials.inputs import (
    DROP,
    MAX_OTHERWISE,
    Arguments,
    changed,
    doubled,
    first_thrice,
    lacking,
    moved_in_time,
    otherwise,
    step_of,
    unlike,
    values_at,
    varied,
    with_item,
)
from colbench_gym.humans.code_reader.trials.places import ITEM, KEY, VALUE, Place, terrain_of

MAX_WAYS = 3  # values tried for one constraint
WHOLE = frozenset(["equals", "empty", "none"])  # constraints that say all of an argument
MAX_RUN = 24  # inputs of one trial
_EMPTY: dict[str, Any] = {"list": [], "dictionary": {}, "text": "", "tuple": (), "set": set()}
FRESH = "something else"  # a text that no reference knows
Fixed = tuple[tuple[str, float], ...]  # names of the reference that are held at a number


def brought_about(arguments: Arguments, constraints: Sequence[Constraint], known: Knowledge) -> list[Arguments]:
    """Return arguments in which all constraints hold."""
    made = [dict(arguments)]
    for constraint in sorted(constraints, key=lambda c: (c.kind == "relate", c.kind == "size")):
        ways = [new for one in made for new in _ways(one, constraint, known)]
        made = list(itertools.islice(ways, MAX_WAYS))
    return made


def _ways(arguments: Arguments, constraint: Constraint, known: Knowledge) -> list[Arguments]:
    place = constraint.place
    made: list[Arguments | None] = []
    first = place.inner and constraint.kind in ("missing", "none", "unknown", "empty")
    if constraint.kind == "relate" and constraint.other is not None:
        made.append(_related(arguments, place, constraint.relation, constraint.other))
    elif constraint.kind == "size":
        made.append(_sized(arguments, constraint))
    elif constraint.kind == "missing":
        made.append(_without(arguments, place))
    else:
        made += [changed(arguments, place, change, first) for change in _changes(arguments, constraint, known)]
    return [one for one in made if one is not None]


def _changes(arguments: Arguments, constraint: Constraint, known: Knowledge) -> list[Callable[[Any], Any]]:
    """Return functions that turn what a place holds into what it is to hold."""
    kind, value, place = constraint.kind, constraint.value, constraint.place
    if kind == "equals":
        return [lambda _: value]
    if kind == "compare":
        return [_constant(number) for number in beside(arguments, constraint)]
    if kind == "empty":
        return [lambda old: _EMPTY.get(place.kind, type(old)() if old is not None else "")]
    if kind == "none":
        return [lambda _: None]
    if kind == "negative":
        return [lambda old: -abs(old) if is_number(old) and old else -1, lambda _: -1]
    if kind == "huge":
        return [lambda old: (abs(old) + 1) * 10_000 if is_number(old) else old]
    if kind == "raised":
        return [lambda old: old * 2 + 1 if is_number(old) and abs(old) > 1 else old + 0.1 if is_number(old) else old]
    if kind == "lowered":
        return [lambda old: old / 2 if isinstance(old, float) else old // 2 if is_number(old) else old]
    if kind == "unknown":
        used = terrain_of(known).literals(place)
        fresh: Any = value if value is not None else 987654 if place.kind == "number" else FRESH
        return [lambda old: fresh] if fresh not in used else []
    if kind == "contains":
        return [] if place.kind == "tuple" and place.inner else [lambda old: with_item(old, value)]
    if kind == "lacks":
        return [lambda old: lacking(old, value)]
    if kind == "duplicate":
        return [doubled, first_thrice]
    return []


def _constant(value: float) -> Callable[[Any], Any]:
    return lambda _: value


def beside(arguments: Arguments, constraint: Constraint) -> list[float]:
    """Return numbers that are in the relation of a constraint to its value."""
    limit = constraint.value
    seen = [v for v in values_at(arguments, constraint.place) if is_number(v)]
    step = step_of(limit, seen)
    above, below = [limit + step, limit + 10 * step], [limit - step, limit - 10 * step]
    if limit >= 0:
        below = [number for number in below if number >= 0]
    if limit <= 1 and step < 0.05:
        above = [number for number in above if number <= 1] or above[:1]
    numbers = {
        ">": above,
        "<": below,
        ">=": [limit, *above],
        "<=": [limit, *below],
        "!=": [*above[:1], *below[:1]],
    }.get(constraint.relation, [limit])
    return [round(number, 6) for number in numbers]


def _related(arguments: Arguments, place: Place, relation: str, other: Place) -> Arguments | None:
    """Set a place to something larger, smaller than or equal to another."""
    own, theirs = values_at(arguments, place), values_at(arguments, other)
    if place.kind == "number" and other.kind in CONTAINERS:
        theirs = [len(value) for value in theirs]
    if not own or not theirs:
        return None
    if relation == "==":
        if len(own) == len(theirs) > 1:
            rest = iter(theirs)
            return changed(arguments, place, lambda old: next(rest, old))
        return changed(arguments, place, lambda old: theirs[0])
    if all(isinstance(value, str) for value in (*own, *theirs)):
        later = relation in (">", ">=")
        moment = moved_in_time(max(theirs) if later else min(theirs), later=later)
        return None if moment is None else changed(arguments, place, lambda _: moment)
    numbers = [v for v in theirs if is_number(v)]
    if not numbers or not all(is_number(v) for v in own):
        return None
    step = step_of(max(numbers, key=abs), [v for v in own if is_number(v)])
    wide = max(step, abs(max(numbers, key=abs)) // 2 if step == 1 else step)
    if relation in (">", ">="):
        limit = max(numbers) + wide
    else:
        limit = min(numbers) - wide
        if limit < 0 <= min(numbers):  # a smaller number that is no negative one: raise the other instead
            return changed(arguments, other, lambda old: old + max(v for v in own if is_number(v)) + wide)
    return changed(arguments, place, lambda _: round(limit, 6))


def _sized(arguments: Arguments, constraint: Constraint) -> Arguments | None:
    """Give a container another number of items."""
    place = constraint.place
    value = arguments.get(place.parameter)
    if place.path or not isinstance(value, (list, tuple, str, dict)):
        return None
    if constraint.other is not None:
        other = arguments.get(constraint.other.parameter)
        if not isinstance(other, (list, tuple, str, dict)) or constraint.other.path:
            return None
        size = len(other) + (
            1 if constraint.relation in (">", ">=") else -1 if constraint.relation in ("<", "<=") else 0
        )
        if size < 0:
            return None
    else:
        if not math.isfinite(constraint.value):
            return None
        shift = {">": 1, "<": -1}.get(constraint.relation, 0)
        size = int(constraint.value) + shift
    if not 0 <= size <= 30 or (not value and size):
        return None
    made = dict(arguments)
    if isinstance(value, dict):
        if size > len(value):
            return None
        made[place.parameter] = dict(list(value.items())[:size])
    else:
        repeated: Any = value
        while len(repeated) < size:
            repeated = repeated + value
        made[place.parameter] = repeated[:size]
    return made


def _without_key(value: dict[Any, Any], arguments: Arguments) -> dict[Any, Any]:
    """Return a dictionary without the first key that other arguments speak of."""
    others = repr([other for other in arguments.values() if not isinstance(other, dict)])
    wanted = next((key for key in value if repr(key) in others), next(iter(value)))
    return {key: inner for key, inner in value.items() if key != wanted}


def _without(arguments: Arguments, place: Place) -> Arguments | None:
    """Leave a place out: an argument with a default, a key, or an entry that is looked up."""
    if not place.path:
        if place.optional:
            return {name: value for name, value in arguments.items() if name != place.parameter}
        value = arguments.get(place.parameter)
        if isinstance(value, dict):
            return {**arguments, place.parameter: _without_key(value, arguments)} if value else None
        if place.kind in CONTAINERS:
            return None
        return {**arguments, place.parameter: None}
    last = place.path[-1]
    if last in (ITEM, KEY, VALUE):
        return changed(arguments, place, lambda _: DROP, first_only=True)
    return changed(arguments, place, lambda _: DROP, first_only=True)


def held(constraints: Sequence[Constraint]) -> list[Fixed]:
    """Return the ways to hold worked-out numbers where a question puts them."""
    ways: list[Fixed] = [()]
    for one in constraints:
        if one.place.local:
            numbers = [-1.0] if one.kind == "negative" else beside({}, one) if one.value is not None else []
            ways = [(*way, (one.place.path[0], number)) for way in ways for number in numbers[:2]]
    return [way for way in ways if way]


class Run(Protocol):
    """Runs the reference on some arguments."""

    def __call__(self, inputs: Sequence[Arguments], fixed: Fixed = ()) -> list[Outcome]:
        """Return what came out, one outcome for each."""


@dataclass(frozen=True)
class Trial:
    """Outcomes with the constraints and without them.

    Attributes:
        inputs: those with the constraints.
        usual: the ones that they were made of.
        outcomes: of ``inputs``.
        before: outcomes of ``usual``.
        complete: every argument was said.
        determined: the same, or an argument is one that the reference does not know.
        unsaid: optional arguments that the question leaves out, and with which another outcome comes out.
        local: a number that is worked out on the way was held, which no arguments show.
    """

    inputs: tuple[Arguments, ...]
    usual: tuple[Arguments, ...]
    outcomes: tuple[Outcome, ...]
    before: tuple[Outcome, ...]
    complete: bool = False
    local: bool = False
    determined: bool = False
    unsaid: tuple[str, ...] = ()

    @property
    def known(self) -> bool:
        """Return whether every run told something."""
        return bool(self.outcomes) and all(o.status != "unknown" for o in self.outcomes)

    @property
    def single(self) -> Outcome | None:
        """The outcome, when it is the same on all inputs."""
        if not self.known:
            return None
        first = self.outcomes[0]
        if len(self.inputs) < 2 and first.status == "returned" and not self.complete and not self.determined:
            return None  # one example shows no rule
        if all(equal(o, first) for o in self.outcomes):
            return first
        return None

    @property
    def as_usual(self) -> bool:
        """Return whether no other statement comes into force than without the constraints, nor an error on purpose."""
        usually = frozenset().union(*(o.visited for o in self.before))
        return self.known and self.ever <= usually

    @property
    def visited(self) -> frozenset[int]:
        """Statements that every run with the constraints came by."""
        return frozenset.intersection(*(o.visited for o in self.outcomes)) if self.outcomes else frozenset()

    @property
    def ever(self) -> frozenset[int]:
        """Statements that some run with the constraints came by."""
        return frozenset().union(*(o.visited for o in self.outcomes))


def tried(constraints: Sequence[Constraint], known: Knowledge, run: Run) -> Trial | None:
    """Run the reference with some constraints; None when they cannot be brought about."""
    said = {c.place.parameter for c in constraints if not c.place.path and c.kind in WHOLE}
    required = {p.name for p in known.parameters if p.default is None}
    complete = said >= required
    determined = required <= said | {c.place.parameter for c in constraints if not c.place.path and c.kind == "unknown"}
    fixed = held(constraints)
    constraints = [one for one in constraints if not one.place.local]
    unsaid = {p.name for p in known.parameters if p.default is not None} - said if complete else set()
    inputs: list[Arguments] = []
    usual: list[Arguments] = []
    shown: set[str] = set()
    for arguments in varied(known):
        base = {name: value for name, value in arguments.items() if name not in unsaid}
        for made in brought_about(base, constraints, known):
            written = repr(made)
            if written not in shown and len(inputs) < MAX_RUN:
                shown.add(written)
                inputs.append(made)
                usual.append(base)
    if not inputs:
        return None
    trial = replace(_run(inputs, usual, fixed, run), complete=complete, determined=determined, local=bool(fixed))
    if not complete:
        trial = _beyond_seen(_caused(trial), constraints, known, run, fixed)
    if fixed:
        return trial
    return _beyond_defaults(trial, known, run, {c.place.parameter for c in constraints})


def _run(inputs: Sequence[Arguments], usual: Sequence[Arguments], fixed: Sequence[Fixed], run: Run) -> Trial:
    """Run the reference with constraints and without them, each time once for every way to hold numbers."""
    ways = len(fixed) or 1
    if fixed:
        outcomes = [*(outcome for way in fixed for outcome in run(inputs, way)), *run(usual) * ways]
    else:
        outcomes = run([*inputs, *usual])
    done = ways * len(inputs)
    return Trial(tuple(inputs) * ways, tuple(usual) * ways, tuple(outcomes[:done]), tuple(outcomes[done:]))


def _chosen(trial: Trial, rows: Sequence[int]) -> Trial:
    inputs, usual = (tuple(part[row] for row in rows) for part in (trial.inputs, trial.usual))
    outcomes, before = (tuple(part[row] for row in rows) for part in (trial.outcomes, trial.before))
    return replace(trial, inputs=inputs, usual=usual, outcomes=outcomes, before=before)


def _joined(trial: Trial, more: Trial) -> Trial:
    return replace(
        trial,
        inputs=trial.inputs + more.inputs,
        usual=trial.usual + more.usual,
        outcomes=trial.outcomes + more.outcomes,
        before=trial.before + more.before,
    )


def _caused(trial: Trial) -> Trial:
    """Leave out the runs that fail without the constraints as well, so that the constraints are not why they fail."""
    single = trial.single
    if single is None or single.status != "raised":
        return trial
    return _chosen(trial, [row for row, before in enumerate(trial.before) if not equal(before, single)])


def _beyond_seen(
    trial: Trial, constraints: Sequence[Constraint], known: Knowledge, run: Run, fixed: Sequence[Fixed]
) -> Trial:
    """Add the runs on inputs unlike those seen that end otherwise than all the others."""
    single = trial.single
    if single is None:
        return trial
    pairs = [
        (made, base)
        for base in unlike(known, trial.usual)
        for made in brought_about(base, constraints, known)[:1]
        if made not in trial.inputs
    ]
    if not pairs:
        return trial
    more = _run([made for made, _ in pairs], [base for _, base in pairs], fixed, run)
    both = list(enumerate(zip(more.outcomes, more.before, strict=True)))
    rows = [row for row, (o, before) in both if o.status == before.status == "returned" and not equal(o, single)]
    return _joined(trial, _chosen(more, rows))


def _beyond_defaults(trial: Trial, known: Knowledge, run: Run, said: set[str]) -> Trial:
    """Note the optional arguments that decide over a single outcome and that nothing is said of."""
    single = trial.single
    names = [p.name for p in known.parameters if p.default is not None and not p.extra and p.name not in said]
    if single is None or not names:
        return trial
    few = slice(MAX_OTHERWISE)
    bare = [{name: value for name, value in one.items() if name not in names} for one in trial.inputs[few]]
    made = [(name, one) for name in names for one in otherwise(known, bare, name)]
    outcomes = run([*bare, *(one for _, one in made)])
    by_default, others = outcomes[: len(bare)], outcomes[len(bare) :]
    if not all(equal(o, single) for o in by_default):  # what was seen with given values is not so without them
        ended = (tuple(bare), trial.usual[few], tuple(by_default), trial.before[few])
        return _joined(trial, Trial(*ended))
    changing = [n for (n, _), o in zip(made, others, strict=True) if o.status == "returned" and not equal(o, single)]
    return replace(trial, unsaid=tuple(dict.fromkeys(changing)))
