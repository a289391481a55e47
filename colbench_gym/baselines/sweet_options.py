"""Options of SWEET-RL, each with its source, and which of them have no effect beside which others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from colbench_gym.baselines.options import TrainingOptions, refuse_without_effect
from colbench_gym.errors import UsageError
from colbench_gym.models.candidates import PAIRS_PER_TURN

STAGES = ("critic", "candidates", "scores", "pairs", "actor")
CRITIC_OPTIONS = tuple(
    f"critic_{name}" for name in ("learning_rate", "epochs", "max_steps", "batch_size", "beta", "nll_weight")
)


@dataclass(frozen=True)
class SweetRL(TrainingOptions):
    """Options of SWEET-RL.

    Options without "critic" in their name are the actor's, but for the held-out dialogues and early stopping, which are
    the critic's: no dialogue is a pair of candidates.

    Attributes:
        epochs: passes of the actor over its pairs.
        max_steps: stop the actor after so many optimizer steps, and the actor alone: the critic has --critic-max-steps;
            -1 for all epochs.
        recipe: paper, or released: the released code where it differs (what the critic reads and averages, the
            reference of a score, likelihood terms, identical pairs: docs/training.md). Not reproduced: its sentence
            around c, a second beginning of sequence.
        stage: how far to go: all, or up to this one.
        judge: what scores candidates: critic (the log-ratio of eq. 3), regression (a head in its place, Table 3), value
            (a value function, Figure 3), llm (a language model as a judge that compares two by two, Figure 3).
        privileged: the judge sees training-time information, the reference (Table 3 without: --no-privileged).
        length_normalisation: a turn's advantage is a mean over its tokens (Table 3 without:
            --no-length-normalisation).
        candidates: per turn.
        temperature: of their sampling.
        max_new_tokens: per candidate at most.
        sampling_batch: candidates at once on one device; those of one turn share its prompt.
        sampler: openai:MODEL@BASE_URL to sample the initial model from a server (vLLM); here when not given.
        scorer: openai:CRITIC@BASE_URL to score candidates by a server (vLLM) of OUT/critic; here when not given.
        scorer_reference: openai:MODEL@BASE_URL, the initial model behind the same kind of server: log-probabilities of
            two engines differ by more than those of critic and model.
        pair_rule: halves: a random one of the top half against a random one of the bottom half; extremes: best
            against worst.
        pairs_per_turn: how many pairs halves draws.
        distinct_candidates: rank each text once (neither the paper's nor the released code's).
        same_kind: pair questions with questions and answers with answers (neither's).
        actor_share: share of the dialogues, the first ones, whose turns the actor learns from.
        beta: how strongly the reference binds the actor.
        nll_weight: weight of the likelihood of what is chosen in the actor's loss.
        actor_aggregation: sum over a turn's tokens (standard DPO), or mean, a length-normalised loss (neither's).
        critic_learning_rate: of the critic; 2e-7, or 2e-6 with LoRA, when not given.
        critic_epochs: passes of the critic over its pairs; 4 on backend, 8 on frontend when not given.
        critic_max_steps: stop the critic after so many optimizer steps; -1 for all epochs.
        critic_batch_size: pairs per optimizer step of the critic.
        critic_beta: how strongly the reference binds the critic.
        critic_nll_weight: weight of the likelihood in the critic's loss; 0.01 (paper) or 0 (released) when not given.
        head_learning_rate: of the head of judges regression and value; their other weights learn as the critic does.
    """

    epochs: float | None = 1  # paper, Table 5
    max_steps: int = -1
    recipe: Literal["paper", "released"] = "paper"
    stage: Literal["all", "critic", "candidates", "scores", "pairs", "actor"] = "all"
    judge: Literal["critic", "regression", "value", "llm"] = "critic"
    privileged: bool = True  # paper, eq. 3
    length_normalisation: bool = True  # paper, eq. 3
    candidates: int = 16  # paper, section 4
    temperature: float = 1.0  # released code
    max_new_tokens: int = 1024  # released code
    sampling_batch: int = 64  # ours
    sampler: str | None = None
    scorer: str | None = None
    scorer_reference: str | None = None
    pair_rule: Literal["halves", "extremes"] = "halves"  # paper, section 4
    pairs_per_turn: int = PAIRS_PER_TURN
    distinct_candidates: bool = False
    same_kind: bool = False
    # released code, for both recipes as the paper states none: "DPO can easily overfit using turn-wise advantage"
    actor_share: float = 0.1
    beta: float = 0.1  # paper, Table 5
    nll_weight: float = 0.01  # paper, Table 5 and appendix A
    actor_aggregation: Literal["sum", "mean"] = "sum"  # paper, section 4: standard DPO
    critic_learning_rate: float | None = None
    critic_epochs: float | None = None
    critic_max_steps: int = -1
    critic_batch_size: int = 8  # paper, Table 5
    critic_beta: float = 0.1  # paper, Table 5
    critic_nll_weight: float | None = None
    head_learning_rate: float = 1e-5  # ours: the head starts from noise; the paper does not state it

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, least in (("candidates", 2), ("pairs_per_turn", 1), ("sampling_batch", 1), ("critic_batch_size", 1)):
            if getattr(self, name) < least:
                raise UsageError(f"got {name} {getattr(self, name)}; expected at least {least}")
        if self.temperature <= 0:
            raise UsageError(f"got temperature {self.temperature}; expected above 0, or all candidates are alike")
        if not 0 < self.actor_share <= 1:
            raise UsageError(f"got actor_share {self.actor_share}; expected a share above 0 and at most 1")
        judge = self.judge
        without_effect: tuple[tuple[bool, str, tuple[str, ...]], ...] = (
            (self.critic_max_steps != -1, "the steps of the critic are limited", ("critic_epochs",)),
            (judge == "llm", "a language model as a judge is not trained", (*CRITIC_OPTIONS, "eval_data")),
            (judge in ("regression", "value"), "a head has no log-probabilities", ("critic_nll_weight",)),
            (judge == "value", "a value function compares nothing", ("critic_beta",)),
            (judge in ("critic", "llm"), f"the judge {judge} has no head", ("head_learning_rate",)),
            (judge != "critic", f"the judge {judge} adds up no tokens", ("length_normalisation",)),
            (self.pair_rule == "extremes", "extremes make one pair a turn", ("pairs_per_turn",)),
            (self.sampler is not None, "the server makes its own batches", ("sampling_batch",)),
        )
        for holds, reason, options in without_effect:
            if holds:
                refuse_without_effect(self, reason, *options)
        self._check_scorer()

    def _check_scorer(self) -> None:
        """Refuse a score that would be the difference of two engines, and a server that is not asked."""
        if self.judge != "critic":
            refuse_without_effect(self, f"the judge {self.judge} adds up no log-probabilities", "scorer")
        if self.scorer is None:
            refuse_without_effect(self, "without --scorer no server scores", "scorer_reference")
        elif self.recipe == "released" and self.sampler is not None:
            refuse_without_effect(self, "candidates come with the sampler's log-probabilities", "scorer_reference")
        elif self.scorer_reference is None:
            raise UsageError(
                f"got scorer {self.scorer!r} alone; expected the initial model behind a server too, because the "
                "log-probabilities of two engines differ. Add --scorer-reference openai:MODEL@BASE_URL"
            )

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return what can be watched of the critic."""
        return ("loss", "score/accuracy") if self.judge == "value" else super().metrics

    @property
    def released(self) -> bool:
        """True for the released code's recipe."""
        return self.recipe == "released"
