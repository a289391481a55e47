"""Prompts that are read once, and many continuations of each packed into one row behind it.

A continuation sees its prompt and itself alone, by the attention mask: the prompt's keys and values are neither copied
nor read once for each continuation.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import torch

PADDING = -2  # slot of tokens that no continuation sees
_OF_ALL = -1  # of the prompt's tokens


def takes(model: Any, argument: str) -> bool:  # Any: a model of transformers
    """Return True if the model's forward has this argument, under whatever wraps it."""
    for name in ("module", "base_model"):  # of DistributedDataParallel and DeepSpeed; of PEFT
        inner = getattr(model, name, None)
        if inner is not None and (name == "module" or hasattr(model, "peft_config")):
            return takes(inner, argument)
    inner = getattr(model, "model", model) if type(model).__name__ == "LoraModel" else model
    return argument in inspect.signature(inner.forward).parameters


def pad_left(rows: Sequence[Sequence[int]], value: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return left-padded rows and their mask.  # (rows, longest) each"""
    import torch

    longest = max(map(len, rows))
    gaps = [longest - len(row) for row in rows]
    ids = torch.tensor([[*[value] * gap, *row] for gap, row in zip(gaps, rows, strict=True)])
    mask = torch.tensor([[0] * gap + [1] * (longest - gap) for gap in gaps])
    return ids, mask


def read_prompts(model: Any, prompts: Sequence[Sequence[int]]) -> tuple[Any | None, Any]:  # Any: models and caches
    """Read prompts once, padded on the left; return their keys and values, and the model's output.

    The cache is None where it cannot be copied row by row (recurrent states, models without one).
    """
    import torch
    from transformers.cache_utils import DynamicCache, DynamicLayer

    ids, mask = pad_left(prompts, 0)
    cache: Any = DynamicCache(config=model.config)
    keep = {"logits_to_keep": 1} if takes(model, "logits_to_keep") else {}
    with torch.no_grad():
        out = model(
            input_ids=ids.to(model.device),
            attention_mask=mask.to(model.device),
            position_ids=(mask.cumsum(dim=1) - 1).clamp(min=0).to(model.device),
            past_key_values=cache,
            use_cache=True,
            **keep,
        )
    copied = all(isinstance(layer, DynamicLayer) for layer in cache.layers) and cache.get_seq_length() == ids.shape[1]
    return (cache if copied else None), out


class PackedPrompts:
    """Prompts in memory, one a row, with the tokens that were packed behind each.

    Attributes:
        rows: of prompts that are still in memory.
    """

    def __init__(self, model: Any, cache: Any, prompts: Sequence[Sequence[int]]) -> None:  # Any: transformers' own
        import torch

        self._model, self._cache, self.rows = model, cache, len(prompts)
        width = max(map(len, prompts))
        slots = [[PADDING] * (width - len(prompt)) + [_OF_ALL] * len(prompt) for prompt in prompts]
        self._slots = torch.tensor(slots, device=model.device)
        self._positions = (self._slots == _OF_ALL).cumsum(dim=1) - 1

    @classmethod
    def read(cls, model: Any, prompts: Sequence[Sequence[int]]) -> PackedPrompts | None:  # Any: as above
        """Read prompts; None where the attention takes no mask of one's own, or the cache is of another kind."""
        from transformers.cache_utils import DynamicCache, DynamicLayer

        config = model.config.get_text_config()
        masked = config._attn_implementation in ("sdpa", "eager") and not getattr(config, "alibi", False)
        plain = all(type(layer) is DynamicLayer for layer in DynamicCache(config=model.config).layers)
        if not (masked and plain and takes(model, "position_ids")):
            return None
        cache = read_prompts(model, prompts)[0]
        return None if cache is None else cls(model, cache, prompts)

    def extend(
        self, ids: Sequence[Sequence[int]], slots: Sequence[Sequence[int]], positions: Sequence[Sequence[int]]
    ) -> torch.Tensor:
        """Append tokens to every row and return the logits behind them.  # (rows, tokens, vocabulary)

        Args:
            ids: as many in each row.
            slots: the continuation, from 0, that each belongs to; ``PADDING`` for none.
            positions: in the continuation, the prompt included.
        """
        import torch

        device = self._model.device
        own, at = torch.tensor(slots, device=device), torch.tensor(positions, device=device)
        self._slots, self._positions = torch.cat([self._slots, own], dim=1), torch.cat([self._positions, at], dim=1)
        shared = self._slots[:, None, :] == _OF_ALL
        seen = shared | ((self._slots[:, None, :] == own[:, :, None]) & (self._positions[:, None, :] <= at[:, :, None]))
        mask = torch.zeros(seen.shape, dtype=self._model.dtype, device=device)
        mask.masked_fill_(~seen, torch.finfo(mask.dtype).min)
        with torch.no_grad():
            out = self._model(
                input_ids=torch.tensor(ids, device=device),
                attention_mask=mask[:, None],
                position_ids=at,
                past_key_values=self._cache,
                use_cache=True,
            )
        logits: torch.Tensor = out.logits
        return logits

    def kept(self, rows: Sequence[int]) -> PackedPrompts:
        """Return this with these rows alone."""
        import torch

        if len(rows) < self.rows:
            kept = torch.tensor(rows, device=self._model.device)
            self._cache.batch_select_indices(kept)
            self._slots, self._positions, self.rows = self._slots[kept], self._positions[kept], len(rows)
        return self

    def joined(self, others: PackedPrompts) -> PackedPrompts:
        """Return this with the rows of others behind its own; the shorter rows begin with padding."""

        seen = (self._slots != PADDING).any(dim=0)
        unseen = int(seen.long().argmax())  # columns at the start that nothing of these rows sees any more
        width = max(self._slots.shape[1] - unseen, others._slots.shape[1])
        for layer, other in zip(self._cache.layers, others._cache.layers, strict=True):
            layer.keys = _joined(layer.keys[:, :, unseen:], other.keys, width, -2, 0)
            layer.values = _joined(layer.values[:, :, unseen:], other.values, width, -2, 0)
        self._slots = _joined(self._slots[:, unseen:], others._slots, width, -1, PADDING)
        self._positions = _joined(self._positions[:, unseen:], others._positions, width, -1, 0)
        self.rows += others.rows
        return self


def _joined(rows: torch.Tensor, others: torch.Tensor, width: int, axis: int, padding: int) -> torch.Tensor:
    """Return all rows, padded to a width at the start of an axis."""
    import torch

    parts = []
    for part in (rows, others):
        shape = list(part.shape)
        shape[axis] = width - shape[axis]
        parts.append(torch.cat([part.new_full(shape, padding), part], dim=axis))
    return torch.cat(parts)


def packed_logprobs(model: Any, prompt: Sequence[int], said: Sequence[Sequence[int]]) -> list[list[float]] | None:
    """Return log pi(token | prompt, tokens before it) of continuations; None where they cannot be packed."""
    import torch

    packed = PackedPrompts.read(model, [prompt[:-1]])
    if packed is None:
        return None
    before = len(prompt) - 1
    rows = [(prompt[-1], *one[:-1]) for one in said]
    ids = [i for row in rows for i in row]
    slots = [slot for slot, row in enumerate(rows) for _ in row]
    logits = packed.extend([ids], [slots], [[before + at for row in rows for at in range(len(row))]])[0]
    targets = torch.tensor([i for one in said for i in one], device=logits.device)
    values = (logits.gather(1, targets[:, None])[:, 0].float() - logits.float().logsumexp(dim=-1)).tolist()
    ends = [sum(map(len, said[: at + 1])) for at in range(len(said))]
    return [values[end - len(one) : end] for end, one in zip(ends, said, strict=True)]
