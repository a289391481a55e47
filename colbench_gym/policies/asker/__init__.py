"""The scripted agent: asks, reads the replies, writes the function. The yardstick for what asking is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.policies.asker.decisions import understood
from colbench_gym.rules import BACKEND
from colbench_gym.tasks.generated_backend.grammar import Choice, Family
from colbench_gym.tasks.generated_backend.task_set import FAMILIES
from colbench_gym.tasks.permutation import Draw

_SIGNATURE = re.compile(r"def\s+(\w+)\s*\(([^\n]*)\)")

QUESTIONS = (
    "Could you tell me about {}?",
    "What have you decided about {}?",
    "What do you want regarding {}?",
)
GENERIC = (
    "What are the arguments, and what do they contain?",
    "What exactly should the function return, and in which form?",
    "Which conditions does it have to check?",
    "Which constants, limits or thresholds does it use?",
    "How should empty, missing or invalid input be treated?",
    "Which texts, labels or keys appear in the result?",
    "In which order should things be processed or returned?",
    "How should numbers be calculated and rounded?",
    "Is there anything else that I should know?",
)


@dataclass(frozen=True)
class Asker:
    """Asks at most ``questions`` questions, one matter each, then answers (a :class:`~colbench_gym.policies.Policy`).

    It knows the public grammar of the generated tasks, so from the description it knows what is open, and it writes
    the function from what it was told. What it did not ask, or did not understand, it guesses, every alternative with
    the same chance. On other tasks it asks general questions and answers with a function that only fits the signature.

    Attributes:
        questions: how many; 0 guesses at once. Fewer are asked when everything is known.
    """

    questions: int

    def __post_init__(self) -> None:
        if isinstance(self.questions, bool) or not isinstance(self.questions, int) or self.questions < 0:
            raise UsageError(f"the number of questions is {self.questions!r}; expected an integer of at least 0")

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """The next question, or the answer; depends on the messages only."""
        said = [message for message in messages if message["role"] != "system"]
        description = next((message["content"] for message in said if message["role"] == "user"), "")
        start = next((i for i, message in enumerate(said) if message["role"] == "assistant"), len(said))
        turns = said[start:]
        replies = [
            "\n".join(after["content"] for after in turns[i + 1 : i + 2] if after["role"] == "user")
            for i, message in enumerate(turns)
            if message["role"] == "assistant"
        ]
        found = _public_grammar().get(" ".join(description.split()))
        if found is None:
            return self._general(description, len(replies))
        family, name = found
        known: dict[str, int] = {}
        for number, reply in enumerate(replies):
            asked = _next(family, known, number)
            if asked is not None:
                known |= understood(family, reply, asked)
        question = _next(family, known, len(replies)) if len(replies) < self.questions else None
        if question is not None:
            return _ask(family, question, len(replies))
        guess = Draw("guess", description, *replies)
        for choice in family.choices:
            known.setdefault(choice.key, guess.below(choice.size))
        return _answer(family.source(name, family.settings(known)))

    def _general(self, description: str, asked: int) -> str:
        if asked < self.questions:
            return GENERIC[asked % len(GENERIC)]
        return _answer(_fitting(description))

    def close(self) -> None:
        """Do nothing: nothing is held."""


@lru_cache(maxsize=1)
def _public_grammar() -> dict[str, tuple[Family, str]]:
    """Every description that a generated task may have, with its family and the name of the function."""
    return {
        " ".join(family.description(name, wording).split()): (family, name)
        for family in FAMILIES
        for name in family.names
        for wording in family.wordings
    }


def _by_size(family: Family) -> list[Choice]:
    """What is open, that with most alternatives first."""
    return sorted(family.choices, key=lambda choice: -choice.size)


def _next(family: Family, known: dict[str, int], number: int) -> Choice | None:
    """What to ask for with question ``number``: each matter once, then again those that were not understood."""
    order = _by_size(family)
    return next((c for c in order[number:] + order * (number >= len(order)) if c.key not in known), None)


def _ask(family: Family, choice: Choice, number: int) -> str:
    again = number >= len(family.choices)
    about = choice.about[again % len(choice.about)]
    return QUESTIONS[(number + again) % len(QUESTIONS)].format(about)


def _answer(source: str) -> str:
    return f"{BACKEND.answer_marker}\n{source}"


def _fitting(description: str) -> str:
    """A function with the wanted signature that returns something of the likely kind."""
    signature = _SIGNATURE.findall(description)
    name, parameters = signature[-1] if signature else ("solution", "*arguments")
    asks = description.lower()
    likely = (("whether", "True"), ("list of", "[]"), ("dict", "{}"), ("name", "''"), ("how many", "0"))
    return f"def {name}({parameters}):\n    return {next((value for word, value in likely if word in asks), '0')}\n"
