"""Losses on sums of log-probabilities, whatever model they are of."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812  the field's name for it


def preference_loss(totals: torch.Tensor, reference: torch.Tensor, beta: float, nll_weight: float) -> torch.Tensor:
    """Return ``-log sigmoid(beta * (S(chosen) - S(rejected))) + nll_weight * NLL(chosen)``, mean over pairs.

    Args:
        totals: score, plain sum and additive loss of each side.  # (pairs, sides, 3)
        reference: score and plain sum under the reference.  # (pairs, sides, 2)
        beta: how strongly the reference binds.
        nll_weight: weight of the likelihood of the chosen side.
    """
    scores = totals[..., 0] - reference[..., 0]
    preference = -F.logsigmoid(beta * (scores[:, 0] - scores[:, 1])).mean()  # paper, eq. 2 and section 5
    return preference + nll_weight * totals[:, 0, 2].mean() if nll_weight else preference
