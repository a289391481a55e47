"""The card beside an exported data set: what the hub reads at its top, and for people what it was made of."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from statistics import fmean
from string import Template
from typing import Any

from colbench_gym.errors import InputFileError
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.jsonl import replacing, writing
from colbench_gym.trajectory import Trajectory

Json = Mapping[str, Any]  # Any: JSON
_TEXTS = json.loads(resources.files(__package__).joinpath("card.json").read_text(encoding="utf-8"))
COLUMNS: Mapping[str, Mapping[str, str]] = _TEXTS["columns"]  # of each format: what they hold
_MARK = "<!-- Written by colbench export: the next export to the same file replaces it. -->"


def card_of(out: Path) -> Path | None:
    """Return where the card of a data file stands; None beside a pipe or a device.

    Raises:
        InputFileError: there is a file of that name which is no card of this data file, or it is the data file itself.
    """
    if out.exists() and not out.is_file():
        return None
    card = out.with_name(f"{out.stem}.md")
    if card == out:
        raise InputFileError(f"{out}: is the name of the card beside the data; give the file another ending")
    if card.exists():
        text = card.read_text("utf-8", "replace") if card.is_file() else ""
        if _MARK not in text or _data_files(out) not in text.splitlines():
            raise InputFileError(f"{card}: exists and is no card of {out.name}; move it, or name another --out")
    return card


def write_card(
    card: Path, out: Path, export_format: str, rows: int, trajectories: Sequence[Trajectory], settings: Sequence[Json]
) -> None:
    """Write the card of a data set; copied as README.md beside it, it makes a folder that the hub reads.

    Args:
        card: the file to write.
        out: the data file, of so many ``rows``.
        export_format: one of :data:`COLUMNS`.
        trajectories: the dialogues that it was made of.
        settings: configuration of each run; {} where there is none.

    Raises:
        InputFileError: the card cannot be written.
    """
    runs = [{name: _public(value) for name, value in run.items() if value not in (None, "")} for run in settings]
    unknown = {"settings": "not recorded: made of a file of trajectories"}
    sections = {
        "Columns": COLUMNS[export_format],
        "Dialogues": _counts(trajectories),
        **{f"Run {at}" if len(runs) > 1 else "Run": run or unknown for at, run in enumerate(runs, start=1)},
        "Versions": _versions(trajectories) or {"versions": "not recorded"},
    }
    text = Template(resources.files(__package__).joinpath("card.md").read_text(encoding="utf-8")).substitute(
        pretty=json.dumps(out.stem),
        stem=out.stem,
        name=json.dumps(out.name),
        data_files=_data_files(out),
        mark=_MARK,
        rows=rows,
        format=export_format,
        reader="parquet" if export_format == "parquet" else "json",
        dialogues=len(trajectories),
        tasks=len({trajectory.task.task_id for trajectory in trajectories}),
        sections="".join(f"\n## {title}\n\n{_table(content)}\n" for title, content in sections.items()),
        licences="\n".join(dict.fromkeys(line for run in settings for line in _licence(run))),
    )
    with writing(card), replacing(card) as file:
        file.write(text)


def _data_files(out: Path) -> str:
    """Return the line of a card that names its file."""
    return f"  data_files: {json.dumps(out.name)}"


def _counts(trajectories: Sequence[Trajectory]) -> dict[str, object]:
    outcomes = Counter(trajectory.outcome for trajectory in trajectories)
    counts: dict[str, object] = dict(sorted(outcomes.items()))
    scores = grouped((t.metric or "score", t.score) for t in trajectories if t.score is not None)
    counts |= {f"mean {metric}": f"{fmean(values):.4f} of {len(values)}" for metric, values in scores.items()}
    return counts | {"successes": sum(trajectory.success for trajectory in trajectories)}


def _versions(trajectories: Iterable[Trajectory]) -> dict[str, str]:
    """Return each version that the dialogues were played with; several of one package side by side."""
    versions = grouped(pair for trajectory in trajectories for pair in trajectory.versions.items())
    return {package: ", ".join(sorted(set(found))) for package, found in sorted(versions.items())}


def _licence(settings: Json) -> list[str]:
    tasks = str(settings.get("tasks", ""))
    named = f"`{tasks}`" if tasks else "a file of trajectories"
    lines = [_TEXTS["licences"].get(tasks.partition(":")[0], f"The tasks are those of {named}: their licence holds.")]
    models = [str(settings.get(seat, "")) for seat in ("agent", "human")]
    if written_by := [f"`{_public(model)}`" for model in models if model.startswith(("openai:", "hf:"))]:
        lines.append(f"Messages were written by {' and '.join(written_by)}: the terms of these models hold for them.")
    return lines


def _public(value: object) -> str:
    """Return a setting without the address of a model's server."""
    return re.sub(r"(?<=.)@https?://\S*", "", str(value))


def _table(content: Mapping[str, object]) -> str:
    cells = ((name, str(value).replace("|", "\\|").replace("\n", " ")) for name, value in content.items())
    return "\n".join(["| | |", "|---|---|", *(f"| {name} | {value} |" for name, value in cells)])
