"""Agents that always ask the same, or only vague things, and read every reply perfectly (for ``asking.py``)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.graders import Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.generated_backend.drafts import Draft
from colbench_gym.tasks.generated_backend.matters import Matter
from colbench_gym.tasks.generated_backend.shapes.registry import source
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks
from colbench_gym.tasks.permutation import Draw

TURNS = 9
CONSTANT = (
    "Is there anything else I should know?",
    "Can you give me more details about what you need?",
    "Which special cases are there, and what happens then?",
    "Which conditions and thresholds are there?",
    "How exactly is the result calculated?",
    "What exactly should be returned?",
    "Can you give me an example of an input and the expected output?",
    "Please tell me all requirements, with all numbers.",
    "What have you decided about everything that you left open?",
    "What happens with empty, missing, invalid or duplicate input?",
    "How about ties, rounding, limits, empty and missing values, duplicates, letter case and the form of the result?",
    "What else?",
)
VAGUE = (
    "Can you give me more details about what you need?",
    "Could you tell me more about your requirements?",
    "How should it work?",
    "What exactly do you want the function to do?",
    "Please describe the task in more detail.",
    "Is there anything else I should know?",
    "How is the result calculated?",
    "Can you elaborate?",
    "What do you have in mind?",
)
_LITERAL = re.compile(r"\"([^\"]+)\"|(?<![\w.])(-?\d+(?:\.\d+)?)(?![\w%]*\w)")


@dataclass(frozen=True)
class Won:
    """Result of one way of asking.

    Attributes:
        name: of the way, such as the question.
        tasks: how many were played.
        wins: of them those whose answer passed every test.
        known: share of the open matters that the replies told.
        literals: hidden numbers and texts told in one reply, on average.
    """

    name: str
    tasks: int
    wins: int
    known: float
    literals: float


def play(
    name: str,
    questions: Sequence[str],
    human: HumanSimulator,
    grader: Grader,
    task_set: GeneratedBackendTasks,
    count: int,
) -> Won:
    """Ask the same questions in every task, read the replies perfectly, and answer."""
    wins = told = asked = literals = 0
    for index in range(count):
        task, draft = task_set.at(index), task_set.member(index)
        replies = ask(human, task, questions)
        settings = read(draft, replies)
        opened = [matter.key for matter in draft.open]
        told += sum(settings.get(key) == draft.settings[key] and _is_told(draft, key, replies) for key in opened)
        asked += len(opened)
        literals += len(_literals(" ".join(replies)) - _literals(task.description))
        wins += grader.grade(task, f"{source(draft.plan, settings)}").success
    return Won(name, count, wins, told / max(asked, 1), literals / (count * len(questions)))


def ask(human: HumanSimulator, task: BackendTask, questions: Sequence[str]) -> list[str]:
    """Return the replies of one dialogue."""
    turns = [Turn("human", task.description)]
    for question in questions:
        turns.append(Turn("agent", question))
        turns.append(Turn("human", human.reply(task, Dialogue(tuple(turns)))[: BACKEND.human_chars]))
    return [turn.content for turn in turns[2::2]]


def read(draft: Draft, replies: Sequence[str]) -> Mapping[str, str]:
    """Return the settings that a perfect reader knows; what was not told is guessed.

    It takes a matter as told when one of its sentences is heard, and also when a number or text is heard that only the
    right alternative of this matter has: more than any real agent could read.
    """
    guess = Draw("guess", draft.description)
    settings: dict[str, str] = {}
    for matter in draft.matters:
        true_code = draft.settings.get(matter.key)
        if matter.key in draft.stated or _is_told(draft, matter.key, replies):
            if true_code is not None:
                settings[matter.key] = true_code
        elif matter.core and matter.arises(settings):
            settings[matter.key] = guess.pick(matter.options).code
    return settings


def _is_told(draft: Draft, key: str, replies: Sequence[str]) -> bool:
    matter = next(matter for matter in draft.matters if matter.key == key)
    says = _says(matter, draft.settings.get(key))
    text = " ".join(replies)
    if any(sentence in text for sentence in says):
        return True
    others = " ".join(
        sentence
        for other in draft.matters
        if other is not matter
        for sentence in _says(other, draft.settings.get(other.key))
    )
    own = _literals(" ".join(says)) - _literals(others) - _literals(draft.description)
    return bool(own & _literals(text))


def _says(matter: Matter, code: str | None) -> tuple[str, ...]:
    return matter.off if code is None else matter.option(code).says


def _literals(text: str) -> set[str]:
    return {quoted or number for quoted, number in _LITERAL.findall(text)}
