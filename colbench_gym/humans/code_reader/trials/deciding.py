"""Decide what the runs of a reference on what a question supposes come to."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence

from colbench_gym.humans.code_reader.experiments import Outcome, equal
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import Knowledge
from colbench_gym.humans.code_reader.shapes import is_number
from colbench_gym.humans.code_reader.trials.bringing import FRESH, Run, Trial, brought_about, tried
from colbench_gym.humans.code_reader.trials.fitting import Constraint
from colbench_gym.humans.code_reader.trials.inputs import DROP, Arguments, changed
from colbench_gym.humans.code_reader.trials.places import Place, terrain_of
from colbench_gym.humans.code_reader.trials.proposals import Proposal, truth_of

_ALWAYS = r"\b(?:always|every time|in any case|in every case|automatically|alone|guaranteed|on (?:its|their) own)\b"


def adds_up(known: Knowledge) -> bool:
    """Return whether entries of a dictionary grow, so that what stands there twice may count twice."""
    return any(
        (isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Subscript))
        or (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Subscript)
            and isinstance(node.value, ast.BinOp)
        )
        for node in known.nodes
    )


def holds(
    proposal: Proposal, trial: Trial, constraints: Sequence[Constraint], question: Question, known: Knowledge, run: Run
) -> bool | None:
    """Return whether a proposal is what comes out; None when that differs or cannot be told."""
    if not trial.known:
        return None
    decided = _decided(proposal, trial, constraints, question, known, run)
    if decided is None or not proposal.negated:
        return decided
    if proposal.kind == "special":
        return not decided
    return None


def _decided(
    proposal: Proposal, trial: Trial, constraints: Sequence[Constraint], question: Question, known: Knowledge, run: Run
) -> bool | None:
    outcomes = trial.outcomes
    kind = proposal.kind
    if kind == "raises":
        return _all([o.status == "raised" for o in outcomes])
    if kind == "nothing":
        return _all([_nothing(o) for o in outcomes])
    if kind == "everything":
        return _all(
            [
                any(o.value == v and isinstance(v, (list, dict, str)) for v in one.values())
                for o, one in zip(outcomes, trial.inputs, strict=True)
            ]
        )
    if kind == "value":
        hits = [o.status == "returned" and alike(o.value, proposal.value) for o in outcomes]
        return False if question.has(_ALWAYS) and False in hits else _all(hits)
    if kind == "label":
        hits = [o.status == "returned" and _says(o.value, proposal.value) for o in outcomes]
        return False if question.has(_ALWAYS) and False in hits else _all(hits)
    if kind == "special":
        return False if trial.as_usual else None
    if any(o.status != "returned" for o in outcomes):
        failed = all(o.status == "raised" and o.error not in ("TypeError", "AttributeError") for o in outcomes)
        return False if failed and kind in ("kept", "dropped", "same", "floor") else None
    if kind == "floor":
        numbers = [o.value for o in outcomes if is_number(o.value)]
        return _all([n == 0 for n in numbers]) if len(numbers) == len(outcomes) else None
    if kind == "place":
        return _all(
            [
                isclose_value(o.value, one.get(proposal.value.parameter))
                for o, one in zip(outcomes, trial.inputs, strict=True)
            ]
        )
    if kind == "negative":
        numbers = [o.value for o in outcomes if is_number(o.value)]
        if question.has(r"\b(?:possible|can|could|may|might|ever)\b") and any(float(n) < 0 for n in numbers):
            return True
        return _all([float(n) < 0 for n in numbers]) if len(numbers) == len(outcomes) else None
    if kind == "as":
        place, value = proposal.value
        place = place or constraints[0].place
        if place.kind not in ("number", "") and value == 0:
            return None
        others = [c for c in constraints if c.place != place]
        twin = tried([*others, Constraint(place, "equals", value)], known, run)
        if twin is None or len(twin.outcomes) != len(outcomes):
            return None
        return _all([equal(a, b) for a, b in zip(outcomes, twin.outcomes, strict=True)])
    if kind in ("recognised", "kept", "dropped") and _fully_given(constraints):
        full = _all([bool(o.value) and not _nothing_inside(o.value) for o in outcomes])
        return None if full is None else full is (kind != "dropped")
    if kind == "recognised":
        return _recognised(trial, constraints, known, run)
    if kind in ("dropped", "kept"):
        ignored = is_ignored(trial, constraints, run)
        return None if ignored is None else ignored is (kind == "dropped")
    if kind in ("same", "differs"):
        pairs = contrast(trial, constraints, known, run)
        changes = [not equal(a, b) for a, b in pairs]
        return None if not changes else any(changes) is (kind == "differs")
    if kind in ("more", "less") and any(c.place.inner for c in constraints) and is_ignored(trial, constraints, run):
        return False
    if kind in ("more", "less"):
        way = direction(contrast(trial, constraints, known, run))
        return None if way is None else way == kind
    if kind == "truth":
        values = [o.value for o in outcomes]
        if not all(isinstance(v, bool) for v in values):
            ignored = is_ignored(trial, constraints, run)
            if ignored is None and is_strange(constraints, known):
                ignored = True
            meant = truth_of(question, known)
            return None if ignored is None or meant is None else ignored is not meant
        meant = truth_of(question, known)
        return None if meant is None else _all([v is meant for v in values])
    return None


def _fully_given(constraints: Sequence[Constraint]) -> bool:
    """Return whether a question gives one text to each of two lists, so that the result shows if they go together."""
    return (
        len([c for c in constraints if c.place.inner and c.kind in ("equals", "unknown") and c.value is not None]) >= 2
    )


def _nothing_inside(value: object) -> bool:
    return isinstance(value, dict) and not any(value.values())


def _recognised(trial: Trial, constraints: Sequence[Constraint], known: Knowledge, run: Run) -> bool | None:
    """Return whether a text is treated like one that the reference knows, and not like any other."""
    for one in constraints:
        if one.kind not in ("equals", "unknown") or not isinstance(one.value or "", str):
            continue
        literals = [v for v in terrain_of(known).literals(one.place) if isinstance(v, str)]
        twins = [v for v in literals if one.value and v.lower() == one.value.lower()] or literals[:1]
        if not twins:
            return None
        rest = [other for other in constraints if other is not one]
        right = tried([*rest, Constraint(one.place, "equals", twins[0])], known, run)
        strange = tried([*rest, Constraint(one.place, "unknown")], known, run)
        if right is None or strange is None or len(right.outcomes) != len(trial.outcomes):
            return None
        if not len(right.outcomes) == len(strange.outcomes) == len(trial.outcomes):
            return None
        as_known = all(map(equal, trial.outcomes, right.outcomes))
        as_strange = all(map(equal, trial.outcomes, strange.outcomes))
        return None if as_known == as_strange else as_known
    return None


def _nothing(outcome: Outcome) -> bool:
    value = outcome.value
    return outcome.status == "returned" and value is not False and not value


def _all(hits: Sequence[bool]) -> bool | None:
    if not hits:
        return None
    return True if all(hits) else False if not any(hits) else None


def alike(value: object, proposed: object) -> bool:
    """Return whether a value is the proposed one: True is not 1, an empty list no empty text."""
    if isinstance(value, bool) or isinstance(proposed, bool):
        return value is proposed
    if is_number(value) and is_number(proposed):
        return value == proposed
    return type(value) is type(proposed) and value == proposed


def isclose_value(value: object, other: object) -> bool:
    """Return whether two values are equal, tiny rounding aside."""
    if isinstance(value, (int, float)) and isinstance(other, (int, float)) and not isinstance(value, bool):
        return math.isclose(value, other, rel_tol=1e-9)
    return alike(value, other)


def _says(value: object, label: str) -> bool:
    """Return whether a value is a text, or holds it."""
    if isinstance(value, str):
        return value == label or (len(label) > 3 and label in value)
    if isinstance(value, (list, tuple, set)):
        return any(_says(item, label) for item in value)
    if isinstance(value, dict):
        return any(_says(item, label) for item in (*value.keys(), *value.values()))
    return False


def contrast(
    trial: Trial, constraints: Sequence[Constraint], known: Knowledge, run: Run
) -> list[tuple[Outcome, Outcome]]:
    """Return pairs of outcomes: with the constraints, and with their opposite where there is one."""
    asked = [c for c in constraints if not c.supposed] or list(constraints)
    subject = min(asked, key=lambda c: c.at)
    if isinstance(subject.value, bool) and subject.kind == "equals":
        opposite = Constraint(subject.place, "equals", not subject.value)
        made = [brought_about(one, [opposite], known)[:1] for one in trial.inputs]
        turned = [one[0] for one in made if one]
        if len(turned) == len(trial.inputs):
            return list(zip(trial.outcomes, run(turned), strict=True))
    rest = [c for c in constraints if c is not subject]
    if rest and not any(c.place.local for c in constraints):
        without = [brought_about(one, rest, known)[:1] for one in trial.usual]
        if all(without):
            others = [one[0] for one in without]
            both = zip(trial.inputs, others, trial.outcomes, run(others), strict=True)
            return [(a, b) for one, other, a, b in both if repr(one) != repr(other)]
    pairs = zip(trial.inputs, trial.usual, trial.outcomes, trial.before, strict=True)
    return [(a, b) for one, other, a, b in pairs if repr(one) != repr(other)]


def direction(pairs: Sequence[tuple[Outcome, Outcome]]) -> str | None:
    """Return ``more``, ``less`` or ``same`` when all pairs go one way; None otherwise."""
    values = [(a.value, b.value) for a, b in pairs if a.status == b.status == "returned"]
    if not values or len(values) != len(pairs):
        return None
    numbers = [(float(a), float(b)) for a, b in values if isinstance(a, (int, float)) and isinstance(b, (int, float))]
    if len(numbers) != len(values):
        return None
    if all(a == b for a, b in numbers):
        return "same"
    if all(a >= b for a, b in numbers):
        return "more"
    if all(a <= b for a, b in numbers):
        return "less"
    return None


def is_strange(constraints: Sequence[Constraint], known: Knowledge) -> bool:
    """Return whether an item is none of the texts that the reference compares such items with."""
    terrain = terrain_of(known)
    return any(
        c.kind == "unknown" and c.place.inner and any(isinstance(v, str) for v in terrain.literals(c.place))
        for c in constraints
    )


def is_ignored(trial: Trial, constraints: Sequence[Constraint], run: Run) -> bool | None:
    """Return whether an item counts for nothing: the result is the one without it. None when it cannot be told."""
    place = next((c.place for c in constraints if c.place.inner), None)
    if place is None or any(c.kind == "duplicate" for c in constraints):
        return None
    outer = Place(place.parameter, place.path[:1], "", frozenset(), frozenset())
    pairs: list[tuple[Outcome, Arguments]] = []
    for one, outcome in zip(trial.inputs, trial.outcomes, strict=True):
        rest = changed(one, outer, lambda _: DROP, first_only=True)
        if rest is None:
            return None
        pairs.append((outcome, rest))
    without = run([rest for _, rest in pairs])
    return _all([equal(a, o) for (a, _), o in zip(pairs, without, strict=True) if o.status == "returned"])


_MAY_FAIL = frozenset(["none", "missing", "empty", "unknown", "size", "negative", "duplicate"])


def misplaced(trial: Trial, constraints: Sequence[Constraint]) -> bool:
    """Return whether the words were given to a wrong place, so that the code cannot work with them."""
    if trial.before and all(o.error in ("TypeError", "AttributeError") for o in trial.before):
        return True  # no realistic input is known
    nothing = any(one.kind == "unknown" and one.other is not None for one in constraints)
    if nothing and any(isinstance(o.value, dict) and o.value.get(FRESH) for o in trial.outcomes):
        return True  # an item that should have nothing of another list has got something
    named = any(one.kind not in _MAY_FAIL for one in constraints)
    return named and any(o.error in ("TypeError", "AttributeError") for o in trial.outcomes)
