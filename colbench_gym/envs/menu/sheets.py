"""Sheets: what can be asked about one task, what a reply tells, and the answer that follows from what was told.

They read the request with the public grammar of the generated tasks, and nothing hidden.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from typing import Any

from colbench_gym.errors import UsageError
from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.policies.asker.reading import told
from colbench_gym.policies.designer import PROPOSAL, html_after, statements
from colbench_gym.policies.designer.brief import first_page
from colbench_gym.rules import Track
from colbench_gym.tasks import Task
from colbench_gym.tasks.generated_backend.requests import as_settings, read_request, told_in
from colbench_gym.tasks.generated_backend.shapes.registry import matters_of, source
from colbench_gym.tasks.generated_frontend.aspects import HUE_PHRASES, LOOK_PHRASES, PART_PHRASES
from colbench_gym.tasks.permutation import Draw

ABSENT, UNKNOWN, TOLD, WAVED_OFF = range(4)  # status of a key
_FIELDS = {  # keys that have another name on a page
    "typeface": "font",
    "alignment": "align",
    "boxes": "cards",
    "spacing": "density",
    "header colour": "tone",
    "sidebar": "frame",
}
DRAFT = "draft"  # the key of showing the page so far; it can be shown again, as it changes


@lru_cache(maxsize=2)
def keys_of(track: Track) -> dict[str, str]:
    """Return the keys of what can be asked on a track; action ``1 + place`` asks about the key in that place.

    The values are questions, of keys that are asked about alike in every task.
    """
    text = resources.files(__package__).joinpath("keys.txt").read_text("utf-8")
    section = text.partition(f"\n[{track}]\n")[2].partition("\n[")[0]
    pairs = (line.partition(": ") for line in section.splitlines())
    return {key: question for key, _, question in pairs}


@dataclass(frozen=True)
class Heard:
    """Content of a reply.

    Attributes:
        status: by place; that which was asked about is among them.
        facts: of the sheet's own kind.
    """

    status: Mapping[int, int]
    facts: Any  # Any: see attributes


class BackendSheet:
    """Matters of one generated program; known are pairs of place and alternative.

    Attributes:
        status: by place, of what is of this request.
        stated: what the request itself tells.

    Raises:
        UsageError: the task is none of the grammar.
    """

    def __init__(self, task: Task) -> None:
        plan = read_request(task.description)
        if plan is None:
            raise _without_grammar(task)
        self._plan, self._description = plan, task.description
        self._place = {key: place for place, key in enumerate(keys_of("backend"))}
        self._matters = {self._place[m.key]: m for m in matters_of(plan) if m.key in self._place}
        every = tuple(self._matters.values())
        stated = told_in(task.description, every)
        self.status = {place: TOLD if m.key in stated else UNKNOWN for place, m in self._matters.items()}
        self.stated: frozenset[tuple[int, str]] = frozenset(self._places(as_settings(stated)).items())
        self._questions: dict[int, str] = {}

    def question(self, place: int, known: frozenset[tuple[int, str]]) -> str:  # noqa: ARG002  always the same
        """Return the message that asks."""
        if place not in self._questions:
            self._questions[place] = question_about([self._matters[place]], [0], self._description, 0)
        return self._questions[place]

    def heard(self, place: int, reply: str) -> Heard:
        """Return the alternatives that the reply to that question tells."""
        found = self._places(told(tuple(self._matters.values()), reply, [self._matters[place]]))
        return Heard({place: WAVED_OFF} | dict.fromkeys(found, TOLD), found)

    def with_facts(self, known: frozenset[tuple[int, str]], facts: Mapping[int, str]) -> frozenset[tuple[int, str]]:
        """Return what is known when alternatives are added; a later one takes the place of an earlier one."""
        return frozenset((dict(known) | dict(facts)).items())

    def answer(self, known: frozenset[tuple[int, str]]) -> str:
        """Return the function; a matter that was not told is left out, or drawn where no program does without it."""
        settings = {self._matters[place].key: code for place, code in known}
        for matter in self._matters.values():
            if matter.core and matter.key not in settings:
                settings[matter.key] = Draw("guess", self._plan.signature, matter.key).pick(matter.options).code
        return source(self._plan, settings)

    def _places(self, codes: Mapping[str, str]) -> dict[int, str]:
        return {self._place[key]: code for key, code in codes.items()}


class FrontendSheet:
    """Aspects of one generated page; known are the replies so far, in their order.

    Attributes:
        status, stated: as of a program.

    Raises:
        UsageError: the task is none of the grammar.
    """

    def __init__(self, task: Task) -> None:
        if first_page(task.description) is None:
            raise _without_grammar(task)
        self._request = task.description
        self._keys = tuple(keys_of("frontend"))
        request = task.description.lower()
        self.status = {
            place: TOLD if any(phrase.removeprefix("with ") in request for phrase in _phrases(key)) else UNKNOWN
            for place, key in enumerate(self._keys)
        }
        self.stated: tuple[str, ...] = ()

    def question(self, place: int, known: tuple[str, ...]) -> str:
        """Return the message that asks, or that shows the page so far."""
        if self._keys[place] == DRAFT:
            return f"{PROPOSAL}\n{self.answer(known)}"
        return keys_of("frontend")[self._keys[place]]

    def heard(self, place: int, reply: str) -> Heard:
        """Return the reply, if anything can be read from it."""
        read = any(statement.kind not in ("unread", "right") for statement in statements(reply))
        status = UNKNOWN if self._keys[place] == DRAFT else TOLD if read else WAVED_OFF
        return Heard({place: status}, (reply,) if read else ())

    def with_facts(self, known: tuple[str, ...], facts: tuple[str, ...]) -> tuple[str, ...]:
        """Return the replies with another one."""
        return known + facts

    def answer(self, known: tuple[str, ...]) -> str:
        """Return the page of the grammar that agrees best with the request and the replies."""
        return html_after(self._request, known)


def _phrases(key: str) -> list[str]:
    """Return the phrases by which a request may tell an aspect."""
    tables = {**LOOK_PHRASES, **PART_PHRASES, "colour": HUE_PHRASES}
    return [phrase for phrases in tables.get(_FIELDS.get(key, key), {}).values() for phrase in phrases]


Sheet = BackendSheet | FrontendSheet


def _without_grammar(task: Task) -> UsageError:
    return UsageError(
        f"got the task {task.task_id!r}, expected one of the generated grammar, as the menu reads from the request "
        "what can be asked; make the environment with tasks='generated:train' or another set of generated tasks"
    )
