"""Flat rows in a Parquet file: one dialogue each, also those without a grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from colbench_gym.episode import clean
from colbench_gym.errors import MissingExtraError, UsageError
from colbench_gym.jsonl import replacing, writing
from colbench_gym.report.export.card import COLUMNS
from colbench_gym.report.export.conversations import conversation
from colbench_gym.trajectory import Trajectory


def export_parquet(trajectories: Sequence[Trajectory], out: Path) -> int:
    """Write all dialogues as flat rows, which ``datasets.load_dataset("parquet")`` reads; return how many.

    Columns are those of :data:`~colbench_gym.report.export.card.COLUMNS`, references and hidden tests not among them.
    Lone surrogates, which UTF-8 cannot carry, become question marks.

    Raises:
        InputFileError: the file cannot be written.
        MissingExtraError: pyarrow is not installed.
        UsageError: no dialogue.
    """
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as e:
        raise MissingExtraError.of("pyarrow", "hub", "writing Parquet") from e
    if not trajectories:
        raise UsageError("got no dialogue; expected at least one to export")
    text, whole, number = pyarrow.string(), pyarrow.int64(), pyarrow.float64()
    types = dict.fromkeys(COLUMNS["parquet"], text)
    types |= dict.fromkeys(("repeat", "seed", "turns"), whole) | dict.fromkeys(("score", "reward"), number)
    types["success"] = pyarrow.bool_()
    types["messages"] = pyarrow.list_(pyarrow.struct({"role": text, "content": text}))
    types["test_outcomes"] = pyarrow.list_(text)
    rows = [_without_surrogates(_row(trajectory)) for trajectory in trajectories]
    table = pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(list(types.items())))
    special = out.exists() and not out.is_file()  # a pipe or a device is written to as it is
    with writing(out), out.open("w", encoding="utf-8") if special else replacing(out.resolve()) as file:
        parquet.write_table(table, file.buffer)
    return len(rows)


def _row(trajectory: Trajectory) -> dict[str, Any]:  # Any: values of a row
    own: dict[str, Any] = {"task_id": trajectory.task.task_id, "track": trajectory.rules.track}  # Any: values of a row
    own |= {"messages": conversation(trajectory), "turns": trajectory.dialogue.count("agent")}
    own |= {"test_outcomes": list(trajectory.test_outcomes)}
    return {name: own[name] if name in own else getattr(trajectory, name) for name in COLUMNS["parquet"]}


def _without_surrogates(value: Any) -> Any:  # Any: values of a row
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {name: _without_surrogates(inner) for name, inner in value.items()}
    return [_without_surrogates(inner) for inner in value] if isinstance(value, list) else value
