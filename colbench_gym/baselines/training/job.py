"""One training run from rows to weights: behaviour cloning, pairs, or a head."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from transformers import Trainer

from colbench_gym.baselines.training import folder as run
from colbench_gym.baselines.training.head_trainer import TurnHeadCollator, TurnHeadTrainer
from colbench_gym.baselines.training.options import TrainingOptions
from colbench_gym.baselines.training.pair_trainer import PairCollator, PairTrainer
from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue
from colbench_gym.models.scoring import pad_rows
from colbench_gym.rules import Track

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

Rows = Sequence[Mapping[str, Any]]
REFERENCE_FILE = "reference"


def bc_rows(dialogues: Sequence[TokenizedDialogue]) -> list[dict[str, Any]]:
    """Return rows for ``transformers.Trainer``: labels only on what the agent said."""
    return [
        {
            "input_ids": list(row.ids),
            "labels": [i if turn != NOT_AGENT else -100 for i, turn in zip(row.ids, row.turns, strict=True)],
        }
        for dialogue in dialogues
        for row in dialogue.rows
    ]


@dataclass(frozen=True)
class LabelCollator:
    """Stacks rows with labels."""

    pad_token_id: int

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> dict[str, torch.Tensor]:
        """Make the batch."""
        ids, labels = ([example[name] for example in examples] for name in ("input_ids", "labels"))
        return {
            "input_ids": pad_rows(ids, self.pad_token_id, torch.long),
            "attention_mask": pad_rows([[1] * len(row) for row in ids], 0, torch.long),
            "labels": pad_rows(labels, -100, torch.long),
        }


@dataclass(frozen=True)
class TrainingJob:
    """A model to train, and where to.

    Attributes:
        model: starts with these weights.
        tokenizer: of the model.
        options: of the run.
        folder: of the run.
        track: of the data.
        summary: of the data, for run.json and the card.
        notes: sentences for the card.
        held_out: rows like those that are trained on.
    """

    model: PreTrainedModel
    tokenizer: PreTrainedTokenizerBase
    options: TrainingOptions
    folder: run.TrainingFolder
    track: Track
    summary: Mapping[str, Any]
    notes: Iterable[str] = ()
    held_out: Rows | None = None

    def clone(self, rows: Rows) -> None:
        """Train on rows of :func:`bc_rows`: -sum log pi(token) / agent tokens in the batch, over all devices."""
        self._fit(Trainer, rows, data_collator=LabelCollator(self._pad))

    def prefer(self, rows: Rows, beta: float, nll_weight: float) -> None:
        """Train on rows of :func:`~colbench_gym.baselines.training.pair_trainer.pair_row`."""
        self._fit(
            PairTrainer,
            rows,
            data_collator=PairCollator(self._pad),
            beta=beta,
            nll_weight=nll_weight,
            reference_file=self.folder.path / REFERENCE_FILE,
        )

    def train_head(self, rows: Rows, beta: float, learning_rate: float) -> None:
        """Train a head on pairs, or on dialogues with their success."""
        special = {"beta": beta, "head_learning_rate": learning_rate}
        self._fit(TurnHeadTrainer, rows, head=True, data_collator=TurnHeadCollator(self._pad), **special)

    def _fit(self, kind: type[Trainer], rows: Rows, *, head: bool = False, **special: Any) -> None:
        adapter = run.lora(self.options, head)
        trained: Any = self.model  # Any: PEFT wraps it
        if adapter is not None:
            from peft import get_peft_model

            trained = get_peft_model(self.model, adapter)
        trainer = kind(
            model=trained,
            args=run.arguments(self.options, self.folder, self.track),
            train_dataset=self.folder.dataset("rows", rows),
            eval_dataset=None if self.held_out is None else self.folder.dataset("held_out_rows", self.held_out),
            processing_class=self.tokenizer,
            **special,
        )
        run.fit(trainer, self.options, self.folder, self.tokenizer, self.summary, self.notes)

    @property
    def _pad(self) -> int:
        pad: Any = self.tokenizer.pad_token_id  # Any: the tokenizer's own type allows lists
        assert isinstance(pad, int)
        return pad
