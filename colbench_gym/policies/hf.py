"""The agent played by a language model on this machine, sampled in batches across dialogues."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from colbench_gym.chat import Usage
from colbench_gym.dialogue import ChatMessage, SampledMessage
from colbench_gym.models.sampling import BATCH_SIZE, MAX_NEW_TOKENS, Batcher, LocalSampler, Request, message_seed


@dataclass(frozen=True)
class HFPolicy:
    """A Policy over a :class:`~colbench_gym.models.sampling.LocalSampler` (and a SeededPolicy).

    Dialogues that are played at once share its batches: throughput grows with the concurrency up to ``batch_size``.
    Equal seeds and equal messages give equal replies, up to what padding changes in the last bits of a batch.

    Attributes:
        batcher: the model; :meth:`close` closes it.
        temperature: of the sampling; 0 takes the likeliest token.
        seed: of the sampling.
        name: for the line of throughput that :meth:`close` prints to stderr; "" prints nothing.
    """

    batcher: Batcher = field(repr=False)
    temperature: float = 0.0
    seed: int = 0
    name: str = ""

    @classmethod
    def load(
        cls,
        path: str,
        *,
        temperature: float = 0.0,
        max_new_tokens: int | None = None,
        seed: int = 0,
        batch_size: int = BATCH_SIZE,
    ) -> HFPolicy:
        """Load a folder that ``colbench train`` wrote, or any model with a chat template.

        Raises:
            UsageError: there is no such model, or it has no chat template.
            MissingExtraError: torch or transformers is not installed.
        """
        sampler = LocalSampler.load(path, max_new_tokens or MAX_NEW_TOKENS)
        return cls(Batcher(sampler, batch_size), temperature=temperature, seed=seed, name=f"hf:{path}")

    @property
    def usage(self) -> Usage:
        """Messages and tokens so far, those of seeded copies included."""
        total = self.batcher.sampler.throughput
        return Usage(calls=total.messages, prompt_tokens=total.prompt_tokens, completion_tokens=total.new_tokens)

    def seeded(self, seed: int) -> HFPolicy:
        """Return the policy for one dialogue: a copy over the same model with this seed."""
        return replace(self, seed=seed)

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the model's next message.

        Raises:
            PolicyError: the model failed, or the dialogue is longer than its context.
        """
        return self.propose(messages, 1)[0]

    def propose(self, messages: Sequence[ChatMessage], n: int) -> list[str]:
        """Return several next messages, each from a seed of its own, with the ids that were sampled.

        Raises:
            PolicyError: as for :meth:`act`.
        """
        prompt = self.batcher.sampler.tokens.prompt_ids(messages)
        requests = [Request(prompt, message_seed(self.seed, prompt, number), self.temperature) for number in range(n)]
        return [SampledMessage(sampled.text, sampled.ids) for sampled in self.batcher.submit(requests)]

    def close(self) -> None:
        """Stop the model's thread and print the throughput. A second call does nothing."""
        if self.name and not self.batcher.closed:
            sys.stderr.write(f"{self.name}: {self.batcher.sampler.throughput}\n")
        self.batcher.close()
