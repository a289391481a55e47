"""Quality of an answer: the Grader protocol and Grade."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from colbench_gym.tasks import Task

TestOutcome = Literal["passed", "wrong", "raised", "timed_out", "killed", "unserialisable"]


@dataclass(frozen=True)
class Grade:
    """Result of grading one answer.

    Attributes:
        score: in [0, 1]: the fraction of tests passed (backend) or the similarity (frontend).
        success: every test passed (backend); False on the frontend track, which has no success.
        metric: name and version of what ``score`` is, such as ``pass_rate`` or ``layout-2``.
        test_outcomes: backend: how each test ended, in the order of the task's tests.
        reason: backend: why no test could be run; "" where they were.
    """

    score: float
    success: bool
    metric: str
    test_outcomes: tuple[TestOutcome, ...] = ()
    reason: str = ""


@runtime_checkable
class Grader(Protocol):
    """Grades answers. Thread-safe."""

    def grade(self, task: Task, answer: str) -> Grade:
        """Grade one answer.

        Raises:
            GraderError: the grader itself failed; an answer's failure is in the Grade.
            TaskError: the task cannot be graded (its reference raises, or returns what is not data).
        """

    def close(self) -> None:
        """Release what it holds. A second call does nothing."""
