"""State machine of a dialogue: turns, the end and the answer. It is the only one, and it does no I/O."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from colbench_gym.action import extract_page, parse_action
from colbench_gym.dialogue import ChatMessage, Dialogue, SampledMessage, Seat, Turn
from colbench_gym.errors import UsageError
from colbench_gym.rules import Rules


class Episode:
    """One dialogue under the rules.

    >>> from colbench_gym.rules import BACKEND
    >>> episode = Episode(BACKEND, "Write a function f(x).")
    >>> episode.say("agent", "What should f return?")
    >>> episode.say("human", "Twice x.")
    >>> episode.say("agent", "I WANT TO ANSWER: def f(x): return 2 * x")
    >>> episode.over, episode.answer
    (True, ' def f(x): return 2 * x')

    Args:
        rules: the track's rules.
        opening: the human's request, which both seats see first.
    """

    def __init__(self, rules: Rules, opening: str) -> None:
        self.rules = rules
        self._turns = [Turn("human", clean(opening))]
        self._agent_turns = 0
        self._answer: str | None = None
        self._answered = False
        self._page: str | None = None

    @property
    def next_seat(self) -> Seat | None:
        """Seat that speaks next; None when the dialogue is over."""
        if self.over:
            return None
        return "agent" if self._turns[-1].seat == "human" else "human"

    @property
    def over(self) -> bool:
        """True once the agent has answered or used its last turn."""
        return self._answer is not None

    @property
    def outcome(self) -> str:
        """``ongoing``, ``answered`` (with the marker) or ``out_of_turns``."""
        if not self.over:
            return "ongoing"
        return "answered" if self._answered else "out_of_turns"

    @property
    def answer(self) -> str | None:
        """Final answer, None while the dialogue goes on; on the frontend track the last page proposed, or ""."""
        if self._answer is None or self.rules.track == "backend":
            return self._answer
        return self._page or ""

    @property
    def page(self) -> str | None:
        """Frontend: the last page that the agent proposed."""
        return self._page

    @property
    def turn(self) -> int:
        """Agent turns taken."""
        return self._agent_turns

    @property
    def dialogue(self) -> Dialogue:
        """Everything said so far, as frozen data."""
        return Dialogue(tuple(self._turns))

    def copy(self) -> Episode:
        """Return the same dialogue, to be played on by itself."""
        copied = copy(self)
        copied._turns = list(self._turns)
        return copied

    def say(self, seat: str, text: str, input: Iterable[ChatMessage] | None = None) -> None:
        """Add one message.

        Args:
            seat: ``agent`` or ``human``; must be the seat whose turn it is.
            text: the raw message. Lone surrogates are replaced. A human's is cut at ``rules.human_chars``. The ids of a
                :class:`~colbench_gym.dialogue.SampledMessage` are kept with the turn.
            input: the chat messages that the agent was given, kept with the turn.

        Raises:
            UsageError: the dialogue is over, it is the other seat's turn, or the message is no string or too long.
        """
        if seat != self.next_seat:
            if self.over:
                raise UsageError(f"{seat!r} spoke, but the dialogue is over; look at .over before each message")
            raise UsageError(
                f"{seat!r} spoke, but it is the turn of {self.next_seat!r}; look at Episode.next_seat before each "
                "message"
            )
        check_message(text, self.rules)
        if seat == "human":
            self._turns.append(Turn("human", clean(text)[: self.rules.human_chars]))
        else:
            ids = text.token_ids if isinstance(text, SampledMessage) else None
            self._say_agent(clean(text), input, ids)

    def _say_agent(self, text: str, input: Iterable[ChatMessage] | None, ids: tuple[int, ...] | None) -> None:
        action = parse_action(text, self.rules)
        kept = None if input is None else tuple(input)
        self._turns.append(Turn("agent", action.speech, output=action.output, input=kept, token_ids=ids))
        self._agent_turns += 1
        if self.rules.track == "frontend":
            self._page = extract_page(action.speech, self.rules.official_addresses) or self._page
        if action.answer is not None:
            self._answer, self._answered = action.answer, True
        elif self._agent_turns == self.rules.max_turns:
            self._answer = action.speech


def check_message(text: object, rules: Rules) -> None:
    """Refuse what is no message.

    Raises:
        UsageError: it is no string, or too long.
    """
    if not isinstance(text, str):
        raise UsageError(
            f"got a message of type {type(text).__name__}, expected str; say the text of one message, such as 'What "
            "is returned?'"
        )
    if len(text) > rules.max_message_chars:
        raise UsageError(
            f"got a message of {len(text)} characters, expected at most {rules.max_message_chars}; "
            "shorten it, or cut it before it is said"
        )


def clean(text: str) -> str:
    """Return the text with lone surrogates replaced, so that it can be written as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")
