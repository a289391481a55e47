"""Reading of a person's reply for the open choices of a generated function."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from colbench_gym.tasks.generated_backend.families.grammar import Choice, Family, Pick, spoken

_WORD = re.compile(r"[a-z]{3,}|\d+")
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w%]*\w)")
_QUOTED = re.compile(r'"([^"]*)"|\'([^\']*)\'|“([^”]*)”')


def understood(family: Family, reply: str, asked: Choice) -> dict[str, int]:
    """Return the alternatives that a reply states, by the keys of their choices.

    Sentences that the grammar knows are understood about any choice; other words, as a language model would use, only
    about the choice that was asked for and only when they point to one alternative.
    """
    heard = " ".join(reply.split())
    known = {key: alternative for sentence, (key, alternative) in _sentences(family).items() if sentence in heard}
    if not known:
        guess = _paraphrased(asked, heard)
        if guess is not None:
            known[asked.key] = guess
    return known


@lru_cache(maxsize=64)
def _sentences(family: Family) -> Mapping[str, tuple[str, int]]:
    return {
        sentence: (choice.key, alternative)
        for choice in family.choices
        for alternative in range(choice.size)
        for sentence in choice.sentences(alternative)
    }


def _paraphrased(choice: Choice, heard: str) -> int | None:
    """Return the one alternative that free words point to."""
    if isinstance(choice, Pick):
        return _nearest(choice, set(_WORD.findall(heard.lower())))
    quoted = {text for groups in _QUOTED.findall(heard) for text in groups if text}
    heard_values = quoted | set(_NUMBER.findall(heard))
    named = [
        index
        for index, value in enumerate(choice.values)
        if str(value) in heard_values or (not value and spoken(value) in heard)
    ]
    return named[0] if len(named) == 1 else None


def _nearest(choice: Pick, words: set[str]) -> int | None:
    """Return the alternative whose own words (those that not every alternative has) come most often."""
    vocabularies = [set(_WORD.findall(" ".join(choice.sentences(i)).lower())) for i in range(choice.size)]
    shared = set.intersection(*vocabularies)
    scores = [len(words & (own - shared)) / len(own - shared or {""}) for own in vocabularies]
    best = max(scores)
    return scores.index(best) if best > 0 and scores.count(best) == 1 else None
