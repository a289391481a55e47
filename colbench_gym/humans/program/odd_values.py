"""Odd values that a question names, such as None or nothing, for arguments or in records: what comes of them, run."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set, Sized
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

from colbench_gym.humans.asking import Question
from colbench_gym.humans.asking.lexicon import PLAIN, split_words, stems
from colbench_gym.humans.facts import NO_PREFERENCE, Verdict
from colbench_gym.humans.program.cases import EXAMPLE, FAILS, case_of, outcome_words, said_aloud
from colbench_gym.humans.program.examples import PATTERNS, before_calculation, fits, mentions
from colbench_gym.humans.program.inputs import NEGATIVE, STRANGE, is_hidden, run
from colbench_gym.humans.program.knowledge import ProgramFacts
from colbench_gym.humans.program.laboratory import equal
from colbench_gym.humans.program.reader import Knowledge
from colbench_gym.humans.program.shapes import is_number
from colbench_gym.humans.program.verbalizer import Spoken
from colbench_gym.humans.program.verbalizer.phrases import sentence
from colbench_gym.humans.program.verbalizer.values import say_value, sayable
from colbench_gym.humans.program.verbalizer.wording import name_words, quoted, the
from colbench_gym.tasks import Decision

MAX_CASES, MAX_ODD_CHARS, MAX_RECORDS = 4, 300, 3  # told at once; records of an input, one changed at a time
_MISSING, _EMPTY, _OTHER, _TEXT = (object() for _ in range(4))
_ITSELF = object()  # key of an argument that is a record
_ODD: dict[str, object] = {"odd_null": None, "odd_missing": _MISSING, "odd_text": _TEXT, "odd_zero": 0}  # by pattern
_ODD |= {"odd_negative": NEGATIVE, "odd_empty": _EMPTY, "odd_other": _OTHER}
_OF = {"missing value": {"odd_missing", "odd_null"}, "invalid value": {"odd_negative"}, "zero": {"odd_zero"}}
_NOT_OF = frozenset(("letter case",))  # kinds of matter that no value of an argument tells
_COUNTS = stems(["number num count amount value total data"])  # words of a name by which nobody calls it


@dataclass(frozen=True)
class Place:
    """A place for a value: an argument, or a field of the records in one.

    Attributes:
        parameter: name of the argument.
        field: of the records: a key; None for the argument itself.
        name: what it is called.
        sample: an ordinary value.
    """

    parameter: str
    field: str | None
    name: str
    sample: Any

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the stems by which it is called."""
        own = stems(split_words(self.name))
        return own - PLAIN - _COUNTS or own

    def takes(self, value: object) -> bool:
        """Return whether a question may ask for an odd value here."""
        if value is _MISSING:
            return self.field is not None or (isinstance(self.sample, dict) and len(self.sample) > 1)
        if value is _OTHER or isinstance(value, str):
            return isinstance(self.sample, str)
        return isinstance(self.sample, Sized) if value is _EMPTY else value is None or is_number(self.sample)


def odd_cases(program: ProgramFacts, said: Spoken, question: Question, places: Sequence[Place]) -> Verdict | None:
    """Tell what comes of the odd values that a question names, but for those of which the author says something."""
    odd, exact = _named(question, places, said.knowledge.strings) if _NOT_OF.isdisjoint(question.kinds) else ([], False)
    undecided = not any(_covers(decision, name) for decision in program.task.decisions for name, _ in odd)
    meant = _meant(places, question, [value for _, value in odd], undecided) if odd else []
    part, lead, told = False, "", dict[str, dict[str, None]]()  # with which values: those that fail alike together
    pairs: list[tuple[Place, object]] = []
    for place, name, value in ((place, *one) for place in meant for one in odd if place.takes(one[1])):
        # what the request hints at follows behind what a decision is about
        own = [d for d in program.task.decisions if _covers(d, name) and place.words & stems(d.about[:1])]
        more = place.field is not None and (exact or value is None)  # than what the author said
        decided = any(d.says for d in own)
        part = part or decided
        pairs += [(place, value)] if more or not decided else []
        lead = NO_PREFERENCE if own and not decided else lead
    for place, value in pairs[:MAX_CASES]:
        if place.field is None:
            changes = {**quoted_values(said.knowledge, question), place.parameter: _tried(place, value)}
            case = case_of(said, program.lab, program.inputs, changes)
        else:
            case = _record_case(said, program, place, _tried(place, value))
        if case:
            aloud, words = case
            if value is _MISSING and place.field is None and len(changes) == 1 and not aloud.startswith(EXAMPLE):
                first = say_value(next(iter(place.sample)), said.knowledge.source)
                aloud = f"without an entry for {first} in {the(place.name)}"
            key = words if words.startswith(FAILS) else f"{aloud}, {words}"
            told.setdefault(key, {})[aloud.removeprefix(EXAMPLE)] = None
    kept = lead * bool(told)
    for words, cases in told.items():
        text = sentence(f"{' or '.join(cases)}, {words}" if words.startswith(FAILS) else words)
        kept = f"{kept} {text}".strip() if len(kept) + len(text) < MAX_ODD_CHARS else kept
    final = bool(lead and not part) or (undecided and EXAMPLE not in kept.lower() and FAILS not in kept)
    return Verdict(kept, "supposed", final, part=part) if kept else None


