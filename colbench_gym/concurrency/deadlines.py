"""What is to happen when a time is over, for many calls at once, in one thread that is there while there are any."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable

LOOK_S = 1.0  # between looks at whether anyone is left


class Deadlines:
    """Thread that calls what was left with it when its time is over. Thread-safe, and new in a forked child."""

    def __init__(self) -> None:
        self._start_afresh()
        if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
            os.register_at_fork(after_in_child=self._start_afresh)

    def _start_afresh(self) -> None:
        self._changed = threading.Condition()
        self._due: dict[Callable[[], object], float] = {}
        self._thread: threading.Thread | None = None
        self._wakes = 0.0

    def add(self, until: float, expire: Callable[[], object]) -> None:
        """Call ``expire``, which must be quick, at a time of the monotonic clock, unless it is dropped before."""
        with self._changed:
            if self._thread is None:
                thread = threading.Thread(target=self._run, name="colbench-deadlines", daemon=True)
                thread.start()  # where that fails, the next call tries again
                self._thread = thread
            self._due[expire] = until
            if until < self._wakes:
                self._changed.notify()

    def drop(self, expire: Callable[[], object]) -> None:
        """Do not call it any more. It is not being called when this returns."""
        with self._changed:
            self._due.pop(expire, None)

    def _run(self) -> None:
        with self._changed:
            while self._due:
                now = time.monotonic()
                for expire in [each for each, until in self._due.items() if until <= now]:
                    del self._due[expire]
                    expire()
                self._wakes = min([now + LOOK_S, *self._due.values()])
                self._changed.wait(self._wakes - now)
            self._thread = None
