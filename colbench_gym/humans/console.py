"""A person plays the human."""

from __future__ import annotations

from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import HumanError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.person import Box, ConsoleInput, Person, Request, page_box
from colbench_gym.tasks import BackendTask, Task


class ConsoleHuman:
    """A HumanSimulator that shows a person the reference and the agent's messages, and reads replies.

    Args:
        person: who is asked; whoever sits at the terminal by default.
    """

    def __init__(self, person: Person | None = None) -> None:
        self._person = person or ConsoleInput()

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the person's reply. Ctrl-C passes.

        Raises:
            HumanError: the input ended.
        """
        opening = dialogue.count("agent") == 1
        boxes: list[Box] = []
        if opening:
            boxes += [Box(f"task {task.task_id}: you asked for", task.description), _hidden(task, shown)]
        boxes.append(Box("the agent says", dialogue.turns[-1].content))
        if shown.page is not None:
            name = f"turn-{dialogue.count('agent')}-{task.task_id}"
            boxes.append(page_box("the agent's page", name, shown.page.status, shown.page.png))
        try:
            return self._person.ask(Request("your reply", tuple(boxes), opening))
        except EOFError as e:
            raise HumanError(
                f"the input ended on task {task.task_id!r}; expected your reply on one line; run it in a terminal, or "
                "give one line for each of the agent's questions"
            ) from e

    def close(self) -> None:
        """Remove the pictures. A second call does nothing."""
        self._person.close()


def _hidden(task: Task, shown: Shown) -> Box:
    if shown.reference is not None:
        wanted = shown.reference
        return page_box("the page that you have in mind", f"wanted-{task.task_id}", wanted.status, wanted.png, True)
    text = task.hidden_information if isinstance(task, BackendTask) else task.reference
    return Box("what only you can see", text, private=True, code=True)
