"""The human who knows the reference: the HumanSimulator protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from colbench_gym.dialogue import Dialogue
from colbench_gym.tasks import Task


@runtime_checkable
class HumanSimulator(Protocol):
    """Replies to the agent. Thread-safe: one simulator serves many dialogues at once."""

    def reply(self, task: Task, dialogue: Dialogue, pages: Sequence[bytes] = ()) -> str:
        """The reply to the agent's last message; the rules cut it.

        Args:
            task: the task, its hidden reference included.
            dialogue: everything said so far; the agent spoke last.
            pages: frontend: PNG pictures of the agent's page (if any) and of the reference, in this order.

        Raises:
            HumanError: no reply could be had.
        """
