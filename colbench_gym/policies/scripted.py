"""What scripted agents share: they say at most so many things, then answer, by what was said and nothing else."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError


class HoldsNothing:
    """Agent with nothing to close."""

    def close(self) -> None:
        """Do nothing: nothing is held."""


@dataclass(frozen=True)
class Scripted(HoldsNothing, ABC):
    """Agent that asks or proposes at most ``number`` times, then answers."""

    number: int

    def __post_init__(self) -> None:
        if type(self.number) is not int or self.number < 0:
            raise UsageError(f"got {self.number!r} messages before the answer; expected an integer of at least 0")

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the next message; depends on the messages only."""
        said = [message for message in messages if message["role"] != "system"]
        request = next((message["content"] for message in said if message["role"] == "user"), "")
        start = next((i for i, message in enumerate(said) if message["role"] == "assistant"), len(said))
        return self.next(request, tuple(message["content"] for message in said[start:] if message["role"] == "user"))

    @abstractmethod
    def next(self, request: str, replies: tuple[str, ...]) -> str:
        """Return the message after some replies."""
