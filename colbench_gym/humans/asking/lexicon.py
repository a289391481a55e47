"""The words of questions: stems, words that say nothing about the matter, and words that mean the same."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import snowballstemmer  # type: ignore[import-untyped]  # ships no types

_STEMMER = snowballstemmer.stemmer("english")
_STEMMING = threading.Lock()  # a stemmer keeps the word at hand in itself
_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BRITISH = {"isation": "ization", "ise": "ize", "ising": "izing", "ised": "ized", "colour": "color"}
_MAX_WORD = 40
_WHOLE = frozenset(["several"])  # its stem would be that of "severe"


@lru_cache(maxsize=32768)
def stem(word: str) -> str:
    """Return a word without the endings of grammar: "calculated" and "calculates" are one."""
    word = word.lower().removesuffix("'s")
    if len(word) > _MAX_WORD or not word.isascii() or word in _WHOLE:
        return word
    for british, american in _BRITISH.items():
        if len(word) > len(british) + 3 and word.endswith(british):
            word = word.removesuffix(british) + american
            break
    word = word.replace("colour", "color").replace("behaviour", "behavior").replace("centre", "center")
    with _STEMMING:
        return str(_STEMMER.stemWord(word))


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text that lists them."""
    return frozenset(text.split())


def split_words(text: str) -> list[str]:
    """Return the words of a text or identifier, in lower case."""
    return [word.lower() for word in _WORD.findall(_CAMEL.sub(" ", text))]


def stems(texts: Iterable[str]) -> frozenset[str]:
    """Return the stems of all words of some texts."""
    return frozenset[str]().union(*map(stem_list, texts))


@lru_cache(maxsize=4096)
def stem_list(text: str) -> tuple[str, ...]:
    """Return the stems of a text in their order: references and questions have the same phrases again and again."""
    return tuple(map(stem, split_words(text)))


def _lines(name: str) -> list[str]:
    """Return the lines of a vocabulary file beside this module, comments left out."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


_PLAIN = " ".join(_lines("plain_words.txt")).split()
PLAIN = frozenset(map(stem, _PLAIN)) | frozenset(_PLAIN)

RELATED: dict[str, frozenset[str]] = {}
for _line in _lines("same_words.txt"):
    _group = frozenset(stem(word) for word in _line.split())
    for _word in _group:
        RELATED[_word] = RELATED.get(_word, frozenset()) | _group


def related(words: Iterable[str]) -> frozenset[str]:
    """Return the stems that mean the same as some stems, those left out."""
    own = frozenset(words)
    return frozenset[str]().union(*(RELATED[word] for word in own & RELATED.keys())) - own
