"""The ChatModel protocol and its data."""

from __future__ import annotations

import base64
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypedDict, runtime_checkable

from colbench_gym.dialogue import ChatMessage


class TextPart(TypedDict):
    """A piece of text in a message of several parts."""

    type: Literal["text"]
    text: str


class ImagePart(TypedDict):
    """A picture in a message of several parts: the address in ``{"url": ...}``, or the picture itself as ``data:``."""

    type: Literal["image_url"]
    image_url: dict[Literal["url"], str]


class PartsMessage(TypedDict):
    """A chat message of several parts, for models that can see."""

    role: str
    content: Sequence[TextPart | ImagePart]


Message = ChatMessage | PartsMessage


def png_part(png: bytes) -> ImagePart:
    """Return a PNG picture as a part of a message."""
    url = "data:image/png;base64," + base64.b64encode(png).decode("ascii")
    return {"type": "image_url", "image_url": {"url": url}}


@dataclass(frozen=True)
class Sampling:
    """Sampling of one message; what is None is left to the server.

    Attributes:
        temperature: 0 takes the likeliest token.
        max_tokens: new tokens at most.
        seed: for servers that take one.
    """

    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None


FREE = Sampling()


@dataclass(frozen=True)
class Completion:
    """Reply of a model, and what it cost in tokens (0 where the server does not tell)."""

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True)
class Usage:
    """Totals of one ChatModel since it was built.

    Attributes:
        calls: completions asked for, failed ones included.
        prompt_tokens: read by the model, answers that had to be thrown away included.
        completion_tokens: written by the model, likewise.
        retries: requests that had to be sent again.
    """

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    retries: int = 0


class Meter:
    """Adds up a :class:`Usage` from many threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()

    @property
    def usage(self) -> Usage:
        """The totals so far."""
        with self._lock:
            return Usage(**self._counts)

    def add(self, **counts: int) -> None:
        """Add to the totals; ``counts`` are fields of :class:`Usage`."""
        with self._lock:
            self._counts.update(counts)


@runtime_checkable
class ChatModel(Protocol):
    """Completes a chat. Thread-safe."""

    @property
    def name(self) -> str:
        """The model's name, as its server knows it."""

    @property
    def usage(self) -> Usage:
        """Totals since it was built."""

    def complete(self, messages: Sequence[Message], sampling: Sampling = FREE) -> Completion:
        """Return the model's next message; its text is never blank.

        Args:
            messages: the chat so far.
            sampling: how it is sampled; left to the server by default.

        Raises:
            ChatError: no message could be had, after the retries.
        """

    def close(self) -> None:
        """Release its connections. A second call does nothing."""


def check_server(seat: object) -> None:
    """Find out whether the server of a human, policy or ChatModel can be reached, where it has one; else ChatError."""
    if (check := getattr(seat, "check_server", None)) is not None:
        check()
