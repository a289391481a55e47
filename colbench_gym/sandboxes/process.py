"""The ``process`` sandbox: a pool of warm workers on this machine, as many as cores."""

from __future__ import annotations

import functools
import logging
import os

from colbench_gym.concurrency import cores
from colbench_gym.errors import SandboxUnavailableError
from colbench_gym.sandboxes.local_worker import CONTAINED, LocalWorker
from colbench_gym.sandboxes.pool import WorkerPool

WAYS_OUT = (
    'Use sandbox="docker", or, for programs that you would run yourself, sandbox="unsafe"; '
    "the variable COLBENCH_SANDBOX=docker (or unsafe) changes the default."
)
# What an unprivileged container needs for namespaces: its seccomp filter refuses to make them.
CONTAINER_OPTIONS = "--security-opt seccomp=unconfined --security-opt apparmor=unconfined"

_warned: set[str] = set()  # once per process and way


class ProcessSandbox(WorkerPool):
    """Runs programs in forked children of warm workers; see :class:`~colbench_gym.sandboxes.Sandbox`.

    Args:
        workers: programs that run at once; as many as cores by default.
        isolation: ``strongest`` (the first of CONTAINED that passes its self-test on this machine; one that is not the
            first is logged as a warning), one of CONTAINED, or ``none``.

    Raises:
        SandboxUnavailableError: this machine cannot contain programs that way; what is missing, and the ways out.
    """

    def __init__(self, workers: int | None = None, isolation: str = "strongest") -> None:
        if not hasattr(os, "fork"):
            raise SandboxUnavailableError('this system cannot fork, which "process" and "unsafe" need. Use "docker".')
        reasons = []
        for contained in CONTAINED if isolation == "strongest" else (isolation,):
            self.containment = contained
            try:
                super().__init__(functools.partial(LocalWorker, contained), workers or cores())
            except SandboxUnavailableError as error:
                reasons.append(f"{contained}: {error}")
                continue
            if reasons:
                _warn_of_weaker(contained, "; ".join(reasons))
            return
        raise SandboxUnavailableError(f"this machine cannot contain programs ({'; '.join(reasons)}). {WAYS_OUT}")


def _warn_of_weaker(contained: str, reasons: str) -> None:
    if contained not in _warned:
        _warned.add(contained)
        logging.getLogger(__name__).warning(
            "programs are contained by %s, which is not the strongest way (%s). In a container, get that one with: "
            "docker run %s",
            contained,
            reasons,
            CONTAINER_OPTIONS,
        )
