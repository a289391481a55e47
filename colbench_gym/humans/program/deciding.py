"""Verdicts on functions: a worked example that was run."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.lexicon import split_words
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.program.cases import MAX_ALOUD_CHARS, outcome_words, said_aloud, told_case
from colbench_gym.humans.program.examples import Example, example_in, mentions, situation_in, without_calculations
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import same
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import sayable
from colbench_gym.humans.vocabulary import read_patterns

_PATTERNS = read_patterns(Path(__file__).with_name("patterns.toml"))
_ASIDE = re.compile(
    r"\"[^\"\n]*\"|(?<!\w)'[^'\n]*'(?!\w)|, ?\w+n't (?:i|it|that|they|we|you)\W*$", re.I
)  # quotations and tags
_NOT_OF = {"letter case", "unit"}  # kinds of matter that no value of an argument tells
_FORMULA = re.compile(r"[a-z]\w*_\w+\s*[×*/+]\s*[\w(]|\)\s*[×*/+]\s*[\w(]")


class ProgramKnowledge(ProgramFacts):
    """Facts of one function with what can be decided about it: a :class:`~colbench_gym.humans.facts.Knowledge`."""

    def decide(self, question: Question) -> Verdict | None:
        """Return what running decides about a question; None where it decides nothing."""
        return _example(self, question) or _supposed(self, question)


def _example(program: ProgramFacts, question: Question) -> Verdict | None:
    """Run the input that a question gives, alone or on the human's own other arguments."""
    known = program.known
    if known is None or not known.parameters or not program.steady:
        return None
    raw = f"{question.context} {question.text}".strip()
    called = f"{known.name}(" in raw
    listed = _PATTERNS["listed"].search(raw)
    if _FORMULA.search(raw) or (question.either and not called and (not listed or "unit" in question.kinds)):
        return None  # a formula, or values that are alternatives
    example = example_in(raw, known)
    if example is None:
        return None
    if not called:
        said = _numbers(mention.value for mention in mentions(without_calculations(raw)))
        if not said <= _numbers((*example.arguments.values(), *example.expected)):
            return None  # part of what was said was not understood
        rich = any(isinstance(value, (list, dict, tuple)) and value for value in example.arguments.values())
        clear = rich or example.loose < len(example.arguments) or listed
        if _compares(raw, known) or not _PATTERNS["outcome"].search(raw) or not clear:
            return None
    return _ran(program, question, example)


def _compares(text: str, known: Knowledge) -> bool:
    """Return whether a question asks for more than whether two values are equal, names of arguments left out."""
    text = _ASIDE.sub(" ", text)
    names = {word for parameter in known.parameters for word in (parameter.name, *split_words(parameter.name))}
    return any(match[0].lower() not in names for match in _PATTERNS["compares"].finditer(text))


def _numbers(values: Iterable[object]) -> frozenset[float]:
    """Return all numbers in some values."""
    found: set[float] = set()
    for value in values:
        if isinstance(value, dict):
            found |= _numbers((*value.keys(), *value.values()))
        elif isinstance(value, (list, tuple, set)):
            found |= _numbers(value)
        elif is_number(value):
            found.add(value)
    return frozenset(found)


def _ran(program: ProgramFacts, question: Question, example: Example) -> Verdict | None:
    """Tell what came of running an input, with the input where its values have no names beside them."""
    assert program.said is not None
    known = program.said.knowledge
    outcome = run(program.lab, known, [example.arguments])[0]
    if outcome.status == "unknown" or (outcome.status == "returned" and not sayable(outcome.value)):
        return None
    clear = {name: value for name, value in example.arguments.items() if not isinstance(value, (list, dict, tuple))}
    given, short = (
        f"{said_aloud(program.said, values)}, " if example.loose and values else ""
        for values in (example.arguments, clear)
    )
    if len(given) > 2 * MAX_ALOUD_CHARS:
        return None
    told = outcome_words(program.said, outcome)
    asked = not question.either and (question.polar or _PATTERNS["agree"].search(question.lower))
    plain = not _compares(question.whole, known) and question.whole.count(f"{known.name.lower()}(") < 2
    agrees = outcome.status == "returned" and example.expected and asked and plain
    lead = _agreement(example.expected[-1], outcome.value) if agrees else ""
    text, short = (f"{lead}{said}{told}." if lead else sentence(f"{said}{told}") for said in (given, short))
    return Verdict(text, "example", short=short if short != text else "")


def _supposed(program: ProgramFacts, question: Question) -> Verdict | None:
    """Tell what comes of what a question supposes of an argument, on the human's own values for the others."""
    authored = {decision.kind for decision in program.task.decisions if decision.says} | _NOT_OF
    if program.said is None or not program.steady or not authored.isdisjoint(question.kinds):
        return None
    raw = f"{question.context} {question.text}".strip()
    two = _PATTERNS["two_cases"].search(raw)  # "zero or negative"
    cases = [f"{raw[: two.start()]}{case}{raw[two.end() :]}" for case in two.groups()] if two else [raw]
    supposed = [situation_in(case, program.said.knowledge, question.either and not two) for case in cases]
    note = "no error is raised and " if "error" in question.kinds else ""
    found = [told_case(program.said, program.lab, program.inputs, changes, note) for changes in supposed if changes]
    told = " ".join(filter(None, dict.fromkeys(found)))
    return Verdict(told, "supposed", final="For example" not in told or bool(note)) if told else None


def _agreement(expected: object, value: object) -> str:
    """Return "Yes, " or "No, " where what was expected can be compared with what came out."""
    if same(expected, value):
        return "Yes, "
    if isinstance(value, (tuple, list, dict)) and not isinstance(expected, (tuple, list, dict)):
        return ""
    numbers = isinstance(expected, (int, float)) and isinstance(value, (int, float))
    return "No, " if numbers or type(expected) is type(value) else ""
