"""Run untrusted programs: the Sandbox protocol and its data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

Status = Literal["returned", "raised", "timed_out", "killed", "unserialisable"]


@dataclass(frozen=True)
class Limits:
    """What one program may use; the defaults are those of ``strict`` grading (rules.py holds their source)."""

    cpu_s_per_call: float = 1.0
    wall_s_per_call: float = 5.0
    total_wall_s: float = 15.0
    memory_bytes: int = 512 * 1024 * 1024
    max_result_bytes: int = 1024 * 1024


@dataclass(frozen=True)
class Program:
    """A program, and the call expressions to evaluate in it.

    ``scoping="module"`` runs the source as a Python module; ``"official"`` runs it as the official grader
    does: in a local namespace that its own functions cannot see. ``role`` keeps references and answers in
    different worker processes: no worker that ever ran a reference runs an answer.
    """

    source: str
    calls: tuple[str, ...]
    scoping: Literal["module", "official"] = "module"
    role: Literal["answer", "reference"] = "answer"
    limits: Limits = Limits()


@dataclass(frozen=True)
class CallOutcome:
    """How one call ended; ``value`` is the decoded plain data when ``status`` is ``returned``."""

    status: Status
    value: object = None


@runtime_checkable
class Sandbox(Protocol):
    """Evaluates call expressions in an untrusted program. Thread-safe."""

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Return one outcome per call, in order. What the program does wrong is data.

        Raises:
            SandboxError: the sandbox itself failed, after its retries.
        """

    def close(self) -> None:
        """End every process of this sandbox. A second call does nothing."""
