"""Verdicts on functions: a worked example that was run, a concept that is absent, a property asked for by yes or no."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.lexicon import split_words, stem, stems
from colbench_gym.humans.asking.toml import read_toml
from colbench_gym.humans.facts import Fact, Verdict
from colbench_gym.humans.program.cases import error_words
from colbench_gym.humans.program.concepts import absent_feature, concepts
from colbench_gym.humans.program.examples import Example, example_in, mentions
from colbench_gym.humans.program.inputs import run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import Outcome, equal
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.values import same
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import listing, the

_OUTCOME = re.compile(
    r"\b(?:expect\w*|results?|outputs?|come|comes|back|return\w*|gives?|yields?|get|be|produce|then|correct"
    r"|right|agree"
    r"|become\w*|end up|what (?:is|about|happens)|happens?|lead\w*|equal\w*|made? (?:it|of)|desired)\b|[=→]|->"
    r"|\?\W*$",
    re.I,
)
_RESULTS = re.compile(
    r"\b(?:results?|return\w*|outputs?|give[sn]?|get|expect\w*|comes? (?:out|back)|happens?|then|yields?)\b", re.I
)
_NO_EXAMPLE = re.compile(  # values that show a form and are no input
    r"\b(?:such as|like|e\.?g\.?|type|format|between|round\w*|decimal\w*|based|inclusive|exclusive|unit"
    r"|scale)\b",
    re.I,
)
_AGREE = re.compile(
    r"\b(?:correct|right|agree\w*|ok|okay|match\w*|in line|expect\w*|so|is that|is this|had in mind)\b", re.I
)
_COMPARES = re.compile(  # a question about more than whether two values are equal
    r"\b(?:not|never|differ\w*|wrong|more|less|greater|fewer|higher|lower|above|below|over|under|least|most|exceed\w*|between"
    r"|starts?|ends?|contains?|unless|ignored|factor|multipl\w*|add\w*|divid\w*|subtract\w*|times)\b|n't\b|[<>≤≥]|!="
)
_UNSURE = re.compile(  # a property with more to it than whether it is there
    r"\b(?:not|never|no|up|down|reverse\w*|intermediate|whole|nearest|one|two|three|four|five|six|\d+)\b|n't\b"
)
_EXISTS = re.compile(
    r"\b(?:is|are) there\b|\bdo(?:es)? (?:you|we|i|it|the function) (?:also |even )?(?:have|need|want|use"
    r"|consider|check|keep|support)\b|^\W*any\b|\bshould (?:i|it|the function) (?:also )?(?:consider|check"
    r"|support|add|include|take)\b",
    re.I,
)
_RESULT = stems(["result results output list values numbers names texts items entries order letters capital"])
_KIND_OF_SLOT = {"case": "letter case"}
_SURE_WORDS = 9  # a question by yes or no with more words about the matter asks for more than a property


class ProgramKnowledge(ProgramFacts):
    """Facts of one function with what can be decided about it: a :class:`~colbench_gym.humans.facts.Knowledge`."""

    def decide(self, question: Question) -> Verdict | None:
        """Return what running, a property or a concept's test decides about a question; None where nothing does."""
        if self.said is None:
            return None
        return _example(self, question) or _property(self.facts, question) or _absent(self, question)


def _example(program: ProgramFacts, question: Question) -> Verdict | None:
    """Run the input that a question gives, alone or on the human's own other arguments."""
    known = program.said.knowledge if program.said else None
    if known is None or not known.parameters:
        return None
    raw = f"{question.context} {question.text}".strip()
    if not any(mark in raw for mark in "[{("):
        raw = _unquoted(raw, program.task.description)
    example = example_in(raw, known)
    if example is None:
        return None
    given = _numbers((*example.arguments.values(), *example.expected))
    said = [m.value / 100 if m.percent and m.value / 100 in given else m.value for m in mentions(raw)]
    called = f"{known.name}(" in raw
    if not _numbers(said) <= given or not program.steady or (not called and _compares(raw, known)):
        return None  # part of what was said was not understood, or an input is not what was said
    rich = any(isinstance(value, (list, dict, tuple)) and value for value in example.arguments.values())
    if not called and (not _OUTCOME.search(raw) or (_NO_EXAMPLE.search(raw) and not example.complete)):
        return None
    if example.complete:
        if not called and not rich and not _names_all(example, question) and not _listed(raw, example):
            return None
        return _ran(program, question, example, example.arguments)
    defaults = {p.name: getattr(p.default, "value", None) for p in known.parameters if p.default is not None}
    usual_values = all(name in defaults and defaults[name] == value for name, value in example.arguments.items())
    if not program.inputs or usual_values or not _RESULTS.search(raw):
        return None
    if not (_names_all(example, question) or (rich and called)):
        return None
    usual = [{**one, **example.arguments} for one in program.inputs]
    outcomes = run(program.lab, known, usual)
    if all(equal(outcome, outcomes[0]) for outcome in outcomes[1:]) and outcomes[0].status == "returned":
        return _ran(program, question, example, usual[0])
    return _ran(program, question, Example(usual[0]), usual[0], whole=True)


