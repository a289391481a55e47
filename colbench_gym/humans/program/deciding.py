"""Verdicts on functions: what came of running an example, or what a question supposes."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.lexicon import split_words
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.program.cases import EXAMPLE, FAILS, case_of, outcome_words, said_aloud
from colbench_gym.humans.program.examples import PATTERNS, Example, before_calculation, calls_in, example_in
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import same
from colbench_gym.humans.program.odd_values import Place, odd_cases, places_of, quoted_values
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import sayable

_PLACES = ("First", "Second", "Third")  # of the calls in a question whose results are told


class ProgramKnowledge(ProgramFacts):
    """Facts of one function with what can be decided about it: a :class:`~colbench_gym.humans.facts.Knowledge`."""

    def decide(self, question: Question) -> Verdict | None:
        """Return what running decides about a question; None where it decides nothing."""
        if self.said is None or not self.steady:
            return None
        given = (self, self.said, question)
        return _example(*given) or odd_cases(*given, self.places) or _sampled(*given)

    @cached_property
    def places(self) -> list[Place]:
        """Return where a question may name an odd value."""
        return places_of(self.said.knowledge, self.inputs) if self.said is not None else []


def _example(program: ProgramFacts, said: Spoken, question: Question) -> Verdict | None:
    """Run the input that a question gives, alone or on the human's own other arguments."""
    known = said.knowledge
    raw = f"{question.context} {question.text}".strip()
    called, head, listed = f"{known.name}(" in raw, before_calculation(raw), PATTERNS["listed"].search(raw)
    alternatives = question.either and " or " in raw and (not listed or "unit" in question.kinds)
    example = None if alternatives and not called else example_in(raw, known)
    if example is None:
        return None
    calls = [Example(given) for given, _ in calls_in(raw, known)][: len(_PLACES)]
    if len(calls) > 1:
        ran = [_ran(program, said, question, one, "") for one in calls]
        told = [f"{place}: {one.text}" for place, one in zip(_PLACES, ran, strict=False) if one]
        return Verdict(" ".join(told), "example") if told else None
    rich = any(isinstance(value, (list, dict, tuple)) and value for value in example.arguments.values())
    if not called:
        clear = rich or listed or example.loose < len(example.arguments) or PATTERNS["named_case"].search(raw)
        given = head if example.partial else PATTERNS["such_as"].split(head)[-1]
        if _compares(given, known) or not PATTERNS["outcome"].search(raw) or not clear:
            return None
    if example.partial:
        case = case_of(said, program.lab, program.inputs, example.arguments)
        asked = rich or len(head) < len(raw) or PATTERNS["named_case"].search(raw)
        return Verdict(sentence(", ".join(case)), "supposed", final=EXAMPLE not in case[0]) if case and asked else None
    return _ran(program, said, question, example, head.lower())


def _compares(text: str, known: Knowledge) -> bool:
    """Return whether a question asks for more than whether two values are equal, names of arguments left out."""
    text = PATTERNS["aside"].sub(" ", text)
    names = {word for parameter in known.parameters for word in (parameter.name, *split_words(parameter.name))}
    text = re.sub(rf"\bnot (?:an? |the )?(?:{'|'.join(map(re.escape, names))})\b", " ", text)
    return any(match[0].lower() not in names for match in PATTERNS["compares"].finditer(text))


def _ran(program: ProgramFacts, said: Spoken, question: Question, example: Example, head: str) -> Verdict | None:
    """Tell what came of an input, and the input where order bound several; ``head`` ends where one calculates."""
    known = said.knowledge
    outcome = run(program.lab, known, [example.arguments])[0]
    if outcome.status == "unknown" or (outcome.status == "returned" and not sayable(outcome.value)):
        return None
    alone = len(known.parameters) == 1 and all(type(v) in (list, dict) for v in example.arguments.values())
    given = f"{said_aloud(said, example.arguments)}, " if example.loose and not alone else ""
    told = outcome_words(said, outcome)
    asked = not question.either and (question.polar or PATTERNS["agree"].search(question.lower))
    calls = question.whole.count(f"{known.name.lower()}(")
    plain = not _compares(head, known) and (calls == 1 or (not calls and not PATTERNS["reason"].search(head)))
    agrees = outcome.status == "returned" and example.expected and asked and plain
    lead = _agreement(example.expected[-1], outcome.value) if agrees else ""
    short = f"{lead}{told}." if lead else sentence(told)
    return Verdict(f"{lead}{given}{told}." if lead else sentence(f"{given}{told}"), "example", short=short)


def _sampled(program: ProgramFacts, said: Spoken, question: Question) -> Verdict | None:
    """Give the example that is asked for, with the values that a question quotes, as short as it can be."""
    known, text = said.knowledge, question.lower
    if not PATTERNS["example"].search(text) or PATTERNS["of_some_kind"].search(text):
        return None  # or one that is not ordinary
    named = quoted_values(known, question)
    for size in (3, 2, 1):  # entries of a collection
        inputs = [{name: _first(value, size, known) for name, value in one.items()} for one in program.inputs]
        case = case_of(said, program.lab, inputs, named)
        if case and FAILS not in case[1] and case[0].startswith(EXAMPLE):
            return Verdict(sentence(", ".join(case)), "example")
    return None


def _first(value: Any, size: int, known: Knowledge) -> Any:
    """Return the first entries of a collection, of a record all."""
    if isinstance(value, dict) and known.strings.isdisjoint(value):
        return dict([*value.items()][:size])
    return value[:size] if isinstance(value, list) else value


def _agreement(expected: object, value: object) -> str:
    """Return "Yes, " or "No, " where what was expected can be compared with what came out."""
    if same(expected, value):
        return "Yes, "
    numbers = isinstance(expected, (int, float)) and isinstance(value, (int, float))
    return "No, " if numbers or type(expected) is type(value) else ""
