"""Characters of a reference that stand in a row in a decoded text, blanks and marks of prose left out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from colbench_gym.humans.leaks.disguises import SHIFTS

READ_CHARS = 8_000  # of a reply; the rules cut it at 400, but before that it may be of any length
SHORTEST = 12  # characters without blanks that count as code when a text was spelt out, turned round or shifted
_STRIDE = 3  # of the places in a text that are looked at
_PLACES = [slice(start, start + SHORTEST) for start in range(0, 2 * READ_CHARS, _STRIDE)]  # small letters may be more
_FILLING = re.compile(r"[\s\-_.,|/'\"]+")
_NO_LETTER = re.compile(r"[^a-z0-9]+")
_LETTER = re.compile("[a-z]")
_BARE = {code: None if _FILLING.match(chr(code)) else code for code in range(128)}
_LETTERS = {code: None if _NO_LETTER.match(chr(code)) else code for code in range(128)}
_LOWER_IS_ASCII = ("\u0130", "\u212a")  # though they are not: a shift of the alphabet leaves them as they are


@dataclass(frozen=True)
class SqueezedCode:
    """Source in small letters, cut into all stretches of SHORTEST characters.

    Attributes:
        bare: stretches without blanks and marks of prose.
        letters: stretches of letters and digits only.
        bare_steps: the whole source with the steps of the alphabet from letter to letter, which no shift changes.
        letter_steps: likewise, of letters and digits only.
    """

    bare: frozenset[str]
    letters: frozenset[str]
    bare_steps: str
    letter_steps: str

    @classmethod
    def of(cls, source: str) -> SqueezedCode:
        """Cut up a source."""
        bare = _without_filling(source).lower()
        letters = _only_letters(bare)
        return cls(_all_stretches(bare), _all_stretches(letters), _steps(bare), _steps(letters))

    def stands_in(self, text: str) -> bool:
        """Return whether a text has a stretch of the source."""
        bare = _without_filling(text[:READ_CHARS].lower())
        if len(bare) < SHORTEST:
            return False
        return not self.bare.isdisjoint(_stretches(bare)) or not self.letters.isdisjoint(
            _stretches(_only_letters(bare))
        )

    def stands_shifted_in(self, text: str) -> bool:
        """Return whether a text has a stretch of the source after any shift of the alphabet."""
        if not self._steps_stand_in(text):
            return False
        return any(self.stands_in(text.translate(shift)) for shift in SHIFTS.values())

    def _steps_stand_in(self, text: str) -> bool:
        """Return False only where no shift of a text has a stretch: one pass instead of one a shift."""
        if any(character in text for character in _LOWER_IS_ASCII):
            return True
        bare = _without_filling(text[:READ_CHARS].lower())
        letters = _only_letters(bare)
        if _has_steps(bare, self.bare_steps):
            return True
        return (letters != bare or self.letter_steps != self.bare_steps) and _has_steps(letters, self.letter_steps)


def _without_filling(text: str) -> str:
    return text.translate(_BARE) if text.isascii() else _FILLING.sub("", text)  # translate is five times faster


def _only_letters(lower: str) -> str:
    return lower.translate(_LETTERS) if lower.isascii() else _NO_LETTER.sub("", lower)


def _stretches(squeezed: str) -> Iterator[str]:
    """Every third stretch of a text."""
    return map(squeezed.__getitem__, islice(_PLACES, max(0, (len(squeezed) - SHORTEST) // _STRIDE + 1)))


def _all_stretches(squeezed: str) -> frozenset[str]:
    return frozenset(squeezed[start : start + SHORTEST] for start in range(len(squeezed) - SHORTEST + 1))


def _steps(squeezed: str) -> str:
    """Return a text with each letter replaced by how far it is from the letter before it, as a control character."""
    steps, last = [], 0
    for character in squeezed:
        if "a" <= character <= "z":
            code = ord(character)
            steps.append(chr((code - last) % 26))
            last = code
        else:
            steps.append(character)
    return "".join(steps)


def _has_steps(squeezed: str, wanted: str) -> bool:
    """Return whether the steps within a stretch of a text, and the characters before its first letter, are wanted."""
    steps = _steps(squeezed)
    for start in range(0, len(squeezed) - SHORTEST + 1, _STRIDE):
        end = start + SHORTEST
        if "a" <= squeezed[start] <= "z":
            if steps[start + 1 : end] in wanted:
                return True
            continue
        letter = _LETTER.search(squeezed, start, end)
        first = letter.start() if letter else end
        if steps[first + 1 : end] in wanted and squeezed[start:first] in wanted:
            return True
    return False