def _compares(text: str, known: Knowledge) -> bool:
    """Return whether a question asks for more than whether two values are equal, names of arguments left out."""
    names = {word for parameter in known.parameters for word in (parameter.name, *split_words(parameter.name))}
    return any(match[0].lower() not in names for match in _COMPARES.finditer(text))


def _numbers(values: Iterable[object]) -> frozenset[float]:
    """Return all numbers in some values."""
    found: set[float] = set()
    for value in values:
        if isinstance(value, dict):
            found |= _numbers((*value.keys(), *value.values()))
        elif isinstance(value, (list, tuple, set)):
            found |= _numbers(value)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            found.add(value)
    return frozenset(found)


def _names_all(example: Example, question: Question) -> bool:
    """Return whether the words of each argument that got a value stand in the question."""
    words = frozenset(question.stem_list)
    for name in example.arguments:
        own = {stem(word) for word in split_words(name) if len(word) > 2} or {stem(name)}
        if not own & words:
            return False
    return bool(example.arguments)


def _listed(raw: str, example: Example) -> bool:
    """Return whether all values stand in one pair of brackets or behind "for", "with" or "call it with"."""
    if len(example.arguments) > 1 and re.search(r"\([^()]{0,80},[^()]{0,80}\)", raw):
        return True
    texts = all(isinstance(value, str) for value in example.arguments.values())
    return texts or re.search(r"\b(?:with|for|give it|pass|call|try|take|input|say)\b", raw, re.I) is not None


def _ran(
    program: ProgramFacts, question: Question, example: Example, arguments: Mapping[str, Any], whole: bool = False
) -> Verdict | None:
    """Tell what came of running an input; ``whole`` says all of the input aloud."""
    said = program.said
    assert said is not None
    known = said.knowledge
    outcome = run(program.lab, known, [arguments])[0]
    if outcome.status == "unknown" or (outcome.status == "returned" and not sayable(outcome.value)):
        return None
    told = _outcome_words(program, outcome)
    if whole:
        hidden = any(arguments == seed for seed in known.seeds)  # a test's input is said only by the agent
        if hidden or not all(sayable(value) for value in arguments.values()) or len(arguments) > MAX_SAID:
            return None
        told = f"with {listing([f'{say_value(value)} for {the(name)}' for name, value in arguments.items()])}, {told}"
    lead = ""
    asked = question.polar or _AGREE.search(question.lower)
    plain = not _compares(question.whole, known) and question.whole.count(f"{known.name.lower()}(") < 2
    if outcome.status == "returned" and example.expected and asked and plain:
        lead = _agreement(example.expected[-1], outcome.value)
    final = bool(lead) or (example.complete and not whole)
    return Verdict(f"{lead}{told}." if lead else sentence(told), "example", final)


MAX_SAID = 4  # arguments that are said aloud


def _outcome_words(program: ProgramFacts, outcome: Outcome) -> str:
    assert program.said is not None
    if outcome.status == "raised":
        return error_words(program.said, outcome)
    if outcome.value is None:
        return "the result is None (nothing is returned)"
    return f"the result is {say_value(outcome.value, program.said.knowledge.source)}"


