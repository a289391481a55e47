"""Dialogues under way: how many there are, and how many of them wait for the agent, the human or the sandbox."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

KINDS = ("agent", "human", "sandbox")


class Activity:
    """Counts of dialogues under way. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running = 0
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def dialogue(self) -> Iterator[None]:
        """Count one more dialogue inside the block."""
        with self._lock:
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    @contextmanager
    def waiting(self, kind: str) -> Iterator[None]:
        """Count one more dialogue that waits for a call of this kind, queued or under way, inside the block."""
        with self._lock:
            self._waiting[kind] += 1
        try:
            yield
        finally:
            with self._lock:
                self._waiting[kind] -= 1

    def counts(self) -> tuple[int, dict[str, int]]:
        """Return how many dialogues are under way, and how many of them wait for what."""
        with self._lock:
            return self._running, {kind: self._waiting[kind] for kind in KINDS}
