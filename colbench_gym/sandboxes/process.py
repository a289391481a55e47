"""The ``process`` sandbox: a pool of warm workers on this machine, as many as cores."""

from __future__ import annotations

import functools
import os

from colbench_gym.concurrency import cores
from colbench_gym.errors import SandboxUnavailableError
from colbench_gym.sandboxes.local_worker import CONTAINED, LocalWorker
from colbench_gym.sandboxes.pool import Kind, WorkerPool

WAYS_OUT = (
    'Use sandbox="docker", or, for programs that you would run yourself, sandbox="unsafe"; '
    "the variable COLBENCH_SANDBOX=docker (or unsafe) changes the default."
)


class ProcessSandbox(WorkerPool):
    """Runs programs in forked children of warm workers; see :class:`~colbench_gym.sandboxes.Sandbox`.

    Args:
        workers: programs that run at once; as many as cores by default.
        isolation: ``strongest`` (the first of CONTAINED that passes its self-test on this machine), one of CONTAINED,
            or ``none``.

    Attributes:
        isolation: the one in use.

    Raises:
        SandboxUnavailableError: this machine cannot contain programs that way; what is missing, and the ways out.
    """

    def __init__(self, workers: int | None = None, isolation: str = "strongest") -> None:
        if not hasattr(os, "fork"):
            raise SandboxUnavailableError('this system cannot fork, which "process" and "unsafe" need. Use "docker".')
        reasons = []
        for contained in CONTAINED if isolation == "strongest" else (isolation,):
            try:
                super().__init__(functools.partial(self._start_local, contained), workers or cores())
                return
            except SandboxUnavailableError as error:
                reasons.append(f"{contained}: {error}")
        raise SandboxUnavailableError(f"this machine cannot contain programs ({'; '.join(reasons)}). {WAYS_OUT}")

    def _start_local(self, isolation: str, kind: Kind) -> LocalWorker:
        self.isolation = isolation
        return LocalWorker(isolation, kind)
