"""Parts that the three algorithms share: trainers, jobs, folders. Importing it says which package is missing."""

import importlib.util
import os

from colbench_gym.errors import MissingExtraError

for _package in ("torch", "transformers", "accelerate", "peft", "datasets"):
    if importlib.util.find_spec(_package) is None:
        raise MissingExtraError.of(_package, "train", "training")
# Nothing about the run is reported to the hub, unless the user has set the variable; read when its client is imported.
os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
