"""One question to a human about one reference."""

from __future__ import annotations

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans import HumanSimulator
from colbench_gym.tasks import BackendTask


def reply_about(
    human: HumanSimulator, reference: str, calls: tuple[str, ...], question: str, description: str = "Please write it."
) -> str:
    """Return what a human replies to a first question about a task."""
    task = BackendTask("t", description, reference, calls, (), reference)
    return human.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question))))
