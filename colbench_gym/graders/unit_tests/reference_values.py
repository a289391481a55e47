"""The values a task's reference gives on its tests: computed once per task, kept on the host."""

from __future__ import annotations

import hashlib
from concurrent.futures import Future
from dataclasses import dataclass

from colbench_gym.concurrency import Cache
from colbench_gym.errors import TaskError
from colbench_gym.graders.unit_tests.kept_values import KeptValues
from colbench_gym.sandboxes import CallOutcome, Program, Sandbox, Status

MAX_KEPT_TASKS = 8192  # some kilobytes each

_REASONS: dict[Status, str] = {
    "raised": "raised an exception",
    "timed_out": "timed out",
    "killed": "ended its process",
    "unserialisable": "returned something that is not plain data",
}


def content_key(program: Program) -> bytes:
    """Return a hash of a program and its calls; equal programs have equal keys."""
    digest = hashlib.blake2b(digest_size=16)
    for text in (program.scoping, program.source, *program.calls):
        data = text.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


@dataclass(frozen=True)
class ReferenceFailure:
    """The first test on which a reference gave no value that an answer can be held against."""

    test: int  # from 1
    tests: int
    status: Status

    def error(self, task_id: str) -> TaskError:
        """Return the error for the user; it names the test by its number, because the call is hidden."""
        return TaskError(
            f"task {task_id!r} cannot be graded: its reference {_REASONS[self.status]} on test {self.test} of "
            f"{self.tests}; expected every test to return plain data. Find such tasks with: colbench tasks check"
        )


class ReferenceValues:
    """Runs references in a sandbox, each once however many threads ask; the most recently used are kept.

    Args:
        sandbox: where references run, always with ``role="reference"``.

    Attributes:
        on_disk: values of earlier runs, where those are to be used.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self.on_disk: KeptValues | None = None
        self._sandbox = sandbox
        self._kept: Cache[bytes, Future[tuple[CallOutcome, ...]]] = Cache(MAX_KEPT_TASKS)

    def outcomes(self, program: Program) -> tuple[CallOutcome, ...]:
        """Return one outcome per call of the reference.

        Raises:
            SandboxError: the sandbox failed; the next call tries again.
        """
        key = content_key(program)
        mine: Future[tuple[CallOutcome, ...]] = Future()
        future = self._kept.setdefault(key, mine)
        if future is mine:
            self._compute(key, program, future)
        return future.result()

    def _compute(self, key: bytes, program: Program, future: Future[tuple[CallOutcome, ...]]) -> None:
        try:
            kept = None if self.on_disk is None else self.on_disk.get(program)
            outcomes = self._sandbox.run(program) if kept is None else kept
            if kept is None and self.on_disk is not None:
                self.on_disk.put(program, outcomes)
            future.set_result(outcomes)
        except BaseException as e:
            self._kept.discard(key, future)
            future.set_exception(e)
            raise

    def forget(self) -> None:
        """Drop everything that is kept."""
        self._kept.clear()


def first_failure(outcomes: tuple[CallOutcome, ...], failing: frozenset[Status]) -> ReferenceFailure | None:
    """Return the first outcome with one of the statuses ``failing``, if any."""
    for test, outcome in enumerate(outcomes, start=1):
        if outcome.status in failing:
            return ReferenceFailure(test, len(outcomes), outcome.status)
    return None
