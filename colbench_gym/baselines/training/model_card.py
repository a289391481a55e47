"""The card that is written beside trained weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from colbench_gym.version import installed_version

_PACKAGES = ("colbench-gym", "torch", "transformers", "peft", "accelerate", "datasets")


def versions() -> dict[str, str]:
    """Return the versions of what can change a number; a package that is not installed is left out."""
    return {package: installed for package in _PACKAGES if (installed := installed_version(package))}


def model_card(algorithm: str, run: Mapping[str, Any], notes: Iterable[str] = ()) -> str:  # Any: JSON
    """Return Markdown: what was trained, from what, on what, how, and how to use it."""
    options = run["options"]
    library = "peft" if options.get("lora_rank") else "transformers"
    lines = [
        "---",
        f"library_name: {library}",
        f"base_model: {options['model']}",
        "tags: [colbench, colbench-gym]",
        "---",
        "",
        f"# {algorithm}",
        "",
        f"Trained from `{options['model']}` on `{options['data']}` by colbench-gym, {run['steps']} optimizer steps, "
        f"mean training loss {run['final']['loss']:.6g}.",
        "",
        "The algorithm and the default settings are those of arXiv 2503.15478 (SWEET-RL: training multi-turn agents on "
        "collaborative reasoning tasks).",
        "",
        *(f"{note}\n" for note in notes),
        "Play it: `colbench eval ColBench-Backend-v0 --agent hf:THIS_FOLDER`.",
        "",
        "## Data",
        "",
        *_table(run["data"]),
        "",
        "## Settings",
        "",
        *_table(options),
        "",
        "## Versions",
        "",
        *_table(run["versions"]),
    ]
    return "\n".join(lines) + "\n"


def _table(content: Mapping[str, Any], prefix: str = "") -> list[str]:
    lines = [] if prefix else ["| | |", "|---|---|"]
    for name, value in content.items():
        if isinstance(value, Mapping):
            lines += _table(value, f"{prefix}{name}.")
        else:
            lines.append(f"| {prefix}{name} | {value} |")
    return lines
