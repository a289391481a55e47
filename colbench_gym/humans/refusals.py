"""Messages that try to make the human do something other than answer: print code, drop its rules, play a role."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from colbench_gym.humans.vocabulary import read_alternatives

_FILE = Path(__file__).with_suffix(".toml")
_OWN_PLANS = read_alternatives(_FILE, "own_plans")[0]
_PATTERNS = read_alternatives(_FILE, "manipulation")


@lru_cache(maxsize=2048)
def is_manipulation(sentence: str) -> bool:
    """Return whether a sentence asks for code or tries to change the human's part."""
    lower = _OWN_PLANS.sub(" ", sentence.lower().replace("’", "'"))
    return any(pattern.search(lower) for pattern in _PATTERNS)
