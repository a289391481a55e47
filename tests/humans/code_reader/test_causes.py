"""Outcomes are told of a question only when what it supposes is why they come about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from support.one_question import reply_about

from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.humans.code_reader.experiments import Outcome
from colbench_gym.humans.code_reader.questions import questions_in
from colbench_gym.humans.code_reader.reader import Knowledge, read
from colbench_gym.humans.code_reader.trials.bringing import Fixed, tried
from colbench_gym.humans.code_reader.trials.constraints import constraints_of
from colbench_gym.humans.code_reader.trials.fitting import Constraint

FEE = """
def excursion_fee(pupils, classroom_absent):
    if classroom_absent > 36:
        pupils *= 0.85
    return pupils
"""
FEES = ("excursion_fee(8, 23)", "excursion_fee(20, 56)")
STOCK = """
def stock_by_aisle(products, highest):
    sums = {}
    for product in products:
        sums[product["aisle"]] = sums.get(product["aisle"], 0) + min(product["stock"], highest)
    return sums
"""
STOCKS = (
    "stock_by_aisle([{'aisle': 'dairy', 'stock': 4}, {'aisle': 'snacks', 'stock': 9}], 5)",
    "stock_by_aisle([{'aisle': 'snacks', 'stock': 7}, {'aisle': 'dairy', 'stock': 2}, {'aisle': 'dairy', 'stock': 1}], 3)",
)
SHELF = "def seat(rows, place):\n    return rows[place]\n"
SHELVES = ("seat(['a', 'b', 'c'], 1)", "seat(['d', 'e'], 2 - 1)", "seat(['f', 'g'], 1)")
MOOD = "def mood(score_sum, rounds):\n    score = score_sum / rounds\n    return 'calm' if score > 7 else 'tense'\n"
MOODS = ("mood(80, 10)", "mood(20, 10)")


@pytest.fixture(scope="module")
def human():
    reader = CodeReader()
    yield reader
    reader.close()


def reply(human: CodeReader, source: str, calls: tuple[str, ...], question: str) -> str:
    return reply_about(human, source, calls, question)


def supposed(source: str, calls: tuple[str, ...], question: str) -> tuple[Knowledge, list[Constraint]]:
    known = read(source, "", calls)
    assert known is not None
    (asked, *_) = questions_in(question)
    return known, constraints_of(asked, known)


@pytest.mark.parametrize("name", ["classroom absent", "classroom_absent"])
def test_a_word_within_the_name_of_an_argument_is_no_state_of_it(human: CodeReader, name: str) -> None:
    question = f"What if {name} is negative, say -5?"
    _, constraints = supposed(FEE, FEES, question)
    assert [(one.place.parameter, one.kind, one.value) for one in constraints] == [("classroom_absent", "equals", -5)]
    assert "TypeError" not in reply(human, FEE, FEES, question)


def test_an_argument_that_is_missing_is_still_understood() -> None:
    _, constraints = supposed(FEE, FEES, "What if the number of pupils is missing?")
    assert [(one.place.parameter, one.kind) for one in constraints] == [("pupils", "missing")]


def test_an_outcome_that_only_long_lists_have_is_not_told_of_all(human: CodeReader) -> None:
    told = reply(human, STOCK, STOCKS, "What happens if highest is zero?")
    assert '"dairy"' not in told
    assert "nothing but 0" in told


def test_runs_that_fail_anyway_are_left_out() -> None:
    known, constraints = supposed(SHELF, SHELVES, "What happens if place is 7?")

    def run(inputs: Sequence[dict[str, Any]], fixed: Fixed = ()) -> list[Outcome]:
        """Fail for 7, and of itself for one list."""
        assert not fixed
        fails = Outcome("raised", error="IndexError")
        return [fails if one["place"] == 7 or "d" in one["rows"] else Outcome("returned", 1) for one in inputs]

    trial = tried(constraints, known, run)
    assert trial is not None
    assert trial.single == Outcome("raised", error="IndexError")
    assert not any("d" in one["rows"] for one in trial.inputs)
    assert {o.status for o in trial.before} == {"returned"}


def test_nothing_is_told_where_every_run_fails_anyway() -> None:
    known, constraints = supposed(SHELF, SHELVES, "What happens if place is 7?")

    def run(inputs: Sequence[dict[str, Any]], fixed: Fixed = ()) -> list[Outcome]:
        """Fail whatever is given."""
        assert not fixed
        return [Outcome("raised", error="KeyError")] * len(inputs)

    trial = tried(constraints, known, run)
    assert trial is not None
    assert not trial.known


def test_arguments_are_no_example_of_a_number_that_is_held_on_the_way(human: CodeReader) -> None:
    told = reply(human, MOOD, MOODS, "Is a score of at least 7 always 'calm'?")
    assert not told.startswith("Yes")
    assert "with 80 for" not in told
    known, constraints = supposed(MOOD, MOODS, "What if the score is exactly 7?")
    trial = tried(constraints, known, lambda inputs, fixed=(): [Outcome("returned", 0)] * len(inputs))
    assert trial is not None
    assert trial.local


def test_an_outcome_that_only_the_texts_seen_have_is_not_told_of_all(human: CodeReader) -> None:
    source = "def tag(chore, serial):\n    return '_'.join([f'{serial:03d}', chore[-3:]])\n"
    calls = ("tag('washing', 4)", "tag('mowing', 11)", "tag('raking', 7)")
    assert "000_ing" not in reply(human, source, calls, "What happens if serial is zero?")


LUNCH = """
def lunch_fee(children, room_name):
    price = 10 if children <= 14 else 22
    return price * {"ground": 2}.get(room_name.lower(), 1)
