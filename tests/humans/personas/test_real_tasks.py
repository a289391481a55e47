"""Personas on real tasks: a reply is made of true sentences, said in the persona's manner, and phrases without facts."""

import pytest

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.personas import VOICES, PersonaHuman
from colbench_gym.humans.personas.renderings import RENDERINGS
from colbench_gym.humans.personas.voices import SAYS
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.tasks import load_tasks

QUESTIONS = (
    "What is returned?",
    "1. What happens with empty input?\n2. Is anything rounded?\n3. Which limits are there?",
    "Which special cases are there?",
    "What is returned?",
    "And what about ties?",
)
PHRASES = [phrase for purpose, phrases in SAYS.items() if purpose != "layperson" for phrase in phrases]


class Listening(FunctionHuman):
    """Scripted human that keeps what it said."""

    said: list[str]

    def compose(self, *given):
        reply = super().compose(*given)
        self.said += [part.text for part in reply.parts]
        return reply


@pytest.mark.parametrize("persona", VOICES)
def test_nothing_is_said_but_what_is_true_and_small_talk(persona):
    tasks, inside = load_tasks("examples", track="backend"), Listening()
    inside.said = []
    human = PersonaHuman(inside, persona)
    for place in range(tasks.size or 0):
        turns = [Turn("human", tasks.at(place).description)]
        for question in QUESTIONS:
            turns.append(Turn("agent", question))
            turns.append(Turn("human", human.reply(tasks.at(place), Dialogue(tuple(turns)))))
            left = turns[-1].content
            true = [RENDERINGS.get(persona, str)(text).rstrip(";") for text in inside.said]
            for known in sorted([*true, *PHRASES], key=len, reverse=True):
                left = left.replace(known, "")
            assert left.strip(" ;") == ""
    human.close()
    assert len(inside.said) >= len(QUESTIONS) * (tasks.size or 0)
