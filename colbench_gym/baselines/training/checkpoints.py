"""Checkpoints of a run that may have been killed at any moment."""

from __future__ import annotations

import shutil
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from transformers.trainer_callback import TrainerState
from transformers.trainer_utils import PREFIX_CHECKPOINT_DIR

_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "generation_config.json", "adapter_config.json")


@dataclass(frozen=True)
class Checkpoint:
    """Checkpoint of transformers' Trainer that was written whole.

    Attributes:
        path: the folder.
        state: of the trainer.
    """

    path: Path
    state: TrainerState

    @classmethod
    def last(cls, folder: Path) -> Checkpoint | None:
        """Return the newest checkpoint in a folder, without one that a killed run left half written."""
        steps = {path: path.name.removeprefix(f"{PREFIX_CHECKPOINT_DIR}-") for path in folder.glob("*")}
        numbered = [path for path, step in steps.items() if step.isdecimal()]
        for path in sorted(numbered, key=lambda path: int(steps[path]), reverse=True):
            try:
                state = TrainerState.load_from_json(str(path / "trainer_state.json"))
            except (OSError, ValueError, TypeError):  # it is written last by the first process
                continue
            if all(zipfile.is_zipfile(file) for file in path.glob("rng_state*.pth")):  # each process writes its own
                return cls(path, state)
        return None

    @property
    def final(self) -> bool:
        """True if training was over: a trainer that went on from here would take one more step."""
        control: dict[str, Any] = self.state.stateful_callbacks.get("TrainerControl", {})  # Any: JSON
        return bool(control.get("args", {}).get("should_training_stop"))

    def copy_weights(self, folder: Path) -> None:
        """Copy the trained weights, as ``Trainer.save_model`` wrote them."""
        for pattern in _WEIGHTS:
            for file in self.path.glob(pattern):
                shutil.copyfile(file, folder / file.name)
