"""What a message states is judged by running it or by comparing it with the claims; yes and no only where that decides."""

from __future__ import annotations

import pytest

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.humans.code_reader.judging.alignment import compared
from colbench_gym.humans.code_reader.judging.arithmetic import in_words
from colbench_gym.humans.code_reader.questions import Question
from colbench_gym.humans.code_reader.reader import knowledge_of, read
from colbench_gym.humans.code_reader.verbalizer import spoken
from colbench_gym.tasks import BackendTask

PARCEL = """
def parcel_fee(weight_kg, distance_km, is_fragile, zone):
    fee = weight_kg * 3 + distance_km * 0.2
    if is_fragile:
        fee += 7
    if zone == 'island' and distance_km > 40:
        fee += 12
    return fee
"""
PARCELS = (
    "parcel_fee(2, 50, True, 'island')",
    "parcel_fee(5, 12, False, 'city')",
    "parcel_fee(9, 80, False, 'island')",
    "parcel_fee(1, 30, True, 'city')",
)
RAMP = """
def ramp(slope, length, load):
    return slope * length + load
"""
RAMPS = ("ramp(0.5, 20, 3)", "ramp(0.2, 35, 9)", "ramp(0.9, 12, 4)")
RANK = "def rank(points):\n    return 'gold' if points > 90 else 'silver' if points > 60 else 'bronze'\n"
RANKS = ("rank(95)", "rank(70)", "rank(20)")
MEAN = "def pace(lap_times, laps):\n    total = sum(lap_times)\n    mean_time = total / laps\n    return mean_time, total\n"
MEANS = ("pace([60, 62], 2)", "pace([50, 55, 61], 3)", "pace([70], 1)")

HUMAN = CodeReader()


def ask(question: str, reference: str, calls: tuple[str, ...]) -> str:
    task = BackendTask("judged", "I need a function.", reference, calls, (), "")
    return HUMAN.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question))))


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("slope * length + load, is that the formula?", "Yes"),
        ("slope * length * load - is this the formula?", "No, not quite"),
        ("So I multiply the slope by the length and add the load. Right?", "Yes"),
        ("I'd add the slope and the length and multiply by the load. Right?", "No, not quite"),
        ("Is it just a product of the three?", "No, not quite"),
        ("The slope times the length plus the load, nothing else?", "Yes"),
    ],
)
def test_a_formula_is_run_beside_the_reference(question: str, start: str) -> None:
    assert ask(question, RAMP, RAMPS).startswith(start)


def test_the_first_difference_of_a_formula_is_told_with_the_rule() -> None:
    reply = ask("slope * length - load. Is this right?", RAMP, RAMPS)
    assert "should be" in reply
    assert "the slope times the length plus the load" in reply


def test_no_step_of_a_formula_is_left_out() -> None:
    assert ask("slope * length - load - slope?", RAMP, RAMPS).startswith("No")
    assert not ask("slope * length + load * foo?", RAMP, RAMPS).startswith(("Yes", "No"))


def test_a_formula_for_a_step_is_compared_with_that_step() -> None:
    assert ask("mean_time = sum(lap_times) / laps. Right divisor?", MEAN, MEANS).startswith("Yes")
    assert ask("mean_time = sum(lap_times) / (laps + 1). Right divisor?", MEAN, MEANS).startswith("No")


def test_words_that_are_no_formula_are_not_read_as_one() -> None:
    task = BackendTask("judged", "", RAMP, RAMPS, (), "")
    known = knowledge_of(task)
    assert known is not None
    assert in_words("please tell me about the slope and whether it is steep", known) == ()


@pytest.mark.parametrize(
    ("plan", "agrees"),
    [
        ("3 for each kilo of weight, 0.2 for each km of distance, 7 on top for fragile ones, 12 for the island zone above 40 km", True),
        ("3 for each kilo of weight, 0.2 for the distance, 12 extra if fragile, 12 for the island zone above 40 km", False),
        ("3 for the weight, 0.2 for the distance, 7 for fragile ones, 12 for the island zone from at least 40 km on", False),
        ("7 for fragile ones whatever they weigh, and 3 for the weight", None),
    ],
)  # fmt: skip
def test_the_numbers_of_a_plan_are_looked_up_where_they_belong(plan: str, agrees: bool | None) -> None:
    known = read(PARCEL, "", PARCELS)
    assert known is not None
    assert compared(spoken(known), plan).agrees is agrees


@pytest.mark.parametrize(
    ("question", "start"),
    [
        ("Does the zone matter if the distance is 30 km?", "No"),
        ("Does the weight play any role?", "Yes"),
        ("Does the zone make a difference?", "Yes"),
    ],
)
def test_influence_is_found_by_varying_one_argument(question: str, start: str) -> None:
    assert ask(question, PARCEL, PARCELS).startswith(start)


def test_each_case_of_a_nested_condition_is_told_alone() -> None:
    known = read(RANK, "", RANKS)
    assert known is not None
    assert len(known.returns) == 3
    assert "bronze" in ask("15 points?", RANK, RANKS)


@pytest.mark.parametrize(
    ("text", "fragment"),
    [
        ("No clips?", True),
        ("Nobody qualifies - what then?", True),
        ("Is it empty?", False),
        ("An empty list: 0?", False),
        ("Round to two decimals, right?", False),
    ],
)
def test_a_fragment_names_a_case_and_nothing_else(text: str, fragment: bool) -> None:
    assert Question(text).fragment is fragment


def test_a_verb_of_the_question_is_no_text_of_the_input() -> None:
    reference = "def waiting(orders, names):\n    return sorted(names) + [word for word, _ in orders]\n"
    calls = ("waiting([('join', 'return')], ['return', 'main'])", "waiting([('call', 'main')], ['feed'])")
    assert "ValueError" not in ask("What should I return when names is empty?", reference, calls)


def test_a_direction_answers_no_yes_or_no_question() -> None:
    reference = (
        "def bonus(weeks, visits):\n    score = visits\n    if weeks > 36:\n        score += 1\n    return score\n"
    )
    calls = ("bonus(38, 4)", "bonus(20, 2)", "bonus(37, 6)")
    assert not ask("36 weeks get no extra point, do they?", reference, calls).startswith("Then the result gets")