def quoted_values(known: Knowledge, question: Question) -> dict[str, Any]:
    """Return the values that a question quotes of those with which the code compares an argument."""
    pairs = ((p, value) for p in known.parameters for value in known.choices.get(p.name, ()) if fits(value, p))
    return {p.name: value for p, value in pairs if str(value).lower() in question.literals}


def _covers(decision: Decision, name: str) -> bool:
    """Return whether a decision is about an odd value of this name."""
    both = name == "odd_zero" and any("zero or" in about for about in decision.about)
    return name in _OF.get(decision.kind, ()) or (both and decision.kind == "invalid value")


def _tried(place: Place, value: object) -> object:
    """Return the value to run with in a place."""
    if value is _MISSING and place.field is None:
        return dict(list(place.sample.items())[1:])
    return type(place.sample)() if value is _EMPTY else STRANGE if value in (_OTHER, _TEXT) else value


def _named(question: Question, places: Sequence[Place], labels: Set[str]) -> tuple[list[tuple[str, object]], bool]:
    """Return the odd values that a question names, by their patterns, and whether it gives one of them itself."""
    text = before_calculation(question.text.partition(":")[0] if question.either else question.text)
    odd = [(name, value) for name, value in _ODD.items() if PATTERNS[name].search(text)]
    names = [name for place in places for name in (place.name, name_words(place.name))] + sorted(labels) if odd else []
    called = "|".join(re.escape(name) for name in names if any(PATTERNS[one].search(name) for one in _ODD))
    plain = re.sub(rf"\b(?:{called})\b", "it", text, flags=re.I) if called else text  # "missing" of missing_pieces
    found = [(name, value, PATTERNS[name].search(plain)) for name, value in odd]
    odd = [(name, value) for name, value, m in found if m and not PATTERNS["comes_out"].search(plain[: m.start()])]
    mentioned = [m for m in mentions(text) if not m.percent and not PATTERNS["comes_out"].search(text[: m.start])]
    numbers = [m.value for m in mentioned if is_number(m.value) and (m.label or not m.expected)]
    if min(numbers, default=0) < 0:
        odd = [one for one in odd if one[0] not in ("odd_zero", "odd_negative")]
        return [*odd, *(("odd_negative" if n else "odd_zero", n) for n in numbers if n <= 0)], True  # "0 or -3"
    texts = [m.value for m in mentioned if isinstance(m.value, str)]
    supposed = [m for m in mentioned if m.label or PATTERNS["supposes"].search(text[: m.start])]
    exact = len(texts) == 1 == len(mentioned) and not odd and bool(supposed)
    return ([("odd_other", texts[0])] if exact else odd), exact


