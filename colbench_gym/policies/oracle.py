"""The agent that knows the reference and answers with it: it shows that every task can be won."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from colbench_gym.dialogue import ChatMessage
from colbench_gym.policies.scripted import HoldsNothing
from colbench_gym.rules import RULES
from colbench_gym.tasks import Task


@dataclass(frozen=True)
class _FixedMessage(HoldsNothing):
    text: str = field(repr=False)

    def act(self, messages: Sequence[ChatMessage]) -> str:  # noqa: ARG002  the protocol's signature
        return self.text


class Oracle(HoldsNothing):
    """Answers in its first message with the task's reference (a :class:`~colbench_gym.policies.PrivilegedPolicy`)."""

    def for_task(self, task: Task) -> _FixedMessage:
        """Return the policy for one task; on the frontend track its one message holds the reference page."""
        parts = [RULES[task.track].answer_marker, task.reference]
        return _FixedMessage("\n".join(parts if task.track == "backend" else reversed(parts)))
