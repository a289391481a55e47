"""Score what an agent might say next: by a critic's advantage, by a head, or by asking a language model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from colbench_gym.dialogue import ChatMessage
from colbench_gym.models.chat_template import ChatTokens

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# Ours: how a critic is told the training-time information c (paper, section 4: it conditions on (o_t, c)).
PRIVILEGED_PREFIX = (
    "For the judge only. This is the finished work that the person has in mind; the speaker below never saw it:\n"
    "{reference}\n\n"
)
# Ours: the question to a language model as a judge; it answers with 1 or 2.
JUDGE_QUESTION = (
    "Compare two messages that the programmer might send next in a conversation with the person who wants the work "
    "done. A good message finds out what is still unknown, or delivers work that is right.\n\n{conversation}\n"
    "Message 1:\n{first}\n\nMessage 2:\n{second}\n\nAnswer with the number of the better message, 1 or 2."
)

Aggregation = Literal["mean", "sum"]
# log pi(token) of each token of each continuation of a prompt
Logprobs = Callable[[Sequence[int], Sequence[Sequence[int]]], list[list[float]]]


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
        critic: log-probabilities under the trained critic.
        reference: under the model it started from, by the same engine; None where all candidates come with theirs.
        tokens: their tokenizer's chat template.
        privileged: the critic sees c.
        released: score as the released code does. c stands in front of the whole templated prompt; the critic's mean
            is over the marks that begin the turn too and leaves out its end; the reference is the sampler's own mean,
            which was without c and has the end: the candidate's where it is known, else computed here.
        aggregation: ``mean``; ``sum`` is "without length normalisation" (Table 3).
    """

    critic: Logprobs
    reference: Logprobs | None
    tokens: ChatTokens
    privileged: bool = True
    released: bool = False
    aggregation: Aggregation = "mean"

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return the advantage of each candidate."""
        blind = self.tokens.prompt_ids(messages)
        seeing = self.tokens.prompt_ids(with_privileged_prefix(messages, reference)) if self.privileged else blind
        said = judged = [candidate.ids for candidate in candidates]
        if self.released:
            front = PRIVILEGED_PREFIX.replace("{reference}", reference) if self.privileged else ""
            before, end, head = f"{front}{self.tokens.prompt_text(messages)}".rpartition(self.tokens.end_text)
            seeing = self.tokens.encode(before + end)
            judged = [self.tokens.encode(head + candidate.text) for candidate in candidates]
        known = [candidate.logprob for candidate in candidates if candidate.logprob is not None]
        if self.released and len(known) == len(said):
            theirs = known
        else:
            assert self.reference is not None
            theirs = [sum(values) for values in self.reference(blind if self.released else seeing, said)]
        ours = [sum(values) for values in self.critic(seeing, judged)]
        if self.aggregation == "sum":
            return [our - their for our, their in zip(ours, theirs, strict=True)]
        return [o / len(j) - t / len(s) for o, j, t, s in zip(ours, judged, theirs, said, strict=True)]


@dataclass(frozen=True)
class HeadJudge:
    """A head's number for a candidate in its context: regression head (Table 3) or value function (Figure 3)."""

    model: PreTrainedModel
    tokens: ChatTokens
    privileged: bool = True

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return the head's output for each candidate."""
        from colbench_gym.models.scoring import said_heads

        seen = with_privileged_prefix(messages, reference) if self.privileged else messages
        return said_heads(self.model, self.tokens.prompt_ids(seen), [candidate.ids for candidate in candidates])


@dataclass(frozen=True)
class LLMJudge:
    """A language model as a judge (Figure 3): how often it would prefer a candidate to each of the others.

    Every two candidates are compared in both orders, so that a liking for the first or the second cancels out.
    """

    model: PreTrainedModel
    tokens: ChatTokens
    privileged: bool = True

    def scores(self, reference: str, messages: Sequence[ChatMessage], candidates: Sequence[Candidate]) -> list[float]:
        """Return for each candidate the mean chance with which it is preferred; equal texts tie."""
        from colbench_gym.models.scoring import answer_chances

        names = {"user": "Person", "assistant": "Programmer"}
        shown = "\n".join(f"{names[m['role']]}: {m['content']}" for m in messages if m["role"] in names)
        if self.privileged:
            shown = PRIVILEGED_PREFIX.replace("{reference}", reference) + shown
        texts = sorted({candidate.text for candidate in candidates})
        pairs = [(first, second) for first in texts for second in texts if first != second]
        if not pairs:
            return [0.5] * len(candidates)
        prompts = [self._prompt(shown, first, second) for first, second in pairs]
        answers = [self.tokens.tokenizer.encode(answer, add_special_tokens=False)[-1] for answer in ("1", "2")]
        preferred = dict(zip(pairs, answer_chances(self.model, prompts, answers), strict=True))
        wins = {
            text: sum(preferred[text, other][0] + preferred[other, text][1] for other in texts if other != text)
            for text in texts
        }
        return [wins[candidate.text] / (2 * (len(texts) - 1)) for candidate in candidates]

    def _prompt(self, conversation: str, first: str, second: str) -> tuple[int, ...]:
        parts = {"conversation": conversation, "first": first, "second": second}
        content = re.sub(r"\{(conversation|first|second)\}", lambda named: parts[named[1]], JUDGE_QUESTION)
        return self.tokens.prompt_ids([ChatMessage(role="user", content=content)])
