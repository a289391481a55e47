"""Endless backend tasks: ``(split, difficulty, index)`` names the same task on every machine and Python."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.errors import TaskError
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.generated import DIFFICULTIES, EndlessTasks
from colbench_gym.tasks.generated_backend.drafts import Draft, draft
from colbench_gym.tasks.generated_backend.probes import Probed, probe
from colbench_gym.tasks.generated_backend.repeats import repeats

ATTEMPTS = 960  # drafts before a position counts as a mistake of the grammar


@dataclass(frozen=True)
class GeneratedBackendTasks(EndlessTasks[BackendTask]):
    """Programs drawn from the grammar, each with ten calls that tell it from all others that its request could mean."""

    difficulties = (*DIFFICULTIES, "habits")

    def member(self, index: int) -> Draft:
        """Return the draft of the task at a position, from 0."""
        return _member(self.split, self.difficulty, self.position(index))[0]

    def at(self, index: int) -> BackendTask:
        """Return the task at a position, from 0.

        Raises:
            UnknownTaskError: no such position.
        """
        return _task(self.split, self.difficulty, self.position(index), f"{self.prefix}-{index}")


@lru_cache(maxsize=1024)
def _member(split: str, difficulty: str, index: int) -> tuple[Draft, Probed]:
    passed_over = repeats(split, difficulty).drafts
    for attempt in range(ATTEMPTS):
        drawn = draft(split, difficulty, index, attempt) if (index, attempt) not in passed_over else None
        probed = probe(drawn) if drawn is not None else None
        if drawn is not None and probed is not None:
            return drawn, probed
    raise TaskError(f"none of {ATTEMPTS} drafts for position {index} of {split} ({difficulty}) has ten calls")


@lru_cache(maxsize=1024)
def _task(split: str, difficulty: str, index: int, task_id: str) -> BackendTask:
    member, probed = _member(split, difficulty, index)
    reference, decisions = member.reference, member.decisions
    names = tuple(f"test{number}" for number in range(1, len(probed.calls) + 1))
    row = {
        "task_id": task_id,
        "problem_description": member.description,
        "ground_truth": reference,
        "test_cases": dict(zip(names, probed.calls, strict=True)),
        "hidden_information": reference,
        "decisions": [
            {name: [*value] if isinstance(value, tuple) else value for name, value in vars(decision).items()}
            for decision in decisions
        ],
    }
    return BackendTask(task_id, member.description, reference, probed.calls, names, reference, decisions, row)
