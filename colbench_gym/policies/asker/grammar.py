"""The scripted agent on generated tasks: reads the request back into a plan, asks what it leaves open, writes it."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.policies.asker.reading import told, waved_off
from colbench_gym.tasks.generated_backend.matters import Matter
from colbench_gym.tasks.generated_backend.requests import as_settings, may_be_open, read_request, told_in
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan
from colbench_gym.tasks.generated_backend.shapes.registry import matters_of, source
from colbench_gym.tasks.permutation import Draw

_AT_ONCE = 2  # questions in one message


def next_of_grammar(description: str, replies: Sequence[str], questions: int) -> tuple[str, bool] | None:
    """Return the next question, or the function and True; None when the grammar does not have the description."""
    plan = read_request(description)
    if plan is None:
        return None
    every = matters_of(plan)
    known = dict(as_settings(told_in(description, every)))
    matters, settled = may_be_open(description, every), set(known)
    tries = dict.fromkeys((matter.key for matter in matters), 0)
    for turn, reply in enumerate(replies):
        asked = _asked(matters, known, settled, tries, questions - turn)
        heard = told(matters, reply, asked)
        known |= heard
        settled |= set(heard) | {matter.key for matter in asked if waved_off(matter, reply)}
        for matter in asked:
            tries[matter.key] += 1
    now = _asked(matters, known, settled, tries, questions - len(replies)) if len(replies) < questions else []
    if now:
        return question_about(now, [tries[matter.key] for matter in now], description, len(replies)), False
    return source(plan, _guessed(plan, every, known, replies)), True


def _asked(
    matters: Sequence[Matter], known: dict[str, str], settled: set[str], tries: dict[str, int], turns: int
) -> list[Matter]:
    """Return what to ask for next: what a program cannot do without first, two at once where turns are short."""
    rest = [matter for matter in matters if matter.key not in settled]
    rest.sort(key=lambda matter: (not matter.arises(known), tries[matter.key], not matter.core, matter.asked))
    return rest[: _AT_ONCE if len(rest) > turns else 1]


def _guessed(plan: Plan, matters: Sequence[Matter], known: dict[str, str], replies: Sequence[str]) -> dict[str, str]:
    """Return settings in which what is not known is left out, or drawn where the program cannot do without it."""
    draw = Draw("guess", plan.signature, *replies)
    settings = {}
    for matter in matters:
        if matter.key in known:
            settings[matter.key] = known[matter.key]
        elif matter.core:
            settings[matter.key] = draw.pick(matter.options).code
    return settings
