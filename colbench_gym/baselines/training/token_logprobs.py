"""Log-probabilities of chosen tokens with gradients, their logits in float32 a chunk at a time."""

from __future__ import annotations

from typing import Any

import torch

from colbench_gym.models.packing import takes

CHUNK = 256  # positions whose logits exist in float32 at once


class _TokenLogprobs(torch.autograd.Function):
    """Log-softmax at the targets; forward and backward make float32 copies of a chunk of the logits only."""

    @staticmethod
    def forward(ctx: Any, logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:  # Any: torch's own context
        kind = torch.promote_types(logits.dtype, torch.float32)
        norms = torch.cat([part.to(kind).logsumexp(-1) for part in logits.split(CHUNK)])
        ctx.save_for_backward(logits, targets, norms)
        return logits.gather(1, targets[:, None]).squeeze(1).to(kind) - norms

    @staticmethod
    def backward(ctx: Any, gradient: torch.Tensor) -> tuple[torch.Tensor, None]:
        logits, targets, norms = ctx.saved_tensors
        out = torch.empty_like(logits)
        for start in range(0, len(logits), CHUNK):
            part = slice(start, start + CHUNK)
            shares = (logits[part].to(norms.dtype) - norms[part, None]).exp_().mul_(-gradient[part, None])
            out[part] = shares.scatter_add_(1, targets[part, None], gradient[part, None])
        return out, None


def token_logprobs(
    model: Any,  # Any: a transformers model, or what wraps one for several devices
    ids: torch.Tensor,
    mask: torch.Tensor,
    places: torch.Tensor,
) -> torch.Tensor:
    """Return log pi(ids[:, place] | all before it), natural log.  # (rows, places)

    Logits are computed at ``places`` alone, where the model's forward can be told so.

    Args:
        model: a causal language model.
        ids: token ids.  # (rows, tokens)
        mask: 0 for padding.  # (rows, tokens)
        places: positions of the tokens in question, none of them the first.  # (places,)
    """
    keep = {"logits_to_keep": places - 1} if takes(model, "logits_to_keep") else {}
    logits = model(input_ids=ids, attention_mask=mask, **keep, use_cache=False).logits
    if not keep:
        logits = logits[:, places - 1]
    targets = ids[:, places]
    flat: torch.Tensor = _TokenLogprobs.apply(logits.flatten(0, 1), targets.flatten())
    return flat.view(targets.shape)
