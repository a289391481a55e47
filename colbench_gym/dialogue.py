"""Turns of a dialogue, the transcript text, and chat messages as either seat sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypedDict

from colbench_gym.errors import UnknownNameError

Seat = Literal["agent", "human"]
SEATS: tuple[Seat, Seat] = ("agent", "human")

OFFICIAL_ROLE: Mapping[Seat, str] = {"agent": "assistant", "human": "user"}  # names in the official dialogue
BLOCK_END = "\n\n\n\n"  # official protocol: what separates two messages in the text given to the human


class ChatMessage(TypedDict):
    """One chat message, as model servers take it."""

    role: str
    content: str


class SampledMessage(str):
    """Message of a language model, with the ids that it sampled: other ids may make the same text.

    Attributes:
        token_ids: as sampled; the end of the turn is the last one where it was reached.
    """

    token_ids: tuple[int, ...]

    def __new__(cls, text: str, token_ids: Iterable[int] = ()) -> SampledMessage:
        """Return the text as a message."""
        message = super().__new__(cls, text)
        message.token_ids = tuple(token_ids)
        return message


@dataclass(frozen=True)
class Turn:
    """One message.

    Attributes:
        seat: who spoke.
        content: what both seats see of it.
        output: agent only: the message with its hidden thinking (see :func:`~colbench_gym.action.parse_action`).
        input: agent only: the chat messages it was given, where they were recorded.
        token_ids: agent only: the ids that its model sampled, for the message with its hidden thinking; where known.
    """

    seat: Seat
    content: str
    output: str | None = None
    input: tuple[ChatMessage, ...] | None = field(default=None, repr=False)
    token_ids: tuple[int, ...] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Dialogue:
    """All turns so far, the opening (the human's vague request) first."""

    turns: tuple[Turn, ...]

    def messages(self, seat: str) -> tuple[ChatMessage, ...]:
        """Return the dialogue as chat messages: this seat's own words are ``assistant``, the other's are ``user``."""
        if seat not in SEATS:
            raise UnknownNameError.among("seat", str(seat), SEATS)
        return tuple(
            ChatMessage(role="assistant" if turn.seat == seat else "user", content=turn.content) for turn in self.turns
        )

    def transcript(self) -> str:
        """Return the dialogue as text: one ``role:content`` block a turn, in the official wording."""
        return "".join(f"{OFFICIAL_ROLE[turn.seat]}:{turn.content}{BLOCK_END}" for turn in self.turns)

    def count(self, seat: Seat) -> int:
        """Count the turns that a seat has taken; the opening is not one."""
        return sum(turn.seat == seat for turn in self.turns[1:])
