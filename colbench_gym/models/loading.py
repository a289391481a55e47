"""Load a language model on this machine: its tokenizer and weights, with errors that say what to do."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.errors import InputFileError, MissingExtraError, UsageError
from colbench_gym.models.chat_template import ChatTokens
from colbench_gym.models.unfinished import unfinished

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

ADAPTER_FILE = "adapter_config.json"  # PEFT's mark of a folder that holds an adapter
_NO_LIMIT = 10**9  # tokenizers without a length limit say a number above this


def load_tokenizer(model: str, chat_template: Path | None = None) -> PreTrainedTokenizerBase:
    """Load the model's tokenizer, with a padding token and, where one is named, another chat template.

    Raises:
        UsageError: there is no such model.
        InputFileError: the template file cannot be read.
        MissingExtraError: transformers is not installed.
    """
    try:
        from transformers import AutoTokenizer
    except ImportError as e:
        raise MissingExtraError.of("transformers", "train", "a chat template") from e
    with explained_loading(model):
        if model.startswith(("/", "./", "../", "~")) and not Path(model).is_dir():
            raise OSError("there is no such folder")
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(model)
    if chat_template is not None:
        try:
            tokenizer.chat_template = chat_template.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as e:
            raise InputFileError(f"{chat_template}: cannot be read ({e}); expected a Jinja chat template") from e
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    if tokenizer.pad_token is None:
        raise UsageError(f"the tokenizer of {model!r} has neither a padding nor an end-of-sequence token; set one")
    return tokenizer


def load_chat_tokens(model: str, chat_template: Path | None = None) -> ChatTokens:
    """Load the model's tokenizer and take its chat template apart; raises as :func:`load_tokenizer`."""
    return ChatTokens(load_tokenizer(model, chat_template))


def load_causal_model(model: str, dtype: torch.dtype) -> PreTrainedModel:
    """Load a causal language model; an adapter folder is loaded with its base, the adapter merged into it.

    Raises:
        UsageError: there is no such model.
    """
    from transformers import AutoModelForCausalLM

    with explained_loading(model):
        if (Path(model) / ADAPTER_FILE).is_file():
            from peft import AutoPeftModelForCausalLM

            adapted: Any = AutoPeftModelForCausalLM.from_pretrained(model, dtype=dtype)  # Any: PEFT's wrapper
            loaded: PreTrainedModel = adapted.merge_and_unload().requires_grad_(True)  # PEFT froze the base
        else:
            loaded = AutoModelForCausalLM.from_pretrained(model, dtype=dtype)
    return loaded


def load_head_model(model: str, dtype: torch.dtype, base: str | None = None) -> PreTrainedModel:
    """Load the same backbone with one number per token in place of the vocabulary.

    Raises:
        UsageError: there is no such model, or its architecture comes without such a head.
    """
    from transformers import AutoModelForTokenClassification

    adapter = (Path(model) / ADAPTER_FILE).is_file()
    with explained_loading(model):
        loaded: PreTrainedModel = AutoModelForTokenClassification.from_pretrained(
            base if adapter and base else model, num_labels=1, dtype=dtype
        )
        if adapter:
            from peft import PeftModel

            adapted: Any = PeftModel.from_pretrained(loaded, model)  # Any: PEFT's wrapper
            loaded = adapted.merge_and_unload().requires_grad_(True)
    return loaded


def inference_device(cpu: bool = False) -> tuple[torch.device, torch.dtype]:
    """Return the fastest device there is, and the type of weights that it is good at."""
    import torch

    device = None if cpu or not torch.accelerator.is_available() else torch.accelerator.current_accelerator()
    fast = device is not None and device.type == "cuda" and torch.cuda.is_bf16_supported()
    return device or torch.device("cpu"), torch.bfloat16 if fast else torch.float32


def context_limit(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase) -> int:
    """Return the number of tokens that the model can take in."""
    known = [getattr(model.config.get_text_config(), "max_position_embeddings", None), tokenizer.model_max_length]
    limits = [int(limit) for limit in known if isinstance(limit, int) and 0 < limit < _NO_LIMIT]
    return min(limits, default=_NO_LIMIT)


def token_limit(model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, wanted: int | None) -> int:
    """Return ``wanted`` tokens where the model can take in as many, else (and for None) as many as it can."""
    own = context_limit(model, tokenizer)
    return min(wanted or own, own)


@contextmanager
def explained_loading(model: str) -> Iterator[None]:
    """Turn the many ways in which a model cannot be loaded into one error that says what to do.

    Raises:
        UsageError: it cannot be loaded.
    """
    from safetensors import SafetensorError

    stopped = unfinished(Path(model))
    if stopped is not None:
        raise UsageError(
            f"{model!r} holds no trained model yet: {stopped}; go on with the same command and --resume, or name the "
            "folder of a checkpoint"
        )
    try:
        yield
    except (OSError, ValueError, KeyError, SafetensorError) as e:
        reason = str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__
        raise UsageError(
            f"{model!r} cannot be loaded as a language model ({reason}); expected a folder with config.json, weights "
            "and a tokenizer, or the name of a model on the hub"
        ) from e
