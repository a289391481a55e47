"""Run untrusted programs: the Sandbox protocol, its data, and :func:`open_sandbox`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from colbench_gym import rules

Status = Literal["returned", "raised", "timed_out", "killed", "unserialisable"]

MAX_RESULT_BYTES = 1024 * 1024  # ours: one encoded value
VARIABLE = "COLBENCH_SANDBOX"


@dataclass(frozen=True)
class Limits:
    """Bounds of what one program may use; the defaults are those of ``strict`` grading.

    A wall time-out of a call that used little CPU is tried once more, within the same ``total_wall_s``.
    """

    cpu_s_per_call: float = rules.STRICT_CPU_S_PER_TEST
    wall_s_per_call: float = rules.STRICT_WALL_S_PER_TEST
    total_wall_s: float = rules.STRICT_TOTAL_S
    memory_bytes: int = rules.MEMORY_BYTES
    max_result_bytes: int = MAX_RESULT_BYTES


@dataclass(frozen=True)
class Program:
    """A program, and the call expressions to evaluate in it.

    ``scoping="module"`` runs the source as a Python module named ``answer``; ``"official"`` runs it anew for each call
    as the official grader does: in a local namespace that its own functions cannot see. ``role`` keeps references and
    answers in different worker processes: no worker that ever ran a reference runs an answer. ``seed`` (from 0, below
    2**32) is what random numbers start from at every call, ``hash_seed`` the PYTHONHASHSEED; other values than 0 are
    for finding out what a program depends on.
    """

    source: str
    calls: tuple[str, ...]
    scoping: Literal["module", "official"] = "module"
    role: Literal["answer", "reference"] = "answer"
    limits: Limits = Limits()
    seed: int = 0
    hash_seed: int = 0


@dataclass(frozen=True)
class CallOutcome:
    """End of one call; ``value`` is the decoded plain data when ``status`` is ``returned``.

    ``raised``: the call, or the program's top level, raised anything (``SystemExit`` included) or did not compile.
    ``timed_out``: a limit of time was reached. ``killed``: the process ended in the middle of the call.
    ``unserialisable``: the value is not data, is cyclic, too deep or too large. The calls after one that timed out or
    was killed are evaluated in a fresh copy of the program, while the total time lasts.
    """

    status: Status
    value: object = None


@runtime_checkable
class Sandbox(Protocol):
    """Evaluates call expressions in an untrusted program. Thread-safe.

    A sandbox may have an attribute ``containment``, which names in a word what keeps programs in; see
    :func:`containment_of`.
    """

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Return one outcome per call, in order. What the program does wrong is data.

        Raises:
            SandboxError: the sandbox itself failed, after its retries.
        """

    def close(self) -> None:
        """End every process of this sandbox. A second call does nothing."""


def containment_of(sandbox: Sandbox) -> str:
    """Return what keeps programs in: namespaces, bubblewrap, landlock, docker, none, or unknown."""
    return str(getattr(sandbox, "containment", "unknown"))


def open_sandbox(spec: str | Sandbox = "process") -> Sandbox:
    """Return a lease on the process-wide sandbox that ``spec`` names; the last ``close()`` of a lease ends it.

    Args:
        spec: ``process``, ``docker`` or ``unsafe``, or a live Sandbox, which is returned as it is (closing it stays
            with its owner all the same, as ``close()`` is called on what this returns). ``process`` is the default
            everywhere and stands for what the variable COLBENCH_SANDBOX names, when it is set; other names are not
            overridden. ``unsafe`` limits time and memory and contains nothing: for code you would run yourself.

    Raises:
        UnknownNameError: no such sandbox.
        SandboxUnavailableError: this machine cannot run it; the message names what is missing and the ways out.
    """
    from colbench_gym.sandboxes.shared import lease  # built on this module

    return lease(spec) if isinstance(spec, str) else spec
