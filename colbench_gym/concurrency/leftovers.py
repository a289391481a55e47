"""Temporary folders that are removed in any case: where their process was killed, by the next one that makes such."""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

YOUNG_S = 60.0  # a folder that may not be locked yet


def _remove(folder: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)


class LockedFolder:
    """A temporary folder of this process, locked for as long as it lives.

    Args:
        kind: what it is for, part of its name; those of the same kind that nobody has locked are removed first.
        within: where to make it; None for the usual place.
        remove: removes a folder, whatever is in it.
    """

    def __init__(self, kind: str, within: str | None = None, remove: Callable[[str], object] = _remove) -> None:
        self._remove = remove
        remove_leftovers(kind, within, remove)
        self.path = Path(tempfile.mkdtemp(prefix=f"colbench-{kind}-{os.getpid()}-", dir=within))
        self._lock = os.open(self.path, os.O_RDONLY)
        fcntl.flock(self._lock, fcntl.LOCK_EX)

    def close(self) -> None:
        """Remove it. A second call does nothing."""
        if self._lock >= 0:
            self._remove(str(self.path))
            os.close(self._lock)
            self._lock = -1


def remove_leftovers(kind: str, within: str | None = None, remove: Callable[[str], object] = _remove) -> None:
    """Remove the folders of a kind whose processes have ended without it."""
    for folder in Path(within or tempfile.gettempdir()).glob(f"colbench-{kind}-*"):
        try:
            if time.time() - folder.stat().st_mtime < YOUNG_S:
                continue
            lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except OSError:
            continue
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(str(folder))
        except OSError:  # somebody lives there, or it is not ours
            pass
        finally:
            os.close(lock)
