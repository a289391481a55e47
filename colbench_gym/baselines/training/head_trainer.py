"""A regression head in place of the log-ratio: the paper's Table 3 and, as a value function, its Figure 3."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812  the field's name for it

from colbench_gym.baselines.training.pair_trainer import Batch, PairCollator, PairTrainer
from colbench_gym.models.chat_template import NOT_AGENT
from colbench_gym.models.scoring import pooled_heads


def turn_ends(turns: Sequence[int]) -> list[float]:
    """Return 1 at the last token of each agent turn."""
    following = [*turns[1:], NOT_AGENT]
    return [float(turn not in (NOT_AGENT, after)) for turn, after in zip(turns, following, strict=True)]


class TurnHeadCollator(PairCollator):
    """Weights for numbers at the ends of turns: their sum for pairs, their mean for dialogues with ``success``."""

    def score_weights(self, turns: Sequence[Sequence[int]], example: Mapping[str, Any]) -> list[list[float]]:
        """Return the weights in the dialogue's score."""
        ends = self.plain_weights(turns)
        by = sum(map(sum, ends)) if "success" in example else 1.0
        return [[end / by for end in row] for row in ends]

    def plain_weights(self, turns: Sequence[Sequence[int]]) -> list[list[float]]:
        """Return 1 at the end of each turn."""
        return [turn_ends(row) for row in turns]

    def loss_weights(
        self,
        turns: Sequence[Sequence[int]],
        example: Mapping[str, Any],
        side: str,  # noqa: ARG002
    ) -> list[list[float]]:
        """Return the weights of softplus(head), the part of the cross-entropy that does not depend on the target."""
        return self.score_weights(turns, example)


def head_sums(model: Any, rows: Batch) -> torch.Tensor:
    """Return for each row the weighted sums of the head's numbers, the third of their softplus.  # (rows, 3)"""
    pooled = pooled_heads(model, rows["input_ids"], rows["attention_mask"])
    each = torch.stack([pooled, pooled, F.softplus(pooled)], dim=-1)  # (rows, tokens, 3)
    return (each * rows["weights"]).sum(dim=1)


class TurnHeadTrainer(PairTrainer):
    """Trains A(o_t, a_t, c), or a value function, as a linear head on mean-pooled last hidden states.

    Pairs (Table 3, "regression head"): A is the head's number at the end of a turn and the loss is eq. 2.
    Dialogues with ``success`` (Figure 3, "value function"): the head's sigmoid predicts at every turn whether the
    dialogue succeeds, by binary cross-entropy, mean over the turns of a dialogue.

    Args:
        head_learning_rate: of the head, which starts from noise.
    """

    row_sums = staticmethod(head_sums)
    has_reference = False

    def __init__(self, *args: Any, head_learning_rate: float, **kwargs: Any) -> None:
        self.head_learning_rate = head_learning_rate
        super().__init__(*args, nll_weight=0.0, **kwargs)

    def create_optimizer(self, model: Any = None) -> torch.optim.Optimizer:
        """Give the head a learning rate of its own."""
        made = self.optimizer is None
        optimizer = super().create_optimizer(model)
        if made:
            inner = self.model if model is None else model
            head = {id(p) for name, p in inner.named_parameters() if {"score", "classifier"} & set(name.split("."))}
            for group in list(optimizer.param_groups):
                split = [p for p in group["params"] if id(p) in head]
                if split:
                    group["params"] = [p for p in group["params"] if id(p) not in head]
                    optimizer.add_param_group({**group, "params": split, "lr": self.head_learning_rate})
        return optimizer

    def pair_loss(self, totals: torch.Tensor, reference: torch.Tensor, inputs: Batch) -> torch.Tensor:
        """Return the loss of a batch from the sums of its dialogues."""
        if "success" not in inputs:
            return super().pair_loss(totals, reference, inputs)
        return (totals[:, 0, 2] - inputs["success"] * totals[:, 0, 0]).mean()  # softplus(x) - target * x

    def numbers(
        self, totals: torch.Tensor, reference: torch.Tensor, inputs: Batch
    ) -> Iterator[tuple[str, torch.Tensor]]:
        """Yield what is logged."""
        if "success" not in inputs:
            yield from super().numbers(totals, reference, inputs)
            return
        scores = totals[:, 0, 0]
        yield "score/mean", scores.mean()
        yield "score/accuracy", ((scores > 0) == (inputs["success"] > 0)).float().mean()
