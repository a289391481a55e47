"""Hand programs to warm workers, wherever those run: one at a time each, a new one for one that failed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Literal, NamedTuple, Protocol

from colbench_gym.concurrency import FairSemaphore
from colbench_gym.errors import SandboxError, SandboxUnavailableError
from colbench_gym.sandboxes import CallOutcome, Limits, Program
from colbench_gym.sandboxes.protocol import Exchange, exchange, request_bytes
from colbench_gym.sandboxes.retries import WorkerFailedError, run_in_attempts

END_S = 5.0
KINDS = 8  # of workers, for programs that share a hash seed
PACKAGES = ("numpy", "bs4")  # what programs may import beside the standard library
COMMON = "collections,copy,dataclasses,datetime,functools,itertools,json,math,random,re,string,typing"  # often imported
PRELOADED = f"{COMMON},numpy,numpy.random,bs4"


class Kind(NamedTuple):
    """Purpose of a worker; programs share workers of their kind only."""

    role: Literal["answer", "reference"] = "answer"
    packages: bool = False  # numpy and bs4 are already imported
    hash_seed: int = 0
    imports: bool = False  # common modules of the standard library are already imported

    @property
    def preloaded(self) -> str:
        """Modules to import before the first program. Each one makes every fork dearer."""
        return PRELOADED if self.packages else COMMON if self.imports else ""


class Worker(Protocol):
    """A worker that is started; it need not be ready yet."""

    def wait_until_ready(self) -> str:
        """Return what the worker says of its isolation.

        Raises:
            SandboxUnavailableError: it refuses to run here.
            WorkerFailedError: it died or hangs.
        """

    def alive(self) -> bool:
        """Return whether it is still there, as far as can be told without asking it; cheap."""

    def connect(self) -> AbstractContextManager[socket.socket]:
        """Return a connection for one program; leaving the context ends the program.

        Raises:
            OSError: the worker is gone.
        """

    def close(self) -> None:
        """End the worker and whatever runs in it."""

    def kill(self) -> None:
        """End the worker at once; for one that misbehaves."""

    def abandon_after_fork(self) -> None:
        """Let go of the parent's worker in a forked child."""


