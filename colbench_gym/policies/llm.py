"""The agent played by a language model: it gets the messages as they are."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

from colbench_gym.chat import FREE, ChatModel, Sampling, Usage, check_server, count_tokens
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import ChatError, PolicyError


class LLMPolicy:
    """A Policy that asks a language model (and a :class:`~colbench_gym.policies.SeededPolicy` where it samples).

    Args:
        chat: the model; :meth:`close` closes it.
        sampling: of each message.
        sends_seed: copies of :meth:`seeded` send theirs; the released code sends none.
        brief_role: of the first message, where it is the brief.
    """

    def __init__(
        self,
        chat: ChatModel,
        sampling: Sampling = FREE,
        *,
        sends_seed: bool = True,
        brief_role: str = "system",
    ) -> None:
        self._chat = chat
        self._sampling = sampling
        self._sends_seed, self._brief_role = sends_seed, brief_role

    def __repr__(self) -> str:
        return f"LLMPolicy({self._chat!r}, {self._sampling})"

    @property
    def usage(self) -> Usage:
        """Calls, tokens and retries of the model so far, its seeded copies included."""
        return self._chat.usage

    def seeded(self, seed: int) -> LLMPolicy:
        """Return the policy for one dialogue: a copy that samples with this seed; itself where that changes nothing."""
        if self._sampling.temperature == 0 or not self._sends_seed:
            return self
        copied = copy(self)
        copied._sampling = replace(self._sampling, seed=seed)
        return copied

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the model's next message.

        Raises:
            PolicyError: the model failed.
        """
        if messages and messages[0]["role"] == "system":
            messages = [{**messages[0], "role": self._brief_role}, *messages[1:]]
        try:
            completion = self._chat.complete(messages, self._sampling)
        except ChatError as e:
            raise PolicyError(f"the agent's model could not act: {e}") from e
        count_tokens(completion.prompt_tokens + completion.completion_tokens)
        return completion.text

    def check_server(self) -> None:
        """Connect to the model's server.

        Raises:
            ChatError: it cannot be reached.
        """
        check_server(self._chat)

    def close(self) -> None:
        """Close the model's connections. A second call does nothing."""
        self._chat.close()
