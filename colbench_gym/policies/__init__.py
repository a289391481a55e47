"""The agent: the Policy protocol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from colbench_gym.dialogue import ChatMessage
from colbench_gym.tasks import Task


@runtime_checkable
class Policy(Protocol):
    """Chooses the agent's next message. ``act`` may be called from several threads at once."""

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """The next message.

        Args:
            messages: the brief (role ``system``), then the dialogue with the agent's own words as ``assistant``.

        Raises:
            PolicyError: no message could be had.
        """


@runtime_checkable
class PrivilegedPolicy(Protocol):
    """A policy that is allowed to see the task: a yardstick, never a contestant."""

    def for_task(self, task: Task) -> Policy:
        """The policy for one task."""
