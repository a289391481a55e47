"""What training needs of a machine: the packages, and memory."""

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
def explained_out_of_memory() -> Iterator[None]:
    """Turn a device or a machine that runs out of memory into an error that says what to do.

    Raises:
        UsageError: memory ran out.
    """
    try:
        yield
    except (RuntimeError, MemoryError) as e:  # torch.OutOfMemoryError is a RuntimeError; the CPU allocator raises one
        import torch

        said = str(e)
        if not isinstance(e, (torch.OutOfMemoryError, MemoryError)) and "allocate memory" not in said:
            raise
        raise UsageError(
            f"out of memory ({said.splitlines()[0] if said else type(e).__name__}). Ways out, the cheapest first: "
            "--micro-batch-size 1, --gradient-checkpointing, --lora-rank 16, --max-tokens (drops the longest "
            "dialogues), a smaller --batch-size when sampling, or more devices with accelerate launch and a "
            "configuration of examples/accelerate"
        ) from e
