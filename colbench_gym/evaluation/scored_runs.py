"""Read what a run scored, task by task: a run's folder, a file of trajectories, or what ``colbench grade`` wrote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from colbench_gym.dialogue import OFFICIAL_ROLE
from colbench_gym.errors import InputFileError
from colbench_gym.evaluation.run_folder import (
    RUN_FILE,
    TRAJECTORIES_FILE,
    content_hash,
    read_run_file,
    read_spent,
    trajectories_file,
)
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.jsonl import read_rows, wrong_type
from colbench_gym.rules import Track
from colbench_gym.tasks.official import row_id
from colbench_gym.trajectory import RepeatedTasks, Trajectory, from_row, task_row

AGENT = OFFICIAL_ROLE["agent"]
Json = dict[str, Any]  # Any: JSON
Scores = Mapping[str, tuple[float, ...]]  # of each task, one for each dialogue
_SCORES: tuple[tuple[Track, str], ...] = (("backend", "pass_rate"), ("frontend", "similarity"))


@dataclass(frozen=True)
class ScoredRun:
    """Scores of one run."""

    name: str  # what it was read from
    track: Track
    metric: str  # name and version of the score; "" where the file does not say
    scores: Scores  # in the file's order: pass rate or similarity of each dialogue that counts
    successes: Scores  # backend: 1.0 or 0.0 for each dialogue that counts
    turns: Scores = field(default_factory=dict)  # of the agent; empty where the file does not hold them
    not_counted: int = 0  # dialogues that failed on our side
    task_hashes: Mapping[str, str] = field(default_factory=dict)  # what each task is, where the file holds the tasks
    settings: Json = field(default_factory=dict)  # the configuration, where the run's folder is there
    label: str = ""
    differences: tuple[str, ...] | None = None  # from the paper's set-up, as the run recorded them
    used: Json = field(default_factory=dict)  # seconds and counts of each seat, and ``cost`` where prices were given


@dataclass(frozen=True)
class _Row:
    task_id: str
    track: Track
    metric: str
    score: float | None
    success: bool
    task_hash: str = ""
    turns: int | None = None


def read_run(path: Path) -> ScoredRun:
    """Read a run.

    Args:
        path: a folder of ``colbench eval``, a file of trajectories (official or ours), or a file that
            ``colbench grade`` wrote.

    Raises:
        InputFileError: there is no such file, the run is not finished, a row is broken, or not all rows are of one
            track and one metric.
    """
    file = trajectories_file(path)
    run = _run(file)
    rows = [_row(row, file, number, *place) for row, number, place in _placed(file)]
    if not rows:
        raise InputFileError(f"{file}: no dialogue in it; expected one JSON object a line")
    if all(row.score is None for row in rows):
        raise InputFileError(f"{file}: none of its {len(rows)} dialogues was graded; play them again with --resume")
    return _scored(path, file, run, rows)


def read_dialogues(path: Path) -> tuple[tuple[Trajectory, ...], ScoredRun | None]:
    """Read a run's dialogues, and what it scored where any of them was graded; see :func:`read_run`."""
    file = trajectories_file(path)
    run = _run(file)
    rows: list[_Row] = []
    trajectories: list[Trajectory] = []
    spent = read_spent(file.parent) if file.name == TRAJECTORIES_FILE else {}
    for row, number, place in _placed(file):
        played = from_row(row, file, number, *place)
        trajectories.append(replace(played, **spent.get((played.task.task_id, played.repeat), {})))
        rows.append(_row(row, file, number, *place, trajectory=trajectories[-1]))
    graded = any(row.score is not None for row in rows)
    return tuple(trajectories), _scored(path, file, run, rows) if graded else None


def read_settings(path: Path) -> Json:
    """Return the configuration of a finished run; {} where a file of trajectories stands alone."""
    settings: Json = _run(trajectories_file(path)).get("settings", {})
    return settings


def _placed(file: Path) -> Iterator[tuple[Json, int, tuple[int, int]]]:
    """Yield each row with its line, and the position and repeat of a task that has no id."""
    repeated = RepeatedTasks()
    with closing(read_rows(file)) as read:
        for position, (number, row) in enumerate(read):
            yield row, number, repeated.place(row, position)


def _scored(path: Path, file: Path, run: Json, rows: Sequence[_Row]) -> ScoredRun:
    counted = [row for row in rows if row.score is not None]
    for name in ("track", "metric"):
        values = sorted({getattr(row, name) or "none named" for row in counted})
        if len(values) > 1:
            raise InputFileError(
                f"{file}: got rows of more than one {name} ({', '.join(values)}), expected one; split the file, or "
                "grade it anew with: colbench grade"
            )

    def per_task(name: str) -> Scores:
        values = ((row.task_id, getattr(row, name)) for row in counted)
        known = grouped((task, float(value)) for task, value in values if value is not None)
        return {task: tuple(found) for task, found in known.items()}

    return ScoredRun(
        name=str(path),
        track=counted[0].track,
        metric=counted[0].metric,
        scores=per_task("score"),
        successes=per_task("success") if counted[0].track == "backend" else {},
        turns=per_task("turns"),
        not_counted=len(rows) - len(counted),
        task_hashes={row.task_id: row.task_hash for row in counted if row.task_hash},
        **run,
    )


def _run(file: Path) -> Json:
    """Return what run.json beside a run's trajectories says, as fields of ScoredRun; nothing beside any other file."""
    if file.name != TRAJECTORIES_FILE or not (file.parent / RUN_FILE).is_file():
        return {}
    run = read_run_file(file.parent)
    try:
        return {
            "settings": run["configuration"],
            "label": str(run.get("label", "")),
            "differences": tuple(map(str, run["profile"]["differences"])) if run.get("profile") is not None else None,
            "used": {**run.get("used", {}), **({"cost": run["cost"]["total"]} if "cost" in run else {})},
        }
    except (KeyError, TypeError) as e:
        raise InputFileError(
            f"{file.parent / RUN_FILE}: is no run of colbench-gym ({e!r}); name a folder of colbench eval"
        ) from e


def _row(row: Json, file: Path, number: int, position: int, repeat: int, trajectory: Trajectory | None = None) -> _Row:
    graded = next(((track, name) for track, name in _SCORES if name in row), None)
    if graded is None:
        if "task" not in row:
            raise InputFileError(
                f"{file}, line {number}: the row holds no grade; expected a trajectory, or an answer that colbench "
                "grade has graded"
            )
        played = trajectory or from_row(row, file, number, position, repeat)
        task, track = played.task, played.rules.track
        metric = "pass_rate" if track == "backend" else played.metric
        hashed, spoken = content_hash([task_row(task)]), played.dialogue.count("agent")
        return _Row(task.task_id, track, metric, played.score, played.success, hashed, spoken)
    track, name = graded
    score = row[name]
    if score is not None and (isinstance(score, bool) or not isinstance(score, (int, float)) or not 0 <= score <= 1):
        raise wrong_type(file, number, name, score, "a number from 0 to 1, or null")
    named = row if "task" not in row or row.get("task_id") is not None or row.get("index") is not None else row["task"]
    if not isinstance(named, dict):
        raise wrong_type(file, number, "task", named, "a task object")
    metric = name if track == "backend" else str(row.get("metric") or "")
    history = row.get("dialogue_history")
    said = history if isinstance(history, list) else []
    turns = sum(isinstance(turn, dict) and turn.get("role") == AGENT for turn in said) or None
    task_id = row_id(named, file, number, position)
    return _Row(task_id, track, metric, score, row.get("success") is True, turns=turns)
