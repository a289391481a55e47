"""The scripted human of the frontend track: sees both pages and says what differs most."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence

from colbench_gym.action import extract_page
from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import TaskError
from colbench_gym.humans.page_critic.differences import differences
from colbench_gym.humans.page_critic.questions import answers, questions
from colbench_gym.humans.page_critic.view import View
from colbench_gym.page_language.sentences import BROKEN, REFUSED, RIGHT, SHOW, UNKNOWN, say
from colbench_gym.rendering import RenderedPage, Renderer, open_renderer
from colbench_gym.rules import FRONTEND
from colbench_gym.tasks import FrontendTask, Task

MOST_SENTENCES = 8  # ours: about what differs, in one reply
ANSWER_CHARS = 600  # ours: of a reply, at most, for what was asked
SAID_BEFORE = 0.5  # ours: how much less a thing stands out each time it has been said
_KEPT_VIEWS = 64  # wanted pages of running dialogues


class PageCritic:
    """Compares the layouts of the agent's last page and of the wanted one: no model, no randomness, no memory.

    What the agent asks in its last message is answered from the wanted page, then the most outstanding differences
    follow, in sentences of :mod:`colbench_gym.page_language.sentences`, whole ones, as many as fit. Nothing in a
    message changes that; no HTML and no class name is ever said.

    Args:
        renderer: what it sees pages with; it stays the caller's. None opens the shared browser when the first page is
            looked at.
    """

    def __init__(self, renderer: Renderer | None = None) -> None:
        self._given = renderer
        self._leased: Renderer | None = None
        self._lock = threading.Lock()
        self._views: OrderedDict[str, View] = OrderedDict()

    def __repr__(self) -> str:
        return f"PageCritic({self._given!r})"

    def reply(self, task: Task, dialogue: Dialogue, pages: Sequence[bytes] = ()) -> str:  # noqa: ARG002
        """The reply to the agent's last message.

        Raises:
            TaskError: the task is of another track, or its reference cannot be rendered.
            RendererError: the browser failed.
            AssetError: a page links an asset that has not been fetched.
        """
        if not isinstance(task, FrontendTask):
            raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a frontend task")
        spoken = [turn.content for turn in dialogue.turns if turn.seat == "agent"]
        page = next(filter(None, (extract_page(message) for message in reversed(spoken))), None)
        said = [turn.content for turn in dialogue.turns[1:] if turn.seat == "human"]
        wanted = self._wanted(task)
        asked, tricks = questions(spoken[-1] if spoken else "")
        told = [say([statement]) for statement in answers(asked, wanted)]
        sentences = fitting(told, ANSWER_CHARS)
        if tricks:
            sentences.insert(0, say([REFUSED]))
        if page is None:
            unanswered = bool(asked) and not sentences
            return " ".join([*sentences, *([say([UNKNOWN])] if unanswered else []), say([SHOW])])
        rendered = self._render(page)
        if rendered.status != "rendered":
            return " ".join([*sentences, say([BROKEN])])
        found = ranked(wanted, View(rendered.layout), said)
        if not found:
            return " ".join([*sentences, say([RIGHT])])
        left = FRONTEND.human_chars - sum(len(sentence) + 1 for sentence in sentences)
        return " ".join([*sentences, *fitting(found, left)[:MOST_SENTENCES]])

    def close(self) -> None:
        """Let go of the browser that it opened. A second call does nothing."""
        with self._lock:
            leased, self._leased = self._leased, None
        if leased is not None:
            leased.close()

    def _render(self, html: str) -> RenderedPage:
        if self._given is not None:
            return self._given.render(html)
        with self._lock:
            if self._leased is None:
                self._leased = open_renderer()
            leased = self._leased
        return leased.render(html)

    def _wanted(self, task: FrontendTask) -> View:
        with self._lock:
            if task.reference in self._views:
                self._views.move_to_end(task.reference)
                return self._views[task.reference]
        rendered = self._render(task.reference)
        if rendered.status != "rendered":
            raise TaskError(
                f"the reference of task {task.task_id!r} cannot be rendered ({rendered.status}); expected a page that "
                "can be; leave the task out"
            )
        view = View(rendered.layout)
        with self._lock:
            self._views[task.reference] = view
            while len(self._views) > _KEPT_VIEWS:
                self._views.popitem(last=False)
        return view


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
