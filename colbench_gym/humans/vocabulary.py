"""Vocabulary files: TOML read once."""

from __future__ import annotations

import re
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@lru_cache(maxsize=16)
def read_toml(path: Path) -> dict[str, Any]:  # Any: whatever the file holds
    """Return the content of a TOML file of the package."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


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
