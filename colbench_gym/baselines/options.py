"""Options of the algorithms. Defaults are those of the paper's Table 5, where it has them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

from colbench_gym.errors import UsageError
from colbench_gym.rules import Track

EPOCHS: dict[Track, int] = {"backend": 4, "frontend": 8}  # paper, Table 5


@dataclass(frozen=True)
class TrainingOptions:
    """Options that all baselines share.

    Attributes:
        data: one or more runs of colbench eval or files of trajectories: ours, or the official offline file as it is.
        model: a causal language model with a chat template: a folder, or a name on the hub.
        out: the folder for the weights and everything about the run.
        resume: go on from the last checkpoint in OUT.
        prompts: a folder with your copy of the official prompt files, for dialogues that do not record their prompts.
        chat_template: a Jinja file, for a tokenizer without a chat template.
        eval_data: a run or file of held-out dialogues; their loss and accuracy are logged with each checkpoint.
        early_stopping: METRIC:PATIENCE, such as loss:2 or score/accuracy:3: end when the metric of the held-out
            dialogues has not been better than its best for so many evaluations in a row, and keep the best weights.
        first: use only the dialogues of the first so many tasks, in the order of the data.
        max_tokens: a longer dialogue is dropped and counted, never cut; the model's own limit when not given.
        learning_rate: peak; cosine to a tenth of it after the warm-up. When not given 2e-7, or 2e-6 with LoRA: an
            adapter starts from nothing and needs about ten times as much.
        warmup: share of the steps over which the learning rate rises.
        epochs: passes over the data; 4 on backend, 8 on frontend when not given.
        max_steps: stop after so many optimizer steps; -1 for all epochs.
        batch_size: examples per optimizer step, over all devices.
        micro_batch_size: examples at once on one device; the rest is gradient accumulation.
        lora_rank: train a LoRA adapter of this rank instead of all weights; 0 for all weights.
        lora_alpha: its scale; twice the rank when not given.
        dtype: of the weights in memory; auto is bfloat16 for a frozen base under LoRA where the hardware has it,
            else float32: bfloat16 weights cannot take the small steps of the paper's learning rates.
        bf16: compute in bfloat16: auto is wherever the hardware has it.
        gradient_checkpointing: recompute activations in the backward pass, for memory.
        save_steps: optimizer steps between checkpoints; 0 for one at the end of each epoch.
        save_minutes: write a checkpoint at the latest after so many minutes as well, which is what a run that is killed
            can lose; 0 for no such limit. Ctrl-C and SIGTERM write one, too.
        keep_checkpoints: how many of them to keep.
        push_to_hub: OWNER/NAME on the hub, made private where it is new: the weights of each checkpoint are copied
            there, and at the end the model with its card.
        log_to: where metrics go besides OUT/metrics.jsonl.
        cpu: train on the CPU even where there is something faster.
        seed: of the order of the data and of everything that is drawn.
    """

    data: tuple[Path, ...]
    model: str
    out: Path
    resume: bool = False
    prompts: Path | None = None
    chat_template: Path | None = None
    eval_data: Path | None = None
    early_stopping: str | None = None
    first: int | None = None
    max_tokens: int | None = None
    learning_rate: float | None = None
    warmup: float = 0.03  # released training fork (OpenRLHF), its default
    epochs: float | None = None
    max_steps: int = -1
    batch_size: int = 8  # paper, Table 5
    micro_batch_size: int = 1
    lora_rank: int = 0
    lora_alpha: int | None = None
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    bf16: Literal["auto", "yes", "no"] = "auto"
    gradient_checkpointing: bool = False
    save_steps: int = 0
    save_minutes: float = 30.0  # ours
    keep_checkpoints: int = 2
    push_to_hub: str | None = None
    log_to: tuple[Literal["tensorboard", "wandb"], ...] = ()
    cpu: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("batch_size", "micro_batch_size", "keep_checkpoints"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}; expected at least 1")
        for name in ("first", "max_tokens"):
            if getattr(self, name) is not None and getattr(self, name) < 1:
                raise UsageError(f"{name} is {getattr(self, name)}; expected at least 1, or leave it out")
        if self.max_steps == 0 or self.max_steps < -1:
            raise UsageError(f"max_steps is {self.max_steps}; expected at least 1, or -1 for all epochs")
        if not self.data:
            raise UsageError("got no data; expected at least one run or file of trajectories: --data FILE")
        if self.save_minutes < 0:
            raise UsageError(f"save_minutes is {self.save_minutes}; expected at least 0, which is for no such limit")
        if self.peak_learning_rate <= 0 or not 0 <= self.warmup < 1:
            raise UsageError(
                f"got learning_rate {self.peak_learning_rate} and warmup {self.warmup}; expected a rate above 0 and a "
                "warm-up share from 0 to below 1"
            )
        if self.watched is not None and self.eval_data is None:
            raise UsageError(
                f"got early_stopping {self.early_stopping!r} and no held-out dialogues to watch; name a file with "
                "--eval-data FILE"
            )
        if not self.lora_rank:
            refuse_without_effect(self, "without --lora-rank no adapter is trained", "lora_alpha")
        if self.max_steps != -1:
            refuse_without_effect(self, "the steps are limited by --max-steps", "epochs")

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return what can be watched on held-out dialogues."""
        return "loss", "loss/preference", "loss/nll", "score/accuracy", "score/margin"

    @property
    def watched(self) -> tuple[str, int] | None:
        """Metric that ends training early, and its patience in evaluations.

        Raises:
            UsageError: ``early_stopping`` names none.
        """
        if self.early_stopping is None:
            return None
        metric, _, patience = self.early_stopping.rpartition(":")
        if metric not in self.metrics or not patience.isdecimal() or int(patience) < 1:
            raise UsageError(
                f"got early_stopping {self.early_stopping!r}; expected METRIC:PATIENCE, the metric one of "
                f"{', '.join(self.metrics)}, the patience at least 1 evaluation: {self.metrics[0]}:3"
            )
        return metric, int(patience)

    @property
    def peak_learning_rate(self) -> float:
        """The learning rate, or the default for what is trained."""
        return default_learning_rate(self.lora_rank) if self.learning_rate is None else self.learning_rate


