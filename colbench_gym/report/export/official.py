"""The official format: the rows of the released code, with pages as pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from colbench_gym.action import extract_page
from colbench_gym.dialogue import BLOCK_END
from colbench_gym.errors import InputFileError, UsageError
from colbench_gym.jsonl import write_rows
from colbench_gym.rendering import Renderer
from colbench_gym.trajectory import Trajectory

Json = dict[str, Any]  # Any: JSON


def export_official(trajectories: Sequence[Trajectory], out: Path, open_renderer: Callable[[], Renderer]) -> int:
    """Write the dialogues that were graded as official rows: repeat by repeat, without ids, prompts as one string.

    The released scripts cut a file into as many equal blocks as there are repeats, so a task that lacks a graded repeat
    that another task has is left out whole. A frontend answer becomes the path of its picture in the folder
    ``OUT_pages`` beside the file, or null where there was no page.

    Args:
        trajectories: of one track.
        out: the file to write.
        open_renderer: called once where there are pages; what it opens is closed.

    Returns:
        How many rows were written.

    Raises:
        InputFileError: the file or a picture cannot be written.
        UsageError: no task has all repeats graded.
    """
    graded = _with_all_repeats([trajectory for trajectory in trajectories if trajectory.score is not None])
    if not graded:
        raise UsageError(
            f"got {len(trajectories)} dialogues, expected a task of which each repeat was graded; "
            "finish the run with --resume"
        )
    first = {trajectory.task.task_id: place for place, trajectory in reversed(list(enumerate(graded)))}
    graded.sort(key=lambda trajectory: (trajectory.repeat, first[trajectory.task.task_id]))
    rows = [_with_prompts_as_text(trajectory.to_official_row()) for trajectory in graded]
    if graded[0].rules.track == "frontend":
        _draw_answers(rows, out.with_name(f"{out.stem}_pages"), open_renderer)
    write_rows(out, rows)
    return len(rows)


def _with_all_repeats(graded: Sequence[Trajectory]) -> list[Trajectory]:
    """Return the dialogues of the tasks that have each repeat that any task has."""
    repeats: dict[str, set[int]] = {}
    for trajectory in graded:
        repeats.setdefault(trajectory.task.task_id, set()).add(trajectory.repeat)
    expected = set().union(*repeats.values())
    return [trajectory for trajectory in graded if repeats[trajectory.task.task_id] == expected]


def _with_prompts_as_text(row: Json) -> Json:
    """Return an official row whose prompts are one string each, as the official scripts record them."""
    for message in row["dialogue_history"]:
        if isinstance(prompt := message.get("input"), list):
            message["input"] = BLOCK_END.join(f"{part['role']}:{_text(part['content'])}" for part in prompt)
    row["task"] = {name: value for name, value in row["task"].items() if name != "task_id"}
    return row


def _text(content: object) -> str:
    """Return the text of a message; pictures have none."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, Mapping))


def _draw_answers(rows: Sequence[Json], folder: Path, open_renderer: Callable[[], Renderer]) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as e:
        raise InputFileError(f"{folder}: cannot be made for the pictures ({e.strerror}); name another file") from e
    renderer = open_renderer()
    try:
        for number, row in enumerate(rows):
            page = extract_page(row["answer"], official=True)
            row["answer"] = None
            if page is not None and (png := renderer.render(page).png):
                place = folder / f"{number}.png"
                place.write_bytes(png)
                row["answer"] = str(place)
    finally:
        renderer.close()
