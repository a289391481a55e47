"""Verdicts on functions: what came of running an example, or what a question supposes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.lexicon import split_words, stems
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.program.cases import MAX_ALOUD_CHARS, outcome_words, said_aloud, told_case
from colbench_gym.humans.program.examples import Example, before_calculation, example_in, mentions, situation_in
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
_EDGES = frozenset(("empty", "missing value", "invalid value", "malformed input", "zero"))  # told as decided
_NOT_OF = frozenset(("letter case", "unit"))  # kinds of matter that no value of an argument tells
_FORMULA = re.compile(r"(?<!\w)(?=[a-z]\w*_)\w+\s?[×*/+]\s*[\w(]|\)\s*[×*/+]\s*[\w(]")


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
    whole, pattern = f"{question.context} {question.text}".strip(), _PATTERNS["outcomes"]
    raw, offered = pattern.sub("?", whole), pattern.search(whole)  # "400 likes: 160 or 150?"
    called, head = f"{known.name}(" in raw, before_calculation(raw)
    listed = _PATTERNS["listed"].search(raw)
    alternatives = question.either and " or " in raw and (not listed or "unit" in question.kinds)
    if _FORMULA.search(head) or (not called and (alternatives or _PATTERNS["sequence"].search(head))):
        return None
    example = example_in(raw, known)
    if example is None:
        return None
    case = _PATTERNS["named_case"].search(raw)
    rich = any(isinstance(value, (list, dict, tuple)) and value for value in example.arguments.values())
    if not called:
        said = _numbers(mention.value for mention in mentions(head))
        if not said <= _numbers((*example.arguments.values(), *example.expected)):
            return None  # part of what was said was not understood
        clear = rich or example.loose < len(example.arguments) or listed or case
        if _compares(head, known) or not _PATTERNS["outcome"].search(raw) or not clear:
            return None
    value = run(program.lab, known, [example.arguments])[0].value if offered else None
    if offered and value is not None and not any(same(mention.value, value) for mention in mentions(offered[0])):
        return None  # a rate or a fee is asked for, not the result
    if example.partial:
        told = told_case(program.said, program.lab, program.inputs, example.arguments) if program.said else ""
        asked = told and (rich or case or len(head) < len(raw))
        return Verdict(told, "supposed", final="For example" not in told) if asked else None
    return _ran(program, question, example, head.lower())


def _compares(text: str, known: Knowledge) -> bool:
    """Return whether a question asks for more than whether two values are equal, names of arguments left out."""
    text = _ASIDE.sub(" ", text)
    names = {word for parameter in known.parameters for word in (parameter.name, *split_words(parameter.name))}
    text = re.sub(rf"\bnot (?:{'|'.join(map(re.escape, names))})\b", " ", text)
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


def _ran(program: ProgramFacts, question: Question, example: Example, head: str) -> Verdict | None:
    """Tell what came of an input, and the input where order bound several; ``head`` ends where one calculates."""
    assert program.said is not None
    known = program.said.knowledge
    outcome = run(program.lab, known, [example.arguments])[0]
    if outcome.status == "unknown" or (outcome.status == "returned" and not sayable(outcome.value)):
        return None
    alone = len(known.parameters) == 1 and all(type(v) in (list, dict) for v in example.arguments.values())
    given = f"{said_aloud(program.said, example.arguments)}, " if example.loose and not alone else ""
    if len(given) > 2 * MAX_ALOUD_CHARS:
        return None
    told = outcome_words(program.said, outcome)
    asked = not question.either and (question.polar or _PATTERNS["agree"].search(question.lower))
    plain = not _compares(head, known) and question.whole.count(f"{known.name.lower()}(") < 2
    agrees = outcome.status == "returned" and example.expected and asked and plain
    lead = _agreement(example.expected[-1], outcome.value) if agrees else ""
    return Verdict(f"{lead}{given}{told}." if lead else sentence(f"{given}{told}"), "example")


def _supposed(program: ProgramFacts, question: Question) -> Verdict | None:
    """Tell what comes of what a question supposes of an argument, on the human's own values for the others."""
    raw = _PATTERNS["aside"].sub("", f"{question.context} {question.text}".strip())  # "missing (None)"
    asked = question.kinds.keys() - ({"unit"} if not mentions(raw) else set())
    if program.said is None or not program.steady or not _NOT_OF.isdisjoint(asked):
        return None
    two = _PATTERNS["two_cases"].search(raw)  # "zero or negative"
    cases = [f"{raw[: two.start()]}{case}{raw[two.end() :]}" for case in filter(None, two.groups())] if two else [raw]
    supposed = [situation_in(case, program.said.knowledge, question.either and not two) for case in cases]
    if not any(supposed):
        supposed = _without(raw, program.said.knowledge)
    edges = [d for d in program.task.decisions if d.says and not d.off and d.kind in _EDGES & asked]
    decided = stems([phrase for decision in edges for phrase in decision.about])
    if not _PATTERNS["named_case"].search(raw):  # else what was decided says it
        supposed = [changes for changes in supposed if decided.isdisjoint(stems(changes))]
    said = _numbers(mention.value for mention in mentions(raw) if not mention.expected and not mention.percent)
    if not two and not said <= _numbers(value for changes in supposed for value in changes.values()):
        return None
    note = "no error is raised and " if "error" in question.kinds else ""
    found = [told_case(program.said, program.lab, program.inputs, changes, note) for changes in supposed if changes]
    told = " ".join(filter(None, dict.fromkeys(found)))
    return Verdict(told, "supposed", final="For example" not in told or bool(note)) if told else None


def _without(text: str, known: Knowledge) -> list[dict[str, int | None]]:
    """Return each argument that a text says to be None or 0, with that value: "if the mana or the distance is None"."""
    nothing = _PATTERNS["no_value"].search(text)
    named = re.split(",| or | and ", text[: nothing.start()]) if nothing else []
    required = {p.name: stems(split_words(p.name)[-1:]) for p in known.parameters if p.default is None and not p.extra}
    heard = (stems(split_words(part)[-1:]) for part in reversed(named))
    meant = ([name for name, own in required.items() if own & last] for last in heard)
    alone = takewhile(lambda names: len(names) == 1, meant)
    return [{name: None if nothing and any(nothing.groups()) else 0} for (name,) in [*alone][::-1]]


def _agreement(expected: object, value: object) -> str:
    """Return "Yes, " or "No, " where what was expected can be compared with what came out."""
    if same(expected, value):
        return "Yes, "
    if isinstance(value, (tuple, list, dict)) and not isinstance(expected, (tuple, list, dict)):
        return ""
    numbers = isinstance(expected, (int, float)) and isinstance(value, (int, float))
    return "No, " if numbers or type(expected) is type(value) else ""
