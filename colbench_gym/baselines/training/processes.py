"""Processes of a training run: their start, their devices, what they say, and memory or a disk that runs out."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

import datasets
import torch
import transformers
from accelerate import PartialState
from transformers import PreTrainedModel

from colbench_gym.baselines.options import TrainingOptions
from colbench_gym.errors import UsageError
from colbench_gym.models.loading import ADAPTER_FILE, load_causal_model, load_head_model

TIMEOUT_S = 24 * 3600  # one process may sample for hours while others wait


def start(options: TrainingOptions) -> None:
    """Join the processes that were launched together and seed torch and numpy.

    Must come first: whichever call comes first decides for the process whether it works on the CPU, and adapters and
    heads are initialised from the global generators.

    Raises:
        UsageError: the model is an adapter, and what is asked for needs whole weights to start from.
    """
    sharded = _flag("ACCELERATE_USE_FSDP")
    if (options.lora_rank or sharded) and (Path(options.model) / ADAPTER_FILE).is_file():
        raise UsageError(
            f"{options.model!r} is a LoRA adapter; a new adapter, and FSDP, need whole weights to start from. Train "
            "all weights (--lora-rank 0, without FSDP), or merge it first (PEFT's merge_and_unload) and save it"
        )
    # DeepSpeed finds its devices itself, processors included.
    on_cpu = options.cpu or not (torch.accelerator.is_available() or _flag("ACCELERATE_USE_DEEPSPEED"))
    PartialState(cpu=on_cpu, timeout=timedelta(seconds=TIMEOUT_S))
    transformers.set_seed(options.seed)
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()
        transformers.logging.disable_progress_bar()


def _flag(name: str) -> bool:
    return os.environ.get(name) == "true"


def say(text: str) -> None:
    """Write one line to stderr, from the first process only."""
    if PartialState().is_main_process:
        sys.stderr.write(f"{text}\n")


def number() -> int:
    """Return this process's number among those that were launched together."""
    return int(PartialState().process_index)


def wait() -> None:
    """Wait for the other processes."""
    PartialState().wait_for_everyone()


def progress(what: str) -> Callable[[int, int], None]:
    """Return a callback that reports progress on stderr, in about a hundred lines."""

    def report(done: int, total: int) -> None:
        if done == total or done % max(1, total // 100) == 0:
            say(f"{what}: {done} of {total}")

    return report


def computes_in_bf16(options: TrainingOptions) -> bool:
    """Return True if the arithmetic is bfloat16: as asked, else wherever the hardware has it."""
    if options.bf16 != "auto":
        return options.bf16 == "yes"
    return not options.cpu and torch.cuda.is_available() and torch.cuda.is_bf16_supported()


def weights_dtype(options: TrainingOptions) -> torch.dtype:
    """Return the type of the weights in memory (see :class:`TrainingOptions`)."""
    if options.dtype == "auto":
        return torch.bfloat16 if options.lora_rank and computes_in_bf16(options) else torch.float32
    return torch.bfloat16 if options.dtype == "bfloat16" else torch.float32


def on_device(path: str, options: TrainingOptions, head: bool = False) -> PreTrainedModel:
    """Load a trained or initial model for inference, on this process's device."""
    dtype = torch.bfloat16 if computes_in_bf16(options) else torch.float32
    model = load_head_model(path, dtype, base=options.model) if head else load_causal_model(path, dtype)
    return model.to(torch.device("cpu") if options.cpu else PartialState().device).eval()


def free_memory() -> None:
    """Give memory back between stages, and forget how the last trainer shared its model out.

    Under ZeRO-3 a model that is loaded while a trainer's configuration lives comes with empty parameters.
    """
    from transformers.integrations.deepspeed import unset_hf_deepspeed_config

    unset_hf_deepspeed_config()
    gc.collect()
    if torch.accelerator.is_available():
        torch.accelerator.empty_cache()


@contextmanager
def explained_shortage() -> Iterator[None]:
    """Turn memory or a disk that runs out into an error that says what to do.

    Raises:
        UsageError: it ran out.
    """
    try:
        yield
    except Exception as e:
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
