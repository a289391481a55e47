"""Turns of a dialogue, the transcript text, and chat messages as either seat sees them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypedDict, overload

from colbench_gym.errors import UnknownNameError

Seat = Literal["agent", "human"]
SEATS: tuple[Seat, Seat] = ("agent", "human")

OFFICIAL_ROLE: Mapping[Seat, str] = {"agent": "assistant", "human": "user"}  # names in the official dialogue
BLOCK_END = "\n\n\n\n"  # official protocol: what separates two messages in the text given to the human


class ChatMessage(TypedDict):
    """One chat message, as model servers take it."""

    role: str
    content: str


class FirstMessages(Sequence[ChatMessage]):
    """First messages of a list that is not copied: the prompts of one dialogue share theirs.

    Args:
        messages: the list, which must not change.
        count: how many of them.
    """

    def __init__(self, messages: Sequence[ChatMessage], count: int) -> None:
        self._messages, self._count = messages, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> ChatMessage: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[ChatMessage, ...]: ...
    def __getitem__(self, at: int | slice) -> ChatMessage | tuple[ChatMessage, ...]:
        places = range(self._count)[at]
        return self._messages[places] if isinstance(places, int) else tuple(self._messages[i] for i in places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (tuple, FirstMessages)):
            return NotImplemented
        return len(self) == len(other) and all(one == same for one, same in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # messages are dicts, which have no hash either

    def __repr__(self) -> str:
        return repr(tuple(self))


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
    input: Sequence[ChatMessage] | None = field(default=None, repr=False)
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
