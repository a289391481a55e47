"""A person at the terminal plays the human."""

from __future__ import annotations

from colbench_gym.console import ConsoleInput, PictureFolder
from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import HumanError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.tasks import BackendTask, Task


class ConsoleHuman:
    """A HumanSimulator that shows the reference and the agent's message, and reads a reply of one line.

    Pictures are written to a temporary folder, and their paths shown: the person opens them with what they like.

    Args:
        person: who is asked; whoever sits at the terminal by default.
    """

    def __init__(self, person: ConsoleInput | None = None) -> None:
        self._person = person or ConsoleInput()
        self._pictures = PictureFolder()

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the person's reply. Ctrl-C passes.

        Raises:
            HumanError: the input ended.
        """
        boxes: list[tuple[str, str]] = []
        if dialogue.count("agent") == 1:
            boxes += [
                (f"task {task.task_id}: you asked for", task.description),
                ("what only you can see", self._hidden(task, shown)),
            ]
        boxes.append(("the agent says", dialogue.turns[-1].content))
        if shown.page is not None:
            name = f"turn-{dialogue.count('agent')}-{task.task_id}"
            boxes.append(self._pictures.box("the agent's page", name, shown.page.status, shown.page.png))
        try:
            return self._person.ask("your reply", tuple(boxes))
        except EOFError as e:
            raise HumanError(
                f"the input ended on task {task.task_id!r}; expected your reply on one line; run it in a terminal, or "
                "give one line for each of the agent's questions"
            ) from e

    def _hidden(self, task: Task, shown: Shown) -> str:
        if shown.reference is not None:
            picture = self._pictures.save(f"wanted-{task.task_id}", shown.reference.png)
            return f"the page that you have in mind:\n{picture}"
        return task.hidden_information if isinstance(task, BackendTask) else task.reference

    def close(self) -> None:
        """Remove the pictures. A second call does nothing."""
        self._pictures.close()
