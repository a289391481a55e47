"""One training run from rows to weights: behaviour cloning, pairs, or a head."""

from __future__ import annotations

import importlib.util
import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import torch
from accelerate import PartialState
from peft import LoraConfig, TaskType, get_peft_model
from transformers import (
    EarlyStoppingCallback,
    PreTrainedModel,
    PreTrainedTokenizerBase,
    PrinterCallback,
    Trainer,
    TrainerCallback,
    TrainingArguments,
)

from colbench_gym.baselines.options import EPOCHS, TrainingOptions
from colbench_gym.baselines.training.folder import METRICS_FILE, TrainingFolder
from colbench_gym.baselines.training.head_trainer import TurnHeadCollator, TurnHeadTrainer
from colbench_gym.baselines.training.keeping import KeepsState
from colbench_gym.baselines.training.pair_trainer import PairCollator, PairTrainer
from colbench_gym.baselines.training.processes import TIMEOUT_S, computes_in_bf16, say
from colbench_gym.errors import MissingExtraError, UsageError
from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue
from colbench_gym.models.scoring import pad_rows
from colbench_gym.models.unfinished import CHECKPOINTS
from colbench_gym.rules import Track

Rows = Sequence[Mapping[str, Any]]
REFERENCE_FILE = "reference"
_PACE = ("tokens/s", "left")
# Defaults of the released training fork (OpenRLHF); the paper does not state them.
MIN_LEARNING_RATE_SHARE = 0.1  # cosine to a tenth
ADAM_BETA2 = 0.95
MAX_GRADIENT_NORM = 1.0


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
        tokenizer: of the model; written beside the weights.
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
    folder: TrainingFolder
    track: Track
    summary: Mapping[str, Any]
    notes: Sequence[str] = ()
    held_out: Rows | None = None

    def clone(self, rows: Rows) -> None:
        """Train on rows of :func:`bc_rows`: -sum log pi(token) / agent tokens in the batch, over all devices."""
        self._fit(Trainer, rows, data_collator=LabelCollator(self._pad))

    def prefer(self, rows: Rows, beta: float, nll_weight: float) -> None:
        """Train on rows of :func:`~colbench_gym.baselines.training.pair_trainer.pair_row`."""
        kept: dict[str, Any] = {"reference_file": self.folder.path / REFERENCE_FILE}
        self._fit(PairTrainer, rows, data_collator=PairCollator(self._pad), beta=beta, nll_weight=nll_weight, **kept)

    def train_head(self, rows: Rows, beta: float, learning_rate: float) -> None:
        """Train a head on pairs, or on dialogues with their success."""
        special = {"beta": beta, "head_learning_rate": learning_rate}
        self._fit(TurnHeadTrainer, rows, head=True, data_collator=TurnHeadCollator(self._pad), **special)

    def _fit(self, kind: type[Trainer], rows: Rows, *, head: bool = False, **special: Any) -> None:
        """Train, from the last checkpoint where there is one to go on from; write weights, metrics and card."""
        out, watched, repository = self.folder.path, self.options.watched, self.options.push_to_hub
        stopping = [] if watched is None else [EarlyStoppingCallback(early_stopping_patience=watched[1])]
        keeper = KeepsState(self.options.save_minutes)
        trainer = kind(
            model=get_peft_model(self.model, self._adapter(head)) if self.options.lora_rank else self.model,
            args=self._arguments(),
            train_dataset=self.folder.dataset("rows", rows),
            eval_dataset=None if self.held_out is None else self.folder.dataset("held_out_rows", self.held_out),
            processing_class=self.tokenizer,
            callbacks=[Metrics(out / METRICS_FILE), keeper, *stopping],
            **special,
        )
        trainer.remove_callback(PrinterCallback)
        last = self.folder.last_checkpoint() if self.options.resume else None
        if last is not None and last.final:
            trainer.state = last.state
            if trainer.is_world_process_zero():
                last.copy_weights(out)
        else:
            with keeper.listening():
                trainer.train(resume_from_checkpoint=None if last is None else str(last.path))
            trainer.args.push_to_hub = False  # pushed below, with our card
            trainer.save_model(str(out))
        if trainer.is_world_process_zero():
            self.tokenizer.save_pretrained(str(out))
            self.folder.finish(self.options, self.summary, trainer.state, self.notes)
            if repository is not None:
                self.folder.push(repository)
        trainer.accelerator.free_memory()
        PartialState().wait_for_everyone()

    @property
    def _pad(self) -> int:
        pad: Any = self.tokenizer.pad_token_id  # Any: the tokenizer's own type allows lists
        assert isinstance(pad, int)
        return pad

    def _adapter(self, head: bool) -> LoraConfig:
        return LoraConfig(
            r=self.options.lora_rank,
            lora_alpha=self.options.lora_alpha or 2 * self.options.lora_rank,
            target_modules="all-linear",
            exclude_modules=["score", "classifier"] if head else None,  # the head itself is trained whole
            task_type=TaskType.TOKEN_CLS if head else TaskType.CAUSAL_LM,
        )

    def _arguments(self) -> TrainingArguments:
        """Return the arguments of a trainer.

        Raises:
            UsageError: the batch cannot be made of micro-batches.
            MissingExtraError: a metrics package is not installed.
        """
        o, processes = self.options, PartialState().num_processes
        share = o.micro_batch_size * processes
        if o.batch_size % share:
            raise UsageError(
                f"a batch of {o.batch_size} cannot be made of {processes} processes times micro-batches of "
                f"{o.micro_batch_size}; choose --batch-size as a multiple of {share}"
            )
        for package in o.log_to:
            if importlib.util.find_spec(package) is None:
                raise MissingExtraError(f"metrics to {package} need it installed: pip install {package}")
        checkpoints = "steps" if o.save_steps else "epoch"
        metric = None if o.watched is None else o.watched[0]
        return TrainingArguments(
            output_dir=str(self.folder.path / CHECKPOINTS),
            per_device_train_batch_size=o.micro_batch_size,
            gradient_accumulation_steps=o.batch_size // share,
            num_train_epochs=EPOCHS[self.track] if o.epochs is None else o.epochs,
            max_steps=o.max_steps,
            learning_rate=o.peak_learning_rate,
            lr_scheduler_type="cosine_with_min_lr",
            lr_scheduler_kwargs={"min_lr_rate": MIN_LEARNING_RATE_SHARE},
            warmup_steps=o.warmup,
            weight_decay=0.0,
            adam_beta2=ADAM_BETA2,
            max_grad_norm=MAX_GRADIENT_NORM,
            bf16=computes_in_bf16(o),
            gradient_checkpointing=o.gradient_checkpointing,
            gradient_checkpointing_kwargs={"use_reentrant": False},
            remove_unused_columns=False,
            logging_steps=1,
            include_num_input_tokens_seen="non_padding",
            logging_nan_inf_filter=False,  # a loss that is no number must be seen
            per_device_eval_batch_size=o.micro_batch_size,
            eval_strategy="no" if o.eval_data is None else checkpoints,
            eval_steps=o.save_steps or None,
            save_strategy=checkpoints,
            save_steps=o.save_steps or 500,
            save_total_limit=o.keep_checkpoints,
            metric_for_best_model=metric and f"eval_{metric}",
            greater_is_better=metric and not metric.startswith("loss"),
            load_best_model_at_end=metric is not None,
            restore_callback_states_from_checkpoint=metric is not None,  # how patient it has been
            push_to_hub=o.push_to_hub is not None,
            hub_model_id=o.push_to_hub,
            report_to=list(o.log_to) or "none",
            seed=o.seed,
            use_cpu=o.cpu,
            dataloader_pin_memory=not o.cpu and torch.accelerator.is_available(),
            ddp_find_unused_parameters=False,
            disable_tqdm=not sys.stderr.isatty(),
            ddp_timeout=TIMEOUT_S,
        )


