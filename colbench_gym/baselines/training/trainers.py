"""The trainers: TRL's own where they are right, and two small subclasses for what TRL does not have.

=====================================  =======================================================================
filtered behaviour cloning             TRL's ``SFTTrainer`` as it is, on rows with agent-only labels
turn-level DPO (the actor)             TRL's ``DPOTrainer``, its rows given as token ids
whole-dialogue DPO, SWEET's critic     :class:`DialoguePreferenceTrainer`
regression head, value function        :class:`TurnHeadTrainer`
=====================================  =======================================================================
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import torch
import torch.nn.functional as F  # noqa: N812  the field's name for it
from datasets import Dataset
from transformers import Trainer
from trl import DPOTrainer

from colbench_gym.models.chat_template import NOT_AGENT, TokenizedDialogue

Aggregation = Literal["sum", "mean", "turn_means"]
NllOver = Literal["chosen", "sequence"]
HeadLoss = Literal["pairwise", "value"]

PREFERENCE_COLUMNS = ("chosen_ids", "chosen_turns", "rejected_ids", "rejected_turns", "aggregation", "nll_over")
_REFERENCE_COLUMNS = ("ref_chosen_logps", "ref_rejected_logps")


def sft_rows(dialogues: Sequence[TokenizedDialogue]) -> list[dict[str, Any]]:
    """Return rows for TRL's ``SFTTrainer``: labels only on what the agent said."""
    return [
        {
            "input_ids": list(row.ids),
            "labels": [i if turn != NOT_AGENT else -100 for i, turn in zip(row.ids, row.turns, strict=True)],
        }
        for dialogue in dialogues
        for row in dialogue.rows
    ]


def preference_row(
    chosen: TokenizedDialogue,
    rejected: TokenizedDialogue,
    aggregation: Aggregation,
    nll_over: NllOver = "chosen",
) -> dict[str, Any]:
    """Return one row for :class:`DialoguePreferenceTrainer`.

    The aggregation is part of the row so that reference values cached for one are never read for another.
    """
    return {
        "chosen_ids": [list(row.ids) for row in chosen.rows],
        "chosen_turns": [list(row.turns) for row in chosen.rows],
        "rejected_ids": [list(row.ids) for row in rejected.rows],
        "rejected_turns": [list(row.turns) for row in rejected.rows],
        "aggregation": aggregation,
        "nll_over": nll_over,
    }


def token_weights(turns: Sequence[Sequence[int]], aggregation: Aggregation) -> list[list[float]]:
    """Return the weight of each token's log-ratio in a dialogue's score, which is linear in them.

    ``sum``: 1 (multi-turn DPO; "without length normalisation" in Table 3). ``mean``: one over the agent tokens of the
    dialogue (released code). ``turn_means``: one over the agent tokens of the turn (paper, eq. 3, summed as in eq. 2).
    """
    counts: dict[int, int] = {}
    for row in turns:
        for turn in row:
            counts[turn] = counts.get(turn, 0) + 1
    total = sum(count for turn, count in counts.items() if turn != NOT_AGENT)

    def weight(turn: int) -> float:
        if turn == NOT_AGENT:
            return 0.0
        if aggregation == "sum":
            return 1.0
        return 1.0 / (total if aggregation == "mean" else counts[turn])

    return [[weight(turn) for turn in row] for row in turns]


def pad_rows(rows: Sequence[Sequence[float]], value: float, dtype: torch.dtype) -> torch.Tensor:
    """Return right-padded rows.  # (rows, longest)"""
    out = torch.full((len(rows), max(map(len, rows))), value, dtype=dtype)
    for place, row in enumerate(rows):
        out[place, : len(row)] = torch.tensor(row, dtype=dtype)
    return out


@dataclass
class DialoguePairCollator:
    """Stacks the rows of all chosen dialogues, then those of all rejected ones.

    Returns ``input_ids``, ``attention_mask``, ``targets`` (-100 where no log-probability is needed)  # (rows, tokens);
    ``weights``, ``plain``, ``nll_weights``  # (rows, tokens), float; ``dialogue``  # (rows,), from 0 to 2 * pairs - 1.
    """

    pad_token_id: int

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> dict[str, torch.Tensor]:
        """Make the batch."""
        ids: list[list[int]] = []
        weights: list[list[float]] = []
        plain: list[list[float]] = []
        nll: list[list[float]] = []
        dialogue: list[int] = []
        for side in ("chosen", "rejected"):
            for example in examples:
                number = dialogue[-1] + 1 if dialogue else 0
                rows, turns = example[f"{side}_ids"], example[f"{side}_turns"]
                ids += rows
                weights += token_weights(turns, example["aggregation"])
                plain += token_weights(turns, "sum")
                nll += _nll_weights(turns, example["nll_over"] if side == "chosen" else None)
                dialogue += [number] * len(rows)
        batch = {
            "input_ids": pad_rows(ids, self.pad_token_id, torch.long),
            "attention_mask": pad_rows([[1] * len(row) for row in ids], 0, torch.long),
            "weights": pad_rows(weights, 0.0, torch.float32),
            "plain": pad_rows(plain, 0.0, torch.float32),
            "nll_weights": pad_rows(nll, 0.0, torch.float32),
            "dialogue": torch.tensor(dialogue),
        }
        needed = (batch["plain"] != 0) | (batch["nll_weights"] != 0)
        batch["targets"] = batch["input_ids"].masked_fill(~needed, -100)
        for name in _REFERENCE_COLUMNS:
            if name in examples[0]:
                batch[name] = torch.tensor([example[name] for example in examples])
        return batch


