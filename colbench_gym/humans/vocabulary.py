"""Vocabulary files: TOML read once."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from colbench_gym import jsonl

read_toml = lru_cache(maxsize=16)(jsonl.read_toml)  # of a file of the package, which does not change


def read_patterns(path: Path) -> dict[str, re.Pattern[str]]:
    """Return the regular expressions of a file, whose alternatives are lists; ``<<name>>`` stands for its words.

    Those of the table ``exact`` heed small and capital letters, those of ``patterns`` do not.
    """
    table = read_toml(path)
    found = {}
    for section, flags in (("patterns", re.IGNORECASE), ("exact", re.RegexFlag(0))):
        for name, alternatives in table.get(section, {}).items():
            found[name] = re.compile("|".join(_spelt(table, alternatives)), flags)
    return found


def read_alternatives(path: Path, name: str) -> tuple[re.Pattern[str], ...]:
    """Return the alternatives of a regular expression for small letters, each by itself: so none slows another."""
    table = read_toml(path)
    return tuple(re.compile(pattern) for pattern in _spelt(table, table["patterns"][name]))


def _spelt(table: dict[str, Any], alternatives: list[str]) -> list[str]:  # Any: what TOML holds
    """Return alternatives with their lists of words."""
    for word, choice in table.get("words", {}).items():
        alternatives = [pattern.replace(f"<<{word}>>", choice.replace("\n", "")) for pattern in alternatives]
    return alternatives
