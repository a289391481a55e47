"""Other readings of a text: what it says when it was spelt out, turned round, shifted or encoded."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import chain, islice

from colbench_gym.humans.leaks.byte_encodings import decoded_bytes
from colbench_gym.humans.leaks.spoken_code import from_letter_words, from_morse

READ_CHARS = 8_000  # of a reply; the rules cut it at 400 or 1000, but before that it may be of any length
SHORTEST = 12  # characters without blanks that count as code when a text was spelt out, turned round or shifted
_STRIDE = 3  # of the places in a text that are looked at
_MANY = 12  # words of one letter, or separators, that a text has to have before it counts as spelt out
_MAX_READINGS = 400  # of one text
_DEPTH = 2  # encodings inside one another
_WORD = re.compile(r"[^\W_]+")
_FILLING = re.compile(r"[\s\-_.,|/'\"]+")
_NO_LETTER = re.compile(r"[^a-z0-9]+")


def _shift(places: int) -> dict[int, int]:
    letters = string.ascii_lowercase
    turned = letters[places:] + letters[:places]
    return str.maketrans(letters + letters.upper(), turned + turned.upper())


SHIFTS = {places: _shift(places) for places in range(1, 26)}
_ATBASH = str.maketrans(string.ascii_letters, string.ascii_lowercase[::-1] + string.ascii_uppercase[::-1])  # a is z
_ROT47 = {code: 33 + (code - 33 + 47) % 94 for code in range(33, 127)}


@dataclass(frozen=True)
class SqueezedCode:
    """Source in small letters, cut into all stretches of SHORTEST characters.

    Attributes:
        bare: stretches without blanks and marks of prose.
        letters: stretches of letters and digits only.
    """

    bare: frozenset[str]
    letters: frozenset[str]

    @classmethod
    def of(cls, source: str) -> SqueezedCode:
        """Cut up a source."""
        bare = _FILLING.sub("", source).lower()
        return cls(frozenset(_stretches(bare, 1)), frozenset(_stretches(_NO_LETTER.sub("", bare), 1)))

    def stands_in(self, text: str) -> bool:
        """Return whether a text has a stretch of the source."""
        bare = _FILLING.sub("", text[:READ_CHARS].lower())
        if not self.bare.isdisjoint(_stretches(bare, _STRIDE)):
            return True
        return not self.letters.isdisjoint(_stretches(_NO_LETTER.sub("", bare), _STRIDE))


def _stretches(squeezed: str, stride: int) -> Iterator[str]:
    return (squeezed[start : start + SHORTEST] for start in range(0, len(squeezed) - SHORTEST + 1, stride))


def decoded(text: str, shifts: Collection[int] = (13,)) -> Iterator[str]:
    """Yield readings of a text that may have been spelt out, turned round, shifted or encoded; a bounded number.

    Args:
        text: of bounded length; each reading takes linear time.
        shifts: of the alphabet that are tried.
    """
    shifted = (text.translate(SHIFTS[places]) for places in shifts)
    found = chain(shifted, _spelt_out(text), _turned(text), _substituted(text), _encoded(text, _DEPTH))
    return filter(None, islice(found, _MAX_READINGS))


def _spelt_out(text: str) -> Iterator[str]:
    words = _WORD.findall(text)
    if sum(len(word) == 1 and word.isalpha() for word in words) > max(len(words) // 2, _MANY):
        yield text
    yield from_letter_words(text)
    yield from_morse(text)
    yield "".join(word[0] for word in words)
    yield "".join(line.strip()[:1] for line in text.splitlines())
    yield from (text[start::step] for step in (2, 3) for start in range(step))
    for mark in sorted(
        {mark for mark in set(text) if not mark.isalnum() and not mark.isspace() and mark not in ".,'-_"}
    ):
        if text.count(mark) >= _MANY and text.count(mark) * 6 >= len(text):  # a separator between all pieces
            yield text.replace(mark, "")


def _turned(text: str) -> Iterator[str]:
    yield text[::-1]
    yield " ".join(word[::-1] for word in text.split())


def _substituted(text: str) -> Iterator[str]:
    yield text.translate(_ATBASH)
    yield text.translate(_ROT47)


def _encoded(text: str, depth: int) -> Iterator[str]:
    """Yield what runs of characters say as encoded bytes, which may be turned, shifted or encoded once more."""
    for data in decoded_bytes(text):
        inner = data.decode("utf-8", "ignore")
        yield inner
        yield inner[::-1]
        yield inner.translate(SHIFTS[13])
        if depth > 1:
            yield from _encoded(inner, depth - 1)
