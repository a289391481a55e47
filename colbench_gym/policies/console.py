"""A person at the terminal plays the agent."""

from __future__ import annotations

import re
from collections.abc import Sequence

from colbench_gym.console_input import ConsoleInput
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import PolicyError
from colbench_gym.rules import BACKEND

_LONG = re.compile(rf"{re.escape(BACKEND.answer_marker)}|```|<html|<body")


class ConsolePolicy:
    """A Policy that shows what was said and reads the next message.

    Enter sends a question. A message whose first line holds the answer marker, a code fence or the start of a page goes
    on to a line with a single dot, or Ctrl-D.

    Args:
        person: who is asked; whoever sits at the terminal by default.
    """

    def __init__(self, person: ConsoleInput | None = None) -> None:
        self._person = person or ConsoleInput()

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """The person's message. Ctrl-C passes.

        Raises:
            PolicyError: the input ended.
        """
        opening = not any(message["role"] == "assistant" for message in messages)
        new = messages if opening else messages[-1:]
        boxes = tuple(
            ("how it works" if message["role"] == "system" else "the human says", message["content"]) for message in new
        )
        try:
            return self._person.ask("your message", boxes, goes_on=lambda line: _LONG.search(line) is not None)
        except EOFError as e:
            raise PolicyError(
                "the input ended before the dialogue did; expected your next message; run it in a terminal, or let the "
                f"input hold a message with {BACKEND.answer_marker!r}"
            ) from e
