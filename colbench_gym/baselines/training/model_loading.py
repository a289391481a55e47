"""Requirements of training: the packages, and memory."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager

from colbench_gym.errors import MissingExtraError, UsageError

_NEEDED = ("torch", "transformers", "accelerate", "peft", "datasets")


def require_training_packages() -> None:
    """Fail early, by name, where a package of the ``train`` extra is missing.

    Also turns off what would be reported about the run to the hub, unless the user has set the variable.

    Raises:
        MissingExtraError: one is not installed.
    """
    for package in _NEEDED:
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError.of(package, "train", "training")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # read when huggingface_hub is imported, which comes after


@contextmanager
def explained_shortage() -> Iterator[None]:
    """Turn memory or a disk that runs out into an error that says what to do.

    Raises:
        UsageError: it ran out.
    """
    try:
        yield
    except Exception as e:
        import torch

        said = str(e).splitlines()[0] if str(e) else type(e).__name__
        if "No space left" in str(e):  # torch, safetensors and Python each say it with a type of their own
            raise UsageError(
                f"the disk is full ({said}); make room and go on with --resume, or name another --out"
            ) from e
        if not isinstance(e, (torch.OutOfMemoryError, MemoryError)) and "allocate memory" not in str(e):
            raise
        raise UsageError(
            f"out of memory ({said}). Ways out, the cheapest first: --micro-batch-size 1, --gradient-checkpointing, "
            "--lora-rank 16, --max-tokens (drops the longest dialogues), a smaller --sampling-batch, or more devices "
            "with accelerate launch and a configuration of examples/accelerate"
        ) from e
