"""A ChatModel that says what it was told to: a double for tests, the user's own included."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from colbench_gym.chat.model import FREE, Completion, Message, Meter, Sampling, Usage
from colbench_gym.errors import ChatError, UsageError


class ScriptedChat:
    """Gives its replies in order, and raises when they run out.

    >>> chat = ScriptedChat(["Twice x."])
    >>> chat.complete([{"role": "user", "content": "What does f return?"}]).text
    'Twice x.'

    Args:
        script: replies in order (a ChatError among them is raised in its turn), or a function from the messages to the
            reply, which never runs out.
        name: the model's name.
    """

    def __init__(
        self, script: Sequence[str | ChatError] | Callable[[Sequence[Message]], str], name: str = "scripted"
    ) -> None:
        self.name = name
        self.requests: list[tuple[Message, ...]] = []
        self._script = script
        self._meter = Meter()
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """Calls so far; tokens are counted as words."""
        return self._meter.usage

    def complete(self, messages: Sequence[Message], sampling: Sampling = FREE) -> Completion:  # noqa: ARG002
        """Return the next reply of the script; the request is kept in ``requests``.

        Raises:
            UsageError: the script has run out.
        """
        self._meter.add(calls=1)
        with self._lock:
            at = len(self.requests)
            self.requests.append(tuple(messages))
        if not callable(self._script) and at >= len(self._script):
            raise UsageError(
                f"request {at + 1} was got by a ScriptedChat of {len(self._script)} replies; give it more replies"
            )
        reply = self._script(messages) if callable(self._script) else self._script[at]
        if isinstance(reply, ChatError):
            raise reply
        asked = [message["content"] for message in messages if isinstance(message["content"], str)]
        completion = Completion(reply, sum(len(text.split()) for text in asked), len(reply.split()))
        self._meter.add(prompt_tokens=completion.prompt_tokens, completion_tokens=completion.completion_tokens)
        return completion

    def close(self) -> None:
        """Do nothing: nothing is held."""
