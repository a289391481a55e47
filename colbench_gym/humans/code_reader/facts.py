"""One thing that a person who knows the reference could say, and what it is about."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "arguments", "types", "returns", "edges", "errors", "conditions", "constants", "formula", "format", "order",
    "ties", "rounding", "case", "defaults", "keys", "loops", "imports", "steps",
]  # fmt: skip

_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_ENDINGS = ("ations", "ation", "ings", "ing", "edly", "ed", "ly")


@dataclass(frozen=True)
class Fact:
    """A clause, and how to find it.

    Attributes:
        text: the clause, without a capital or a full stop.
        kinds: which kinds of question it answers.
        words: stems of what it is about.
        literals: constants of the reference that it tells, as text.
        names: stems, in order, of identifiers and texts of several words that it is about.
    """

    text: str
    kinds: frozenset[Kind]
    words: frozenset[str]
    literals: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()


def stem(word: str) -> str:
    """A word without the endings of grammar: "calculated" and "calculates" are one."""
    word = word.lower().removesuffix("'s")
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: -len(ending)]
            if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsaeiou":
                word = word[:-1]
            break
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def split_words(text: str) -> list[str]:
    """The words of a text or identifier, in lower case."""
    return [word.lower() for word in _WORD.findall(re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text))]


def stems(texts: Iterable[str]) -> frozenset[str]:
    """Stems of all words of some texts."""
    return frozenset(stem(word) for text in texts for word in split_words(text))


def phrase(text: str) -> str:
    """The stems of a text in their order."""
    return " ".join(stem(word) for word in split_words(text))


def phrases(texts: Iterable[str]) -> frozenset[str]:
    """Those of several words, as stems."""
    return frozenset(told for text in texts if " " in (told := phrase(text)))


def literals_in(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Strings and numbers of some code as text; 0, 1 and the empty string tell nothing."""
    return frozenset(
        str(part.value)
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
        and isinstance(part.value, (str, int, float))
        and not isinstance(part.value, bool)
        and part.value not in (0, 1, "")
    )
