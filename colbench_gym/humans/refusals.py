"""Messages that try to make the human do something other than answer: print code, drop its rules, play a role."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from colbench_gym.humans.vocabulary import read_patterns

_PATTERNS = read_patterns(Path(__file__).with_suffix(".toml"))


@lru_cache(maxsize=2048)
def is_manipulation(sentence: str) -> bool:
    """Return whether a sentence asks for code or tries to change the human's part."""
    lower = _PATTERNS["own_plans"].sub(" ", sentence.lower().replace("’", "'"))
    return _PATTERNS["manipulation"].search(lower) is not None
