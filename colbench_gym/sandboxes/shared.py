"""The sandboxes by name, one of each per process, shared by everyone who holds a lease."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from functools import partial

from colbench_gym.concurrency.leases import Lease, Shared
from colbench_gym.errors import SandboxError, UnknownNameError
from colbench_gym.sandboxes import VARIABLE, CallOutcome, Program, Sandbox, containment_of


def _made(module: str, name: str, **arguments: str) -> Sandbox:
    sandbox: Sandbox = getattr(importlib.import_module(f"colbench_gym.sandboxes.{module}"), name)(**arguments)
    return sandbox


SANDBOXES: dict[str, Callable[[], Sandbox]] = {
    "process": partial(_made, "process", "ProcessSandbox"),
    "unsafe": partial(_made, "process", "ProcessSandbox", isolation="none"),
    "docker": partial(_made, "docker", "DockerSandbox"),
}


def _closed_error(kind: str) -> SandboxError:
    return SandboxError(f"this {kind!r} sandbox is closed; open another one with open_sandbox()")


class SandboxLease(Lease[Sandbox]):
    """A share of the process-wide sandbox of one kind; a forked child gets a sandbox of its own."""

    shared = Shared(SANDBOXES, _closed_error)

    @property
    def containment(self) -> str:
        """Name of what keeps programs in; see :func:`~colbench_gym.sandboxes.containment_of`."""
        return containment_of(self.resource())

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Run in the shared sandbox; see :class:`~colbench_gym.sandboxes.Sandbox`."""
        return self.resource().run(program)


def lease(spec: str) -> SandboxLease:
    """Return a lease on the sandbox that ``spec`` names; see :func:`~colbench_gym.sandboxes.open_sandbox`."""
    named = os.environ.get(VARIABLE) if spec == "process" else None
    kind = named or spec
    if kind not in SANDBOXES:
        raise UnknownNameError.among(f"sandbox in {VARIABLE}" if named else "sandbox", kind, SANDBOXES)
    return SandboxLease(kind)
