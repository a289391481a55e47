"""Vocabulary files: TOML read once."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

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
            pattern = "|".join(alternatives)
            for word, choice in table["words"].items():
                pattern = pattern.replace(f"<<{word}>>", choice.replace("\n", ""))
            found[name] = re.compile(pattern, flags)
    return found
