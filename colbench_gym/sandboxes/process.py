"""The ``process`` sandbox: a pool of warm workers on this machine, one per core."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from colbench_gym.errors import SandboxError, SandboxUnavailableError
from colbench_gym.sandboxes import CallOutcome, Program
from colbench_gym.sandboxes.attempts import WorkerFailedError, run_in_attempts
from colbench_gym.sandboxes.exchange import Exchange

START_S = 30.0  # a worker that is not ready by then has failed
END_S = 5.0
PACKAGES = ("numpy", "bs4")  # what programs may import beside the standard library
WORKER = Path(__file__).with_name("worker.py")

Kind = tuple[Literal["answer", "reference"], bool, int]  # role, whether numpy and bs4 are already imported, hash seed


def worker_environment(hash_seed: int = 0) -> dict[str, str]:
    """The whole environment of a worker: nothing of the user's, and the same for references and answers."""
    fixed = {
        "HOME": "/",
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONNOUSERSITE": "1",
        "PYTHONSAFEPATH": "1",
        "PYTHONUTF8": "1",
        "TZ": "UTC",
        **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "OPENBLAS", "MKL")},
    }
    # What the interpreter itself may need to find its libraries; the worker removes it before it serves.
    needed = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "PYTHONHOME") if name in os.environ}
    return fixed | needed


def wants_packages(source: str) -> bool:
    """Whether the program may import numpy or bs4; guessing wrong costs time only."""
    return any(package in source for package in PACKAGES)


class WorkerProcess:
    """One worker process of this machine and the control socket that hands it connections."""

    def __init__(self, arguments: list[str], hash_seed: int = 0) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, getattr(socket, "SOCK_SEQPACKET", socket.SOCK_DGRAM))
        with theirs:
            command = [sys.executable, "-s", "-S", str(WORKER), "--fd", str(theirs.fileno()), *arguments]
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=worker_environment(hash_seed),
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


class ProcessSandbox:
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
        self._limit = (
            workers or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        )
        self._isolation = isolation
        self._changed = threading.Condition()
        self._idle: dict[Kind, list[WorkerProcess]] = {}
        self._busy: set[WorkerProcess] = set()
        self._running = 0
        self._closed = False
        with self._worker(("answer", False, 0)):
            pass  # a machine that cannot contain programs says so now

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Return one outcome per call, in order; see :class:`~colbench_gym.sandboxes.Sandbox`."""
        kind: Kind = (program.role, wants_packages(program.source), program.hash_seed)
        return run_in_attempts(program, lambda speak: self._speak(kind, speak))

    def _speak(self, kind: Kind, speak: Callable[[socket.socket], Exchange | None]) -> Exchange:
        with self._worker(kind) as worker:
            with worker.connect() as connection:
                result = speak(connection)
            if result is None:
                raise WorkerFailedError("a worker went away or hung")
            return result

    @contextmanager
    def _worker(self, kind: Kind) -> Iterator[WorkerProcess]:
        """An idle worker, or a new one when none is; not more at once than the limit."""
        with self._changed:
            while self._running >= self._limit and not self._closed:
                self._changed.wait()
            if self._closed:
                raise SandboxError("this sandbox is closed")
            self._running += 1
            idle = self._idle.get(kind)
            worker = idle.pop() if idle else None
            if worker is not None:
                self._busy.add(worker)
        healthy = False
        try:
            if worker is None:
                worker = self._start(kind)
            yield worker
            healthy = True
        except OSError as error:
            raise WorkerFailedError(f"a worker went away: {error}") from error
        finally:
            with self._changed:
                self._running -= 1
                if worker is not None:
                    self._busy.discard(worker)
                    if healthy and not self._closed:
                        self._idle.setdefault(kind, []).append(worker)
                        worker = None
                self._changed.notify()
            if worker is not None:
                worker.kill()

    def _start(self, kind: Kind) -> WorkerProcess:
        paths = sorted({sysconfig.get_path(name) for name in ("purelib", "platlib")})
        arguments = ["--isolation", self._isolation]
        for path in paths:
            arguments += ["--path", path]
        if kind[1]:
            arguments += ["--preload", ",".join((*PACKAGES, "numpy.random"))]
        worker = WorkerProcess(arguments, kind[2])
        with self._changed:
            self._busy.add(worker)
        try:
            worker.wait_until_ready()
        except BaseException:
            with self._changed:
                self._busy.discard(worker)
            worker.kill()
            raise
        return worker

    def close(self) -> None:
        """End every worker; programs that still run are ended, and their callers get a SandboxError."""
        with self._changed:
            self._closed = True
            idle = [worker for workers in self._idle.values() for worker in workers]
            self._idle.clear()
            busy = list(self._busy)
            self._changed.notify_all()
        for worker in idle:
            worker.close()
        for worker in busy:
            worker.kill()
        end = time.monotonic() + END_S
        with self._changed:
            while self._running and time.monotonic() < end:
                self._changed.wait(0.1)

    def abandon_after_fork(self) -> None:
        """In a forked child of the owner: close the inherited sockets, and leave the workers to the parent."""
        self._closed = True
        for worker in [worker for workers in self._idle.values() for worker in workers] + list(self._busy):
            worker.abandon_after_fork()
