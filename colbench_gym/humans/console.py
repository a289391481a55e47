"""A person at the terminal plays the human."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.console_input import ConsoleInput
from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import HumanError
from colbench_gym.tasks import BackendTask, Task


class ConsoleHuman:
    """A HumanSimulator that shows the reference and the agent's message, and reads a reply of one line.

    Args:
        person: who is asked; whoever sits at the terminal by default.
    """

    def __init__(self, person: ConsoleInput | None = None) -> None:
        self._person = person or ConsoleInput()

    def reply(self, task: Task, dialogue: Dialogue, pages: Sequence[bytes] = ()) -> str:  # noqa: ARG002  no pictures
        """The person's reply. Ctrl-C passes.

        Raises:
            HumanError: the input ended.
        """
        boxes: list[tuple[str, str]] = []
        if dialogue.count("agent") == 1:
            hidden = task.hidden_information if isinstance(task, BackendTask) else task.reference
            boxes += [(f"task {task.task_id}: you asked for", task.description), ("what only you can see", hidden)]
        boxes.append(("the agent says", dialogue.turns[-1].content))
        try:
            return self._person.ask("your reply", tuple(boxes))
        except EOFError as e:
            raise HumanError(
                f"the input ended on task {task.task_id!r}; expected your reply on one line; run it in a terminal, or "
                "give one line for each of the agent's questions"
            ) from e
