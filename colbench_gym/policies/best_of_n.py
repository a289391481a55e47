"""Best of N: propose N messages, say the one that a judge likes best (paper, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.policies import Policy
from colbench_gym.policies.chat_tokens import ChatTokens
from colbench_gym.policies.judges import Candidate, Judge
from colbench_gym.tasks import Task


class Proposer(Protocol):
    """A policy that can propose several next messages, such as :class:`~colbench_gym.policies.hf.HFPolicy`."""

    def propose(self, messages: Sequence[ChatMessage], n: int) -> list[str]:
        """N next messages.

        Raises:
            PolicyError: no message could be had.
        """

    def seeded(self, seed: int) -> Proposer:
        """A copy with this seed."""

    def close(self) -> None:
        """Release what it holds. A second call does nothing."""


@dataclass(frozen=True)
class BestOfN:
    """The evaluation of a judge: it sees the task's reference where the judge uses training-time information.

    Attributes:
        proposer: proposes.
        judge: chooses; the first of the best.
        tokens: makes token ids of the proposals.
        n: how many proposals a turn.
    """

    proposer: Proposer
    judge: Judge
    tokens: ChatTokens
    n: int

    def __post_init__(self) -> None:
        if self.n < 1:
            raise UsageError(f"best of {self.n} was got; expected at least 1")

    def for_task(self, task: Task) -> Policy:
        """The policy for one task."""
        return _BestOfNForTask(self, task)

    def close(self) -> None:
        """Close the proposer. A second call does nothing."""
        self.proposer.close()


@dataclass(frozen=True)
class _BestOfNForTask:
    best: BestOfN
    task: Task

    def seeded(self, seed: int) -> _BestOfNForTask:
        """The policy for one dialogue."""
        best = self.best
        return _BestOfNForTask(BestOfN(best.proposer.seeded(seed), best.judge, best.tokens, best.n), self.task)

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """The proposal that the judge likes best.

        Raises:
            PolicyError: no message could be had.
        """
        proposals = self.best.proposer.propose(messages, self.best.n)
        candidates = [Candidate(text, self.best.tokens.turn_ids(text)) for text in proposals]
        scores = self.best.judge.scores(self.task.reference, messages, candidates)
        return proposals[scores.index(max(scores))]
