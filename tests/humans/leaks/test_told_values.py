"""Values of hidden tests: each one that a reply tells is counted once, and none that was given."""

from datetime import date

import pytest
from support.work_counts import cpu_s

from colbench_gym.dialogue import Turn
from colbench_gym.errors import TaskError
from colbench_gym.humans.leaks.told_values import tests_told as count_told
from colbench_gym.sandboxes import CallOutcome
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import BackendTask

CALLS = ("fee(12, 'ann')", "fee(40, 'bob', [3.5])", "fee(0, '')", "fee(7, 'cy')", "fee(9, None)", "fee(1, open('x'))")
VALUES = (31.5, {"bob": [2, 8]}, 4.5, [], True, 5)
TASK = BackendTask("fee", "What is the fee? It may be 99. The signature is: def fee(n, name)", "", CALLS, (), "")


def told(*talk: str, values=VALUES) -> int:
    """Return how many values the last reply told; questions and replies take turns."""
    seats = ("agent", "human") * len(talk)
    turns = (Turn("human", TASK.description), *map(Turn, seats, talk))
    return count_told(TASK, turns, lambda: [CallOutcome("returned", value) for value in values])


TOLD = (
    ("What is fee(12, 'ann')?", "The result is 31.5."),
    ("What comes out for Ann and 12?", "I want 31.50 then."),
    ("How is it calculated?", "For example, with 12 for the n and Ann the result is 31.5."),
    ("And for 40, Bob and a list of 3.5?", "You get a dictionary: bob with 2 and 8."),
    ("What if n is 0 and the name is empty?", "Then the result is 4.5."),
    ("n = 7, name = cy?", "You get an empty list."),
    ("With n = 9 and no name?", "The result is True."),
)


@pytest.mark.parametrize(("question", "reply"), TOLD)
def test_a_value_that_is_told_counts(question, reply):
    assert told(question, reply) == 1


NOT_TOLD = (
    ("What is fee(12, 'ann')?", "It depends on the fee."),
    ("Is fee(12, 'ann') 31.5?", "Yes, it is 31.5."),
    ("What is fee(13, 'ann')?", "The result is 31.5."),
    ("What is fee(12, 'anna')?", "The result is 31.5."),
    ("What is fee(12, 'ann')?", "The result is 131.5 or 31.55."),
    ("Is it rounded?", "No."),
)


@pytest.mark.parametrize(("question", "reply"), NOT_TOLD)
def test_what_was_given_or_belongs_to_other_inputs_does_not(question, reply):
    assert told(question, reply) == 0


@pytest.mark.parametrize("value", [10**5000, b"x", date(2020, 1, 1)], ids=["long", "bytes", "date"])
def test_what_nobody_can_say_is_not_told(value):
    assert told("What is fee(12, 'ann')?", "It is empty.", values=(value, *VALUES[1:])) == 0


def test_a_number_too_long_to_write_stops_nobody():
    source = "import math\ndef f(n): return math.factorial(n)"
    row = {"problem_description": "Write f(n).", "ground_truth": source, "test_cases": {"test1": "f(2001)"}}
    with open_scenario("backend", tasks=[row]) as scenario:
        assert scenario.episode(seed=0).say("What should f give for 2001?")


def test_a_message_of_digits_is_read_in_time():
    counts = []
    assert cpu_s(lambda: counts.append(told("1" * 200_000 + "a", "It is 5."))) < 1
    assert counts == [0]


def test_what_the_request_says_is_not_told():
    assert told("What is fee(12, 'ann')?", "It is 99.", values=(99, *VALUES[1:])) == 0


def test_a_value_counts_once():
    first = ("What is fee(12, 'ann')?", "The result is 31.5.")
    assert told(*first, "And for 12 and Ann again?", "As I said: 31.5.") == 0
    assert told(*first, "And for 7 and cy?", "Empty, and for 12 and Ann 31.5.") == 1
    assert told("For 12, ann, 7 and cy?", "Empty, and 31.5.") == 2


def test_the_reference_runs_only_where_inputs_are_named():
    def wanted():
        raise AssertionError("it ran")

    turns = (Turn("human", "?"), Turn("agent", "Is it rounded to 2 decimals?"), Turn("human", "Yes, to 2."))
    assert count_told(TASK, turns, wanted) == 0


def test_a_task_that_cannot_be_graded_tells_nothing():
    def wanted():
        raise TaskError("no value")

    turns = (Turn("human", "?"), Turn("agent", "fee(12, 'ann')?"), Turn("human", "31.5"))
    assert count_told(TASK, turns, wanted) == 0


def test_a_call_that_fails_has_no_value():
    turns = (Turn("human", "?"), Turn("agent", "fee(12, 'ann')?"), Turn("human", "None."))
    assert count_told(TASK, turns, lambda: [CallOutcome("raised")] * len(CALLS)) == 0


def test_an_episode_counts_the_hidden_calls_that_were_answered():
    with open_scenario("backend", tasks="examples") as scenario:
        episode = scenario.episode(seed=0)
        for call in episode.task.calls[:2]:
            episode.say(f"What is {call}?")
        leak = episode.info["leak"]
        episode.say("Is it rounded?")
        assert leak["test_calls"] == 2
        assert 1 <= leak["test_values"] == episode.info["leak"]["test_values"] <= 2
