"""The scripted agent: asks, reads the replies, writes the function. The yardstick for what asking is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.jsonl import read_toml
from colbench_gym.policies.asker.grammar import next_of_grammar
from colbench_gym.rules import BACKEND

_SIGNATURE = re.compile(r"def\s+(\w+)\s*\(([^\n]*)\)")

GENERIC: tuple[str, ...] = tuple(read_toml(Path(__file__).with_name("phrases.toml"))["general"])


@dataclass(frozen=True)
class Asker:
    """Asks at most ``questions`` times, then answers (a :class:`~colbench_gym.policies.Policy`).

    It knows the public grammar of the generated tasks: from the description it knows what can be open, and it writes
    the function from what it was told. What it did not ask, or did not understand, it guesses. On other tasks it asks
    general questions and answers with a function that only fits the signature.

    Attributes:
        questions: how many; 0 guesses at once. Fewer are asked when everything is known.
    """

    questions: int

    def __post_init__(self) -> None:
        if isinstance(self.questions, bool) or not isinstance(self.questions, int) or self.questions < 0:
            raise UsageError(f"the number of questions is {self.questions!r}; expected an integer of at least 0")

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the next question, or the answer; depends on the messages only."""
        said = [message for message in messages if message["role"] != "system"]
        description = next((message["content"] for message in said if message["role"] == "user"), "")
        start = next((i for i, message in enumerate(said) if message["role"] == "assistant"), len(said))
        turns = said[start:]
        replies = [
            "\n".join(after["content"] for after in turns[i + 1 : i + 2] if after["role"] == "user")
            for i, message in enumerate(turns)
            if message["role"] == "assistant"
        ]
        said_next = next_of_grammar(description, replies, self.questions)
        if said_next is None:
            return self._general(description, len(replies))
        text, final = said_next
        return _answer(text) if final else text

    def _general(self, description: str, asked: int) -> str:
        if asked < self.questions:
            return GENERIC[asked % len(GENERIC)]
        return _answer(_fitting(description))

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _answer(source: str) -> str:
    return f"{BACKEND.answer_marker}\n{source}"


def _fitting(description: str) -> str:
    """Return a function with the wanted signature that returns something of the likely kind."""
    signature = _SIGNATURE.findall(description)
    name, parameters = signature[-1] if signature else ("solution", "*arguments")
    asks = description.lower()
    likely = (("whether", "True"), ("list of", "[]"), ("dict", "{}"), ("name", "''"), ("how many", "0"))
    return f"def {name}({parameters}):\n    return {next((value for word, value in likely if word in asks), '0')}\n"