@dataclass(frozen=True)
class FilteredBC(TrainingOptions):
    """Options of filtered behaviour cloning.

    Attributes:
        batch_size: dialogues per optimizer step, over all devices.
        min_score: frontend: least similarity of a dialogue that is imitated. Backend imitates successes only.
    """

    batch_size: int = 32  # paper, Table 5
    min_score: float = 0.9  # ours: the frontend track has no success, and the paper names no threshold

    @property
    def metrics(self) -> tuple[str, ...]:
        """Return what can be watched: nothing is compared."""
        return ("loss",)


@dataclass(frozen=True)
class MultiTurnDPO(TrainingOptions):
    """Options of multi-turn DPO.

    Attributes:
        beta: how strongly the reference binds.
        nll_weight: weight of the likelihood of the chosen dialogue.
        aggregation: how a dialogue's log-ratios become its score: their sum (the paper's multi-turn DPO), their mean
            over the dialogue, or the sum of each turn's mean (SWEET's critic).
    """

    beta: float = 0.1  # paper, Table 5
    nll_weight: float = 0.01  # paper, Table 5 and appendix A
    aggregation: Literal["sum", "mean", "turn_means"] = "sum"


def default_learning_rate(lora_rank: int) -> float:
    """Return the paper's rate for all weights (Table 5); ten times as much for an adapter (ours)."""
    return 2e-6 if lora_rank else 2e-7


def refuse_without_effect(options: TrainingOptions, reason: str, *names: str) -> None:
    """Refuse options that were given although another choice makes them meaningless.

    Raises:
        UsageError: one of them is not at its default.
    """
    for name in names:
        if getattr(options, name) not in (None, _defaults(options)[name]):
            raise UsageError(f"got {name} {getattr(options, name)!r}, which has no effect here: {reason}. Leave it out")


def deviations(options: TrainingOptions) -> dict[str, str]:
    """Return what differs from the defaults, for the model card; without what no number depends on."""
    defaults = _defaults(options)
    return {
        name: f"{getattr(options, name)!r} in place of {default!r}"
        for name, default in defaults.items()
        if name not in NO_DEVIATION and getattr(options, name) not in (None, default)
    }


def _defaults(options: TrainingOptions) -> dict[str, object]:
    return {field.name: field.default for field in fields(options)}


# Options that may differ between a run and its continuation.
FREE_ON_RESUME = (
    "resume", "keep_checkpoints", "log_to", "save_steps", "save_minutes", "out", "push_to_hub", "stage",
    "sampling_batch",
)  # fmt: skip
# Options that name the run, or change no number beyond rounding.
NO_DEVIATION = (
    *FREE_ON_RESUME, "data", "model", "eval_data", "prompts", "chat_template", "micro_batch_size",
    "gradient_checkpointing", "cpu", "seed", "dtype", "bf16", "sampler", "scorer", "scorer_reference",
)  # fmt: skip
