"""Features of a question that tell its intent: stems in context, with what the task itself names taken out."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from colbench_gym.humans.code_reader.lexicon import stem

BOUND = "^"  # before the first and after the last token
_OTHER = "_x"
_SLOTS = frozenset(["_arg", "_name", "_num", "_str", _OTHER])
MAX_TOKENS = 40


def features(tokens: Collection[str], vocabulary: Collection[str] | None = None) -> list[str]:
    """Return the features of a question's tokens.

    Args:
        tokens: lower-case words and slots, in order.
        vocabulary: stems that the classifier knows; others count as "some word". None while it is trained.
    """
    words = [token if token in _SLOTS else stem(token) for token in tokens][:MAX_TOKENS]
    if vocabulary is not None:
        words = [word if word in _SLOTS or word in vocabulary else _OTHER for word in words]
    words = [word for place, word in enumerate(words) if word not in _SLOTS or words[place - 1 : place] != [word]]
    chain = [BOUND, *words, BOUND]
    pairs = [f"{one} {other}" for one, other in itertools.pairwise(chain)]
    skips = [f"{one} * {other}" for one, other in zip(chain, chain[2:], strict=False) if one not in _SLOTS]
    return list(dict.fromkeys([*words, *pairs, *skips]))
