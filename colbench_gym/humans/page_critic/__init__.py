"""The scripted human of the frontend track: sees both pages and says what differs most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import TaskError, UsageError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.page_critic.differences import differences
from colbench_gym.humans.page_critic.questions import answers, questions
from colbench_gym.humans.page_critic.view import View
from colbench_gym.page_language.sentences import BROKEN, REFUSED, RIGHT, SHOW, UNKNOWN, say
from colbench_gym.rules import FRONTEND
from colbench_gym.tasks import FrontendTask, Task

MOST_SENTENCES = 8  # ours: about what differs, in one reply
ANSWER_CHARS = 600  # ours: of a reply, at most, for what was asked
SAID_BEFORE = 0.5  # ours: how much less a thing stands out each time it has been said


class PageCritic:
    """Compares the layouts of the agent's last page and of the wanted one: no model, no randomness, no memory.

    What the agent asks in its last message is answered from the wanted page, then the most outstanding differences
    follow, in sentences of :mod:`colbench_gym.page_language.sentences`, whole ones, as many as fit. Nothing in a
    message changes that; no HTML and no class name is ever said.
    """

    def __repr__(self) -> str:
        return "PageCritic()"

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the reply to the agent's last message.

        Raises:
            TaskError: the task is of another track.
            UsageError: it was not shown the wanted page.
        """
        if not isinstance(task, FrontendTask):
            raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a frontend task")
        if shown.reference is None:
            raise UsageError(
                f"got no picture of the wanted page of task {task.task_id!r}; expected Shown(page, reference); render "
                "the task's reference first"
            )
        spoken = [turn.content for turn in dialogue.turns if turn.seat == "agent"]
        said = [turn.content for turn in dialogue.turns[1:] if turn.seat == "human"]
        wanted = View(shown.reference.layout)
        asked, tricks = questions(spoken[-1] if spoken else "")
        told = [say([statement]) for statement in answers(asked, wanted)]
        sentences = fitting(told, ANSWER_CHARS)
        if tricks:
            sentences.insert(0, say([REFUSED]))
        if shown.page is None:
            unanswered = bool(asked) and not sentences
            return " ".join([*sentences, *([say([UNKNOWN])] if unanswered else []), say([SHOW])])
        if shown.page.status != "rendered":
            return " ".join([*sentences, say([BROKEN])])
        found = ranked(wanted, View(shown.page.layout), said)
        if not found:
            return " ".join([*sentences, say([RIGHT])])
        left = FRONTEND.human_chars - sum(len(sentence) + 1 for sentence in sentences)
        return " ".join([*sentences, *fitting(found, left)[:MOST_SENTENCES]])

    def close(self) -> None:
        """Do nothing: nothing is held."""


def ranked(wanted: View, got: View, said: Sequence[str] = ()) -> list[str]:
    """The differences as sentences, most outstanding first; what was said before stands out less each time."""
    sentences = [(difference.weight, say(difference.statements)) for difference in differences(wanted, got)]
    weighed = [(weight * SAID_BEFORE ** sum(text in reply for reply in said), text) for weight, text in sentences]
    return [text for _, text in sorted(weighed, key=lambda one: -one[0])]


def fitting(sentences: Iterable[str], chars: int) -> list[str]:
    """Those that fit into so many characters with a blank between two, in their order; a long one is left out."""
    kept: list[str] = []
    used = -1
    for sentence in sentences:
        if used + 1 + len(sentence) <= chars:
            kept.append(sentence)
            used += 1 + len(sentence)
    return kept
