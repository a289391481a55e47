"""Conversations to fine-tune on, and pairs of them, as TRL reads them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from colbench_gym.baselines.pairs import pair_dialogues
from colbench_gym.dialogue import OFFICIAL_ROLE, ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.jsonl import write_rows
from colbench_gym.trajectory import Trajectory


def export_conversations(trajectories: Iterable[Trajectory], out: Path, min_score: float = 0.0) -> int:
    """Write dialogues as ``{"messages": [...]}``, which TRL's SFTTrainer and ``datasets`` read; return how many.

    Args:
        trajectories: those whose prompts were recorded begin with the agent's brief.
        out: the file to write.
        min_score: dialogues that scored less, or were not graded, are left out.

    Raises:
        InputFileError: the file cannot be written.
        UsageError: no dialogue scored so much.
    """
    rows = [
        {"messages": conversation(trajectory), "task_id": trajectory.task.task_id, "score": trajectory.score}
        for trajectory in trajectories
        if trajectory.score is not None and trajectory.score >= min_score
    ]
    if not rows:
        raise UsageError(f"no dialogue scored at least {min_score}; got nothing to export")
    write_rows(out, rows)
    return len(rows)


def export_pairs(trajectories: Sequence[Trajectory], out: Path) -> int:
    """Write the pairs that :func:`~colbench_gym.baselines.pairs.pair_dialogues` makes, as TRL's DPOTrainer reads them.

    ``prompt`` is the agent's brief and the request, ``chosen`` and ``rejected`` are the rest of each dialogue. Returns
    how many pairs were written; there should be several dialogues a task.

    Raises:
        InputFileError: the file cannot be written.
        UsageError: no pair at all, or one of two prompts; the message says why.
    """
    rows = []
    for pair in pair_dialogues(trajectories).pairs:
        chosen, rejected = trajectories[pair.chosen], trajectories[pair.rejected]
        prompt, better = _prompt_and_rest(conversation(chosen))
        other, worse = _prompt_and_rest(conversation(rejected))
        if prompt != other:
            raise UsageError(
                f"the agents of two dialogues about task {chosen.task.task_id!r} were told different things, but a "
                "pair has one prompt; expected runs with the same --prompts, tasks and --max-turns"
            )
        scores = {"score_chosen": chosen.score, "score_rejected": rejected.score}
        rows.append({"prompt": prompt, "chosen": better, "rejected": worse, "task_id": chosen.task.task_id, **scores})
    write_rows(out, rows)
    return len(rows)


def conversation(trajectory: Trajectory) -> list[ChatMessage]:
    """Return the messages of a dialogue: what the agent was told first, then every turn as it was said in full."""
    turns = trajectory.dialogue.turns
    recorded = next((turn.input for turn in turns if turn.input), None) or ()
    messages: list[ChatMessage] = [
        ChatMessage(role="system", content=_text(part["content"])) for part in recorded if part["role"] == "system"
    ]
    for turn in turns:
        said = turn.content if turn.output is None else turn.output
        messages.append(ChatMessage(role=OFFICIAL_ROLE[turn.seat], content=said))
    return messages


def _text(content: object) -> str:
    """Return the text of a message whose content may be parts, as servers take it."""
    parts = content if isinstance(content, list) else [{"text": content}]
    return "".join(str(part.get("text", "")) for part in parts if isinstance(part, dict))


def _prompt_and_rest(messages: list[ChatMessage]) -> tuple[list[ChatMessage], list[ChatMessage]]:
    """Return the messages before the agent's first one, and from there on."""
    first = next(place for place, message in enumerate(messages) if message["role"] == "assistant")
    return messages[:first], messages[first:]
