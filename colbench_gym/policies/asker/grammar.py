"""The scripted agent on generated tasks: reads the request back into a plan, asks what it leaves open, writes it."""

from __future__ import annotations

from collections.abc import Sequence

from colbench_gym.policies.asker.phrasing import question_about
from colbench_gym.tasks.generated_backend.matters import Matter
from colbench_gym.tasks.generated_backend.requests import read_request
from colbench_gym.tasks.generated_backend.shapes.protocol import Plan
from colbench_gym.tasks.generated_backend.shapes.registry import matters_of, source
from colbench_gym.tasks.permutation import Draw

_AT_ONCE = 2  # questions in one message


def next_of_grammar(description: str, replies: Sequence[str], questions: int) -> tuple[str, bool] | None:
    """Return the next question, or the function and True; None when the grammar does not have the description."""
    plan = read_request(description)
    if plan is None:
        return None
    matters = matters_of(plan)
    known = _told(matters, description)
    settled = set(known)
    tries = dict.fromkeys((matter.key for matter in matters), 0)
    for turn, reply in enumerate(replies):
        asked = _asked(matters, known, settled, tries, questions - turn)
        told = _told(matters, reply)
        known |= told
        settled |= set(told) | _waved_off(asked, reply, told)
        for matter in asked:
            tries[matter.key] += 1
    now = _asked(matters, known, settled, tries, questions - len(replies)) if len(replies) < questions else []
    if now:
        return question_about(now, [tries[matter.key] for matter in now], description, len(replies)), False
    return source(plan, _guessed(plan, matters, known, replies)), True


def _asked(
    matters: Sequence[Matter], known: dict[str, str], settled: set[str], tries: dict[str, int], turns: int
) -> list[Matter]:
    """Return what to ask for next: what a program cannot do without first, two at once where turns are short."""
    rest = [matter for matter in matters if matter.key not in settled]
    rest.sort(key=lambda matter: (not matter.arises(known), tries[matter.key], not matter.core))
    return rest[: _AT_ONCE if len(rest) > turns else 1]


def _told(matters: Sequence[Matter], text: str) -> dict[str, str]:
    """Return the alternatives that a text states, by the keys of their matters; of two matters the longer sentence."""
    heard = " ".join(text.split())
    found: dict[str, str] = {}
    for matter in matters:
        for option in matter.options:
            if any(" ".join(sentence.split()) in heard for sentence in option.says):
                found[matter.key] = option.code
    return found


def _waved_off(asked: Sequence[Matter], reply: str, told: dict[str, str]) -> set[str]:
    """Return the matters of which a reply says that there is nothing to do about them."""
    off = {matter.key for matter in asked if any(sentence in reply for sentence in matter.off)}
    if "no preference" in reply:
        off |= {matter.key for matter in asked if not (matter.off or matter.core or matter.key in told)}
    return off


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
