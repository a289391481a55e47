"""A question as tokens in clauses: what is supposed, and what is asked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from colbench_gym.humans.code_reader.examples import mentions
from colbench_gym.humans.code_reader.lexicon import split_words, stem, stems
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.trials.vocabulary import (
    ASKING,
    DOING,
    GOES_ON,
    MINE,
    NEGATIONS,
    RELATIVE,
    STATE_VERBS,
    SUPPOSING,
    TAG,
    TAKES_PREPOSITION,
)

_TOKEN = re.compile(r"[^\W\d_]+(?:['_-][^\W_]+)*_?|[^\w\s]|\d+(?=-)|\w+")
_NUMBERS = {
    word: value
    for value, words in {
        0: "zero", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten",
        11: "eleven", 12: "twelve", 13: "thirteen", 14: "fourteen", 15: "fifteen", 16: "sixteen", 17: "seventeen",
        18: "eighteen", 19: "nineteen", 20: "twenty", 30: "thirty", 40: "forty", 50: "fifty", 60: "sixty",
        70: "seventy", 80: "eighty", 90: "ninety", 100: "hundred", 1000: "thousand",
    }.items()
    for word in words.split()
}  # fmt: skip
_ENDS = frozenset(",;:?!.()—–…")


@dataclass(frozen=True, eq=False)
class Token:
    """A word, a number or a value of a question.

    Attributes:
        text: in lower case; a name with underscores stays whole.
        stems: stems of its words.
        value: the plain value that it stands for, in a tuple; empty for words.
        quoted: the value stood between quotes or brackets.
        percent: a number with a percent sign.
    """

    text: str
    stems: tuple[str, ...]
    value: tuple[Any, ...] = ()
    quoted: bool = False
    percent: bool = False

    @property
    def number(self) -> float | None:
        """The number that it is, if it is one."""
        value = self.value[0] if self.value else None
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


@dataclass(frozen=True, eq=False)
class Clause:
    """A stretch of a question without a pause.

    Attributes:
        tokens: its words.
        supposed: it says what is the case, rather than asking.
        after: the mark before it.
    """

    tokens: tuple[Token, ...]
    supposed: bool
    after: str = ""

    @cached_property
    def stems(self) -> frozenset[str]:
        """Stems of all its words."""
        return frozenset(s for token in self.tokens for s in token.stems)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in lower case."""
        return tuple(token.text for token in self.tokens)

    def negated(self, place: int, reach: int = 3) -> bool:
        """Return whether a negation stands shortly before a word."""
        return True in self._negates[max(0, place - reach) : place]

    @cached_property
    def _negates(self) -> tuple[bool, ...]:
        """Return whether each word is a negation."""
        return tuple(word in NEGATIONS or word.endswith("n't") for word in self.words)


def is_tagged(question: Question) -> bool:
    """Return whether a question states something and then asks for agreement: "It is left out, right?"."""
    before = question.lower.rpartition("?")[0]
    words = re.findall(r"[a-z']+", re.split(r"[?.!,;:–—]|\s-\s", before)[-1])
    return 0 < len(words) <= 6 and set(words) <= TAG and (len(words) < len(question.whole.split()))


def asks_yes_no(question: Question) -> bool:
    """Return whether yes or no answers a question."""
    return question.polar or (is_tagged(question) and not question.lower.startswith(("what", "which", "how")))


