"""Tasks that are there twice."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Sequence

from colbench_gym.curation.findings import Finding
from colbench_gym.python_code.syntax import parsed_module
from colbench_gym.tasks import BackendTask


def duplicates(listed: Sequence[tuple[str, BackendTask]]) -> dict[int, Finding]:
    """Tasks whose reference is that of an earlier one, comments and layout aside; by position in the list."""
    first: dict[bytes, int] = {}
    found: dict[int, Finding] = {}
    for position, (source, task) in enumerate(listed):
        tree = parsed_module(task.reference)
        text = ast.dump(tree) if tree else task.reference
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        earlier = first.setdefault(key, position)
        if earlier != position:
            other_source, other = listed[earlier]
            where = "" if other_source == source else f" in {other_source}"
            what = "reference and tests are those" if other.calls == task.calls else "reference is that"
            found[position] = Finding("duplicate", task.task_id, f"the {what} of task {other.task_id!r}{where}")
    return found
