"""Embed pictures with a CLIP model, in batches across threads, each picture once."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from colbench_gym.concurrency import BatchedCalls, Cache
from colbench_gym.errors import GraderError, UsageError
from colbench_gym.graders.clip_similarity.loading import LoadedClip, load_clip

if TYPE_CHECKING:
    import torch

Embedding = npt.NDArray[np.float64]  # (projected size,), of length 1

ACCELERATOR_BATCH = 32  # pictures in one pass
CPU_BATCH = 1  # passes of 8 took 30 % less time a picture on one core, and would be padded for every single one
KEPT_EMBEDDINGS = 4096  # 4 kB each with the official model


class ClipEmbedder:
    """Turns PNG pictures into embeddings. Thread-safe.

    What threads ask for while a pass is under way goes into the next pass together. Every pass has the same shape,
    filled up with blank pictures, because the last bits of an embedding depend on it: so a score does not depend on
    what else is being graded.

    Args:
        clip: the model.
        batch_size: pictures in one pass; by default 1 on the CPU, else 32.
    """

    def __init__(self, clip: LoadedClip, batch_size: int | None = None) -> None:
        self._clip = clip
        self.batch_size = batch_size or (CPU_BATCH if clip.device.type == "cpu" else ACCELERATOR_BATCH)
        self._kept: Cache[bytes, Embedding] = Cache(KEPT_EMBEDDINGS)
        self._embed_together = BatchedCalls(self._pass, self.batch_size)
        self.passes = 0

    @classmethod
    def load(cls, model: str, device: str | None = None, batch_size: int | None = None) -> ClipEmbedder:
        """Load a model; see :func:`~colbench_gym.graders.clip_similarity.loading.load_clip` for what it raises."""
        return cls(load_clip(model, device), batch_size)

    @property
    def name(self) -> str:
        """Of the model, unlike that of any other weights."""
        return self._clip.name

    def embed(self, pngs: Sequence[bytes]) -> list[Embedding]:
        """Return one embedding of length 1 for each picture.

        Raises:
            GraderError: the model failed, or its memory ran out.
            UsageError: one of them is no picture.
        """
        keys = [hashlib.blake2b(png, digest_size=16).digest() for png in pngs]
        known = {key: self._kept.get(key) for key in keys}
        unknown = {key: self._pixels(png) for key, png in zip(keys, pngs, strict=True) if known[key] is None}
        embeddings = dict(zip(unknown, self._embed_together(list(unknown.values())), strict=True))
        for key, embedding in embeddings.items():
            self._kept.setdefault(key, embedding)
        embeddings |= {key: embedding for key, embedding in known.items() if embedding is not None}
        return [embeddings[key] for key in keys]

    def _pixels(self, png: bytes) -> torch.Tensor:
        from PIL import Image

        try:
            with Image.open(io.BytesIO(png)) as opened:
                picture = opened.convert("RGB")
        except OSError as e:
            raise UsageError(f"{len(png)} bytes were got that are no picture ({e}); expected a PNG file") from e
        pixels: torch.Tensor = self._clip.processor(images=[picture], return_tensors="pt")["pixel_values"]
        return pixels

    def _pass(self, batch: Sequence[torch.Tensor]) -> list[Embedding]:
        """Embed the pixels of at most a batch of pictures in one pass."""
        self.passes += 1
        try:
            return self._run(batch)
        except RuntimeError as e:  # what torch raises, out of memory included
            reason = str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__
            raise GraderError(
                f"the CLIP model failed on a pass of {self.batch_size} pictures ({reason}); expected their "
                "embeddings; if memory ran out, free some or grade on the CPU"
            ) from e

    def _run(self, pixels: Sequence[torch.Tensor]) -> list[Embedding]:
        import torch

        padded = torch.cat([*pixels, pixels[0].new_zeros((self.batch_size - len(pixels), *pixels[0].shape[1:]))])
        exact: Any = torch.backends.cudnn.flags(enabled=True, deterministic=True, allow_tf32=False)  # Any: untyped
        with torch.inference_mode(), torch.autocast(self._clip.device.type, enabled=False), exact:
            seen = self._clip.vision(pixel_values=padded.to(self._clip.device)).pooler_output
            raw: Embedding = self._clip.projection(seen).cpu().double().numpy()[: len(pixels)]
        if not np.isfinite(raw).all() or not (lengths := np.linalg.norm(raw, axis=1, keepdims=True)).all():
            raise RuntimeError("an embedding without a direction")
        return list(raw / lengths)
