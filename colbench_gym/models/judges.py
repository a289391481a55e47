"""Score what an agent might say next: by a critic's advantage, by a head, or by asking a language model."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from colbench_gym.dialogue import ChatMessage
from colbench_gym.models.chat_template import ChatTokens

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

# Ours: how a critic is told the training-time information c (paper, section 4: it conditions on (o_t, c)).
PRIVILEGED_PREFIX = (
    "For the judge only. This is the finished work that the person has in mind; the speaker below never saw it:\n"
    "{reference}\n\n"
)
# Ours: the question to a language model as a judge; it answers with one digit.
JUDGE_QUESTION = (
    "Judge the last message of the programmer in a conversation with the person who wants the work done. A good "
    "message finds out what is still unknown, or delivers work that is right.\n\n{conversation}\n"
    "The message to judge:\n{message}\n\nAnswer with one digit from 0 (useless) to 9 (could not be better)."
)
SCORE_BATCH = 8  # candidates at once

Aggregation = Literal["mean", "sum"]


@dataclass(frozen=True)
class Candidate:
    """Message that the agent might say.

    Attributes:
        text: as text.
        ids: as sampled, end of turn included.
        logprob: natural log of its probability under the sampler, summed over ``ids``; None where unknown.
    """

    text: str
    ids: tuple[int, ...]
    logprob: float | None = None


class Judge(Protocol):
    """Tells better candidates from worse ones."""

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return a score for each candidate, the higher the better; comparable within one call.

        Args:
            reference: the task's hidden reference, for judges that use training-time information.
            messages: what the agent was given.
            candidates: what it might say.
        """


def with_privileged_prefix(messages: Sequence[ChatMessage], reference: str) -> tuple[ChatMessage, ...]:
    """Return the messages with the training-time information c in front of the history (paper, eq. 3)."""
    first, *rest = messages
    content = PRIVILEGED_PREFIX.replace("{reference}", reference) + first["content"]
    return (ChatMessage(role=first["role"], content=content), *rest)


@dataclass(frozen=True)
class AdvantageJudge:
    """A(o_t, a, c) = mean over the tokens of a of log pi_critic(token) - log pi_ref(token) (paper, eq. 3).

    Attributes:
        critic: the trained critic.
        reference: the model it started from.
        tokens: their tokenizer's chat template.
        privileged: the critic sees c.
        privileged_reference: the reference sees c too (paper). If not, it is the sampler's own log-probability
            without c (released code): the candidate's where it is known, else computed here.
        aggregation: ``mean``; ``sum`` is "without length normalisation" (Table 3).
    """

    critic: PreTrainedModel
    reference: PreTrainedModel
    tokens: ChatTokens
    privileged: bool = True
    privileged_reference: bool = True
    aggregation: Aggregation = "mean"

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return the advantage of each candidate."""
        blind = self.tokens.prompt_ids(messages)
        seeing = self.tokens.prompt_ids(with_privileged_prefix(messages, reference)) if self.privileged else blind
        said = [candidate.ids for candidate in candidates]
        ours = [sum(values) for values in said_logprobs(self.critic, seeing, said)]
        if self.privileged_reference or any(candidate.logprob is None for candidate in candidates):
            view = seeing if self.privileged_reference else blind
            theirs = [sum(values) for values in said_logprobs(self.reference, view, said)]
        else:
            theirs = [candidate.logprob for candidate in candidates if candidate.logprob is not None]
        divisors = [len(ids) if self.aggregation == "mean" else 1 for ids in said]
        return [(our - their) / by for our, their, by in zip(ours, theirs, divisors, strict=True)]


@dataclass(frozen=True)
class HeadJudge:
    """A head's number at the last token of the candidate: regression head (Table 3) or value function (Figure 3)."""

    model: PreTrainedModel
    tokens: ChatTokens
    privileged: bool = True

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return the head's output for each candidate."""
        seen = with_privileged_prefix(messages, reference) if self.privileged else messages
        prompt = self.tokens.prompt_ids(seen)
        scores: list[float] = []
        for ids, mask, part in _padded(self.model, prompt, [c.ids for c in candidates]):
            heads = _forward(self.model, ids, mask)[..., 0]
            scores += [float(heads[row, len(prompt) + len(said) - 1]) for row, said in enumerate(part)]
        return scores


@dataclass(frozen=True)
class LLMJudge:
    """A language model as a judge (Figure 3): the digit it would answer with, averaged over its probabilities."""

    model: PreTrainedModel
    tokens: ChatTokens
    privileged: bool = True

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return the expected digit for each candidate."""
        import torch

        names = {"user": "Person", "assistant": "Programmer"}
        shown = "\n".join(f"{names[m['role']]}: {m['content']}" for m in messages if m["role"] in names)
        if self.privileged:
            shown = PRIVILEGED_PREFIX.replace("{reference}", reference) + shown
        digits = [self.tokens.tokenizer.encode(str(digit), add_special_tokens=False)[-1] for digit in range(10)]
        scores = []
        for candidate in candidates:
            fields = JUDGE_QUESTION.replace("{message}", candidate.text).replace("{conversation}", shown)
            prompt = self.tokens.prompt_ids([ChatMessage(role="user", content=fields)])
            ids = torch.tensor([prompt], device=self.model.device)
            chances = _forward(self.model, ids, torch.ones_like(ids), keep=1)[0, -1, digits].softmax(dim=-1)
            scores.append(float((chances * torch.arange(10.0, device=chances.device)).sum()))
        return scores


def said_logprobs(model: PreTrainedModel, prompt: Sequence[int], said: Sequence[Sequence[int]]) -> list[list[float]]:
    """Return log pi(token | prompt, tokens before it) for each token of each continuation, natural log."""
    scores: list[list[float]] = []
    for ids, mask, part in _padded(model, prompt, said):
        logits = _forward(model, ids, mask, keep=ids.shape[1] - len(prompt) + 1)[:, :-1]  # (candidates, tokens, words)
        logprobs = logits.log_softmax(dim=-1).gather(2, ids[:, len(prompt) :, None])[..., 0].tolist()
        scores += [row[: len(one)] for row, one in zip(logprobs, part, strict=True)]
    return scores


def _forward(model: PreTrainedModel, ids: torch.Tensor, mask: torch.Tensor, keep: int = 0) -> torch.Tensor:
    """Return the logits of the last ``keep`` positions (0: of all), so that those of a long prompt are not held."""
    import torch

    keeps = keep and "logits_to_keep" in inspect.signature(model.forward).parameters
    with torch.no_grad():
        out = model(input_ids=ids, attention_mask=mask, **({"logits_to_keep": keep} if keeps else {"use_cache": False}))
    logits: torch.Tensor = out.logits.float()
    return logits[:, -keep:]


def _padded(
    model: PreTrainedModel, prompt: Sequence[int], said: Sequence[Sequence[int]]
) -> Iterator[tuple[torch.Tensor, torch.Tensor, Sequence[Sequence[int]]]]:
    import torch

    for start in range(0, len(said), SCORE_BATCH):
        part = said[start : start + SCORE_BATCH]
        longest = max(map(len, part))
        # The value of the padding does not matter: it stands behind everything, and is masked.
        rows = [[*prompt, *one, *[0] * (longest - len(one))] for one in part]
        masks = [[1] * (len(prompt) + len(one)) + [0] * (longest - len(one)) for one in part]
        yield torch.tensor(rows, device=model.device), torch.tensor(masks, device=model.device), part
