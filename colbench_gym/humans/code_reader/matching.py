"""Which facts of a reading answer a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import fsum  # the same sum in whatever order a set gives its items

from colbench_gym.humans.code_reader.facts import Fact, Kind
from colbench_gym.humans.code_reader.questions import Question, kind_words
from colbench_gym.humans.code_reader.reader import Reading

_CLOSE = 0.4  # facts that match at least this share as well as the best one are told too
_MOST_SPECIFIC = 3  # facts told to a question about one thing
_SHARP: frozenset[Kind] = frozenset({"case", "defaults", "errors", "imports", "order", "rounding", "ties"})
_SAME_START = 6  # letters that two words share when they are taken for one
_UNNAMED = 0.3  # what a match of single words counts when the question names something else in full
_NONE: dict[Kind, str] = {
    "edges": "I have no special cases in mind",
    "errors": "no error has to be raised",
    "order": "I have no order in mind",
    "ties": "I have no rule for ties",
    "rounding": "nothing has to be rounded",
    "case": "there is no special treatment of upper and lower case",
    "defaults": "there are no default values",
    "imports": "no library is needed",
    "constants": "there are no fixed numbers or texts",
    "conditions": "there are no conditions, it is always done in the same way",
    "loops": "nothing is looped over or filtered",
    "keys": "there are no particular keys",
}
NOTHING_LEFT = "that is all I know"
REMARKS = (*_NONE.values(), NOTHING_LEFT)


def facts_for(reading: Reading, question: Question, told: str) -> tuple[list[Fact], str]:
    """The facts that answer a question, best first; without any, a remark that there are none (or nothing).

    Args:
        reading: the facts to choose from.
        question: what is asked.
        told: what was said before, in lower case.
    """
    about = question.words - (kind_words(question.words) - (question.named & reading.vocabulary))
    foreign = about - reading.vocabulary - reading.topics
    known = about & (reading.vocabulary | reading.topics)
    if not known:
        related = _related(foreign, reading.vocabulary)
        about, foreign, known = about | related, foreign - related, related
    if len(foreign) > 2 * len(known):
        return [], ""
    if question.kinds & _SHARP:
        return _sharp(reading, question, about)
    if about & reading.vocabulary:
        return _about(reading, question, about | question.words), ""
    if question.more and not question.kinds - {"edges", "conditions"}:
        return _unsaid(list(reading.facts), told), NOTHING_LEFT
    if question.kinds:
        return _of_kinds(reading, question, told)
    if question.words & reading.vocabulary:
        return _about(reading, question, question.words), ""
    return [], ""


def asked_for(reading: Reading, questions: Sequence[Question]) -> list[Fact]:
    """All facts that could answer one of some questions: their literals were asked for."""
    found = []
    for question in questions:
        hits = question.words & reading.vocabulary | _related(question.words, reading.vocabulary)
        for fact in reading.facts:
            if question.more or fact.words & hits or fact.kinds & question.kinds:
                found.append(fact)
    return found


def _about(reading: Reading, question: Question, hits: frozenset[str]) -> list[Fact]:
    weight = {word: 1 / sum(word in fact.words for fact in reading.facts) for word in hits & reading.vocabulary}
    asked = f" {question.phrase} "
    counts = Counter(name for fact in reading.facts for name in fact.names)
    mentioned = {name: count for name, count in counts.items() if f" {name} " in asked}
    scored = []
    for place, fact in enumerate(reading.facts):
        score = fsum(weight.get(word, 0.0) for word in fact.words & hits)
        if mentioned:
            named = fsum(1 / mentioned[name] for name in fact.names & mentioned.keys())
            score = score + named if named else score * _UNNAMED
        fitting = len(fact.kinds & question.kinds)
        if score:
            scored.append((score * (2 if fitting else 1), -place, fact))
    scored.sort(key=lambda entry: entry[:2], reverse=True)
    best = scored[0][0]
    close = [fact for score, _, fact in scored if score >= _CLOSE * best]
    wanted = [fact for fact in close if fact.kinds & question.kinds]
    return (wanted or close)[:_MOST_SPECIFIC]


def _related(words: frozenset[str], vocabulary: frozenset[str]) -> frozenset[str]:
    """Words of the vocabulary that begin like others: "category" and "categorised"."""
    starts = {word[:_SAME_START] for word in words if len(word) >= _SAME_START}
    return frozenset(word for word in vocabulary if word[:_SAME_START] in starts)


def _sharp(reading: Reading, question: Question, about: frozenset[str]) -> tuple[list[Fact], str]:
    """Facts of a kind that hardly any other fact could stand in for; or that there is none."""
    kinds = question.kinds & _SHARP
    matching = [fact for fact in reading.facts if fact.kinds & kinds]
    touched = [fact for fact in matching if fact.words & about]
    return touched or matching, next(_NONE[kind] for kind in sorted(kinds))


def _of_kinds(reading: Reading, question: Question, told: str) -> tuple[list[Fact], str]:
    matching = [fact for fact in reading.facts if fact.kinds & question.kinds]
    if matching:
        return _unsaid(matching, told) or matching, ""
    return [], next((_NONE[kind] for kind in sorted(question.kinds) if kind in _NONE), "")


def _unsaid(facts: list[Fact], told: str) -> list[Fact]:
    """Facts not told yet; those with hidden constants not told yet first."""
    left = [fact for fact in facts if fact.text.lower() not in told]
    news = [fact for fact in left if any(literal.lower() not in told for literal in fact.literals)]
    return news + [fact for fact in left if fact not in news]
