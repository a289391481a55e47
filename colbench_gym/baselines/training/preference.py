"""Set a preference trainer up and run it: for whole dialogues, for turns, and for a head on turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from transformers import TrainingArguments
from trl import DPOConfig
from trl.trainer.utils import disable_dropout_in_model

from colbench_gym.baselines.training import folder as run
from colbench_gym.baselines.training.options import TrainingOptions
from colbench_gym.baselines.training.trainers import (
    DialoguePairCollator,
    DialoguePreferenceTrainer,
    HeadLoss,
    TurnHeadCollator,
    TurnHeadTrainer,
    TurnPreferenceTrainer,
    preference_row,
)
from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue, TokenRow
from colbench_gym.models.loading import load_causal_model
from colbench_gym.rules import Track

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Rows = Sequence[Mapping[str, Any]]


def train_on_dialogue_pairs(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Rows,
    options: TrainingOptions,
    folder: run.TrainingFolder,
    track: Track,
    beta: float,
    nll_weight: float,
    summary: Mapping[str, Any],
    notes: Iterable[str] = (),
) -> None:
    """Train on rows of :func:`~colbench_gym.baselines.training.trainers.preference_row`."""
    trainer = DialoguePreferenceTrainer(
        model=model,
        ref_model=_reference(options),
        args=run.arguments(DPOConfig, options, folder, track, **_dpo(options, beta)),
        train_dataset=folder.dataset("rows", rows),
        processing_class=tokenizer,
        data_collator=DialoguePairCollator(_pad(tokenizer)),
        peft_config=run.lora(options),
        nll_weight=nll_weight,
    )
    run.fit(trainer, options, folder, tokenizer, summary, notes)


def train_on_turn_pairs(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Rows,
    options: TrainingOptions,
    folder: run.TrainingFolder,
    track: Track,
    beta: float,
    nll_weight: float,
    summary: Mapping[str, Any],
    notes: Iterable[str] = (),
) -> None:
    """Train with TRL's own DPO on rows of ``prompt_ids``, ``chosen_ids``, ``rejected_ids``."""
    losses: dict[str, Any] = {"loss_type": ["sigmoid"]}
    if nll_weight:
        losses = {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, nll_weight]}
    trainer = TurnPreferenceTrainer(
        model=model,
        ref_model=_reference(options),
        args=run.arguments(DPOConfig, options, folder, track, **_dpo(options, beta), **losses),
        train_dataset=folder.dataset("rows", rows),
        processing_class=tokenizer,
        peft_config=run.lora(options),
    )
    run.fit(trainer, options, folder, tokenizer, summary, notes)


def train_on_turn_pairs_with_prompt_likelihood(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Rows,
    options: TrainingOptions,
    folder: run.TrainingFolder,
    track: Track,
    beta: float,
    nll_weight: float,
    summary: Mapping[str, Any],
    notes: Iterable[str] = (),
) -> None:
    """Train on turn pairs, the likelihood term over the whole sequence (released code)."""

    def dialogue(row: Mapping[str, Any], side: str) -> TokenizedDialogue:
        prompt, said = row["prompt_ids"], row[f"{side}_ids"]
        turns = (NOT_AGENT,) * len(prompt) + (0,) * len(said)
        return TokenizedDialogue((TokenRow((*prompt, *said), turns),))

    whole = [preference_row(dialogue(row, "chosen"), dialogue(row, "rejected"), "sum", "sequence") for row in rows]
    train_on_dialogue_pairs(model, tokenizer, whole, options, folder, track, beta, nll_weight, summary, notes)


def train_head(
    model: PreTrainedModel,
    tokenizer: PreTrainedTokenizerBase,
    rows: Rows,
    options: TrainingOptions,
    folder: run.TrainingFolder,
    track: Track,
    head_loss: HeadLoss,
    beta: float,
    summary: Mapping[str, Any],
    notes: Iterable[str] = (),
) -> None:
    """Train a head on pairs of dialogues (``pairwise``) or on dialogues with their scores (``value``)."""
    disable_dropout_in_model(model)  # as TRL does for preferences
    adapter = run.lora(options, head=True)
    trained: Any = model  # Any: PEFT wraps it
    if adapter is not None:
        from peft import get_peft_model

        trained = get_peft_model(model, adapter)
    trainer = TurnHeadTrainer(
        model=trained,
        args=run.arguments(TrainingArguments, options, folder, track),
        train_dataset=folder.dataset("rows", rows),
        processing_class=tokenizer,
        data_collator=TurnHeadCollator(_pad(tokenizer)),
        head_loss=head_loss,
        beta=beta,
    )
    run.fit(trainer, options, folder, tokenizer, summary, notes)


def _dpo(options: TrainingOptions, beta: float) -> dict[str, Any]:
    return {
        "beta": beta,
        "max_length": None,  # TRL would cut the end, which is the code
        "precompute_ref_log_probs": options.precompute_reference,
    }


def _reference(options: TrainingOptions) -> PreTrainedModel | None:
    """Return the frozen initial model where it must stay in memory, or None where TRL finds it itself."""
    if options.precompute_reference or options.lora_rank:
        return None
    return load_causal_model(options.model, run.weights_dtype(options))


def _pad(tokenizer: PreTrainedTokenizerBase) -> int:
    pad: Any = tokenizer.pad_token_id  # Any: the tokenizer's own type allows lists
    assert isinstance(pad, int)
    return pad
