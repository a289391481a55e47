"""What the scripted human says of examples, limits and situations holds when the reference is run."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.samples import sample

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.humans.code_reader.verbalizer.values import say_value
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

HUMAN = CodeReader()
GENERATED = GeneratedBackendTasks("test")


@pytest.fixture(scope="module", autouse=True)
def closed():
    yield
    HUMAN.close()


def ask(task: BackendTask, question: str) -> str:
    return HUMAN.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question))))


def task_of(reference: str, *calls: str) -> BackendTask:
    return BackendTask("t", "Please write it.", reference, calls, (), reference)


def run(reference: str, call: str) -> Any:
    space: dict[str, Any] = {}
    exec(reference, space)  # our own text
    return eval(call, space)


@st.composite
def tiers(draw: st.DrawFn) -> tuple[str, int, int, str]:
    """A function with two limits, and its settings."""
    low, high = sorted(draw(st.lists(st.integers(2, 90), min_size=2, max_size=2, unique=True)))
    sign = draw(st.sampled_from(["<", "<="]))
    source = (
        f"def grade(points, bonus=0):\n    if points {sign} {low}:\n        return 'red'\n"
        f"    elif points {sign} {high}:\n        return 'amber'\n    return 'green'\n"
    )
    return source, low, high, sign


@given(tiers(), st.integers(0, 100))
@settings(max_examples=sample(40), deadline=None)
def test_an_example_is_answered_with_what_the_reference_gives(function, points) -> None:
    source, *_ = function
    task = task_of(source, "grade(1)", "grade(50)", "grade(95)")
    expected = run(source, f"grade({points})")
    assert say_value(expected) in ask(task, f"What would grade({points}) return?")
    for proposal in ("red", "amber", "green"):
        reply = ask(task, f"I'd say grade({points}) == '{proposal}'. Is that right?")
        assert reply.startswith("Yes") is (proposal == expected)


@given(tiers())
@settings(max_examples=sample(40), deadline=None)
def test_a_value_at_a_limit_falls_where_the_reference_puts_it(function) -> None:
    source, low, high, _ = function
    task = task_of(source, "grade(1)", "grade(50)", "grade(95)")
    for limit in (low, high):
        reply = ask(task, f"If points is exactly {limit}, which colour is returned?").lower()
        if "the result is" in reply:
            assert run(source, f"grade({limit})") in reply


@st.composite
def sums(draw: st.DrawFn) -> str:
    """A function over a list that may or may not guard against an empty one."""
    guard = draw(
        st.sampled_from(
            ["", "    if not xs:\n        return -1\n", "    if not xs:\n        raise ValueError('no data')\n"]
        )
    )
    factor = draw(st.integers(2, 9))
    body = draw(st.sampled_from(["sum(xs) / len(xs) * k", "max(xs) * k", "sum(xs) * k", "sorted(xs)[0] + k"]))
    return f"def score(xs, k={factor}):\n{guard}    return {body}\n"


@given(sums(), st.sampled_from([0, -1, None]))
@settings(max_examples=sample(60), deadline=None)
def test_an_empty_list_does_what_the_reference_does(source, proposal) -> None:
    task = task_of(source, "score([1, 2, 3])", "score([4])")
    reply = ask(task, f"If xs is empty, should I return {proposal}?")
    try:
        value = run(source, "score([])")
    except (ValueError, ZeroDivisionError, IndexError) as error:
        failed = type(error).__name__
    else:
        failed = ""
    if failed:
        assert failed in reply
        assert not reply.startswith("Yes")
    else:
        assert say_value(value) in reply
        assert reply.startswith("Yes") is (value == proposal)


@given(st.integers(0, 3000))
@settings(max_examples=sample(60), deadline=None)
def test_test_calls_of_generated_tasks_are_answered_truly(index) -> None:
    task = GENERATED.at(index)
    call = task.calls[index % len(task.calls)]
    reply = ask(task, f"What do you expect for {call}?")
    value = run(task.reference, call)
    told = re.search(r"the result is (.*)\.$", reply, re.IGNORECASE | re.DOTALL)
    if told and not task.decisions:
        assert told[1] == say_value(value)


@given(st.integers(0, 500))
@settings(max_examples=sample(30), deadline=None)
def test_no_reply_to_a_vague_question_tells_a_decision(index) -> None:
    task = GENERATED.at(index)
    for question in (
        "Anything else I should know?",
        "Can you give me more details about what you need?",
        "How should it work?",
    ):
        reply = ask(task, question)
        assert not any(sentence in reply for decision in task.decisions for sentence in decision.says)


def test_code_in_a_message_is_run_beside_the_reference() -> None:
    task = task_of("def area(a, b):\n    return a * b\n", "area(2, 3)", "area(4, 5)")
    right = ask(task, "Is this what you want?\n```python\ndef area(a, b):\n    return b * a\n```")
    wrong = ask(task, "Is this what you want?\n```python\ndef area(a, b):\n    return a + b\n```")
    broken = ask(task, "Is this what you want?\n```python\ndef area(a):\n    return a\n```")
    assert right.startswith("Yes")
    told = re.match(
        r"No, not quite: with (\d) for a and (\d) for b your code gives (\d+), but it should be (\d+)\.", wrong
    )
    assert told is not None
    a, b, got, wanted = map(int, told.groups())
    assert (got, wanted) == (a + b, a * b)
    assert "your code fails" in broken
