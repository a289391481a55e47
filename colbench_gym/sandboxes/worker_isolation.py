"""Confine the worker's children: resource limits first, then what the kernel offers."""

from __future__ import annotations

import resource
import signal
import sys
import time

LINUX = sys.platform == "linux"
MAX_OPEN_FILES = 64
MAX_FILE_BYTES = 16 << 20


class Isolation:
    """No isolation: resource limits, and the kill of what is left behind."""

    summary = "resource limits only"

    def confine(self, memory_bytes: int, total_s: float) -> None:
        """Apply limits in the child, before it reads its request."""
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        seconds = int(total_s) + 2
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))

    def clean(self) -> bool:
        """Remove what the last program left; False when something stays."""
        return True


def enter(kind: str) -> Isolation:
    """Isolate this process and its children."""
    if LINUX:
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_OPEN_FILES, MAX_OPEN_FILES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_FILE_BYTES, MAX_FILE_BYTES))
    if kind in ("none", "process"):
        return Isolation()
    raise ValueError(f"unknown isolation {kind!r}")


def wait_for_child(timeout_s: float) -> None:
    """Sleep until a child ends, or for ``timeout_s``."""
    if LINUX:
        signal.sigtimedwait([signal.SIGCHLD], timeout_s)
    else:
        time.sleep(min(timeout_s, 0.002))


def cpu_seconds(pid: int) -> float:
    """The CPU time that the running process ``pid`` has used."""
    return time.clock_gettime((~pid << 3) | 2)
