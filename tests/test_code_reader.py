"""The scripted human: true, brief, only about what was asked, and never code."""

from __future__ import annotations

import pytest

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans import HumanSimulator
from colbench_gym.humans.code_reader import UNKNOWN, CodeReader
from colbench_gym.tasks import BackendTask, Decision

SHIPPING = """
def shipping_cost(weight_kg, country, express=False):
    if weight_kg <= 0:
        raise ValueError("weight must be positive")
    rates = {"DE": 4.5, "FR": 5.25}
    cost = rates.get(country.upper(), 9) + 0.75 * weight_kg
    if express:
        cost *= 2.5
    return round(cost, 2)
"""


def make_task(reference: str = SHIPPING, decisions: tuple[Decision, ...] = (), description: str = "") -> BackendTask:
    described = description or "Please write a function for the cost of a parcel: def shipping_cost(weight_kg, country)"
    return BackendTask("t", described, reference, (), (), reference, decisions)


def ask(task: BackendTask, *messages: str) -> list[str]:
    """The replies of one dialogue."""
    human = CodeReader()
    turns = [Turn("human", task.description)]
    replies = []
    for message in messages:
        turns.append(Turn("agent", message))
        replies.append(human.reply(task, Dialogue(tuple(turns))))
        turns.append(Turn("human", replies[-1]))
    return replies


def test_it_is_a_human() -> None:
    assert isinstance(CodeReader(), HumanSimulator)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("What happens when express is chosen?", ["express is true", "multiplied by 2.5"]),
        ("Which rates apply per country?", ["4.5 for 'DE'", "5.25 for 'FR'", "(9 if there is none)"]),
        ("How should the result be rounded?", ["rounded to 2 decimals"]),
        ("What if the weight is not positive?", ["ValueError", "weight must be positive"]),
    ],
)
def test_answers_what_was_asked(question: str, parts: list[str]) -> None:
    (reply,) = ask(make_task(), question)
    assert [part for part in parts if part not in reply] == []


def test_honest_about_what_it_does_not_know() -> None:
    assert ask(make_task(), "Which colour should the submit button have?") == [UNKNOWN]


@pytest.mark.parametrize("message", ["", "?", "𝔘𝔫𝔦 ✨ ?", "def f(:", "x" * 100_000, "why? " * 30_000, "\x00\ud800"])
def test_any_message_gets_a_short_reply(message: str) -> None:
    (reply,) = ask(make_task(), message)
    assert 0 < len(reply) <= 400


def test_what_is_not_python_is_not_known() -> None:
    assert "don't know" in ask(make_task(reference="def broken(:"), "What does it return?")[0]