def _agreement(expected: object, value: object) -> str:
    """Return "Yes, " or "No, " where what was expected can be compared with what came out."""
    if same(expected, value):
        return "Yes, "
    if isinstance(value, (tuple, list, dict)) and not isinstance(expected, (tuple, list, dict)):
        return ""
    numbers = isinstance(expected, (int, float)) and isinstance(value, (int, float))
    return "No, " if numbers or type(expected) is type(value) else ""


def _unquoted(text: str, description: str) -> str:
    """Return a text without the phrases that it quotes from the description of the task."""
    return re.sub(r"(?<!\w)(['\"])([^'\"\n]+ [^'\"\n]+)\1(?!\w)", lambda m: " " if m[2] in description else m[0], text)


def _property(facts: Sequence[Fact], question: Question) -> Verdict | None:
    """Answer by yes or no whether the function has a property that one of its facts is about."""
    if not question.polar or question.either or len(question.stems) > _SURE_WORDS or question.literals:
        return None
    heard = question.stem_list
    for slot, (has, lacks) in _slots().items():
        if _KIND_OF_SLOT.get(slot, slot) not in question.kinds:
            continue
        positive, negative = _speaks(heard, has), _speaks(heard, lacks)
        if positive is negative:
            continue
        told = [fact for fact in facts if fact.slot == slot]
        if len(told) != 1 or _UNSURE.search(question.lower):
            continue
        cued = {word for phrase in has | lacks for word in phrase} | _RESULT
        if question.own_stems - cued - stems((told[0].text, *told[0].about)):  # asks for more than the property
            continue
        yes = told[0].absent is not positive and not _other_way(question, told[0])
        text = told[0].text[:1].lower() + told[0].text[1:] if not told[0].text.startswith("I ") else told[0].text
        return Verdict(f"{'Yes' if yes else 'No'}, {text}", slot, reveals=told[0].reveals)
    return None


def _other_way(question: Question, fact: Fact) -> bool:
    """Return whether a question proposes a direction that is not the one of a sort."""
    text = fact.text.lower()
    ways = {way for way in ("ascending", "descending") if way in text}
    asked = "descending" if _DOWN.search(question.lower) else "ascending" if _UP.search(question.lower) else ""
    return bool(asked) and ways == ({"ascending", "descending"} - {asked})


_DOWN = re.compile(
    r"\b(?:descending|decreasing|(?:high|larg|great|bigg|lat|heavi|long|old|best|most)\w*(?: \w+)? (?:comes? )?first)\b"
)
_UP = re.compile(
    r"\b(?:ascending|increasing|alphabetical\w*"
    r"|(?:low|small|least|earli|short|young|cheap)\w*(?: \w+)? (?:comes? )?first)\b"
)


@lru_cache(maxsize=1)
def _slots() -> dict[str, tuple[frozenset[tuple[str, ...]], frozenset[tuple[str, ...]]]]:
    """Return, for each property, the words that ask whether it is there and those that ask whether it is not."""
    rows = read_toml(Path(__file__).with_name("polarity.toml"))
    return {slot: (_phrases(row["has"]), _phrases(row["lacks"])) for slot, row in rows.items()}


def _phrases(phrases: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(map(stem, split_words(phrase))) for phrase in phrases)


def _speaks(heard: tuple[str, ...], phrases: frozenset[tuple[str, ...]]) -> bool:
    return any(heard[place : place + size] in phrases for size in (1, 2, 3) for place in range(len(heard) - size + 1))


def _absent(program: ProgramFacts, question: Question) -> Verdict | None:
    """Deny what a question by yes or no names and the function does not do at all."""
    known = program.said.knowledge if program.said else None
    if known is None or not question.polar or question.either or len(question.own_stems) > _SURE_WORDS:
        return None
    for concept in concepts():
        named = concept.no and concept.stems & question.own_stems
        if named and not concept.done(known) and not concept.stems & (known.vocabulary | known.topics):
            return Verdict(f"No, {concept.no}.", "absent", reveals=False)
    word = absent_feature(question.own_stems, known)
    if word:
        return Verdict(f"No, there is no {word} in it.", "absent", reveals=False)
    words = question.own_stems | question.near
    strange = question.own_stems and not question.kinds and not words & program.vocabulary
    if program.task.decisions and strange and _EXISTS.search(question.lower):
        return Verdict("No, there is nothing like that.", "absent", reveals=False)
    return None
