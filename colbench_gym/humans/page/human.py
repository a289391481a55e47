"""The scripted human of the frontend track: answers what is asked of the wanted page, and says what differs most."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from colbench_gym.action import extract_page
from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import TaskError, UsageError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.asking import Question, questions_in
from colbench_gym.humans.composing import Composer
from colbench_gym.humans.page.differences import differences, ranked
from colbench_gym.humans.page.knowledge import PageKnowledge, asks
from colbench_gym.humans.page.view import views
from colbench_gym.humans.ranking import FactIndex, ranker
from colbench_gym.humans.refusals import is_manipulation
from colbench_gym.humans.replies import Part, Reply
from colbench_gym.page_language.sentences import BROKEN, REFUSED, RIGHT, SHOW, UNKNOWN, say
from colbench_gym.rendering.layout import Layout
from colbench_gym.rules import FRONTEND
from colbench_gym.tasks import FrontendTask, Task

MAX_DIFFERENCES = 3  # ours: in one reply, unless all are asked for
MAX_CHARS = 400  # ours: of what questions are told, and of the differences, unless all are asked for
ONE_CHARS, MORE_CHARS = 310, 60  # ours: of that what one question is told at most, and what each further one adds
MAX_FACTS = 4  # ours: told for one question
MAX_KNOWN = 64  # pages whose facts are kept
_OWN_WORDS = 4  # of a question for the draft, from which it says what it thinks of, what is before it too
_PAGE_START = re.compile(r"<(?:!doctype|html|body)\b", re.IGNORECASE)
_FENCE = re.compile(r"```.*?(?:```|\Z)", re.DOTALL)


class PageHuman:
    """Knows the wanted page and compares the agent's last one with it: no model, no randomness, no memory.

    What the agent asks in its last message is answered first, from the facts of the wanted page. A message with a page,
    and one that asks how the page is, also brings the three differences that stand out most, in whole sentences of
    :mod:`colbench_gym.page_language.sentences`. Nothing in a message changes that; no HTML and no class name is said.
    """

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
        message = spoken[-1] if spoken else ""
        is_rendered = shown.page is not None and shown.page.status == "rendered"
        wanted, got = views(shown.reference, shown.page if is_rendered else None)
        shows_page = extract_page(message) is not None
        words = without_page(message)
        honest, tricks = _honest(words)
        named = [question for question in honest if shown.page is None and _names_things(question)]
        asked = [question for question in honest if question in named or not asks("draft", question.lower)]
        compares = len(asked) < len(honest)
        parts = [Part(say([REFUSED]), "refusal")] if tricks else []
        if asked := asked if named or any(question.asks for question in asked) else []:
            knowledge, index = _known(task.reference, wanted.layout, task.description)
            earlier = frozenset(
                frozenset(question.stem_list) for one in spoken[:-1] for question in _honest(without_page(one))[0]
            )
            most = 1 if shows_page else MAX_FACTS
            composer = Composer(knowledge, index, ranker("frontend"), earlier, most=most, cost=0.0)
            room = min(MAX_CHARS, ONE_CHARS + MORE_CHARS * (len(asked) - 1)) - sum(len(part.text) + 1 for part in parts)
            parts += composer.parts(asked, "\n".join(said), room)
        if (asked or tricks) and not shows_page and not compares and (asked or shown.page is None):
            return Reply(tuple(parts or [Part(say([UNKNOWN]), "unknown")]))
        if shown.page is None or got is None:
            return Reply((*parts, Part(say([SHOW if shown.page is None else BROKEN]), "hint", len(parts), "show")))
        every = asks("all", words.lower())
        room = FRONTEND.human_chars - sum(len(part.text) + 1 for part in parts)
        found = ranked(differences(wanted, got), said)
        kept: list[str] = []
        for sentence in found:
            if len(" ".join([*kept, sentence])) <= (room if every else min(room, MAX_CHARS)):
                kept += [sentence] if every or len(kept) < MAX_DIFFERENCES else []
        parts += [Part(sentence, "answer", len(parts) + index, "difference") for index, sentence in enumerate(kept)]
        if not found:
            parts.append(Part(say([RIGHT]), "answer", len(parts), "right"))
        return Reply(tuple(parts))

    def close(self) -> None:
        """Do nothing: nothing is held."""


def without_page(message: str) -> str:
    """Return a message without the page that it shows."""
    words = _FENCE.sub("\n", message)
    start = _PAGE_START.search(words)
    if start is None:
        return words
    end = words.rfind("</html>")
    return f"{words[: start.start()]}\n{words[end + 7 :] if end > start.start() else ''}"


def _honest(words: str) -> tuple[Sequence[Question], bool]:
    """Return the questions of a message, and whether it tried to get at the source as well."""
    questions = questions_in(words, "frontend")
    tricks = [is_manipulation(f"{one.context} {one.text}") or asks("code", one.lower) for one in questions]
    return [one for one, trick in zip(questions, tricks, strict=True) if not trick], any(tricks)


def _names_things(question: Question) -> bool:
    """Return whether something names what pages have, question or not: "Please name the menu entries"."""
    least = _OWN_WORDS if asks("draft", question.lower) and not question.literals else 1
    return bool(question.kinds or question.literals) and len(question.stems) >= least


@lru_cache(maxsize=MAX_KNOWN)
def _known(reference: str, layout: Layout, request: str) -> tuple[PageKnowledge, FactIndex]:
    knowledge = PageKnowledge(reference, layout, request)
    return knowledge, FactIndex(knowledge.facts)