def worker_environment(hash_seed: int) -> dict[str, str]:
    """Return the whole environment of a worker: nothing of the user's, and the same for references and answers."""
    return {
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


def wants_packages(source: str) -> bool:
    """Return whether the program may import numpy or bs4; guessing wrong costs time only."""
    return any(package in source for package in PACKAGES)


def _answers(worker: Worker) -> bool:
    """Return whether the worker serves."""
    nothing = Limits(total_wall_s=1.0)
    try:
        with worker.connect() as connection:
            result = exchange(connection, request_bytes(Program("", ()), (), nothing), 0, nothing)
    except OSError:
        return False
    return result is not None and result.verdict is not None


class WorkerPool:
    """Runs programs in workers; see :class:`~colbench_gym.sandboxes.Sandbox`.

    Args:
        start: starts a worker of a kind, without waiting for it.
        limit: programs that run at once.

    Attributes:
        containment: what keeps programs in, in a word; see :func:`~colbench_gym.sandboxes.containment_of`.
        isolation: what the workers say of themselves, such as ``namespaces + Landlock 7 + seccomp``.

    Raises:
        SandboxUnavailableError: the first worker says that this machine cannot contain programs that way.
    """

    containment = "unknown"
    isolation = ""

    def __init__(self, start: Callable[[Kind], Worker], limit: int) -> None:
        self._start_worker = start
        self._places = FairSemaphore(limit)
        self._most = max(2 * limit, KINDS)  # workers to keep, idle ones included
        self._lock = threading.Lock()
        self._idle: dict[Kind, list[Worker]] = {}
        self._busy: set[Worker] = set()
        self._closed = False
        self._give_back(Kind(), self._start(Kind()))  # a machine that cannot contain programs says so now

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Return one outcome per call, in order; see :class:`~colbench_gym.sandboxes.Sandbox`."""
        source = program.source
        kind = Kind(program.role, wants_packages(source), program.hash_seed, "import" in source)
        failures = 0

        def speak(talk: Callable[[socket.socket], Exchange | None]) -> Exchange:
            nonlocal failures
            try:
                return self._speak(kind, talk, wary=failures > 0)
            except WorkerFailedError:
                failures += 1
                raise

        return run_in_attempts(program, speak)

    def _speak(self, kind: Kind, speak: Callable[[socket.socket], Exchange | None], wary: bool) -> Exchange:
        with self._places:
            worker = self._take(kind, wary)
            result = None
            try:
                with worker.connect() as connection:
                    result = speak(connection)
                if result is not None and result.verdict is None and not _answers(worker):
                    result = None  # it was not the program that cut the stream, but the end of the worker
            except OSError as error:
                raise WorkerFailedError(f"a worker went away: {error}") from error
            finally:
                if result is None or (result.verdict is not None and not result.verdict.clean):
                    self._drop(worker)
                else:
                    self._give_back(kind, worker)
            if result is None:
                raise WorkerFailedError("a worker went away or hung")
            return result

    def _take(self, kind: Kind, wary: bool) -> Worker:
        """Return an idle worker or a new one. ``wary``: ask an idle one first, as what ended one may end others."""
        while True:
            with self._lock:
                if self._closed:
                    raise SandboxError("this sandbox is closed")
                worker, dead = self._take_idle(kind)
                if worker is not None:
                    self._busy.add(worker)
                else:
                    dead += self._surplus()
            for gone in dead:
                gone.kill()
            if worker is None:
                return self._start_another(kind)
            if not wary or _answers(worker):
                return worker
            self._drop(worker)

    def _give_back(self, kind: Kind, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
            if not self._closed:
                self._idle[kind] = [*self._idle.pop(kind, []), worker]  # the kind given back last is last
                return
        worker.kill()

    def _drop(self, worker: Worker) -> None:
        with self._lock:
            self._busy.discard(worker)
        worker.kill()

    def _take_idle(self, kind: Kind) -> tuple[Worker | None, list[Worker]]:
        """Return a living idle worker, if there is one, and the dead ones: one fault may have ended them all."""
        idle = self._idle.get(kind, [])
        dead: list[Worker] = []
        while idle:
            worker = idle.pop()
            if worker.alive():
                return worker, dead
            dead.append(worker)
        return None, dead

    def _surplus(self) -> list[Worker]:
        """Return the workers to end for a new one: one of the kind used longest ago, once there are many."""
        if len(self._busy) + sum(map(len, self._idle.values())) < self._most:
            return []
        kept_longest = next((workers for workers in self._idle.values() if workers), [])
        return [kept_longest.pop(0)] if kept_longest else []

    def _start_another(self, kind: Kind) -> Worker:
        try:
            return self._start(kind)
        except SandboxUnavailableError as error:  # others started here: it is short of something just now
            raise WorkerFailedError(f"a worker refused to start: {error}") from error

    def _start(self, kind: Kind) -> Worker:
        try:
            worker = self._start_worker(kind)
        except OSError as error:
            raise WorkerFailedError(f"a worker could not be started: {error}") from error
        with self._lock:
            self._busy.add(worker)
        try:
            self.isolation = worker.wait_until_ready()
        except BaseException:
            self._drop(worker)
            raise
        return worker

    def close(self) -> None:
        """End every worker; programs that still run are ended, and their callers get a SandboxError."""
        with self._lock:
            self._closed = True
            idle = [worker for workers in self._idle.values() for worker in workers]
            self._idle.clear()
            busy = list(self._busy)
        for worker in idle:
            worker.close()
        for worker in busy:
            worker.kill()
        self._places.wait_until_empty(END_S)

    def abandon_after_fork(self) -> None:
        """Close the inherited sockets in a forked child of the owner, and leave the workers to the parent."""
        self._closed = True
        for worker in [worker for workers in self._idle.values() for worker in workers] + list(self._busy):
            worker.abandon_after_fork()
