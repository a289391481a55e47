"""Best of N: propose N messages, say the one that a judge likes best (paper, Figure 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.judge_loading import JudgeSettings, load_judge
from colbench_gym.models.judges import Candidate, Judge
from colbench_gym.models.loading import inference_device, load_causal_model, load_head_model
from colbench_gym.policies import Policy
from colbench_gym.policies.hf import HFPolicy
from colbench_gym.policies.scripted import HoldsNothing
from colbench_gym.tasks import Task

if TYPE_CHECKING:
    from transformers import PreTrainedModel


@dataclass(frozen=True)
class BestOfN:
    """The evaluation of a judge: it sees the task's reference where the judge uses training-time information.

    Attributes:
        proposer: proposes.
        judge: chooses; the first of the best.
        tokens: makes token ids of the proposals.
        n: how many proposals a turn.
    """

    proposer: HFPolicy
    judge: Judge
    tokens: ChatTokens
    n: int

    def for_task(self, task: Task) -> Policy:
        """Return the policy for one task."""
        return _BestOfNForTask(self, task)

    def close(self) -> None:
        """Close the proposer. A second call does nothing."""
        self.proposer.close()


@dataclass(frozen=True)
class _BestOfNForTask(HoldsNothing):  # the proposer belongs to BestOfN
    best: BestOfN
    task: Task

    def seeded(self, seed: int) -> _BestOfNForTask:
        """Return the policy for one dialogue."""
        return replace(self, best=replace(self.best, proposer=self.best.proposer.seeded(seed)))

    def act(self, messages: Sequence[ChatMessage]) -> str:
        """Return the proposal that the judge likes best.

        Raises:
            PolicyError: no message could be had.
        """
        proposals = self.best.proposer.propose(messages, self.best.n)
        candidates = [Candidate(text, self.best.tokens.turn_ids(text)) for text in proposals]
        scores = self.best.judge.scores(self.task.reference, messages, candidates)
        return proposals[scores.index(max(scores))]


def best_of_n(spec: str, temperature: float, max_new_tokens: int | None, seed: int) -> BestOfN:
    """Return the policy of ``best_of:N:RUN``: N messages of the run's initial model, the run's judge chooses.

    Raises:
        UsageError: the spec lacks a part, or the temperature is 0 and all N would be alike.
        InputFileError: there is no such run.
    """
    number, _, run = spec.partition(":")
    if not (number.isascii() and number.isdigit() and int(number) and run):
        raise UsageError(
            f"the agent 'best_of:{spec}' was got; expected best_of:N:RUN, RUN the --out of colbench train sweet"
        )
    if temperature <= 0 and int(number) > 1:
        raise UsageError("best of N at temperature 0 would choose among equal messages; give --temperature 1")
    settings = JudgeSettings.of_run(Path(run))
    proposer = HFPolicy.load(settings.model, temperature=temperature, max_new_tokens=max_new_tokens, seed=seed)
    device, dtype = inference_device()

    def load(path: str, head: bool) -> PreTrainedModel:
        model: Any = load_head_model(path, dtype, settings.model) if head else load_causal_model(path, dtype)
        placed: PreTrainedModel = model.to(device).eval()  # Any above: .to() is typed for one device kind only
        return placed

    tokens = proposer.batcher.sampler.tokens
    return BestOfN(proposer, load_judge(settings, tokens, load), tokens, int(number))
