"""Scores of tokens by models: log-probabilities and heads; a prompt that several continuations share is read once."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from colbench_gym.models.packing import packed_logprobs, pad_left, read_prompts, takes

if TYPE_CHECKING:
    import torch

SCORE_BATCH = 16  # continuations at once


def pooled_heads(model: Any, ids: torch.Tensor, mask: torch.Tensor, **inputs: Any) -> torch.Tensor:  # Any: transformers
    """Return at each token the head's number for the mean of the last hidden states up to it.  # (rows, tokens)

    The head is linear: its number for a mean is the mean of its numbers.
    """
    import torch

    heads = model(input_ids=ids, attention_mask=mask, **inputs).logits.squeeze(-1)
    heads = heads.to(torch.promote_types(heads.dtype, torch.float32))
    pooled: torch.Tensor = heads.cumsum(dim=1) / torch.arange(1, heads.shape[1] + 1, device=heads.device)
    return pooled


def pad_rows(rows: Sequence[Sequence[float]], value: float, dtype: torch.dtype) -> torch.Tensor:
    """Return right-padded rows.  # (rows, longest)"""
    import torch

    out = torch.full((len(rows), max(map(len, rows))), value, dtype=dtype)
    for place, row in enumerate(rows):
        out[place, : len(row)] = torch.tensor(row, dtype=dtype)
    return out


@dataclass(frozen=True)
class Continuations:
    """Some continuations of one prompt, ready for a model.

    Attributes:
        ids: the prompt, or its last token alone where the rest has been read, then a continuation; padded on the
            right.  # (rows, tokens)
        mask: over all that was read before, too.
        said: the continuations.
        inputs: the cache and the positions, for the model's forward.
    """

    ids: torch.Tensor
    mask: torch.Tensor
    said: Sequence[Sequence[int]]
    inputs: dict[str, Any]  # Any: the model's own arguments


def continuations(
    model: Any, prompt: Sequence[int], said: Sequence[Sequence[int]], cache: Any | None
) -> Iterator[Continuations]:
    """Yield batches of continuations behind a cache of all but the prompt's last token, or behind the whole prompt."""
    import torch

    before = len(prompt) - 1 if cache is not None else 0
    for start in range(0, len(said), SCORE_BATCH):
        part = said[start : start + SCORE_BATCH]
        ids = pad_rows([[*prompt[before:], *one] for one in part], 0, torch.long).to(model.device)
        mask = pad_rows([[1] * (len(prompt) + len(one)) for one in part], 0, torch.long).to(model.device)
        inputs: dict[str, Any] = {}
        if cache is not None:
            own = copy.deepcopy(cache) if start + SCORE_BATCH < len(said) else cache
            own.batch_repeat_interleave(len(part))
            positions = torch.arange(before, before + ids.shape[1], device=ids.device).expand_as(ids)
            inputs = {"past_key_values": own, "position_ids": positions, "use_cache": True}
        yield Continuations(ids, mask, part, inputs)


def said_logprobs(
    model: Any, prompt: Sequence[int], said: Sequence[Sequence[int]], share: bool = True
) -> list[list[float]]:
    """Return log pi(token | prompt, tokens before it) for each token of each continuation, natural log.

    Args:
        model: a causal language model.
        prompt: what all continuations follow.
        said: the continuations.
        share: read the prompt once for all of them, where the model's cache allows it.
    """
    import torch

    share = share and len(prompt) > 1 and len(said) > 1
    if share and all(said) and sum(map(len, said)) <= len(prompt):  # more tokens: too many that do not see each other
        packed = packed_logprobs(model, prompt, said)
        if packed is not None:
            return packed
    cache = read_prompts(model, [prompt[:-1]])[0] if share else None
    scores: list[list[float]] = []
    for batch in continuations(model, prompt, said, cache):
        longest = max(map(len, batch.said))
        keep = {"logits_to_keep": longest + 1} if takes(model, "logits_to_keep") else {}
        inputs = {"use_cache": False, **batch.inputs}
        with torch.no_grad():
            logits = model(input_ids=batch.ids, attention_mask=batch.mask, **inputs, **keep).logits[
                :, -longest - 1 : -1
            ]
            norms = logits.float().logsumexp(dim=-1)
            rows = (logits.gather(2, batch.ids[:, -longest:, None])[..., 0].float() - norms).tolist()
        scores += [row[: len(one)] for row, one in zip(rows, batch.said, strict=True)]
    return scores


def said_heads(model: Any, prompt: Sequence[int], said: Sequence[Sequence[int]], share: bool = True) -> list[float]:
    """Return the head's number for the mean of the last hidden states of prompt and continuation, of each one.

    Args:
        model: with a head of one number per token.
        prompt: what all continuations follow.
        said: the continuations.
        share: as for :func:`said_logprobs`.
    """
    import torch

    shared = share and len(prompt) > 1 and len(said) > 1
    cache, read = read_prompts(model, [prompt[:-1]]) if shared else (None, None)
    before = float(read.logits.double().sum()) if read is not None and cache is not None else 0.0
    scores: list[float] = []
    for batch in continuations(model, prompt, said, cache):
        with torch.no_grad():
            heads = model(input_ids=batch.ids, attention_mask=batch.mask, **batch.inputs).logits.squeeze(-1)
        kept = batch.mask[:, batch.mask.shape[1] - batch.ids.shape[1] :]
        sums = (heads.double() * kept).sum(dim=1).tolist()
        scores += [(before + of_row) / (len(prompt) + len(one)) for of_row, one in zip(sums, batch.said, strict=True)]
    return scores


def answer_chances(model: Any, prompts: Sequence[Sequence[int]], answers: Sequence[int]) -> list[list[float]]:
    """Return for each prompt the chances of some one-token answers, which sum to one.

    What all prompts begin with is read once.

    Args:
        model: a causal language model.
        prompts: at least one.
        answers: token ids.
    """
    import torch

    common = next(
        (at for at, ids in enumerate(zip(*prompts, strict=False)) if len(set(ids)) > 1), min(map(len, prompts))
    )
    common = min(common, min(map(len, prompts)) - 1)
    cache = read_prompts(model, [prompts[0][:common]])[0] if common and len(prompts) > 1 else None
    start = common if cache is not None else 0
    chances: list[list[float]] = []
    for at in range(0, len(prompts), SCORE_BATCH):
        rest = [list(prompt[start:]) for prompt in prompts[at : at + SCORE_BATCH]]
        ids, own_mask = pad_left(rest, 0)  # so that all answers stand at the end
        mask = torch.cat([torch.ones(len(rest), start, dtype=torch.long), own_mask], dim=1).to(model.device)
        inputs: dict[str, Any] = {"use_cache": False}
        if cache is not None:
            own = copy.deepcopy(cache)
            own.batch_repeat_interleave(len(rest))
            inputs = {"past_key_values": own, "use_cache": True}
        keep = {"logits_to_keep": 1} if takes(model, "logits_to_keep") else {}
        positions = (mask.cumsum(dim=1) - 1).clamp(min=0)[:, start:]
        with torch.no_grad():
            out = model(input_ids=ids.to(model.device), attention_mask=mask, position_ids=positions, **inputs, **keep)
        chances += out.logits[:, -1, list(answers)].float().softmax(dim=-1).tolist()
    return chances
