"""Facts found by running: what comes of input that is empty, zero, below zero, unknown or lacks an entry."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.program.claims import Parameter
from colbench_gym.humans.program.forms import compared_texts
from colbench_gym.humans.program.inputs import records_of, run
from colbench_gym.humans.program.laboratory import Laboratory, Outcome, equal
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import listing, quoted, the

MAX_CASES = 24  # that are run for one reference
_UNKNOWN_LABEL = "something else"
_BELOW_ZERO = -5
_EMPTY_KINDS = {
    "list": "an empty list",
    "dictionary": "an empty dictionary",
    "text": "an empty string",
    "tuple": "an empty tuple",
}


@dataclass(frozen=True)
class _Case:
    kind: str
    given: str  # "an empty list for the orders"
    about: tuple[str, ...]
    arguments: dict[str, Any]
    tell_errors: bool = True


def case_facts(said: Spoken, lab: Laboratory, inputs: Sequence[dict[str, Any]]) -> Iterator[Fact]:
    """Yield what the reference gives in edge cases, each told with its input.

    Args:
        said: the reference.
        lab: runs it.
        inputs: realistic arguments, no hidden test's.
    """
    told: set[str] = set()
    cases = [case for p in said.knowledge.parameters if not p.extra for case in _cases(said, p, inputs)]
    groups: dict[str, list[_Case]] = {}
    for case in cases:
        groups.setdefault(f"{case.kind} {case.given}", []).append(case)
    seeds = said.knowledge.seeds
    chosen = [own for group in groups.values() if (own := [c for c in group if c.arguments not in seeds])][:MAX_CASES]
    outcomes = iter(run(lab, said.knowledge, [case.arguments for group in chosen for case in group]))
    for group in chosen:
        ended = [next(outcomes) for _ in group]
        text = _told(said, group, ended)
        if text and text not in told:
            told.add(text)
            case = group[0]
            yield Fact(case.kind, text, about=case.about, source="run", weight=0.5, slot=f"{case.kind} {case.about[0]}")


def _cases(said: Spoken, parameter: Parameter, inputs: Sequence[dict[str, Any]]) -> Iterator[_Case]:
    """Yield changes of realistic input at one argument."""
    name, spoken = parameter.name, the(parameter.name)
    for usual in inputs:
        if name not in usual:
            continue
        value, about = usual[name], (name, *_about_items(said, parameter))

        def case(kind: str, given: str, new: Any, *words: str, errors: bool = True) -> _Case:
            return _Case(kind, given, (*about, *words), {**usual, name: new}, errors)  # noqa: B023

        if isinstance(value, (list, dict, str, tuple, set)) and value:
            word = _EMPTY_KINDS.get(parameter.shape.kind, "something empty")
            yield case("empty", f"{word} for {spoken}", type(value)(), "empty", "no", "nothing", "nobody", "none")
        if is_number(value):
            yield case("zero", f"0 for {spoken}", 0, "zero", "0")
            yield case(
                "invalid value",
                f"{_BELOW_ZERO} for {spoken}",
                _BELOW_ZERO,
                "negative",
                "below zero",
                "invalid",
            )
        for record in list(records_of(value))[:1]:
            for key in list(record)[:6]:
                changed = _with_first_record(value, {k: v for k, v in record.items() if k != key})
                given = f"no {quoted(str(key), said.knowledge.source)} entry in the first record"
                if isinstance(key, str) and any(
                    key == field for field, _ in (parameter.shape.item or parameter.shape).fields
                ):
                    yield case("missing value", given, changed, key, "missing", "lacks", "without", "no")
                    if is_number(record[key]):
                        given = f"0 as the {quoted(key, said.knowledge.source)} entry of the first record"
                        yield case(
                            "zero", given, _with_first_record(value, {**record, key: 0}), key, "zero", "0", errors=False
                        )
        labels = compared_texts(said, name)
        if isinstance(value, str) and labels:
            yield case(
                "malformed input",
                f'"{_UNKNOWN_LABEL}" for {spoken}',
                _UNKNOWN_LABEL,
                "unknown",
                "other",
                "not listed",
                "unrecognised",
                "invalid",
            )
            label = next((label for label in labels if label != label.upper()), "")
            if label:
                yield case(
                    "letter case",
                    f'"{label.upper()}" in capitals for {spoken}',
                    label.upper(),
                    "capital",
                    "upper",
                    "case",
                )


def _about_items(said: Spoken, parameter: Parameter) -> list[str]:
    clue = said.knowledge.clues.get(parameter.name)
    return [name for name in (clue.element, clue.value) if name] if clue else []


def _with_first_record(value: Any, record: dict[str, Any]) -> Any:
    """Return an argument with another first record."""
    if isinstance(value, dict):
        return record
    changed = copy.copy(list(value))
    place = next(n for n, item in enumerate(changed) if isinstance(item, dict))
    changed[place] = record
    return type(value)(changed)


def _told(said: Spoken, group: Sequence[_Case], ended: Sequence[Outcome]) -> str:
    """Return a case with what came of it on the human's own inputs; empty where nothing can be told.

    Where it comes out differently, one whole input is said aloud, if that is short.
    """
    source, case, outcome = said.knowledge.source, group[0], ended[0]
    if outcome.status == "returned" and (outcome.value is None or not sayable(outcome.value)):
        return ""
    if all(equal(outcome, other) for other in ended[1:]):
        if outcome.status == "returned":
            return f"With {case.given}, the result is {say_value(outcome.value, source)}."
        return sentence(f"with {case.given}, {error_words(said, outcome)}") if case.tell_errors else ""
    if outcome.status != "returned" or len(case.arguments) > MAX_ALOUD:
        return ""
    given = listing([f"{say_value(value, source)} for {the(name)}" for name, value in case.arguments.items()])
    told = f"For example, with {given}, the result is {say_value(outcome.value, source)}."
    return told if len(told) <= MAX_ALOUD_CHARS else ""


MAX_ALOUD = 3  # arguments of an input that is said aloud
MAX_ALOUD_CHARS = 150


def error_words(said: Spoken, outcome: Outcome) -> str:
    """Return how a reference fails, as a clause."""
    purpose = any(getattr(getattr(clause.claim.node, "exc", None), "func", None) is not None for clause in said.clauses)
    article = "an" if outcome.error[:1] in "AEIOUaeiou" else "a"
    if purpose and outcome.message and outcome.message in said.knowledge.source:
        return (
            f"{article} {outcome.error} is raised with the message {say_value(outcome.message, said.knowledge.source)}"
        )
    if purpose and outcome.error in said.knowledge.source:
        return f"{article} {outcome.error} is raised"
    return f"there is no special handling, it simply fails ({outcome.error})"