class Metrics(TrainerCallback):
    """Appends all that is logged to a JSONL file, and prints the main numbers as rows of a table to stderr."""

    _columns = ("loss", "score/margin", "score/accuracy", "eval_loss", "eval_score/accuracy", "learning_rate")

    def __init__(self, file: Path) -> None:
        self._file = file
        self._printed: set[str] = set()  # columns
        self._first: tuple[float, tuple[int, int]] | None = None  # when, step, tokens: references are computed in it

    def on_train_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Write what was logged up to the checkpoint that the run goes on from."""
        if state.is_world_process_zero:
            self._file.write_text("".join(json.dumps(row) + "\n" for row in state.log_history), encoding="utf-8")
            say(f"{state.max_steps - state.global_step} of {state.max_steps} optimizer steps are left")

    def on_log(self, _args: Any, state: Any, _control: Any, logs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Write one line and print one row, and the names of its columns now and then."""
        if not state.is_world_process_zero or not logs:
            return
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(state.log_history[-1]) + "\n")
        if {"loss", "eval_loss"} & logs.keys():
            cells = {name: f"{logs[name]:.4g}" for name in self._columns if name in logs}
            cells = {"step": str(state.global_step), **cells, **self._pace(state)}
            shown = [name for name in ("step", *self._columns, *_PACE) if name in cells.keys() | self._printed]
            if cells.keys() - self._printed:
                self._printed |= cells.keys()
                sys.stderr.write("  ".join(f"{name:>9}" for name in shown) + "\n")
            sys.stderr.write("  ".join(f"{cells.get(name, ''):>{max(9, len(name))}}" for name in shown).rstrip() + "\n")

    def _pace(self, state: Any) -> dict[str, str]:
        """Return tokens a second since the first step of this process, and the time that is left."""
        now, at = time.monotonic(), (state.global_step, state.num_input_tokens_seen)
        if self._first is None:
            self._first = now, at
        seconds, (step, tokens) = now - self._first[0], self._first[1]
        if at[0] == step:
            return dict.fromkeys(_PACE, "")
        left = timedelta(seconds=round(seconds / (at[0] - step) * (state.max_steps - at[0])))
        return dict(zip(_PACE, (f"{(at[1] - tokens) / seconds:,.0f}", str(left)), strict=True))