@lru_cache(maxsize=2048)
def clauses_of(question: Question) -> tuple[Clause, ...]:
    """Return the clauses of a question, statements before it included."""
    found: list[Clause] = []
    current: list[Token] = []
    supposed = False
    mark = ""
    stated = is_tagged(question)
    asks_from = 0 if stated else len(question.context.strip())

    def close(next_supposed: bool) -> None:
        nonlocal current, supposed
        if current:
            proposes = len(current) > 1 and current[0].text in MINE and any(t.text in DOING for t in current[1:3])
            found.append(Clause(tuple(current), supposed and not proposes, mark))
        current, supposed = [], next_supposed

    supposed = (bool(question.context) or question.fragment) and not stated
    tokens = _tokens(question.raw)
    for place, (start, token) in enumerate(tokens):
        if asks_from and start >= asks_from:
            close(False)
            asks_from = 0
        if not token.value and token.text in _ENDS:
            following = [later.text for _, later in tokens[place + 1 : place + 5]]
            if token.text == "," and _in_list(following):
                continue
            goes_on = supposed and token.text != "?" and following[:1] and following[0] in GOES_ON
            close(asks_from > 0 or bool(goes_on))
            mark = token.text
        elif (
            not token.value and token.text in SUPPOSING and not (token.text in ("say", "given", "provided") and current)
        ):
            if token.text in ("for", "with", "about") and current and current[-1].text in TAKES_PREPOSITION:
                current.append(token)
                continue
            close(True)
            current.append(token)
        elif token.text in RELATIVE and len(current) > 1 and following_verb(tokens, place):
            close(True)
            current.append(token)
        elif supposed and (
            (token.text in MINE and len(current) > 3 and current[0].text in ("if", "when", "for"))
            or (_begins_question(token.text) and len(current) > 1 and _no_subject(current))
        ):
            close(False)
            current.append(token)
        else:
            current.append(token)
    close(False)
    return tuple(found)


def following_verb(tokens: list[tuple[int, Token]], place: int) -> bool:
    """Return whether a relative clause begins at a word: "a fragment which isn't in the list"."""
    after = tokens[place + 1][1].text if place + 1 < len(tokens) else ""
    return after in STATE_VERBS or after.endswith("n't")


def _in_list(following: list[str]) -> bool:
    """Return whether a comma stands inside a list of words: "n, m and k"."""
    joint = next((i for i, word in enumerate(following) if word in ("and", "or", ",")), None)
    if joint == 2 and any(word[:1].isdigit() for word in following[:2]):
        return False  # each part is a number with its name
    return (
        joint is not None
        and 1 <= joint <= 2
        and not set(following[:joint]) & (ASKING | SUPPOSING | {"then", "i", "is", "are"})
    )


def _begins_question(word: str) -> bool:
    return word in ASKING


def _no_subject(current: list[Token]) -> bool:
    """Return whether a supposing clause is complete, so that an auxiliary begins the question."""
    words = [token.text for token in current]
    if words[-1] in ("that", "which", "who", "it", "i", "you", "we", "they", "and", "someone", "somebody"):
        return False
    verbs = {"is", "are", "was", "were", "has", "have", "be", "equals", "exceeds", "contains", "lacks"}
    return words[0] in ("for", "with", "without", "given", "about") or bool(verbs & set(words)) or len(words) > 4


def _tokens(text: str) -> list[tuple[int, Token]]:
    """Return the tokens of a text with their places."""
    values = {
        m.start: m for m in mentions(text) if not (text[m.start] == "[" and text[m.start - 1 : m.start].isalnum())
    }
    found: list[tuple[int, Token]] = []
    position = 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        if start < position:
            continue
        mention = values.get(start)
        if mention is None:
            mention = next((m for m in values.values() if start <= m.start < match.end()), None)
        if mention is not None and mention.value not in (None, ()) and not isinstance(mention.value, bool):
            written = text[mention.start : mention.end].lower()
            quoted = not isinstance(mention.value, (int, float))
            stems = tuple(map(stem, split_words(written))) if quoted else ()
            found.append((start, Token(written, stems, (mention.value,), quoted, mention.percent)))
            position = mention.end
            continue
        word = match[0].lower()
        head, _, rest = word.partition("-")
        if rest and head in _NUMBERS:
            found.append((start, Token(head, (stem(head),), (_NUMBERS[head],))))
            found.append((start, Token(rest, tuple(map(stem, split_words(rest.replace("-", " ")))))))
            continue
        if word in _NUMBERS:
            found.append((start, Token(word, (stem(word),), (_NUMBERS[word],))))
            continue
        found.append((start, Token(word, tuple(map(stem, split_words(word.replace("_", " ").replace("-", " ")))))))
    return found


def free_words(text: str) -> frozenset[str]:
    """Return the stems of what is said not to matter: "regardless of the id"."""
    match = re.search(
        r"\b(?:regardless of|no matter|irrespective of|independent of|whatever|does(?:n't| not) matter)\b([^,.?;]*)",
        text,
    )
    return stems([match[1]]) | frozenset(["*"]) if match else frozenset()