def _meant(places: Sequence[Place], question: Question, odd: list[object], guess: bool) -> Sequence[Place]:
    """Return the places that a question names; all where it speaks of inputs, or a guess: the only one that fits."""
    subject = PATTERNS["may_be"].search(question.lower)
    heard = stems([subject[subject.lastindex or 0] if subject else question.lower])
    shares = [len(place.words & heard) / max(len(place.words), 1) for place in places]
    best = max(shares, default=0.0)
    named = [place for place, share in zip(places, shares, strict=True) if share == best and share > 0]
    named = [place for place in named if not any(place.words < other.words for other in named)]
    inside = {place.parameter for place in named if place.field is not None}
    named = [place for place in named if place.field is not None or place.parameter not in inside]
    if best == 1 or (named and len({place.name for place in named}) == 1):
        return named
    if named or any(isinstance(value, str) for value in odd):
        return []
    if PATTERNS["any_input"].search(question.lower):
        return places
    fitting = [place for place in places if all(place.takes(value) or value in (None, _MISSING) for value in odd)]
    guess = guess and not PATTERNS["of_result"].search(question.lower)
    guess = guess and not (_MISSING in odd and any(place.field is None for place in fitting))
    return fitting if guess and len(fitting) == 1 else []


def places_of(known: Knowledge, inputs: Sequence[dict[str, Any]]) -> list[Place]:
    """Return the arguments, and the fields of records that the code reads, with samples from realistic arguments."""
    found: dict[tuple[str, str | None], Place] = {}
    used = [parameter.name for parameter in known.parameters if parameter.used and not parameter.extra]
    for name, value in [(name, given[name]) for name in used for given in inputs if name in given]:
        found.setdefault((name, None), Place(name, None, name, value))
        for record in _records(known, value).values():
            for key in [key for key in record if key in known.strings]:
                found.setdefault((name, key), Place(name, key, key, record[key]))
    return list(found.values())


def _records(known: Knowledge, argument: object) -> dict[Any, Any]:
    """Return the first records in an argument by their keys; the argument itself where it is one."""
    if isinstance(argument, dict) and not known.strings.isdisjoint(argument):
        return {_ITSELF: argument}
    entries = dict(enumerate(argument)) if isinstance(argument, list) else argument
    found = entries.items() if isinstance(entries, dict) else ()
    return dict(islice(((key, one) for key, one in found if isinstance(one, dict)), MAX_RECORDS))


def _record_case(said: Spoken, program: ProgramFacts, place: Place, value: object) -> tuple[str, str] | None:
    """Return what comes of an odd value in a record that counts: how it fails in each, else a call with one alone."""
    known, name, itself = said.knowledge, place.parameter, False
    calls: list[dict[str, Any]] = []
    for given in program.inputs:
        records = _records(known, given.get(name))
        itself = itself or _ITSELF in records
        for key, record in records.items():
            odd = {key: {at: part for at, part in {**record, place.field: value}.items() if part is not _MISSING}}
            some: tuple[dict[Any, Any], ...] = ({key: record}, odd, {**records, **odd}, {})
            whole = isinstance(given[name], list)
            calls += [{**given, name: [*one.values()] if whole else one.get(_ITSELF, one)} for one in some]
    outcomes = run(program.lab, known, calls)
    counted = []  # of each record that counts: whether nothing changes, the call with it alone, what comes of it
    for n in range(0, len(outcomes), 4):
        plain, alone, among, none = outcomes[n : n + 4]
        if plain.status == "returned" and not equal(plain, none):
            left_out = calls[n + 1] == calls[n + 2] and equal(alone, none) and not itself  # so that nothing is there
            failed = among if among.status == "raised" and not left_out else None
            counted.append((equal(plain, alone), calls[n + 1], alone, failed))
    fails = [failed for *_, failed in counted if failed]
    if fails and len(fails) == len(counted) and all(equal(one, fails[0]) for one in fails):
        lacks = "without" if value is _MISSING else f"with {say_value(value)} for"
        which = "" if itself else " in an entry that counts"
        return f"{lacks} {quoted(place.name, known.source)}{which}", outcome_words(said, fails[0])
    for _, given, alone, failed in sorted(counted, key=lambda one: one[0]):
        aloud = said_aloud(said, given)
        told = alone.status == ("raised" if fails else "returned") and bool(failed) == bool(fails)
        if told and sayable(alone.value) and len(aloud) < MAX_ODD_CHARS / 2 and not is_hidden(known, given):
            return f"{EXAMPLE}{aloud}", outcome_words(said, alone)
    return None
