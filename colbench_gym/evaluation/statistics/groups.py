"""Groups: values by a key, and what a task is in, such as its family or how much it leaves open."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, TypeVar

from colbench_gym.tasks import Task

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")
FIELDS = ("family", "difficulty", "category", "domain")  # of a task's row, ours or of whoever made the file
_GENERATED = re.compile(
    r"(?P<split>train|validation|test(?:_compositions|_domains)?)(?:-(?P<difficulty>easy|hard))?-\d+"
)
_STEP = {"backend": 3, "frontend": 5}  # pages leave many things open
_MOST = {"backend": 9, "frontend": 20}


def grouped(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, list[Value]]:
    """Return the values of each key, in their order."""
    found: dict[Key, list[Value]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def groups_of(task: Task) -> dict[str, str]:
    """Return the groups of a task, by what they are about: what its row says, and what generated tasks know.

    ``open decisions`` are those that the request does not tell.
    """
    found = {name: str(task.row[name]) for name in FIELDS if isinstance(task.row.get(name), str | int)}
    decisions = task.row.get("decisions")
    if not isinstance(decisions, list):
        return found
    generated = _GENERATED.fullmatch(task.task_id)
    if generated is not None:
        found = {"split": generated["split"], "difficulty": generated["difficulty"] or "default", **found}
    left_open = sum(_is_open(decision, task.description) for decision in decisions if isinstance(decision, dict))
    return {**found, "open decisions": _range(left_open, _STEP[task.track], _MOST[task.track])}


def _is_open(decision: Mapping[str, Any], description: str) -> bool:  # Any: JSON
    says = decision.get("says")
    if decision.get("told") or not isinstance(says, list):
        return False
    return bool(says) and not any(str(text) in description for text in says)


def _range(count: int, step: int, most: int) -> str:
    low = count // step * step
    return f"{most} or more" if count >= most else f"{low} to {low + step - 1}"
