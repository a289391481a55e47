"""Understand a message: its questions in their order, each with its words, names, literals and kinds of matter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from colbench_gym.humans.asking.kinds import kinds_of
from colbench_gym.humans.asking.lexicon import PLAIN, related, stem_list, stems
from colbench_gym.humans.asking.splitting import PATTERNS, ends, pieces, plain_quotes
from colbench_gym.rules import Track

OUTSIDE = ("machine", "amounts", "units", "sources")  # patterns of what is outside a program
WORLD = ("person", "opens_who", *OUTSIDE)
MAX_QUESTIONS = 8  # of a message; people answer no more at once
_LITERAL = re.compile(
    r"(?<![\w.])-?\d+(?:[.,]\d+)*%?|\"([^\"\n]{1,80})\"|(?<!\w)'([^'\n]{1,80})'(?!\w)|`([^`\n]{1,80})`"
)
_NAME = re.compile(r"\b[A-Za-z]\w*_\w+\b")


@dataclass(frozen=True)
class Question:
    """One question of a message.

    Attributes:
        text: as it was asked.
        context: statements of the same message before it.
        label: its number or letter in a list of questions, such as "2" or "b"; empty without.
        before: the question before it: in the same message, or of the one before where this goes on from it.
        place: its number in the message, from 0.
        track: whose kinds of matter it is read with.
    """

    text: str
    context: str = ""
    label: str = ""
    before: str = ""
    place: int = 0
    track: Track = "backend"

    @cached_property
    def lower(self) -> str:
        """Return the question in lower case with straight quotes."""
        return plain_quotes(self.text).lower()

    @cached_property
    def whole(self) -> str:
        """Return the question with what was said before it, in lower case."""
        return plain_quotes(f"{self.context} {self.text}").strip().lower()

    @cached_property
    def stem_list(self) -> tuple[str, ...]:
        """Return the stems of all its words in their order, those before it first, without what only bounds a place."""
        return stem_list(PATTERNS["bounds"].sub("between", self.whole) if self.track == "frontend" else self.whole)

    @cached_property
    def own_stems(self) -> frozenset[str]:
        """Return the stems of its own words that say what it is about."""
        return stems([self.lower]) - PLAIN

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the stems that say what it is about, those of the statements before it too."""
        return frozenset(self.stem_list) - PLAIN

    @cached_property
    def carried(self) -> frozenset[str]:
        """Return the stems of the question before it, where a pronoun refers to it, or "and" goes on from it."""
        if not self.before or not (PATTERNS["pronoun"].search(self.lower) or PATTERNS["follows"].match(self.lower)):
            return frozenset()
        return stems([plain_quotes(self.before)]) - PLAIN - self.stems

    @cached_property
    def near(self) -> frozenset[str]:
        """Return stems that mean the same as its own."""
        return related(self.stems)

    @cached_property
    def names(self) -> frozenset[str]:
        """Return identifiers of several words in it, as stems joined by blanks."""
        raw = plain_quotes(f"{self.context} {self.text}")
        return frozenset(" ".join(stem_list(name)) for name in _NAME.findall(raw))

    @cached_property
    def literals(self) -> frozenset[str]:
        """Return numbers and quoted texts in it, in lower case."""
        found = _LITERAL.finditer(self.whole)
        return frozenset(next((g for g in match.groups() if g), match[0]).replace(",", "") for match in found)

    @cached_property
    def kinds(self) -> dict[str, float]:
        """Return the kinds of matter that its words speak of, with how many cues each has."""
        quoted = {"".join(groups) for groups in _LITERAL.findall(plain_quotes(self.text))}
        if len({text.lower() for text in quoted}) < len(quoted):  # 'Wheat' and 'wheat'
            return {"letter case": 2.0}
        return kinds_of(self.stem_list, self.track)

    @cached_property
    def polar(self) -> bool:
        """Return whether yes or no answers it."""
        main = self.lower.split("?")[0].strip()
        if PATTERNS["tag"].search(self.lower) or PATTERNS["is_there"].match(main):
            return True
        if PATTERNS["courtesy"].match(main) or PATTERNS["opens_wh"].match(main) or self.either:
            return False
        return PATTERNS["opens_polar"].search(main) is not None

    @cached_property
    def either(self) -> bool:
        """Return whether it offers alternatives."""
        return PATTERNS["options"].search(self.lower) is not None

    @cached_property
    def deniable(self) -> bool:
        """Return whether it asks if something is there or done, neither in a case nor outside a program."""
        leans = bool(self.before) and not self.label  # "or is it ...?"
        asks = self.polar and not leans and not self.literals and not self.further and not self.closing
        return asks and not any(PATTERNS[form].search(self.lower) for form in ("may_well", "tag", *OUTSIDE))

    @cached_property
    def further(self) -> bool:
        """Return whether it asks for whatever was not asked yet, or for special cases without naming one."""
        return not self.literals and any(PATTERNS[form].search(self.lower) for form in ("further", "special"))

    @cached_property
    def closing(self) -> bool:
        """Return whether it asks, late in a dialogue, if what was said is all."""
        return PATTERNS["closing"].search(self.lower) is not None

    @cached_property
    def asks(self) -> bool:
        """Return whether it asks or requests anything."""
        return "?" in self.text or bool(self.label) or PATTERNS["courtesy"].match(self.lower) is not None


def questions_in(message: str, track: Track = "backend", last: str = "") -> tuple[Question, ...]:
    """Return the questions and requests of a message; all of it as one when it asks for nothing.

    Args:
        message: what is said now.
        track: whose kinds of matter it is read with.
        last: the question that was asked last; "and ..." at the start of the message goes on from it.
    """
    return _questions_in(ends(message), track, last if PATTERNS["follows"].match(message) else "")


@lru_cache(maxsize=4096)
def _questions_in(message: str, track: Track, last: str) -> tuple[Question, ...]:
    """Read what is read of a message, so that no long one is kept."""
    found = pieces(message)[:MAX_QUESTIONS]
    before = [last, *(piece.text for piece in found)]
    return tuple(
        Question(piece.text, piece.context, piece.label, before[place], place, track)
        for place, piece in enumerate(found)
    )


__all__ = ["MAX_QUESTIONS", "PATTERNS", "WORLD", "Question", "questions_in"]
