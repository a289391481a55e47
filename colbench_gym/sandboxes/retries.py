"""Run one program to its last call: try again what the sandbox, not the program, failed at."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace
from signal import SIGKILL

from colbench_gym.errors import SandboxError
from colbench_gym.sandboxes import CallOutcome, Program, Status
from colbench_gym.sandboxes.protocol import Exchange, exchange, request_bytes
from colbench_gym.sandboxes.values import Budget
from colbench_gym.sandboxes.worker.program import TOP_LEVEL

MAX_WORKER_FAILURES = 3  # for one program; each on a fresh worker
LITTLE_CPU = 0.5  # of the CPU limit: a call that timed out on less may have been starved

Speak = Callable[[Callable[[socket.socket], "Exchange | None"]], Exchange]


class WorkerFailedError(SandboxError):
    """A worker failed under a program; another one may do better."""


def run_in_attempts(program: Program, speak: Speak) -> tuple[CallOutcome, ...]:
    """Evaluate all calls of ``program``, in a fresh child after each that ended its process.

    Args:
        speak: gives a connection of a healthy worker to its argument and returns what that returns; raises
            WorkerFailedError when that is None, the worker cannot be had, or it is gone afterwards.

    Raises:
        SandboxError: MAX_WORKER_FAILURES workers failed one after another.
    """
    return _Attempts(program, speak).run()


class _Attempts:
    def __init__(self, program: Program, speak: Speak) -> None:
        self.program = program
        self.speak = speak
        self.outcomes: list[CallOutcome] = []
        self.time_left_s = program.limits.total_wall_s
        self.failures = 0
        self.was_killed = False
        self.was_starved = False
        self.budget = Budget()

    def run(self) -> tuple[CallOutcome, ...]:
        calls = self.program.calls
        while len(self.outcomes) < len(calls):
            if self.time_left_s <= 0:
                self._fill("timed_out")
                break
            try:
                result = self._exchange(calls[len(self.outcomes) :])
            except WorkerFailedError as error:
                self.failures += 1
                if self.failures == MAX_WORKER_FAILURES:
                    raise SandboxError(
                        f"{self.failures} workers failed under one program; the last one: {error}"
                    ) from error
                continue
            self.outcomes += result.outcomes(self.budget)
            if len(self.outcomes) < len(calls):
                self._settle(result)
            self.time_left_s -= result.wall_s
        return tuple(self.outcomes)

    def _exchange(self, calls: tuple[str, ...]) -> Exchange:
        limits = replace(self.program.limits, total_wall_s=self.time_left_s)
        request = request_bytes(self.program, calls, limits)
        return self.speak(lambda connection: exchange(connection, request, len(calls), limits))

    def _settle(self, result: Exchange) -> None:
        """Decide about the call at which the child ended."""
        verdict = result.verdict
        end = verdict.end if verdict else "cut"
        status: Status = "timed_out" if end in ("cpu", "wall", "total") else "killed"
        if verdict is not None:
            if end == "signal" and verdict.detail == SIGKILL and not self.was_killed:
                self.was_killed = True  # programs cannot signal: the kernel was short of memory, or someone interfered
                return
            little = LITTLE_CPU * self.program.limits.cpu_s_per_call
            if end == "wall" and verdict.cpu_s < little and not self.was_starved:
                self.was_starved = True
                return
        if end == "total" or (verdict is not None and verdict.call <= TOP_LEVEL):
            self._fill(status)
        else:
            self.outcomes.append(CallOutcome(status))

    def _fill(self, status: Status) -> None:
        self.outcomes += [CallOutcome(status)] * (len(self.program.calls) - len(self.outcomes))
