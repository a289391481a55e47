"""The scripted agent: asks, reads the replies, writes the function. The yardstick for what asking is worth."""

from __future__ import annotations

import re
from pathlib import Path

from colbench_gym.jsonl import read_toml
from colbench_gym.policies.asker.grammar import next_of_grammar
from colbench_gym.policies.scripted import Scripted
from colbench_gym.rules import BACKEND

_SIGNATURE = re.compile(r"def\s+(\w+)\s*\(([^\n]*)\)")

GENERIC: tuple[str, ...] = tuple(read_toml(Path(__file__).with_name("phrases.toml"))["general"])


class Asker(Scripted):
    """Asks at most so many times, then answers (a :class:`~colbench_gym.policies.Policy`).

    It knows the public grammar of the generated tasks: from the description it knows what can be open, and it writes
    the function from what it was told. What it did not ask, or did not understand, it guesses. On other tasks it asks
    general questions and answers with a function that only fits the signature. Fewer are asked when all is known.
    """

    def next(self, request: str, replies: tuple[str, ...]) -> str:
        """Return the next question, or the answer."""
        said_next = next_of_grammar(request, replies, self.number)
        if said_next is not None:
            text, final = said_next
            return _answer(text) if final else text
        asked = len(replies)
        return GENERIC[asked % len(GENERIC)] if asked < self.number else _answer(_fitting(request))


def _answer(source: str) -> str:
    return f"{BACKEND.answer_marker}\n{source}"


def _fitting(description: str) -> str:
    """Return a function with the wanted signature that returns something of the likely kind."""
    signature = _SIGNATURE.findall(description)
    name, parameters = signature[-1] if signature else ("solution", "*arguments")
    asks = description.lower()
    likely = (("whether", "True"), ("list of", "[]"), ("dict", "{}"), ("name", "''"), ("how many", "0"))
    return f"def {name}({parameters}):\n    return {next((value for word, value in likely if word in asks), '0')}\n"
