"""Kinds of matter by the words that people use for them, from ``kinds.toml``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from colbench_gym.humans.asking.lexicon import stem_list
from colbench_gym.humans.vocabulary import read_toml

MAX_PHRASE = 3  # words of a cue
_FILE = Path(__file__).with_name("kinds.toml")
SPECIAL_CASES: tuple[str, ...] = tuple(read_toml(_FILE)["special_cases"])
ODD_INPUT = frozenset[str](read_toml(_FILE)["odd_input"])
OVERRIDING = frozenset[str](read_toml(_FILE)["overriding"])
RULES = ODD_INPUT | frozenset(read_toml(_FILE)["rules_beside"])


@lru_cache(maxsize=4)
def cues(track: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return, for each cue as stems, the kinds that it speaks of."""
    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    for kind, phrases in read_toml(_FILE)[track].items():
        for key in dict.fromkeys(map(stem_list, phrases)):
            found[key] = (*found.get(key, ()), kind)
    return found


@lru_cache(maxsize=8192)
def kinds_of(stems: tuple[str, ...], track: str) -> dict[str, float]:
    """Return the kinds that a question's stems speak of; a cue that many kinds share counts less for each."""
    table = cues(track)
    found: dict[str, float] = {}
    for place in range(len(stems)):
        for size in range(1, min(MAX_PHRASE, len(stems) - place) + 1):
            for kind in (kinds := table.get(stems[place : place + size], ())):
                found[kind] = found.get(kind, 0.0) + size / len(kinds)
    return found
