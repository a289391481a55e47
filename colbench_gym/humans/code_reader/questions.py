"""What a message asks: its single questions, the kinds of thing they want, and what they are about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.humans.code_reader.facts import Kind, phrase, split_words, stem, stems
from colbench_gym.humans.code_reader.question_words import KIND_OF, PHRASES, PLAIN

READ_CHARS = 2000  # of a message's start and of its end; what lies between is not read
_MOST_QUESTIONS = 12  # per message
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)
_SENTENCE = re.compile(r"[^.!?\n]*(?:[.!?](?![\s)\"'”’]|$)[^.!?\n]*)*[.!?\n]*", re.DOTALL)
_REQUEST = re.compile(
    r"\?[\s)\"'*_]*$|^[\s>]*(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-h]\))\s|"
    r"^\W*(?:\w+, )?(?:please|tell|describe|explain|clarify|specify|confirm|let me know|could|can|would|"
    r"i(?:'d| would)? (?:need|wonder|like|want))\b",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"\b(?:anything|something|what|who|any|some) (?:\w+ )?(?:else|more|further|additional|other|missing)\b|"
    r"\b(?:other|further|additional|more|remaining) (?:things?|details?|information|requirements?|considerations?|"
    r"rules|points?|notes?)\b|\belse\b|\bleft out\b|\bmissed\b"
)
_NAMED = re.compile(r"\bthe (\w+)")
_IDENTIFIER = re.compile(r"`[^`]{1,60}`|\b[a-z]\w*_\w+\b")
_QUALIFIERS: dict[Kind, frozenset[Kind]] = {  # what only says which side of the other is meant
    "types": frozenset({"arguments", "returns", "keys"}),
    "format": frozenset({"arguments", "returns"}),
}


@dataclass(frozen=True)
class Question:
    """One question of a message.

    Attributes:
        text: as it was asked.
        kinds: the kinds of thing it wants.
        words: stems of what it is about, beyond the words of every question.
        more: it asks for anything else.
        named: stems of words that stand for one thing: "the weight", "`limit`".
        phrase: the stems of all its words in order.
        direct: it ends in a question mark, is a request or is a point of a list.
    """

    text: str
    kinds: frozenset[Kind]
    words: frozenset[str]
    more: bool = False
    named: frozenset[str] = frozenset()
    phrase: str = ""
    direct: bool = True


def visible(message: str) -> str:
    """The part of a message that is read: its start and its end, without fenced code."""
    if len(message) > 2 * READ_CHARS:
        message = f"{message[:READ_CHARS]}\n{message[-READ_CHARS:]}"
    return _FENCE.sub("\n", message)


def sentences(text: str) -> list[str]:
    """A text cut where sentences, lines and listed points end."""
    return [part.strip() for part in _SENTENCE.findall(text) if any(char.isalnum() for char in part)]


@lru_cache(maxsize=2048)
def understand(sentence: str) -> Question:
    """Classify one sentence."""
    lower = sentence.lower().replace("’", "'")
    kinds: set[Kind] = set()
    for kind, pattern in PHRASES.items():
        lower, count = pattern.subn(" ", lower)
        if count:
            kinds.add(kind)
    words = set(stems(_IDENTIFIER.findall(lower)) - PLAIN)
    named = {stem(word) for word in _NAMED.findall(lower) if word[-1] != "s"} | words
    lower = _IDENTIFIER.sub(" ", lower)
    more = _MORE.search(lower) is not None
    for word in split_words(lower):
        root = stem(word)
        if root in KIND_OF:
            kinds |= KIND_OF[root]
            words.add(root)
        elif root not in PLAIN and not (word.isdigit() and len(word) < 2):
            words.add(root)
    for kind, others in _QUALIFIERS.items():
        if kinds & others:
            kinds.discard(kind)
    direct = _REQUEST.search(sentence) is not None
    return Question(sentence, frozenset(kinds), frozenset(words), more, frozenset(named), phrase(sentence), direct)


def questions_in(message: str) -> list[Question]:
    """The questions, requests and listed points of a message; all of its sentences when those ask for nothing."""
    return asking([understand(sentence) for sentence in sentences(visible(message))])


def asking(found: Sequence[Question]) -> list[Question]:
    """Those that ask for something; all when none does."""
    direct = [question for question in found if question.direct and (question.words or question.kinds or question.more)]
    return (direct or list(found))[:_MOST_QUESTIONS]


def kind_words(words: frozenset[str]) -> frozenset[str]:
    """Those words that only name a kind of thing: "threshold", "format"."""
    return frozenset(word for word in words if word in KIND_OF)
