"""The agent that knows the reference and answers with it: it shows that every task can be won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from colbench_gym.dialogue import ChatMessage
from colbench_gym.rules import RULES
from colbench_gym.tasks import Task


@dataclass(frozen=True)
class _FixedMessage:
    text: str = field(repr=False)

    def act(self, messages: Sequence[ChatMessage]) -> str:  # noqa: ARG002  the protocol's signature
        return self.text

    def close(self) -> None:
        """Do nothing: nothing is held."""


class Oracle:
    """Answers in its first message with the task's reference (a :class:`~colbench_gym.policies.PrivilegedPolicy`)."""

    def for_task(self, task: Task) -> _FixedMessage:
        """Return the policy for one task; on the frontend track its one message holds the reference page."""
        marker = RULES[task.track].answer_marker
        if task.track == "frontend":
            return _FixedMessage(f"{task.reference}\n{marker}")
        return _FixedMessage(f"{marker}\n{task.reference}")

    def close(self) -> None:
        """Do nothing: nothing is held."""
