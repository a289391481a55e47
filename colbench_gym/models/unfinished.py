"""Training runs that have not finished: how far they came, and whether a process is still at work on them."""

from __future__ import annotations

import fcntl
import json
import os
from contextlib import suppress
from pathlib import Path

from colbench_gym.errors import UsageError

RUN_FILE, CHECKPOINTS = "run.json", "checkpoints"


def unfinished(folder: Path) -> str | None:
    """Return how far the training run in a folder came, as half a sentence; None where none is, or a finished one."""
    try:
        run = json.loads((folder / RUN_FILE).read_text(encoding="utf-8"))
        if run.get("done", "algorithm" not in run):
            return None
    except (OSError, ValueError, AttributeError):
        return None
    kept = [(0, 0, folder)]
    for file in folder.glob(f"{CHECKPOINTS}/*/trainer_state.json"):
        with suppress(OSError, ValueError, KeyError):  # half written, or replaced meanwhile
            state = json.loads(file.read_text(encoding="utf-8"))
            kept.append((state["global_step"], state["max_steps"], file.parent))
    step, last, where = max(kept)
    steps = f"step {step} of {last} is kept in {where}" if step else "no checkpoint yet"
    stage = next((f"; {more}" for more in map(unfinished, sorted(folder.glob("*/"))) if more), "")
    try:
        os.close(lock(folder))
    except UsageError:
        return f"{run['algorithm']} is being trained by another process ({steps}{stage})"
    return f"{run['algorithm']} has not finished ({steps}{stage})"


def lock(folder: Path) -> int:
    """Lock a folder against other processes until this one ends or closes the returned descriptor.

    Raises:
        UsageError: another process has it.
    """
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as e:
        os.close(opened)
        raise UsageError(f"{folder}: another process is training here; wait for it, or use another --out") from e
    return opened