def _nll_weights(turns: Sequence[Sequence[int]], over: NllOver | None) -> list[list[float]]:
    """Return weights that sum to one over a dialogue, on what the agent said or on every token with a predecessor."""
    if over is None:
        return [[0.0] * len(row) for row in turns]
    if over == "chosen":
        return token_weights(turns, "mean")
    total = sum(len(row) - 1 for row in turns)
    return [[0.0] + [1.0 / total] * (len(row) - 1) for row in turns]


class TurnPreferenceTrainer(DPOTrainer):
    """TRL's ``DPOTrainer`` on rows that are token ids already, such as prompt, chosen and rejected."""

    def _prepare_dataset(self, dataset: Dataset, *_: object) -> Dataset:
        return dataset


class DialoguePreferenceTrainer(TurnPreferenceTrainer):
    """DPO over whole dialogues: every loss of the paper that compares two trajectories.

    ``loss = -log sigmoid(beta * (S(chosen) - S(rejected))) + nll_weight * NLL(chosen)``, where S(dialogue) is the sum
    over agent tokens of weight * (log pi_theta - log pi_ref), with the weights of :func:`token_weights`. The mean is
    over pairs, the NLL's too, so that the loss of a batch does not depend on how it is split.
    """

    def __init__(self, *args: Any, nll_weight: float, **kwargs: Any) -> None:  # Any: handed through to TRL
        self.nll_weight = nll_weight
        super().__init__(*args, **kwargs)

    def _set_signature_columns_if_needed(self) -> None:
        self._signature_columns = [*PREFERENCE_COLUMNS, *_REFERENCE_COLUMNS]

    def _scores(
        self, model: Any, inputs: Mapping[str, torch.Tensor], reference: bool = False
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return score and plain sum of each dialogue (columns; dialogues are rows), and the NLL of each."""
        outputs = model(
            input_ids=inputs["input_ids"],
            attention_mask=inputs["attention_mask"],
            use_cache=False,
            labels=inputs["targets"],
            fused_lm_head=True,
        )
        if not reference:
            self._outputs = outputs
        logprobs = outputs.log_probs.float()  # (rows, tokens - 1), natural log, 0 where no label stands
        weights = torch.stack([inputs["weights"], inputs["plain"], inputs["nll_weights"]], dim=-1)[:, 1:]
        by_row = (logprobs.unsqueeze(-1) * weights).sum(dim=1)  # (rows, 3)
        dialogues = int(inputs["dialogue"][-1]) + 1
        totals = by_row.new_zeros(dialogues, 3).index_add(0, inputs["dialogue"], by_row)
        return totals[:, :2], -totals[:, 2]

    def compute_ref_log_probs(self, model: Any, inputs: Mapping[str, torch.Tensor]) -> Any:
        """Return the reference's score and plain sum of each dialogue, chosen and rejected.  # (pairs, 2) each"""
        with torch.no_grad(), self._as_reference(), self.accelerator.autocast():
            scores, _ = self._scores(model, inputs, reference=True)
        return scores.chunk(2, dim=0)

    def _as_reference(self) -> Any:
        from contextlib import ExitStack

        from accelerate.utils import is_peft_model
        from trl.models.utils import disable_gradient_checkpointing
        from trl.trainer.utils import use_adapter

        stack = ExitStack()
        stack.enter_context(disable_gradient_checkpointing(self.model, self.args.gradient_checkpointing_kwargs))
        if self.ref_model is None and is_peft_model(self.model):
            unwrapped = self.accelerator.unwrap_model(self.model)
            stack.enter_context(use_adapter(unwrapped, adapter_name="ref" if "ref" in unwrapped.peft_config else None))
        return stack

    def _compute_loss(self, model: Any, inputs: Mapping[str, torch.Tensor], return_outputs: bool) -> Any:
        scores, nll = self._scores(model, inputs)
        chosen, rejected = scores.chunk(2, dim=0)
        if self.precompute_ref_logps:
            ref_chosen, ref_rejected = inputs["ref_chosen_logps"], inputs["ref_rejected_logps"]
        else:
            ref_chosen, ref_rejected = self.compute_ref_log_probs(self.ref_model or self.model, inputs)
        chosen_ratio, rejected_ratio = chosen - ref_chosen, rejected - ref_rejected  # (pairs, 2): score, plain sum
        margin = chosen_ratio[:, 0] - rejected_ratio[:, 0]
        preference = -F.logsigmoid(self.beta * margin).mean()  # paper, eq. 2 (critic) and section 5 (multi-turn DPO)
        chosen_nll = nll[: len(margin)].mean()
        loss = preference + self.nll_weight * chosen_nll if self.nll_weight else preference
        self._record(inputs, chosen_ratio.detach(), rejected_ratio.detach(), preference.detach(), chosen_nll.detach())
        return (loss, self._outputs) if return_outputs else loss

    def _record(
        self,
        inputs: Mapping[str, torch.Tensor],
        chosen: torch.Tensor,
        rejected: torch.Tensor,
        preference: torch.Tensor,
        nll: torch.Tensor,
    ) -> None:
        """Record ``score/*`` in the loss's own aggregation, ``rewards/*`` as TRL has them (sums, times beta)."""
        mode = "train" if self.model.training else "eval"
        if mode == "train":
            tokens = self.accelerator.gather_for_metrics(inputs["attention_mask"].sum()).sum()
            self._total_train_tokens += int(tokens) // self._tp_size
        margin = chosen - rejected
        named = {
            "loss/preference": preference.reshape(1),
            "loss/nll": nll.reshape(1),
            "score/chosen": chosen[:, 0],
            "score/rejected": rejected[:, 0],
            "score/margin": margin[:, 0],
            "score/accuracy": (margin[:, 0] > 0).float(),
            "rewards/chosen": self.beta * chosen[:, 1],
            "rewards/rejected": self.beta * rejected[:, 1],
            "rewards/margins": self.beta * margin[:, 1],
            "rewards/accuracies": (margin[:, 1] > 0).float(),
        }
        means = torch.stack([value.mean() for value in named.values()]).unsqueeze(0)
        for name, value in zip(named, self.accelerator.gather(means).mean(dim=0).tolist(), strict=True):
            self._metrics[mode][name].append(value)
        self._metrics[mode]["num_tokens"] = [self._total_train_tokens]


@dataclass
class TurnHeadCollator:
    """Rows for a head on the last token of each turn: ``ends`` is 1 there; ``score`` the dialogue's own, 0 to 1."""

    pad_token_id: int

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> dict[str, torch.Tensor]:
        """Make the batch; pairs are stacked, all chosen ones first."""
        ids: list[list[int]] = []
        ends: list[list[int]] = []
        dialogue: list[int] = []
        for side in ("chosen", "rejected"):
            for example in examples:
                if f"{side}_ids" not in example:
                    continue
                number = dialogue[-1] + 1 if dialogue else 0
                ids += example[f"{side}_ids"]
                ends += [turn_ends(turns) for turns in example[f"{side}_turns"]]
                dialogue += [number] * len(example[f"{side}_ids"])
        batch = {
            "input_ids": pad_rows(ids, self.pad_token_id, torch.long),
            "attention_mask": pad_rows([[1] * len(row) for row in ids], 0, torch.long),
            "ends": pad_rows(ends, 0, torch.float32),
            "dialogue": torch.tensor(dialogue),
        }
        if "score" in examples[0]:
            batch["score"] = torch.tensor([float(example["score"]) for example in examples])
        return batch


def turn_ends(turns: Sequence[int]) -> list[int]:
    """Return 1 at the last token of each agent turn."""
    following = [*turns[1:], NOT_AGENT]
    return [int(turn not in (NOT_AGENT, after)) for turn, after in zip(turns, following, strict=True)]


class TurnHeadTrainer(Trainer):
    """A regression head on the last token of each turn, in place of the log-ratio (Table 3 and Figure 3).

    ``pairwise`` (Table 3, "regression head"): A(o_t, a_t, c) is the head's output and the loss is eq. 2.
    ``value`` (Figure 3, "value function"): the head's sigmoid predicts the dialogue's final score at every turn, by
    binary cross-entropy, mean over the turns of a dialogue.
    """

    loss_is_scaled_for_ga = False  # a mean over dialogues: Trainer averages the micro-batches

    def __init__(self, *args: Any, head_loss: HeadLoss, beta: float, **kwargs: Any) -> None:
        self.head_loss, self.beta = head_loss, beta
        super().__init__(*args, **kwargs)

    def _set_signature_columns_if_needed(self) -> None:
        self._signature_columns = [*PREFERENCE_COLUMNS, "score"]

    def compute_loss(
        self, model: Any, inputs: Mapping[str, torch.Tensor], return_outputs: bool = False, **_: object
    ) -> Any:
        """Return the loss over one batch."""
        outputs = model(input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"])
        heads = outputs.logits.squeeze(-1).float()  # (rows, tokens)
        dialogues = int(inputs["dialogue"][-1]) + 1

        def by_dialogue(values: torch.Tensor) -> torch.Tensor:
            return values.new_zeros(dialogues).index_add(0, inputs["dialogue"], (values * inputs["ends"]).sum(dim=1))

        if self.head_loss == "pairwise":
            chosen, rejected = by_dialogue(heads).chunk(2)
            loss = -F.logsigmoid(self.beta * (chosen - rejected)).mean()
        else:
            target = inputs["score"][inputs["dialogue"]].unsqueeze(1).expand_as(heads)
            each = F.binary_cross_entropy_with_logits(heads, target, reduction="none")
            loss = (by_dialogue(each) / by_dialogue(torch.ones_like(each))).mean()
        return (loss, outputs) if return_outputs else loss
