"""The scripted human of the frontend track: answers what is asked of the wanted page, and says what differs most."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import TaskError, UsageError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.page.differences import differences, ranked
from colbench_gym.humans.page.sight import views
from colbench_gym.humans.page_critic.questions import answers, read_message
from colbench_gym.humans.replies import Part, PartKind, Reply
from colbench_gym.page_language.sentences import BROKEN, REFUSED, RIGHT, SHOW, UNKNOWN, say_all
from colbench_gym.page_language.statements import Statement
from colbench_gym.rules import FRONTEND
from colbench_gym.tasks import FrontendTask, Task

MAX_DIFFERENCES = 3  # ours: in one reply, unless all are asked for
MAX_CHARS = 400  # ours: of one reply, unless all differences are asked for


class PageCritic:
    """Compares the agent's last page with the wanted one, and knows the wanted one: no model, no randomness, no memory.

    What the agent asks in its last message is answered first, from the wanted page. A message with a page, and one that
    asks how the page is, also brings the three differences that stand out most, in whole sentences of
    :mod:`colbench_gym.page_language.sentences`. Nothing in a message changes that; no HTML and no class name is said.
    """

    def __repr__(self) -> str:
        return "PageCritic()"

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the reply to the agent's last message.

        Raises:
            TaskError: the task is of another track.
            UsageError: it was not shown the wanted page.
        """
        return self.compose(task, dialogue, shown).text(FRONTEND.human_chars)

    def compose(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> Reply:
        """Return the reply in its parts. Raises as :meth:`reply`."""
        if not isinstance(task, FrontendTask):
            raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a frontend task")
        if shown.reference is None:
            raise UsageError(
                f"got no picture of the wanted page of task {task.task_id!r}; expected Shown(page, reference); render "
                "the task's reference first"
            )
        spoken = [turn.content for turn in dialogue.turns if turn.seat == "agent"]
        said = [turn.content for turn in dialogue.turns[1:] if turn.seat == "human"]
        message = read_message(spoken[-1] if spoken else "")
        is_rendered = shown.page is not None and shown.page.status == "rendered"
        wanted, got = views(shown.reference, shown.page if is_rendered else None)
        parts = [_part([REFUSED], 0)] if message.tricks else []
        parts += [
            _part(statements, index) for index, statements in enumerate(answers(message, wanted, said, task.reference))
        ]
        while len(parts) > 1 and len(" ".join(part.text for part in parts)) > MAX_CHARS:
            parts.pop()
        if message.questions and not message.shows_page and not message.compares:
            return Reply(tuple(parts or [_part([UNKNOWN], 0)]))
        if shown.page is None or got is None:
            return Reply((*parts, _part([SHOW if shown.page is None else BROKEN], len(parts))))
        found = ranked(differences(wanted, got), said)
        max_chars = FRONTEND.human_chars if message.wants_all else MAX_CHARS
        kept = fitting(found, max_chars - sum(len(part.text) + 1 for part in parts))
        if not message.wants_all:
            kept = kept[:MAX_DIFFERENCES]
        parts += [Part(sentence, "answer", len(parts) + index, "difference") for index, sentence in enumerate(kept)]
        if not found:
            parts.append(_part([RIGHT], len(parts)))
        return Reply(tuple(parts))

    def close(self) -> None:
        """Do nothing: nothing is held."""


def _part(statements: Sequence[Statement], index: int) -> Part:
    """Return what answers one question as a part of a reply."""
    kind: PartKind = _KINDS.get(statements[0].kind, "answer")
    topic = statements[0].subject.kind if statements[0].subject else statements[0].kind
    return Part(" ".join(fitting(say_all(statements), MAX_CHARS)), kind, index, topic, kind == "answer")


_KINDS: dict[str, PartKind] = {
    "hint": "hint", "enough": "hint", "unknown": "unknown", "unseen": "unknown", "indifferent": "unknown",
    "refused": "refusal", "show": "hint", "broken": "hint",
}  # fmt: skip


def fitting(sentences: Sequence[str], max_chars: int) -> list[str]:
    """Return the sentences that fit into so many characters with a blank between two; a long one is left out."""
    kept: list[str] = []
    used = -1
    for sentence in sentences:
        if used + 1 + len(sentence) <= max_chars:
            kept.append(sentence)
            used += 1 + len(sentence)
    return kept
