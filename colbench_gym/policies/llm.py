"""The agent played by a language model: it gets the messages as they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from colbench_gym.chat import FREE, ChatModel, Sampling, Usage, check_server, count_tokens
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import ChatError, PolicyError


@dataclass(frozen=True)
class LLMPolicy:
    """A Policy that asks a language model (and a :class:`~colbench_gym.policies.SeededPolicy` where it samples).

    Attributes:
        chat: the model; :meth:`close` closes it.
        sampling: of each message.
        sends_seed: copies of :meth:`seeded` send theirs; the released code sends none.
        brief_role: of the first message, where it is the brief.
    """

    chat: ChatModel
    sampling: Sampling = FREE
    sends_seed: bool = field(default=True, repr=False)
    brief_role: str = field(default="system", repr=False)

    @property
    def usage(self) -> Usage:
        """Calls, tokens and retries of the model so far, its seeded copies included."""
        return self.chat.usage

    def seeded(self, seed: int) -> LLMPolicy:
        """Return the policy for one dialogue: a copy that samples with this seed; itself where that changes nothing."""
        fixed = self.sampling.temperature == 0 or not self.sends_seed
        return self if fixed else replace(self, sampling=replace(self.sampling, seed=seed))

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the model's next message.

        Raises:
            PolicyError: the model failed.
        """
        if messages and messages[0]["role"] == "system":
            messages = [{**messages[0], "role": self.brief_role}, *messages[1:]]
        try:
            completion = self.chat.complete(messages, self.sampling)
        except ChatError as e:
            raise PolicyError(f"the agent's model could not act: {e}") from e
        count_tokens(completion.prompt_tokens + completion.completion_tokens)
        return completion.text

    def check_server(self) -> None:
        """Connect to the model's server.

        Raises:
            ChatError: it cannot be reached.
        """
        check_server(self.chat)

    def close(self) -> None:
        """Close the model's connections. A second call does nothing."""
        self.chat.close()
