"""The ``process`` sandbox: a pool of warm workers on this machine, one per core."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from colbench_gym.errors import SandboxUnavailableError
from colbench_gym.sandboxes.attempts import WorkerFailedError
from colbench_gym.sandboxes.pool import END_S, PRELOADED, Kind, WorkerPool, cores, worker_environment

START_S = 30.0  # a worker that is not ready by then has failed
WORKER = Path(__file__).with_name("worker.py")


def process_environment(hash_seed: int) -> dict[str, str]:
    """What a worker of this machine gets: also what the interpreter may need to find its libraries."""
    needed = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "PYTHONHOME") if name in os.environ}
    return worker_environment(hash_seed) | needed  # the worker removes these before it serves


class WorkerProcess:
    """One worker process of this machine and the control socket that hands it connections."""

    def __init__(self, arguments: list[str], hash_seed: int) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, getattr(socket, "SOCK_SEQPACKET", socket.SOCK_DGRAM))
        with theirs:
            command = [sys.executable, "-s", "-S", str(WORKER), "--fd", str(theirs.fileno()), *arguments]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=process_environment(hash_seed),
                cwd="/",
                pass_fds=(theirs.fileno(),),
                start_new_session=True,  # Ctrl-C in the terminal is for us, who then close the worker
            )
        self._control.settimeout(START_S)

    def wait_until_ready(self) -> str:
        """Return what the worker says of its isolation.

        Raises:
            SandboxUnavailableError: it refuses to run here.
            WorkerFailedError: it died or hangs.
        """
        try:
            word, _, rest = self._control.recv(1 << 16).decode().strip().partition(" ")
        except OSError as error:
            raise WorkerFailedError(f"a worker did not start: {error}") from error
        if word == "ready":
            return rest
        if word == "refused:":
            raise SandboxUnavailableError(rest)
        raise WorkerFailedError(f"a worker ended at its start (exit status {self._process.wait(END_S)})")

    @contextmanager
    def connect(self) -> Iterator[socket.socket]:
        """A connection for one program; leaving the context ends the program."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [b"c"], [theirs.fileno()])
            yield ours
        finally:
            ours.close()

    def alive(self) -> bool:
        """Whether its process still runs."""
        return self._process.poll() is None

    def close(self) -> None:
        """End the worker and whatever runs in it."""
        self._control.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def kill(self) -> None:
        """End the worker at once."""
        self._control.close()
        self._process.kill()
        self._process.wait()

    def abandon_after_fork(self) -> None:
        """In a forked child: let go of the parent's worker."""
        self._control.close()
        self._process.returncode = 0  # not our child: nothing to wait for


class ProcessSandbox(WorkerPool):
    """Runs programs in forked children of warm workers; see :class:`~colbench_gym.sandboxes.Sandbox`.

    Args:
        workers: programs that run at once; one per core by default.
        isolation: ``process`` or ``none``.

    Raises:
        SandboxUnavailableError: this machine cannot contain programs that way.
    """

    def __init__(self, workers: int | None = None, isolation: Literal["process", "none"] = "process") -> None:
        if not hasattr(os, "fork"):
            raise SandboxUnavailableError(
                'this system cannot fork, which sandbox="process" and "unsafe" need; use sandbox="docker"'
            )
        self._isolation = isolation
        super().__init__(self._start_process, workers or cores())

    def _start_process(self, kind: Kind) -> WorkerProcess:
        arguments = ["--isolation", self._isolation]
        for path in sorted({sysconfig.get_path(name) for name in ("purelib", "platlib")}):
            arguments += ["--path", path]
        if kind.packages:
            arguments += ["--preload", PRELOADED]
        return WorkerProcess(arguments, kind.hash_seed)
