"""Names of runs for a report: what tells them apart, without what they share."""

from __future__ import annotations

import re
from collections.abc import Sequence

_PARTS = re.compile(r"[^/@,\s]+|[/@,\s]+")


def names_apart(names: Sequence[str]) -> list[str]:
    """Return names without the first and last parts that all of them share; each keeps one, and they stay different.

    >>> names_apart(["openai:Qwen/Qwen3-4B@http://localhost:8000/v1", "openai:Qwen/Qwen3-8B@http://localhost:8000/v1"])
    ['Qwen3-4B', 'Qwen3-8B']
    """
    if len(names) < 2:
        return list(names)
    parts = [_PARTS.findall(name) for name in names]
    first = _shared(parts)
    last = _shared([part[first:][::-1] for part in parts])
    kept = ["".join(part[first : len(part) - last]) for part in parts]
    return kept if all(kept) and len(set(kept)) == len(set(names)) else list(names)


def _shared(parts: Sequence[Sequence[str]]) -> int:
    """Return how many first parts all have in common; one of each is left over."""
    at_most = max(0, min(map(len, parts)) - 1)
    return next((place for place in range(at_most) if len({part[place] for part in parts}) > 1), at_most)