"""
LUNCHES = (*(f"lunch_fee({number}, 'ground')" for number in (5, 9, 7, 4, 12, 11, 10, 15, 16)), "lunch_fee(14, 'loft')")


@pytest.mark.parametrize("question", ["If children is exactly 14, what is the result?", "lunch_fee(children=14)?"])
def test_an_outcome_that_most_of_the_inputs_seen_have_is_not_told_of_all(human: CodeReader, question: str) -> None:
    assert "result is 20" not in reply(human, LUNCH, LUNCHES, question)


def test_an_item_that_has_got_something_is_not_told_of_as_one_with_nothing(human: CodeReader) -> None:
    source = """
def arrange(flowers, colours):
    groups = {}
    for index, flower in enumerate(flowers):
        groups.setdefault(colours[index % len(colours)], []).append(flower)
    return groups
"""
    calls = ("arrange(['rose', 'tulip'], ['red', 'blue'])", "arrange(['poppy'], ['red', 'white'])")
    question = "Should colours that receive no flowers still show up as keys?"
    assert "counts" not in reply(human, source, calls, question)
    listed = "def arrange(flowers, colours):\n    return {c: [f for f in flowers if c in f] for c in colours}\n"
    calls = ("arrange(['red rose', 'red iris'], ['red', 'blue'])", "arrange(['blue poppy'], ['blue', 'white'])")
    assert "stays in the result, with an empty list" in reply(human, listed, calls, question)


DEPLOY = """
def cost_gap(device_count, price_tablets, price_phones, discount_tablets=None, discount_phones=None):
    tablets, phones = device_count * price_tablets, device_count * price_phones
    if discount_tablets is not None:
        tablets *= 1 - discount_tablets
    if discount_phones is not None:
        phones *= 1 - discount_phones
    return tablets - phones
"""
DEPLOYS = ("cost_gap(50, 900, 400, discount_tablets=0.1)", "cost_gap(80, 700, 300, 0.2, discount_phones=0.05)")


@pytest.mark.parametrize(
    ("question", "start"),
    [
        (
            "So 20 devices at 50 (tablets) and 30 (phones) with a 20% discount on tablets would be 800 - 600 = 200?",
            "Yes",
        ),
        ("With 20 devices, 50 for tablets, 30 for phones and a 20% discount on tablets, is it 400?", "No"),
    ],
)
def test_an_example_may_give_an_optional_argument_in_percent(human: CodeReader, question: str, start: str) -> None:
    told = reply(human, DEPLOY, DEPLOYS, question)
    assert told.startswith(f"{start}, the result is 200")


def test_a_word_within_the_name_of_an_argument_sets_no_other_flag() -> None:
    source = "def score(volume_loans, reserved_volume):\n    return 7 + volume_loans * 2 + 8 * reserved_volume\n"
    _, constraints = supposed(source, ("score(3, True)", "score(9, False)"), "What happens if volume loans is zero?")
    assert [(one.place.parameter, one.kind, one.value) for one in constraints] == [("volume_loans", "equals", 0)]


def test_a_text_given_for_an_argument_by_its_name_is_no_outcome(human: CodeReader) -> None:
    source = (
        "def quality(crate_price, its_origin, minimum=10):\n    return (crate_price, max(crate_price - 5, minimum))\n"
    )
    calls = ("quality(4.5, 'local', 8)", "quality(16, 'greenhouse')", "quality(5.5, 'local')", "quality(9, 'organic')")
    told = reply(human, source, calls, "What is the result for crate_price = 4.5, its_origin = 'local'?")
    assert told == "Then the result is a tuple of 4.5 and 10."


SMOOTHED = """
def smoothed_area(areas):
    smoothed = []
    for end in range(3, len(areas) + 1):
        smoothed.append(sum(areas[end - 3:end]) / 3)
    return smoothed
"""


def test_a_number_that_hangs_on_the_inputs_tried_is_not_told_as_the_result(human):
    calls = ("smoothed_area([2, 5, 2])", "smoothed_area([2, 2])")
    assert "nothing but" not in reply(human, SMOOTHED, calls, "If two are equal, which one wins?")


ARRANGED = """
def arranged(flowers, colors):
    by_color = {}
    for color in colors:
        by_color[color] = [flower for flower in flowers if flower.startswith(color)]
    return by_color
"""


@pytest.mark.parametrize("verb", ["appear", "exist"])
def test_what_is_without_something_is_not_what_it_is_without(human, verb):
    calls = ("arranged(['red rose', 'blue iris'], ['red', 'white'])", "arranged(['red tulip'], ['red', 'blue'])")
    answer = reply(human, ARRANGED, calls, f"Do colors without any flowers {verb} in the result too?")
    assert "left out" not in answer
    assert answer == "It stays in the result, with an empty list."
