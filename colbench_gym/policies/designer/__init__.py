"""The scripted agent of the frontend track: proposes a page, reads what is said of it, revises. Needs no model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.page_language.sentences import read_statements
from colbench_gym.page_language.statements import Statement
from colbench_gym.policies.designer.free_draft import FreeDraft
from colbench_gym.policies.designer.free_words import guess_statements
from colbench_gym.policies.designer.plans import SiteDraft
from colbench_gym.policies.designer.words import known_requests
from colbench_gym.rules import FRONTEND

PROPOSAL = "Here is my page. I will change what looks different from what you have in mind."


class Draft(Protocol):
    """A page as it was understood so far."""

    def revise(self, statements: Sequence[Statement]) -> None:
        """Change it as the statements ask; what they say of other things is passed over."""

    def html(self) -> str:
        """The page."""


@dataclass(frozen=True)
class Designer:
    """Proposes a page, revises it up to ``rounds`` times, then answers (a :class:`~colbench_gym.policies.Policy`).

    It knows the public grammar of the generated tasks, so from the request it knows the words that a page of that site
    may have; how the page is made of them, it guesses, and learns from what is said. On other tasks it starts with a
    page of its own and puts in what is said to be missing. Sentences of the scripted human are understood exactly;
    other words, as a language model would use, are searched for colours, places and quoted texts.

    Attributes:
        rounds: proposals before the answer; 0 answers at once. It answers earlier when it is told that all is right,
            and the turns of the game bound it.
    """

    rounds: int

    def __post_init__(self) -> None:
        if isinstance(self.rounds, bool) or not isinstance(self.rounds, int) or self.rounds < 0:
            raise UsageError(f"the number of rounds is {self.rounds!r}; expected an integer of at least 0")

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """The next page; depends on the messages only."""
        said = [message for message in messages if message["role"] != "system"]
        request = next((message["content"] for message in said if message["role"] == "user"), "")
        start = next((i for i, message in enumerate(said) if message["role"] == "assistant"), len(said))
        replies = [message["content"] for message in said[start:] if message["role"] == "user"]
        draft = first_draft(request)
        content = False
        for reply in replies:
            heard = statements(reply)
            content = bool(heard) and all(one.kind == "right" for one in heard)
            draft.revise(heard)
        page = f"```html\n{draft.html()}\n```"
        if content or len(replies) >= self.rounds:
            return f"{FRONTEND.answer_marker}\n{page}"
        return f"{PROPOSAL}\n{page}"

    def close(self) -> None:
        """Do nothing: nothing is held."""


def first_draft(request: str) -> Draft:
    """The page to begin with."""
    known = known_requests().get(" ".join(request.split()))
    return SiteDraft(*known) if known else FreeDraft.of(request)


def statements(reply: str) -> tuple[Statement, ...]:
    """What a reply says: sentences that are known exactly, and what the others probably mean."""
    return tuple(
        meant
        for statement in read_statements(reply)
        for meant in (guess_statements(statement.wanted) if statement.kind == "unread" else (statement,))
    )
