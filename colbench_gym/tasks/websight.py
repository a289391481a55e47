"""WebSight pages as frontend tasks, as the paper took them: the first 10,000 to train, the next 10,000 to test."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from colbench_gym.action import official_addresses
from colbench_gym.errors import InputFileError, MissingExtraError, UnknownNameError
from colbench_gym.jsonl import read_rows, write_rows
from colbench_gym.rules import Track
from colbench_gym.tasks import FrontendTask
from colbench_gym.tasks.official import FileTasks

HUB_DATASET = "HuggingFaceM4/WebSight"
CONFIGURATION = "v0.2"  # official protocol: the pages made with Tailwind; v0.1 has neither pictures nor ideas
PART = 10_000  # paper, section 3.2: so many pages for each split
SPLITS = {"train": range(PART), "test": range(PART, 2 * PART)}
_IDEA, _PAGE = "llm_generated_idea", "text"  # columns of v0.2
_LICENCE = (
    f"The pages are {HUB_DATASET} ({CONFIGURATION}), under CC BY 4.0: whoever shares them names the dataset. They are "
    "not part of colbench-gym."
)


def load_websight(
    split: str, track: Track, *, source: str | Path = HUB_DATASET, folder: Path | None = None, part: int = PART
) -> FileTasks:
    """The pages of a split; read from the hub once, a row at a time and without the screenshots, then from a file.

    Args:
        split: ``train`` or ``test``.
        track: must be ``frontend``.
        source: the dataset on the hub, or a folder with a copy of it.
        folder: where the file is kept; COLBENCH_CACHE, else the user's cache folder, when not given.
        part: pages for each split.

    Raises:
        UnknownNameError: no such split, or the backend track was asked for.
        MissingExtraError: the package ``datasets`` is not installed.
        InputFileError: the dataset cannot be had (offline, refused) or is another one than expected.
    """
    if track != "frontend":
        raise UnknownNameError.among(f"{track} task set", "websight", ("generated", "official", "PATH.jsonl"))
    if split not in SPLITS:
        raise UnknownNameError.among("split of the WebSight tasks", split, SPLITS)
    kept = (folder or _cache_folder()) / f"{_file_name(source)}-{split}-{part}.jsonl"
    if not kept.is_file():
        rows = _rows(split, source, part)
        kept.parent.mkdir(parents=True, exist_ok=True)
        unfinished = kept.with_name(f"{kept.name}.{os.getpid()}")
        try:
            write_rows(unfinished, rows)
            unfinished.replace(kept)
        finally:
            unfinished.unlink(missing_ok=True)
    tasks = tuple(
        FrontendTask(str(row["task_id"]), row["problem_description"], row["ground_truth"], row=row)
        for _, row in read_rows(kept)
    )
    return FileTasks(f"websight:{split}", tasks)


def _rows(split: str, source: str | Path, part: int) -> Iterator[Mapping[str, Any]]:  # Any: JSON
    """The rows of a task file, in the dataset's order."""
    try:
        from datasets import load_dataset
        from datasets.exceptions import DatasetsError
    except ImportError as e:
        raise MissingExtraError.of("datasets", "hub", "reading WebSight") from e
    print(_LICENCE, file=sys.stderr)  # noqa: T201  a licence notice belongs before the eyes of whoever downloads
    start = list(SPLITS).index(split) * part
    try:
        stream = load_dataset(str(source), CONFIGURATION, split="train", streaming=True, columns=[_IDEA, _PAGE])
        count = 0
        for count, row in enumerate(stream.skip(start).take(part), start=1):
            yield {
                "task_id": f"{split}-{count - 1}",
                "problem_description": row[_IDEA],
                "ground_truth": official_addresses(row[_PAGE]),
            }
    except (OSError, ValueError, DatasetsError, *_network_errors()) as e:
        raise InputFileError(
            f"websight:{split}: {source} cannot be read ({type(e).__name__}: {e}); check the connection, or write the "
            "pages to a JSONL file yourself (problem_description, ground_truth) and pass its path"
        ) from e
    if count < part:
        raise InputFileError(f"websight:{split}: {source} ends after {start + count} pages; expected {start + part}")


def _network_errors() -> tuple[type[Exception], ...]:
    """Return the errors that the hub's client raises without a connection, besides OSError."""
    found: list[type[Exception]] = []
    for name in ("httpx", "httpx2"):
        with contextlib.suppress(ImportError):
            found.append(importlib.import_module(name).HTTPError)
    return tuple(found)


def _file_name(source: str | Path) -> str:
    if str(source) == HUB_DATASET:
        return f"websight-{CONFIGURATION}"
    return "websight-copy-" + re.sub(r"\W+", "-", str(Path(source).resolve())).strip("-")


def _cache_folder() -> Path:
    named = os.environ.get("COLBENCH_CACHE")
    if named:
        return Path(named).absolute() / "tasks"
    base = Path(os.environ.get("XDG_CACHE_HOME") or "")
    return (base if base.is_absolute() else Path.home() / ".cache") / "colbench-gym" / "tasks"
