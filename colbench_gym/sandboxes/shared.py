"""One sandbox of each kind per process, shared by everyone who holds a lease on it."""

from __future__ import annotations

import atexit
import importlib
import os
import threading
from collections.abc import Callable
from types import TracebackType

from colbench_gym.errors import SandboxError, UnknownNameError
from colbench_gym.sandboxes import VARIABLE, CallOutcome, Program, Sandbox


def _process() -> Sandbox:
    from colbench_gym.sandboxes.process import ProcessSandbox

    return ProcessSandbox()


def _unsafe() -> Sandbox:
    from colbench_gym.sandboxes.process import ProcessSandbox

    return ProcessSandbox(isolation="none")


def _docker() -> Sandbox:
    sandbox: Sandbox = importlib.import_module("colbench_gym.sandboxes.docker").DockerSandbox()
    return sandbox


SANDBOXES: dict[str, Callable[[], Sandbox]] = {"process": _process, "unsafe": _unsafe, "docker": _docker}


class Lease:
    """A share of the process-wide sandbox of one kind. Usable in a forked child, which gets a sandbox of its own."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._closed = False
        self._sandbox()

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Run in the shared sandbox; see :class:`~colbench_gym.sandboxes.Sandbox`."""
        return self._sandbox().run(program)

    def close(self) -> None:
        """Give the lease back; the last one ends the sandbox."""
        with _state.lock:
            if self._closed:
                return
            self._closed = True
            sandbox = _state.release(self)
        if sandbox is not None:
            sandbox.close()

    def __enter__(self) -> Lease:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[Callable[[str], Lease], tuple[str]]:
        return Lease, (self.kind,)

    def _sandbox(self) -> Sandbox:
        with _state.lock:
            if self._closed:
                raise SandboxError(f"this {self.kind!r} sandbox is closed; open another one with open_sandbox()")
            return _state.acquire(self)


class _State:
    """The open sandboxes of this process and who holds them."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.open: dict[str, tuple[Sandbox, set[int]]] = {}

    def acquire(self, holder: Lease) -> Sandbox:
        if holder.kind not in self.open:
            self.open[holder.kind] = (SANDBOXES[holder.kind](), set())
        sandbox, holders = self.open[holder.kind]
        holders.add(id(holder))
        return sandbox

    def release(self, holder: Lease) -> Sandbox | None:
        sandbox, holders = self.open.get(holder.kind, (None, {id(holder)}))
        holders.discard(id(holder))
        if holders:
            return None
        self.open.pop(holder.kind, None)
        return sandbox

    def close(self) -> None:
        with self.lock:
            sandboxes = [sandbox for sandbox, _ in self.open.values()]
            self.open.clear()
        for sandbox in sandboxes:
            sandbox.close()


_state = _State()


def _forget_after_fork() -> None:
    """In a forked child: the parent's sandboxes are the parent's. Drop their sockets and start afresh on demand."""
    global _state
    inherited, _state = _state, _State()
    for sandbox, _ in inherited.open.values():
        abandon = getattr(sandbox, "abandon_after_fork", None)
        if abandon is not None:
            abandon()


if hasattr(os, "register_at_fork"):  # not on Windows, which cannot fork
    os.register_at_fork(after_in_child=_forget_after_fork)


def close_all() -> None:
    """End every shared sandbox of this process, whoever holds it: for a process that is about to end."""
    _state.close()


atexit.register(close_all)


def lease(spec: str) -> Lease:
    """Return a lease on the sandbox that ``spec`` names; see :func:`~colbench_gym.sandboxes.open_sandbox`."""
    named = os.environ.get(VARIABLE) if spec == "process" else None
    kind = named or spec
    if kind not in SANDBOXES:
        raise UnknownNameError.among(f"sandbox in {VARIABLE}" if named else "sandbox", kind, SANDBOXES)
    return Lease(kind)
