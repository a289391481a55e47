"""The official format: the rows of the released code, with templated prompts, and with pages as pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from colbench_gym.action import extract_page
from colbench_gym.chat import COMPLETIONS, model_name
from colbench_gym.dialogue import OFFICIAL_ROLE, ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.jsonl import write_rows, writing
from colbench_gym.models.loading import load_chat_tokens
from colbench_gym.models.tokenized_dialogue import agent_turns
from colbench_gym.rendering import Renderer
from colbench_gym.trajectory import Trajectory

Json = dict[str, Any]  # Any: JSON


def export_official(
    trajectories: Sequence[Trajectory],
    out: Path,
    open_renderer: Callable[[], Renderer],
    template: Callable[[Sequence[ChatMessage]], str],
) -> int:
    """Write the dialogues that were graded as official rows: repeat by repeat, without ids, prompts as templated text.

    Returns how many rows were written.
    The released scripts cut a file into as many equal blocks as there are repeats, so a task that lacks a graded repeat
    that another task has is left out whole. A frontend answer becomes the path of its picture in the folder
    ``OUT_pages`` beside the file, or null where there was no page.

    Args:
        trajectories: of one track.
        out: the file to write.
        open_renderer: called once where there are pages; what it opens is closed.
        template: makes the text that a model was given of its messages; see :func:`read_template`.

    Raises:
        InputFileError: the file or a picture cannot be written.
        UsageError: no task has all repeats graded.
    """
    graded = [trajectory for trajectory in trajectories if trajectory.score is not None]
    repeats = {task: set(of) for task, of in grouped((t.task.task_id, t.repeat) for t in graded).items()}
    every = set().union(*repeats.values())
    graded = [trajectory for trajectory in graded if repeats[trajectory.task.task_id] == every]
    if not graded:
        raise UsageError(
            f"got {len(trajectories)} dialogues, expected a task of which each repeat was graded; "
            "finish the run with --resume"
        )
    first = {trajectory.task.task_id: place for place, trajectory in reversed(list(enumerate(graded)))}
    graded.sort(key=lambda trajectory: (trajectory.repeat, first[trajectory.task.task_id]))
    rows = [_row(trajectory, template) for trajectory in graded]
    if graded[0].rules.track == "frontend":
        _draw_answers(rows, out.with_name(f"{out.stem}_pages"), open_renderer)
    write_rows(out, rows)
    return len(rows)


def read_template(named: str | None, agent: str) -> Callable[[Sequence[ChatMessage]], str]:
    """Return what puts messages into the words of a chat template.

    Args:
        named: a model, whose tokenizer has it, or a Jinja file for the agent's tokenizer, or for the one beside it.
        agent: the run's, whose own template is taken where none is named and it is a model with a tokenizer.

    Raises:
        UsageError: there is none, or no such model.
        InputFileError: the file cannot be read.
    """
    kind, _, path = agent.partition(":")
    own = path if kind == "hf" else (model_name(agent) or "") if kind == COMPLETIONS else ""
    file = Path(named) if named and Path(named).is_file() else None
    model = (own or str(file.parent)) if file else (named or own)
    if not model:
        raise UsageError(
            f"got no chat template for the prompts of the agent {agent or 'unknown'!r}, expected that of the model to "
            "be trained: the official trainer finds the agent's tokens by the template's marks, and without them "
            "it keeps no token and divides by zero; name it with --chat-template MODEL, or FILE"
        )
    return load_chat_tokens(model, file).prompt_text


def _row(trajectory: Trajectory, template: Callable[[Sequence[ChatMessage]], str]) -> Json:
    """Return an official row whose prompts are one string each, as the official scripts record them."""
    row, turns = trajectory.to_official_row(), iter(agent_turns(trajectory))
    for message in row["dialogue_history"][1:]:
        if message["role"] == OFFICIAL_ROLE["agent"]:
            messages, message["output"] = next(turns)
            message["input"] = template(messages)
    row["task"] = {name: value for name, value in row["task"].items() if name != "task_id"}
    return row


def _draw_answers(rows: Sequence[Json], folder: Path, open_renderer: Callable[[], Renderer]) -> None:
    with writing(folder, "name another file", "cannot be made for the pictures"):
        folder.mkdir(exist_ok=True)
    with closing(open_renderer()) as renderer:
        for number, row in enumerate(rows):
            page = extract_page(row["answer"], official=True)
            row["answer"] = None
            if page is not None and (png := renderer.render(page).png):
                place = folder / f"{number}.png"
                place.write_bytes(png)
                row["answer"] = str(place)
