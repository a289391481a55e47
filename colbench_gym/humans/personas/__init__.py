"""People who are unlike each other: a scripted human's truthful reply, said in the manner of a persona.

A persona changes how and when things are said, never what is true: it leaves parts for later, re-words them, adds
small talk. Everything follows from the task and the dialogue, so equal dialogues get equal replies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from colbench_gym.action import extract_page
from colbench_gym.dialogue import Dialogue
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.humans import NOTHING_SHOWN, Shown
from colbench_gym.humans.personas.moments import Moment
from colbench_gym.humans.personas.renderings import RENDERINGS
from colbench_gym.humans.personas.voices import VOICES
from colbench_gym.humans.replies import Reply
from colbench_gym.rules import RULES
from colbench_gym.tasks import Task
from colbench_gym.tasks.permutation import Draw

if TYPE_CHECKING:
    from colbench_gym.humans.page.human import PageHuman
    from colbench_gym.humans.scripted import FunctionHuman

MIXED = "mixed"


class PersonaHuman:
    """Scripted human with the manner of a persona (a :class:`~colbench_gym.humans.HumanSimulator`).

    Args:
        human: knows what is true. Closed with this one.
        persona: one of :data:`VOICES`, or ``mixed``: another one for each task.
        intensity: 0 (as the human itself) to 1: how often the manner shows.

    Raises:
        UnknownNameError: no such persona.
        UsageError: the intensity is out of range.
    """

    def __init__(self, human: FunctionHuman | PageHuman, persona: str, intensity: float = 1.0) -> None:
        read_persona(f"{persona}:{intensity}")
        self._human = human
        self._persona = persona
        self._intensity = intensity

    def persona_for(self, task: Task) -> str:
        """Return the name of the persona that plays a task."""
        if self._persona != MIXED:
            return self._persona
        return Draw("persona", task.task_id, task.description).pick(tuple(VOICES))

    def reply(self, task: Task, dialogue: Dialogue, shown: Shown = NOTHING_SHOWN) -> str:
        """Return the reply to the agent's last message, as the persona says it.

        Raises:
            HumanError: no reply could be had.
        """
        persona, turns = self.persona_for(task), dialogue.turns
        moment = Moment(
            task_id=task.task_id,
            persona=persona,
            intensity=self._intensity,
            questions=tuple(turn.content for turn in turns if turn.seat == "agent"),
            replies=tuple(turn.content for turn in turns[1:] if turn.seat == "human"),
            shows_page=task.track == "frontend" and extract_page(turns[-1].content) is not None,
            max_chars=RULES[task.track].human_chars,
            put_off=self._put_off(task, dialogue, shown) if persona == "unsure" and len(turns) > 2 else None,
        )
        rewords = persona in RENDERINGS and task.track == "backend" and self._intensity > 0
        heard = self._in_own_words(task, dialogue, RENDERINGS[persona]) if rewords else dialogue
        return VOICES[persona](self._human.compose(task, heard, shown), moment)

    def _in_own_words(self, task: Task, dialogue: Dialogue, render: Callable[[str], str]) -> Dialogue:
        """Return the dialogue with the words of the human inside, which knows by them what was said before."""
        turns = list(dialogue.turns[:1])
        for turn in dialogue.turns[1:]:
            if turn.seat == "human":
                reply = self._human.compose(task, replace(dialogue, turns=tuple(turns)))
                told = [part.text for part in reply.parts if render(part.text).rstrip(";") in turn.content]
                turn = replace(turn, content=" ".join(told) or turn.content)
            turns.append(turn)
        return replace(dialogue, turns=tuple(turns))

    def _put_off(self, task: Task, dialogue: Dialogue, shown: Shown) -> Reply | None:
        """Return the reply that the agent would have got to its message before, for a persona that put it off."""
        before = replace(dialogue, turns=dialogue.turns[:-2])
        asked = before.turns[-1].seat == "agent"
        return self._human.compose(task, before, Shown(None, shown.reference)) if asked else None

    def close(self) -> None:
        """Close the human inside. A second call does nothing."""
        self._human.close()


def read_persona(text: str) -> tuple[str, float]:
    """Read ``PERSONA`` or ``PERSONA:INTENSITY``.

    Raises:
        UnknownNameError: no such persona.
        UsageError: the intensity is no number from 0 to 1.
    """
    name, colon, number = text.partition(":")
    if name != MIXED and name not in VOICES:
        raise UnknownNameError.among("persona", name, (*VOICES, MIXED))
    try:
        intensity = float(number) if colon else 1.0
    except ValueError:
        intensity = -1.0
    if not 0 <= intensity <= 1:
        raise UsageError(
            f"got a persona's intensity of {number!r}; expected a number from 0 to 1, as in scripted:{name}:0.5"
        )
    return name, intensity


__all__ = ["MIXED", "VOICES", "PersonaHuman", "read_persona"]
