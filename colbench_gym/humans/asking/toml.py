"""Vocabulary files: TOML read once."""

from __future__ import annotations

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
