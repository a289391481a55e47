"""Reading of a reply for open matters, in the words of the grammar or in those of another person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from colbench_gym.tasks.generated_backend.matters import Matter

MIN_SHARED = 0.55  # ours: share of an alternative's words that another person's sentence has to hold
MIN_LEAD = 0.1  # ours: by how much the best alternative has to lead
_WORD = re.compile(r"-?\d+(?:\.\d+)?|[\w%]+(?:['-]\w+)*|\"\"")
_POLITE = re.compile(r"^(?:i would (?:like|expect)|i(?:'d)? (?:want|expect|like|need|use)|please|just|yes|no|so) ")
_EXACT = re.compile(r"-?\d+(?:\.\d+)?|\"[^\"]*\"")
_COMMON_WORDS = "a an the of is it be are in to and or that which this for as i you me please one want"
_COMMON = frozenset(_COMMON_WORDS.split())


def told(matters: Sequence[Matter], text: str, asked: Sequence[Matter] = ()) -> dict[str, str]:
    """Return the alternatives that a text states, by the keys of their matters.

    Args:
        matters: all that could be told.
        text: a reply, or the request.
        asked: matters that the reply answers; of these a sentence in other words is understood too.
    """
    heard = f" {' '.join(_words(text))} "
    codes: dict[str, str] = {}
    for matter in matters:
        exact = [o for o in matter.options if any(sentence in text for sentence in o.says)]
        for option in exact or matter.options:
            if any(_said_in(sentence, heard) for sentence in option.says):
                codes[matter.key] = option.code
    for matter in asked:
        if matter.key not in codes and not waved_off(matter, text):
            code = _in_other_words(matter, text)
            if code is not None:
                codes[matter.key] = code
    return codes


def waved_off(matter: Matter, text: str) -> bool:
    """Return whether a text says that there is nothing to do about a matter."""
    heard = f" {' '.join(_words(text))} "
    if any(_said_in(sentence, heard) for sentence in matter.off):
        return True
    return "no preference" in heard and not (matter.off or matter.core)


def _said_in(sentence: str, heard: str) -> bool:
    words = " ".join(_words(sentence))
    return f" {words} " in heard or f" {_POLITE.sub('', words)} " in heard


@lru_cache(maxsize=16384)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower().replace("’", "'")))


def _in_other_words(matter: Matter, text: str) -> str | None:
    """Return the alternative whose words, numbers and texts a reply shares most; None when two come close."""
    words = frozenset(_words(text))
    exact = frozenset(_EXACT.findall(text))
    alternatives = [(option.code, option.says) for option in matter.options]
    if matter.off:
        alternatives.append(("", matter.off))
    scores = sorted(((max(_shared(s, words, exact) for s in says), code) for code, says in alternatives), reverse=True)
    best, code = scores[0]
    lead = best - scores[1][0] if len(scores) > 1 else best
    return code if code and best >= MIN_SHARED and lead >= MIN_LEAD else None


def _shared(sentence: str, words: frozenset[str], exact: frozenset[str]) -> float:
    named = set(_EXACT.findall(sentence))
    if not named <= exact:
        return 0.0
    own = [word for word in _words(sentence) if word not in _COMMON]
    return sum(word in words for word in own) / max(len(own), 1) + 2 * MIN_LEAD * bool(named)
