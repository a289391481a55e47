"""Files of one training run: what describes it, its checkpoints, and the card beside its weights."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from accelerate import PartialState
from datasets import Dataset, load_from_disk
from huggingface_hub import HfApi, get_token
from transformers.trainer_callback import TrainerState
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR

from colbench_gym.baselines.options import FREE_ON_RESUME, TrainingOptions, deviations
from colbench_gym.baselines.training.processes import start
from colbench_gym.errors import ConfigurationChangedError, InputFileError, UsageError
from colbench_gym.jsonl import replacing
from colbench_gym.models.unfinished import CHECKPOINTS, RUN_FILE, lock, unfinished
from colbench_gym.version import installed_version

METRICS_FILE, CARD_FILE = "metrics.jsonl", "README.md"
_PACKAGES = ("colbench-gym", "torch", "transformers", "peft", "accelerate", "datasets")
_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "generation_config.json", "adapter_config.json")


@dataclass(frozen=True)
class TrainingFolder:
    """Files of one training run.

    Attributes:
        path: the folder; the trained weights lie in it.
        algorithm: what is trained there, in words.
    """

    path: Path
    algorithm: str

    def check(self, options: TrainingOptions) -> None:
        """Check that there is no run in the folder, or the one to go on with.

        Raises:
            UsageError: it holds a run and ``resume`` was not given.
            ConfigurationChangedError: it holds a run with other options.
            InputFileError: it cannot be read.
        """
        if not (PartialState().is_main_process and (self.path / RUN_FILE).exists()):  # which also makes it
            return
        before, now = self.read(), json.loads(json.dumps(asdict(options), default=str))
        if not options.resume:
            state = unfinished(self.path) or f"{before.get('algorithm')} has finished"
            raise UsageError(
                f"{self.path} holds a run already: {state}; name another --out, or go on with it by --resume"
            )
        changed = [
            f"{name} was {before['options'].get(name)!r} and is {value!r}"
            for name, value in now.items()
            if name not in FREE_ON_RESUME and before["options"].get(name) != value
        ]
        if before.get("algorithm") != self.algorithm:
            changed.append(f"the algorithm was {before.get('algorithm')!r} and is {self.algorithm!r}")
        if changed:
            raise ConfigurationChangedError(
                f"{self.path} holds another run: {'; '.join(changed)}. Give the same options, or another --out"
            )

    @contextmanager
    def open(self, options: TrainingOptions) -> Iterator[None]:
        """Make the folder, or go on with the run in it; no other process may train there until the block ends.

        Raises:
            UsageError: as for :meth:`check`, or another process trains there.
            InputFileError: it cannot be made or read.
        """
        self.check(options)
        with ExitStack() as lease:
            if PartialState().is_main_process:
                versions = {package: installed for package in _PACKAGES if (installed := installed_version(package))}
                try:
                    self.path.mkdir(parents=True, exist_ok=True)
                    lease.callback(os.close, lock(self.path))
                    if not (self.path / RUN_FILE).exists():
                        self._write({"algorithm": self.algorithm, "options": asdict(options), "versions": versions})
                except OSError as e:
                    raise InputFileError(f"{self.path}: cannot be written ({e.strerror}); name another folder") from e
            PartialState().wait_for_everyone()
            yield

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

    def dataset(self, name: str, rows: Iterable[Mapping[str, Any]]) -> Dataset:
        """Write rows as a data set, so that every process reads the same one and reference values are cached."""
        folder = self.path / name
        if PartialState().is_main_process:
            Dataset.from_list([dict(row) for row in rows]).save_to_disk(str(folder))
        PartialState().wait_for_everyone()
        loaded = load_from_disk(str(folder))
        assert isinstance(loaded, Dataset)
        return loaded

    def last_checkpoint(self) -> Checkpoint | None:
        """Return the newest checkpoint, without one that a killed run left half written."""
        folders = (self.path / CHECKPOINTS).glob(f"{PREFIX_CHECKPOINT_DIR}-*")
        steps = {int(step): path for path in folders if (step := path.name.rpartition("-")[2]).isdecimal()}
        for _, path in sorted(steps.items(), reverse=True):
            try:
                state = TrainerState.load_from_json(str(path / "trainer_state.json"))
            except (OSError, ValueError, TypeError):  # it is written last by the first process
                continue
            if all(zipfile.is_zipfile(file) for file in path.glob("rng_state*.pth")):  # each process writes its own
                return Checkpoint(path, state)
        return None

    def finish(
        self, options: TrainingOptions, data: Mapping[str, Any], state: TrainerState, notes: Iterable[str]
    ) -> None:
        """Say in the run's file that training is done, and write the card.

        Args:
            options: of the run.
            data: the summary of the data.
            state: of the trainer.
            notes: sentences for the card.
        """
        losses = [float(entry["loss"]) for entry in state.log_history if "loss" in entry]
        final = {"loss": sum(losses) / len(losses)}
        self._write(self.read() | {"data": data, "steps": state.global_step, "final": final, "done": True})
        deviating = (f"Deviates from the defaults: {name} is {how}." for name, how in deviations(options).items())
        card = model_card(self.algorithm, self.read(), (*notes, *deviating))
        (self.path / CARD_FILE).write_text(card, encoding="utf-8")

    def push(self, repository: str) -> None:
        """Copy weights, tokenizer, card and what describes the run to a repository of the hub.

        Raises:
            UsageError: the hub did not take it.
        """
        with _explained_refusal(repository, f"the model is in {self.path}; try again with --resume"):
            HfApi().upload_folder(
                repo_id=repository,
                folder_path=self.path,
                commit_message=f"{self.algorithm}: end of training",
                allow_patterns=[*_WEIGHTS, "*.json", "*.jinja", "*.model", "*.txt", CARD_FILE, METRICS_FILE],
                ignore_patterns=["*/*"],  # checkpoints, rows, the critic
            )

    def _write(self, run: Mapping[str, Any]) -> None:
        with replacing(self.path / RUN_FILE) as out:
            out.write(json.dumps(run, indent=2, ensure_ascii=False, default=str) + "\n")


def open_repository(repository: str) -> None:
    """Make a private repository on the hub where there is none of that name.

    Raises:
        UsageError: there is no token, or the hub refuses it.
    """
    if not PartialState().is_main_process:
        return
    if get_token() is None:
        raise UsageError(
            f"got push_to_hub {repository!r} and no token of the hub; expected one that may write there: set HF_TOKEN, "
            "or run hf auth login"
        )
    with _explained_refusal(repository, "check the name, and that the token may write there"):
        HfApi().create_repo(repository, private=True, exist_ok=True)


def begin(options: TrainingOptions, algorithm: str) -> TrainingFolder:
    """Start the processes of a run; return its folder once it is clear that the run can be kept there.

    Raises:
        UsageError: as :func:`~colbench_gym.baselines.training.processes.start`, :meth:`TrainingFolder.check` and
            :func:`open_repository`.
    """
    start(options)
    folder = TrainingFolder(options.out, algorithm)
    folder.check(options)
    if options.push_to_hub is not None:
        open_repository(options.push_to_hub)
    return folder


@contextmanager
def _explained_refusal(repository: str, way_out: str) -> Iterator[None]:
    try:
        yield
    except Exception as e:  # of the hub's client and of the HTTP library below it, which changes with its version
        reason = str(e).strip().splitlines()[0] if str(e).strip() else type(e).__name__
        raise UsageError(f"the hub did not take {repository!r} ({reason}); {way_out}") from e


@dataclass(frozen=True)
class Checkpoint:
    """Checkpoint of transformers' Trainer that was written whole.

    Attributes:
        path: the folder.
        state: of the trainer.
    """

    path: Path
    state: TrainerState

    @property
    def final(self) -> bool:
        """True if training was over: a trainer that went on from here would take one more step."""
        control: dict[str, Any] = self.state.stateful_callbacks.get("TrainerControl", {})  # Any: JSON
        return bool(control.get("args", {}).get("should_training_stop"))

    def copy_weights(self, folder: Path) -> None:
        """Copy the trained weights, as ``Trainer.save_model`` wrote them: the best ones where a metric was watched."""
        best = self.state.best_model_checkpoint
        path = self.path if best is None else self.path.with_name(Path(best).name)
        for file in (file for pattern in _WEIGHTS for file in path.glob(pattern)):
            shutil.copyfile(file, folder / file.name)


def model_card(algorithm: str, run: Mapping[str, Any], notes: Iterable[str] = ()) -> str:  # Any: JSON
    """Return Markdown: what was trained, from what, on what, how, and how to use it."""
    options = run["options"]
    library = "peft" if options.get("lora_rank") else "transformers"
    lines = [
        "---",
        f"library_name: {library}",
        *([] if Path(options["model"]).exists() else [f"base_model: {options['model']}"]),  # a name on the hub
        "tags: [colbench, colbench-gym]",
        "---",
        "",
        f"# {algorithm}",
        "",
        f"Trained from `{options['model']}` on `{' '.join(map(str, options['data']))}` by colbench-gym, "
        f"{run['steps']} optimizer steps, mean training loss {run['final']['loss']:.6g}.",
        "",
        "The algorithm and the default settings are those of arXiv 2503.15478 (SWEET-RL: training multi-turn agents on "
        "collaborative reasoning tasks).",
        "",
        *(f"{note}\n" for note in notes),
        "Play it: `colbench eval ColBench-Backend-v0 --agent hf:THIS_FOLDER`.",
    ]
    for title, content in (("Data", run["data"]), ("Settings", options), ("Versions", run["versions"])):
        lines += ["", f"## {title}", "", "| | |", "|---|---|", *_rows(content)]
    return "\n".join(lines) + "\n"


def _rows(content: Mapping[str, Any], prefix: str = "") -> list[str]:
    rows = []
    for name, value in content.items():
        inner = isinstance(value, Mapping)
        rows += _rows(value, f"{prefix}{name}.") if inner else [f"| {prefix}{name} | {value} |"]
    return rows
