"""Other readings of a text: what it says when it was spelt out, turned round, shifted or encoded."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from colbench_gym.humans.leaks.byte_encodings import decoded_bytes
from colbench_gym.humans.leaks.spoken_code import from_letter_words, from_morse

READ_CHARS = 8_000  # of a reply; the rules cut it at 400 or 1000, but before that it may be of any length
SHORTEST = 12  # characters without blanks that count as code when a text was spelt out, turned round or shifted
_STRIDE = 3  # of the places in a text that are looked at
_PART = 9  # characters that are looked for first, at each second such place: a stretch holds such a part
_MANY = 12  # words of one letter, or separators, that a text has to have before it counts as spelt out
_MAX_READINGS = 400  # of one text
_DEPTH = 2  # encodings inside one another
_WORD = re.compile(r"[^\W_]+")
_FILLING = re.compile(r"[\s\-_.,|/'\"]+")
_FILLING_BYTES = bytes(code for code in range(128) if _FILLING.match(chr(code)))
_LETTERS = string.ascii_lowercase.encode()
_NO_LETTERS = bytes(code for code in range(128) if code not in _LETTERS)
_NEITHER_LETTERS_NOR_DIGITS = bytes(code for code in range(128) if code not in _LETTERS + string.digits.encode())
_PARTS = [slice(start, start + _PART) for start in range(0, 2 * READ_CHARS, 2 * _STRIDE)]


def _shift(places: int) -> str:
    """Return a table for str.translate."""
    letters = string.ascii_lowercase
    turned = letters[places:] + letters[:places]
    return "".join(map(chr, range(128))).translate(str.maketrans(letters + letters.upper(), turned + turned.upper()))


SHIFTS = {places: _shift(places) for places in range(1, 26)}
_ATBASH = str.maketrans(string.ascii_letters, string.ascii_lowercase[::-1] + string.ascii_uppercase[::-1])  # a is z
_ROT47 = {code: 33 + (code - 33 + 47) % 94 for code in range(33, 127)}
_TO_A = {letter: SHIFTS[-place % 26] for place, letter in enumerate(_LETTERS) if place}


@dataclass(frozen=True)
class _Squeezed:
    """A source without some of its characters, and what a search looks at before it looks at the source.

    Attributes:
        source: in small letters.
        parts: all stretches of _PART characters.
        forms: the same, each in the shift of the alphabet in which its first letter is an a.
    """

    source: str
    parts: frozenset[str]
    forms: frozenset[str]

    @classmethod
    def of(cls, source: str) -> _Squeezed:
        parts = frozenset(source[start : start + _PART] for start in range(len(source) - _PART + 1))
        return cls(source, parts, frozenset(map(_form, parts)))

    def stands_in(self, text: str) -> bool:
        """Return whether a text has a stretch of the source at one of the places that are looked at."""
        return not self.parts.isdisjoint(_parts(text)) and any(
            text[start : start + SHORTEST] in self.source for start in range(0, len(text) - SHORTEST + 1, _STRIDE)
        )

    def stands_shifted_in(self, text: str) -> bool:
        """Return whether it does in another alphabet than the text's."""
        return not self.forms.isdisjoint(map(_form, _parts(text))) and any(
            self.stands_in(text.translate(shift)) for shift in SHIFTS.values()
        )


def _parts(text: str) -> Iterator[str]:
    return map(text.__getitem__, _PARTS[: max(0, len(text) - _PART + 2 * _STRIDE) // (2 * _STRIDE)])


def _form(part: str) -> str:
    first = part.encode("ascii", "ignore").translate(None, _NO_LETTERS)[:1]
    return part.translate(_TO_A[first[0]]) if first > b"a" else part


@dataclass(frozen=True)
class SqueezedCode:
    """Source without what stands between its letters, to be found in texts in stretches of SHORTEST characters.

    Attributes:
        rows: the source without blanks and marks of prose; letters and digits only.
    """

    rows: tuple[_Squeezed, ...]

    @classmethod
    def of(cls, source: str) -> SqueezedCode:
        """Squeeze a source."""
        return cls(tuple(map(_Squeezed.of, _squeezed(source))))

    def stands_in(self, text: str) -> bool:
        """Return whether a text has a stretch of the source."""
        return len(text) >= SHORTEST and any(map(_Squeezed.stands_in, self.rows, _squeezed(text[:READ_CHARS])))

    def stands_shifted_in(self, text: str) -> bool:
        """Return whether a text in plain characters has one in another alphabet, each letter some places further."""
        return any(map(_Squeezed.stands_shifted_in, self.rows, _squeezed(text[:READ_CHARS])))


def _squeezed(text: str) -> tuple[str, str]:
    """Return a text in small letters without filling, and of that letters and digits only."""
    lower = text.lower()
    if lower.isascii():
        data = lower.encode().translate(None, _FILLING_BYTES)
        bare = data.decode()
    else:
        bare = _FILLING.sub("", lower)
        data = bare.encode("ascii", "ignore")
    return bare, data.translate(None, _NEITHER_LETTERS_NOR_DIGITS).decode()


def decoded(text: str) -> Iterator[str]:
    """Yield readings of a text that may have been spelt out, turned round or encoded: few, each in linear time."""
    turned = (text[::-1], " ".join(word[::-1] for word in text.split()))
    found = chain(_spelt_out(text), turned, map(text.translate, (_ATBASH, _ROT47)), _encoded(text, _DEPTH))
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
    for mark in sorted(mark for mark in set(text).difference(".,'-_") if not (mark.isalnum() or mark.isspace())):
        if text.count(mark) >= _MANY and text.count(mark) * 6 >= len(text):  # a separator between all pieces
            yield text.replace(mark, "")


def _encoded(text: str, depth: int) -> Iterator[str]:
    """Yield what runs of characters say as encoded bytes, which may be turned, shifted or encoded once more."""
    for data in decoded_bytes(text):
        inner = data.decode("utf-8", "ignore")
        yield inner
        yield inner[::-1]
        yield inner.translate(SHIFTS[13])
        if depth > 1:
            yield from _encoded(inner, depth - 1)
