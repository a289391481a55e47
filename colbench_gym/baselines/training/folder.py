"""One training run in its folder: arguments, checkpoints, metrics, weights, and the card beside them."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import transformers
from accelerate import PartialState
from datasets import Dataset, load_from_disk
from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

from colbench_gym.baselines.training.checkpoints import Checkpoint
from colbench_gym.baselines.training.model_card import model_card, versions
from colbench_gym.baselines.training.options import EPOCHS, FREE_ON_RESUME, TrainingOptions, deviations
from colbench_gym.errors import ConfigurationChangedError, InputFileError, MissingExtraError, UsageError
from colbench_gym.jsonl import read_rows, ready_to_append, replacing, write_rows
from colbench_gym.models.loading import ADAPTER_FILE, load_causal_model, load_head_model
from colbench_gym.rules import Track

if TYPE_CHECKING:
    from peft import LoraConfig
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

RUN_FILE, METRICS_FILE, CARD_FILE, CHECKPOINTS = "run.json", "metrics.jsonl", "README.md", "checkpoints"
# Defaults of the released training fork (OpenRLHF); the paper does not state them.
MIN_LEARNING_RATE_SHARE = 0.1  # cosine to a tenth
ADAM_BETA2 = 0.95
MAX_GRADIENT_NORM = 1.0
PROCESS_TIMEOUT_S = 24 * 3600  # one process may sample for hours while others wait


@dataclass(frozen=True)
class TrainingFolder:
    """Files of one training run.

    Attributes:
        path: the folder; the trained weights lie in it.
        algorithm: what is trained there, in words.
    """

    path: Path
    algorithm: str

    def check(self, options: TrainingOptions) -> dict[str, Any]:  # Any: JSON
        """Check that there is no run in the folder, or the one to go on with; return what describes this one.

        Raises:
            UsageError: it holds a run and ``resume`` was not given.
            ConfigurationChangedError: it holds a run with other options.
            InputFileError: it cannot be read.
        """
        now: dict[str, Any] = _plain({"algorithm": self.algorithm, "options": asdict(options)})
        if PartialState().is_main_process and (self.path / RUN_FILE).exists():  # which also makes it
            self._check(options, now)
        return now

    def open(self, options: TrainingOptions) -> None:
        """Make the folder, or go on with the run in it.

        Raises:
            UsageError: as for :meth:`check`.
            InputFileError: it cannot be made or read.
        """
        if PartialState().is_main_process:
            now = self.check(options)
            try:
                self.path.mkdir(parents=True, exist_ok=True)
                if not (self.path / RUN_FILE).exists():
                    write_json(self.path / RUN_FILE, now | {"versions": versions()})
            except OSError as e:
                raise InputFileError(f"{self.path}: cannot be written ({e.strerror}); name another folder") from e
        PartialState().wait_for_everyone()

    def _check(self, options: TrainingOptions, now: Mapping[str, Any]) -> None:
        before = self.read()
        if not options.resume:
            raise UsageError(f"{self.path} holds a run already; name another --out, or go on with it by --resume")
        changed = [
            f"{name} was {before['options'].get(name)!r} and is {value!r}"
            for name, value in now["options"].items()
            if name not in FREE_ON_RESUME and before["options"].get(name) != value
        ]
        if before.get("algorithm") != self.algorithm:
            changed.append(f"the algorithm was {before.get('algorithm')!r} and is {self.algorithm!r}")
        if changed:
            raise ConfigurationChangedError(
                f"{self.path} holds another run: {'; '.join(changed)}. Give the same options, or another --out"
            )

    def read(self) -> dict[str, Any]:  # Any: JSON
        """Read the run's file."""
        try:
            content = json.loads((self.path / RUN_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError) as e:
            raise InputFileError(
                f"{self.path / RUN_FILE}: cannot be read ({e}); name the --out of a training run"
            ) from e
        assert isinstance(content, dict)
        return content

    @property
    def done(self) -> bool:
        """True where a finished run lies."""
        return (self.path / RUN_FILE).exists() and bool(self.read().get("done"))

    def note(self, **entries: Any) -> None:  # Any: JSON
        """Add entries to the run's file."""
        if PartialState().is_main_process:
            write_json(self.path / RUN_FILE, self.read() | _plain(entries))

    def dataset(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Dataset:
        """Write rows as a data set, so that every process reads the same one and reference values are cached."""
        folder = self.path / name
        if PartialState().is_main_process:
            Dataset.from_list([dict(row) for row in rows]).save_to_disk(str(folder))
        PartialState().wait_for_everyone()
        loaded = load_from_disk(str(folder))
        assert isinstance(loaded, Dataset)
        return loaded


def arguments(options: TrainingOptions, folder: TrainingFolder, track: Track) -> TrainingArguments:
    """Return the arguments of a trainer.

    Raises:
        UsageError: the batch cannot be made of micro-batches.
        MissingExtraError: a metrics package is not installed.
    """
    import importlib.util

    share = options.micro_batch_size * PartialState().num_processes
    if options.batch_size % share:
        raise UsageError(
            f"a batch of {options.batch_size} cannot be made of {PartialState().num_processes} processes times "
            f"micro-batches of {options.micro_batch_size}; choose --batch-size as a multiple of {share}"
        )
    for package in options.log_to:
        if importlib.util.find_spec(package) is None:
            raise MissingExtraError(f"metrics to {package} need it installed: pip install {package}")
    checkpoints = "steps" if options.save_steps else "epoch"
    on_cpu = options.cpu or not torch.accelerator.is_available()
    return TrainingArguments(
        output_dir=str(folder.path / CHECKPOINTS),
        per_device_train_batch_size=options.micro_batch_size,
        gradient_accumulation_steps=options.batch_size // share,
        num_train_epochs=EPOCHS[track] if options.epochs is None else options.epochs,
        max_steps=options.max_steps,
        learning_rate=options.peak_learning_rate,
        lr_scheduler_type="cosine_with_min_lr",
        lr_scheduler_kwargs={"min_lr_rate": MIN_LEARNING_RATE_SHARE},
        warmup_steps=options.warmup,
        weight_decay=0.0,
        adam_beta2=ADAM_BETA2,
        max_grad_norm=MAX_GRADIENT_NORM,
        bf16=computes_in_bf16(options),
        gradient_checkpointing=options.gradient_checkpointing,
        gradient_checkpointing_kwargs={"use_reentrant": False},
        remove_unused_columns=False,
        logging_steps=1,
        logging_nan_inf_filter=False,  # a loss that is no number must be seen
        per_device_eval_batch_size=options.micro_batch_size,
        eval_strategy="no" if options.eval_data is None else checkpoints,
        eval_steps=options.save_steps or None,
        save_strategy=checkpoints,
        save_steps=options.save_steps or 500,
        save_total_limit=options.keep_checkpoints,
        report_to=list(options.log_to) or "none",
        seed=options.seed,
        use_cpu=options.cpu,
        dataloader_pin_memory=not on_cpu,
        ddp_find_unused_parameters=False,
        disable_tqdm=not sys.stderr.isatty(),
        ddp_timeout=PROCESS_TIMEOUT_S,
    )


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


def lora(options: TrainingOptions, head: bool = False) -> LoraConfig | None:
    """Return the adapter's configuration, or None for training all weights."""
    if not options.lora_rank:
        return None
    from peft import LoraConfig, TaskType

    return LoraConfig(
        r=options.lora_rank,
        lora_alpha=options.lora_alpha or 2 * options.lora_rank,
        target_modules="all-linear",
        exclude_modules=["score", "classifier"] if head else None,  # the head itself is trained whole
        task_type=TaskType.TOKEN_CLS if head else TaskType.CAUSAL_LM,
    )


class MetricsTable(TrainerCallback):
    """Prints what is logged as rows of a table to stderr."""

    _columns = (
        "loss",
        "score/margin",
        "score/accuracy",
        "eval_loss",
        "eval_score/accuracy",
        "grad_norm",
        "learning_rate",
    )

    def __init__(self) -> None:
        self._lines = 0

    def on_log(self, _args: Any, state: Any, _control: Any, logs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Print one row, and the names of its columns now and then."""
        if state.is_world_process_zero and logs and {"loss", "eval_loss"} & set(logs):
            if self._lines % 20 == 0:
                sys.stderr.write("  ".join(f"{name:>{max(9, len(name))}}" for name in ("step", *self._columns)) + "\n")
            cells = [f"{state.global_step:>9}"]
            for name in self._columns:
                cells.append(f"{logs[name]:>{max(9, len(name))}.4g}" if name in logs else " " * max(9, len(name)))
            sys.stderr.write("  ".join(cells).rstrip() + "\n")
            self._lines += 1


class MetricsFile(TrainerCallback):
    """Appends every logged metric to a JSONL file; on resuming, lines past the checkpoint are taken back first."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def on_train_begin(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Keep what the run starts from."""
        if state.is_world_process_zero:
            ready_to_append(self._file)
            write_rows(self._file, [row for _, row in read_rows(self._file) if row["step"] <= state.global_step])

    def on_log(self, _args: Any, state: Any, _control: Any, logs: Mapping[str, Any] | None = None, **_: Any) -> None:
        """Write one line."""
        if state.is_world_process_zero and logs:
            numbers = {name: value for name, value in logs.items() if isinstance(value, (int, float))}
            with self._file.open("a", encoding="utf-8") as out:
                out.write(json.dumps({"step": state.global_step} | numbers) + "\n")


def fit(
    trainer: Trainer,
    options: TrainingOptions,
    folder: TrainingFolder,
    tokenizer: PreTrainedTokenizerBase,
    data: Mapping[str, Any],
    notes: Iterable[str] = (),
) -> None:
    """Train, from the last checkpoint where there is one to go on from, and write weights, metrics and card.

    Args:
        trainer: ready to train.
        options: of the run.
        folder: of the run.
        tokenizer: written beside the weights.
        data: the summary of the data, for run.json and the card.
        notes: sentences for the card.
    """
    trainer.add_callback(MetricsFile(folder.path / METRICS_FILE))
    trainer.remove_callback(PrinterCallback)
    trainer.add_callback(MetricsTable())
    last = Checkpoint.last(folder.path / CHECKPOINTS) if options.resume else None
    if last is not None and last.final:
        state = last.state
        if trainer.is_world_process_zero():
            last.copy_weights(folder.path)
    else:
        trainer.train(resume_from_checkpoint=None if last is None else str(last.path))
        state = trainer.state
        trainer.save_model(str(folder.path))
    notes = [*notes, *(f"Deviates from the defaults: {name} is {how}." for name, how in deviations(options).items())]
    if trainer.is_world_process_zero():
        tokenizer.save_pretrained(str(folder.path))
        losses = [float(entry["loss"]) for entry in state.log_history if "loss" in entry]
        folder.note(data=data, steps=state.global_step, final={"loss": sum(losses) / len(losses)}, done=True)
        card = model_card(folder.algorithm, folder.read(), notes)
        (folder.path / CARD_FILE).write_text(card, encoding="utf-8")
    trainer.accelerator.free_memory()
    PartialState().wait_for_everyone()


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
    PartialState(cpu=on_cpu, timeout=timedelta(seconds=PROCESS_TIMEOUT_S))
    transformers.set_seed(options.seed)


def _flag(name: str) -> bool:
    return os.environ.get(name) == "true"


def say(text: str) -> None:
    """Write one line to stderr, from the first process only."""
    if PartialState().is_main_process:
        sys.stderr.write(f"{text}\n")


def process_number() -> int:
    """Return this process's number among those that were launched together."""
    return int(PartialState().process_index)


def wait() -> None:
    """Wait for the other processes."""
    PartialState().wait_for_everyone()


def free_memory() -> None:
    """Give memory back between stages, and forget how the last trainer shared its model out.

    Under ZeRO-3 a model that is loaded while a trainer's configuration lives comes with empty parameters.
    """
    from transformers.integrations.deepspeed import unset_hf_deepspeed_config

    unset_hf_deepspeed_config()
    gc.collect()
    if torch.accelerator.is_available():
        torch.accelerator.empty_cache()


def progress(what: str) -> Callable[[int, int], None]:
    """Return a callback that reports progress on stderr, in about a hundred lines."""

    def report(done: int, total: int) -> None:
        if done == total or done % max(1, total // 100) == 0:
            say(f"{what}: {done} of {total}")

    return report


def on_device(path: str, options: TrainingOptions, head: bool = False) -> PreTrainedModel:
    """Load a trained or initial model for inference, on this process's device."""
    dtype = torch.bfloat16 if computes_in_bf16(options) else torch.float32
    model = load_head_model(path, dtype, base=options.model) if head else load_causal_model(path, dtype)
    device = torch.device("cpu") if options.cpu else PartialState().device
    placed: PreTrainedModel = model.to(device).eval()
    return placed


def write_rows_once(file: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write a JSONL file from the first process."""
    if PartialState().is_main_process:
        write_rows(file, rows)
    wait()


def write_json(file: Path, content: Mapping[str, Any]) -> None:
    """Write a JSON file, or leave what was there."""
    with replacing(file) as out:
        out.write(json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _plain(value: Any) -> Any:  # Any: JSON
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, Mapping):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    return str(value) if isinstance(value, Path) else value
