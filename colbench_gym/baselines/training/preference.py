"""Set a preference trainer up and run it: for whole dialogues, for turns, and for a head on turns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from transformers import TrainingArguments
from trl import DPOConfig, DPOTrainer
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


@dataclass(frozen=True)
class TrainingJob:
    """A model to train, and where to.

    Attributes:
        model: starts with these weights.
        tokenizer: of the model.
        options: of the run.
        folder: of the run.
        track: of the data.
        beta: how strongly the reference binds.
        summary: of the data, for run.json and the card.
        notes: sentences for the card.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    options: TrainingOptions
    folder: run.TrainingFolder
    track: Track
    beta: float
    summary: Mapping[str, Any]
    notes: Iterable[str] = ()

    def train_on_dialogue_pairs(self, rows: Rows, nll_weight: float) -> None:
        """Train on rows of :func:`~colbench_gym.baselines.training.trainers.preference_row`."""
        collator = DialoguePairCollator(_pad(self.tokenizer))
        self._fit(DialoguePreferenceTrainer, rows, self._dpo(), data_collator=collator, nll_weight=nll_weight)

    def train_on_turn_pairs(self, rows: Rows, nll_weight: float) -> None:
        """Train with TRL's own DPO on rows of ``prompt_ids``, ``chosen_ids``, ``rejected_ids``."""
        losses: dict[str, Any] = {"loss_type": ["sigmoid"]}
        if nll_weight:
            losses = {"loss_type": ["sigmoid", "sft"], "loss_weights": [1.0, nll_weight]}
        self._fit(TurnPreferenceTrainer, rows, self._dpo(**losses))

    def train_on_turn_pairs_with_prompt_likelihood(self, rows: Rows, nll_weight: float) -> None:
        """Train on turn pairs, the likelihood term over the whole sequence (released code)."""

        def dialogue(row: Mapping[str, Any], side: str) -> TokenizedDialogue:
            prompt, said = row["prompt_ids"], row[f"{side}_ids"]
            turns = (NOT_AGENT,) * len(prompt) + (0,) * len(said)
            return TokenizedDialogue((TokenRow((*prompt, *said), turns),))

        sides = [(dialogue(row, "chosen"), dialogue(row, "rejected")) for row in rows]
        whole = [preference_row(chosen, rejected, "sum", "sequence") for chosen, rejected in sides]
        self.train_on_dialogue_pairs(whole, nll_weight)

    def train_head(self, rows: Rows, head_loss: HeadLoss) -> None:
        """Train a head on pairs of dialogues (``pairwise``) or on dialogues with their scores (``value``)."""
        disable_dropout_in_model(self.model)  # as TRL does for preferences
        adapter = run.lora(self.options, head=True)
        trained: Any = self.model  # Any: PEFT wraps it
        if adapter is not None:
            from peft import get_peft_model

            trained = get_peft_model(self.model, adapter)
        trainer = TurnHeadTrainer(
            model=trained,
            args=run.arguments(TrainingArguments, self.options, self.folder, self.track),
            train_dataset=self.folder.dataset("rows", rows),
            processing_class=self.tokenizer,
            data_collator=TurnHeadCollator(_pad(self.tokenizer)),
            head_loss=head_loss,
            beta=self.beta,
        )
        run.fit(trainer, self.options, self.folder, self.tokenizer, self.summary, self.notes)

    def _fit(self, kind: type[DPOTrainer], rows: Rows, arguments: DPOConfig, **special: Any) -> None:
        trainer = kind(
            model=self.model,
            ref_model=self._reference(),
            args=arguments,
            train_dataset=self.folder.dataset("rows", rows),
            processing_class=self.tokenizer,
            peft_config=run.lora(self.options),
            **special,
        )
        run.fit(trainer, self.options, self.folder, self.tokenizer, self.summary, self.notes)

    def _dpo(self, **losses: Any) -> DPOConfig:
        return run.arguments(
            DPOConfig,
            self.options,
            self.folder,
            self.track,
            beta=self.beta,
            max_length=None,  # TRL would cut the end, which is the code
            precompute_ref_log_probs=self.options.precompute_reference,
            **losses,
        )

    def _reference(self) -> PreTrainedModel | None:
        """Return the frozen initial model where it must stay in memory, or None where TRL finds it itself."""
        if self.options.precompute_reference or self.options.lora_rank:
            return None
        return load_causal_model(self.options.model, run.weights_dtype(self.options))


def _pad(tokenizer: PreTrainedTokenizerBase) -> int:
    pad: Any = tokenizer.pad_token_id  # Any: the tokenizer's own type allows lists
    assert isinstance(pad, int)
    return pad
