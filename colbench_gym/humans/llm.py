"""A human played by a language model, which is kept from pasting the reference."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from colbench_gym.chat import (
    ChatModel,
    ImagePart,
    Message,
    Sampling,
    TextPart,
    Usage,
    check_server,
    count_tokens,
    png_part,
)
from colbench_gym.dialogue import ChatMessage, Dialogue
from colbench_gym.episode import clean
from colbench_gym.errors import ChatError, HumanError, UnknownNameError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.leaks import pastes_code
from colbench_gym.humans.leaks.pages import pastes_html
from colbench_gym.humans.scripted import known_claims
from colbench_gym.humans.vocabulary import read_toml
from colbench_gym.prompts import Prompts
from colbench_gym.rules import HUMAN_MAX_TOKENS, HUMAN_TEMPERATURE, Rules
from colbench_gym.tasks import BackendTask, Task

BLANK_RETRIES = 2  # ours: how often a blank reply is asked for again
LEAK_RETRIES = 2  # ours: how often a reply that shows code is asked for again
REFUSAL = "I'd rather not show code; ask me about what it should do."
PAGE_REFUSAL = "I'd rather not talk in HTML; send a page, or ask me about what I see."
LEAK_RULES = ("refuse", "ask-again", "count")
KNOWLEDGE = ("source", "claims")
_INSTRUCTIONS: Mapping[str, Sequence[str]] = read_toml(Path(__file__).with_suffix(".toml"))  # to say it otherwise


@dataclass(frozen=True)
class Withheld:
    """Replies that showed code of the reference, or HTML, and were not passed on.

    Attributes:
        asked_again: how many such replies the model gave.
        refused: how many times it gave nothing else, so that the agent got :data:`REFUSAL` or :data:`PAGE_REFUSAL`.
        passed_on: how many such replies the agent got, because the human was told to count them only.
    """

    asked_again: int = 0
    refused: int = 0
    passed_on: int = 0


def check_leaks_and_knowledge(leaks: str, knows: str) -> None:
    """Check both options of a model human; UnknownNameError where there is no such rule or knowledge."""
    for option, chosen, known in (("leaks", leaks, LEAK_RULES), ("human_knows", knows, KNOWLEDGE)):
        if chosen not in known:
            raise UnknownNameError.among(option, chosen, known)


class LLMHuman:
    """A HumanSimulator that asks a language model: official protocol, temperature 0 and one user message.

    A reply that pastes code of the reference (:func:`~colbench_gym.humans.leaks.pastes_code`, on the part that the
    agent would see) is asked for again, then replaced by :data:`REFUSAL`; so is one that holds HTML or class names on
    the frontend track (:func:`~colbench_gym.humans.leaks.pages.pastes_html`). A blank one is asked for again, then
    fails.

    On the frontend track the message goes on with the pictures, each after a line that says what it shows.

    Args:
        chat: the model; :meth:`close` closes it.
        prompts: the wording, our own or a user's copy of the official one.
        rules: what the brief quotes, and where a reply is cut.
        leaks: what becomes of a reply that shows code: ``refuse`` (asked for again, then replaced), ``ask-again``
            (asked for again, then passed on as it is) or ``count`` (passed on). It is counted in any case.
        knows: what the model is told of the hidden function: its ``source``, or the ``claims`` that the scripted human
            would make about it, so that there is no code to show. On pages it sees pictures and no source.
        temperature: of the sampling; by default the official protocol's.
        max_tokens: new tokens in a reply at most; by default the official protocol's.

    Raises:
        UnknownNameError: no such rule or knowledge.
    """

    def __init__(
        self,
        chat: ChatModel,
        prompts: Prompts,
        rules: Rules,
        *,
        leaks: str = "refuse",
        knows: str = "source",
        temperature: float = HUMAN_TEMPERATURE,
        max_tokens: int = HUMAN_MAX_TOKENS,
    ) -> None:
        check_leaks_and_knowledge(leaks, knows)
        self._leaks = leaks
        self._knows = knows
        self._sampling = Sampling(temperature, max_tokens)
        self._chat = chat
        self._prompts = prompts
        self._rules = rules
        self._lock = threading.Lock()
        self._withheld = Withheld()

    def __repr__(self) -> str:
        return f"LLMHuman({self._chat!r})"

    @property
    def usage(self) -> Usage:
        """Calls, tokens and retries of the model so far."""
        return self._chat.usage

    @property
    def withheld(self) -> Withheld:
        """Replies that were not passed on so far."""
        return self._withheld

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the model's reply to the agent's last message.

        Raises:
            HumanError: the model failed, or said nothing each time.
        """
        system = self._prompts.human_system
        messages: list[Message] = [ChatMessage(role="system", content=system)] if system else []
        messages.append(self._brief(task, dialogue, shown))
        again = () if self._leaks == "count" else _INSTRUCTIONS[task.track][:LEAK_RETRIES]
        for instruction in (*again, None):
            text = self._say(task, messages)
            cut = text[: self._rules.human_chars]
            if not (pastes_code(task, cut) or pastes_html(task, cut)):
                return text
            if instruction is None and self._leaks != "refuse":
                self._count("passed_on")
                return text
            self._count("asked_again")
            if instruction is not None:
                messages += [ChatMessage(role="assistant", content=text), ChatMessage(role="user", content=instruction)]
        self._count("refused")
        return REFUSAL if task.track == "backend" else PAGE_REFUSAL

    def _brief(self, task: Task, dialogue: Dialogue, shown: Shown) -> Message:
        hidden = ""
        if isinstance(task, BackendTask):
            hidden = task.hidden_information if self._knows == "source" else known_claims(task)
        brief = clean(self._prompts.human_brief(task.description, hidden, self._rules, dialogue.transcript()))
        if shown.reference is None:
            return ChatMessage(role="user", content=brief)
        captions = self._prompts.captions
        drawn = shown.page is not None and shown.page.status == "rendered"
        parts: list[TextPart | ImagePart] = [*_said(brief), *_said(captions.draft if drawn else captions.no_draft)]
        if shown.page is not None and drawn:
            parts.append(png_part(shown.page.png))
        parts += [*_said(captions.wanted), png_part(shown.reference.png)]
        return {"role": "user", "content": parts}

    def _say(self, task: Task, messages: Sequence[Message]) -> str:
        for _ in range(BLANK_RETRIES + 1):
            try:
                completion = self._chat.complete(messages, self._sampling)
            except ChatError as e:
                raise HumanError(f"the human's model could not reply on task {task.task_id!r}: {e}") from e
            count_tokens(completion.prompt_tokens + completion.completion_tokens)
            if completion.text.strip():
                return completion.text
        raise HumanError(
            f"the human's model {self._chat.name!r} gave {BLANK_RETRIES + 1} blank replies on task {task.task_id!r}; "
            "expected a message; look at the server's log, or use another model"
        )

    def _count(self, what: str) -> None:
        with self._lock:
            self._withheld = replace(self._withheld, **{what: getattr(self._withheld, what) + 1})

    def check_server(self) -> None:
        """Connect to the model's server; ChatError where it cannot be reached."""
        check_server(self._chat)

    def close(self) -> None:
        """Close the model's connections. A second call does nothing."""
        self._chat.close()


def _said(text: str) -> tuple[TextPart, ...]:
    return (TextPart(type="text", text=text),) if text else ()
