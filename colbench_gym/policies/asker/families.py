"""The scripted agent on tasks of the first generation: families with templates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from colbench_gym.policies.asker.family_decisions import understood
from colbench_gym.tasks.generated_backend.families.grammar import Choice, Family
from colbench_gym.tasks.generated_backend.families.task_set import FAMILIES
from colbench_gym.tasks.permutation import Draw

QUESTIONS = (
    "Could you tell me about {}?",
    "What have you decided about {}?",
    "What do you want regarding {}?",
)


def next_of_family(description: str, replies: Sequence[str], questions: int) -> tuple[str, bool] | None:
    """Return the next question, or the function and True; None when no family has the description."""
    match = _public_grammar().get(" ".join(description.split()))
    if match is None:
        return None
    family, name = match
    known: dict[str, int] = {}
    for number, reply in enumerate(replies):
        asked = _next(family, known, number)
        if asked is not None:
            known |= understood(family, reply, asked)
    question = _next(family, known, len(replies)) if len(replies) < questions else None
    if question is not None:
        return _ask(family, question, len(replies)), False
    guess = Draw("guess", description, *replies)
    for choice in family.choices:
        known.setdefault(choice.key, guess.below(choice.size))
    return family.source(name, family.settings(known)), True


@lru_cache(maxsize=1)
def _public_grammar() -> dict[str, tuple[Family, str]]:
    """Return every description that a generated task may have, with its family and the name of the function."""
    return {
        " ".join(family.description(name, wording).split()): (family, name)
        for family in FAMILIES
        for name in family.names
        for wording in family.wordings
    }


def _by_size(family: Family) -> list[Choice]:
    """Return what is open, that with most alternatives first."""
    return sorted(family.choices, key=lambda choice: -choice.size)


def _next(family: Family, known: dict[str, int], number: int) -> Choice | None:
    """Return what to ask for with question ``number``: each matter once, then again those that were not understood."""
    order = _by_size(family)
    return next((c for c in order[number:] + order * (number >= len(order)) if c.key not in known), None)


def _ask(family: Family, choice: Choice, number: int) -> str:
    again = number >= len(family.choices)
    about = choice.about[again % len(choice.about)]
    return QUESTIONS[(number + again) % len(QUESTIONS)].format(about)
