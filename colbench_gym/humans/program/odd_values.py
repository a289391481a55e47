"""Odd values that a question names: what comes of None, text, 0 or less for arguments or in records, by running."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.lexicon import PLAIN, split_words, stems
from colbench_gym.humans.facts import Verdict
from colbench_gym.humans.program.cases import EXAMPLE, FAILS, case_of, outcome_words, said_aloud
from colbench_gym.humans.program.examples import mentions
from colbench_gym.humans.program.inputs import NEGATIVE, STRANGE, is_hidden, run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import equal
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import quoted
from colbench_gym.humans.vocabulary import read_patterns

MAX_CASES, MAX_ODD_CHARS = 4, 300  # that are told at once
_MISSING, _EMPTY, _OTHER = object(), object(), object()  # no such field; nothing in a text or list; no known text
_NAMES = ("odd_null", "odd_missing", "odd_text", "odd_zero", "odd_negative", "odd_empty", "odd_other")
_ODD: dict[str, object] = dict(zip(_NAMES, (None, _MISSING, STRANGE, 0, NEGATIVE, _EMPTY, _OTHER), strict=True))
_DECIDES = {"missing value": _NAMES[:2], "invalid value": _NAMES[3:5], "zero": _NAMES[3:4]}  # by the author's kinds
_NOT_OF = frozenset(("letter case", "unit"))  # kinds of matter that no value of an argument tells
_PATTERNS = read_patterns(Path(__file__).with_name("patterns.toml"))
_COUNTS = stems(["number num count amount value total"])  # words of a name by which nobody calls it


@dataclass(frozen=True)
class Place:
    """A place for a value: an argument, or a field of the records in one.

    Attributes:
        parameter: name of the argument.
        field: of the records: a key, or an index; None for the argument itself.
        name: what it is called.
        sample: an ordinary value.
    """

    parameter: str
    field: str | int | None
    name: str
    sample: Any

    def share(self, heard: frozenset[str]) -> float:
        """Return how much of its name is among some stems."""
        own = stems(split_words(self.name))
        own = own - PLAIN - _COUNTS or own
        return len(own & heard) / max(len(own), 1)

    def takes(self, value: object) -> bool:
        """Return whether a question may ask for an odd value here."""
        if value is _MISSING:
            return isinstance(self.field, str)
        if value is _EMPTY:
            return isinstance(self.sample, Sized)
        if value is _OTHER or (isinstance(value, str) and value != STRANGE):
            return isinstance(self.sample, str)
        return value is None or is_number(self.sample)


def odd_cases(program: ProgramFacts, question: Question) -> Verdict | None:
    """Tell what comes of the odd values that a question names, but for those of which the author says something."""
    if program.said is None or not program.steady or not _NOT_OF.isdisjoint(question.kinds):
        return None
    decided = {name: stems(d.about) for d in program.task.decisions for name in _DECIDES.get(d.kind, ())}
    text = question.text.partition(":")[0] if question.either else question.text  # behind it stands what may come out
    odd = [(name, value) for name, value in _ODD.items() if _PATTERNS[name].search(text)]
    values = [mention.value for mention in mentions(text) if not mention.expected]
    given: list[tuple[str, object]] = [("odd_negative", v) for v in values if is_number(v) and v < 0]
    texts = [value for value in values if isinstance(value, str)]
    given += [("odd_other", texts[0])] if len(texts) == 1 and not odd else []
    odd = [*(one for one in odd if not given or one[1] != NEGATIVE), *given]
    undecided = decided.keys().isdisjoint(name for name, _ in odd)
    places = _places(program.said.knowledge, program.inputs) if odd else []
    meant = _meant(places, question, [value for _, value in odd], undecided)
    told: dict[str, list[str]] = {}  # with which values: those that fail alike together
    for place, name, value in [(place, *one) for place in meant for one in odd if place.takes(one[1])][:MAX_CASES]:
        own = place.field is None or not (name == "odd_null" or value in values)  # else more is asked for than was said
        if own and decided.get(name, frozenset()) & stems([place.name]):
            continue
        tried = type(place.sample)() if value is _EMPTY else STRANGE if value is _OTHER else value
        if place.field is None:
            case = case_of(program.said, program.lab, program.inputs, {place.parameter: tried})
        else:
            case = _record_case(program.said, program, place, tried)
        if case:
            aloud, words = case
            told.setdefault(words if FAILS in words else f"{aloud}, {words}", []).append(aloud.removeprefix(EXAMPLE))
    kept = ""
    for words, cases in told.items():
        text = sentence(f"{' or '.join(cases)}, {words}" if words.startswith(FAILS) else words)
        kept = f"{kept} {text}".strip() if len(kept) + len(text) < MAX_ODD_CHARS else kept
    final = undecided and EXAMPLE not in kept.lower() and FAILS not in kept
    return Verdict(kept, "supposed", final) if kept else None


def _meant(places: list[Place], question: Question, odd: list[object], guess: bool) -> list[Place]:
    """Return the places that a question names; all where it speaks of inputs, or a guess: the only one that fits."""
    places = [place for place in places if any(map(place.takes, odd))]
    subject, words = _PATTERNS["may_be"].search(question.lower), {*re.findall(r"\w+", question.text)}
    heard = stems([subject[1] if subject else question.lower])
    shares = [(place.name in words, place.share(heard)) for place in places]
    best = max(shares, default=(False, 0.0))
    if best >= (False, 0.5):
        named = [place for place, share in zip(places, shares, strict=True) if share == best]
        return named if best >= (False, 1.0) or len(named) == 1 else []
    if _PATTERNS["any_input"].search(question.lower):
        return places
    fitting = [place for place in places if all(place.takes(value) or value is None for value in odd)]
    sure = len(fitting) == 1 and not _PATTERNS["of_result"].search(question.lower)
    return fitting if guess and sure and not any(isinstance(value, str) and value != STRANGE for value in odd) else []


def _places(known: Knowledge, inputs: Sequence[dict[str, Any]]) -> list[Place]:
    """Return the arguments, and the fields of records that the code reads."""
    found: dict[tuple[str, str | int | None], Place] = {}
    used = [parameter.name for parameter in known.parameters if parameter.used and not parameter.extra]
    for name, value in [(name, given[name]) for name in used for given in inputs if name in given]:
        found.setdefault((name, None), Place(name, None, name, value))
        for _, record in _records(value):
            unpacked = isinstance(record, tuple)
            parts = _unpacked(known, name, record) if unpacked else {key: key for key in record if key in known.strings}
            for field, called in parts.items():
                found.setdefault((name, field), Place(name, field, called, record[field]))
    return list(found.values())


def _records(argument: object) -> Iterator[tuple[Any, Any]]:
    """Yield the records in an argument, each with the key under which it stands."""
    entries = dict(enumerate(argument)) if isinstance(argument, list) else argument
    if isinstance(entries, dict):
        yield from ((key, record) for key, record in entries.items() if isinstance(record, (dict, tuple)))


def _unpacked(known: Knowledge, name: str, record: tuple[Any, ...]) -> dict[Any, str]:
    """Return what the code calls the parts of each tuple in an argument."""
    loops = [node for node in known.nodes if isinstance(node, (ast.For, ast.comprehension))]
    over = [loop.target for loop in loops if getattr(loop.iter, "id", None) == name]
    parts = next((t.elts for t in over if isinstance(t, ast.Tuple) and len(t.elts) == len(record)), [])
    return {n: part.id for n, part in enumerate(parts) if isinstance(part, ast.Name)}


def _record_case(said: Spoken, program: ProgramFacts, place: Place, value: object) -> tuple[str, str] | None:
    """Return a call with one record that has an odd value, where that record else counts, and what comes of it."""
    known = said.knowledge
    for given, key, record in [(one, *found) for one in program.inputs for found in _records(one[place.parameter])]:
        whole = given[place.parameter]
        entries = (record, _changed(record, place.field, value))
        single = [{**given, place.parameter: {key: one} if isinstance(whole, dict) else [one]} for one in entries]
        plain, outcome, empty = run(program.lab, known, [*single, {**given, place.parameter: type(whole)()}])
        if plain.status != "returned" or equal(plain, empty) or outcome.status == "unknown":
            continue
        if outcome.status == "raised":
            lacks = "without" if value is _MISSING else f"with {say_value(value)} for"
            return f"{lacks} {quoted(place.name, known.source)} in an entry that counts", outcome_words(said, outcome)
        aloud = said_aloud(said, single[1])
        if sayable(outcome.value) and len(aloud) < MAX_ODD_CHARS / 2 and not is_hidden(known, single[1]):
            return f"{EXAMPLE}{aloud}", outcome_words(said, outcome)
    return None


def _changed(record: Any, field: Any, value: object) -> Any:
    """Return a record with another value in a field, or without it."""
    if isinstance(record, tuple):
        return (*record[:field], value, *record[field + 1 :])
    rest = {key: part for key, part in record.items() if key != field}
    return rest if value is _MISSING else {**record, field: value}
