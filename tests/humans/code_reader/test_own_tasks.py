"""References as people write them for their own tasks: what they decide is told, and nothing that is not so."""

from __future__ import annotations

import pytest
from support.one_question import reply_about

from colbench_gym.humans.code_reader import CodeReader, _new
from colbench_gym.humans.replies import Part

HUMAN = CodeReader()
LEVEL = """
def fire_level(dry_days, wind):
    index = dry_days * 2 + wind
    for limit, name in [(40, "red"), (25, "orange"), (10, "yellow")]:
        if index >= limit:
            return name
    return "green"
"""
FERRY = """
from datetime import date, timedelta

def ferry_stay(arrival, departure, berth_price):
    first = date.fromisoformat(arrival)
    last = date.fromisoformat(departure)
    if last <= first:
        return -1
    nights = (last - first).days
    back = first + timedelta(days=14)
    while back.weekday() >= 5:
        back += timedelta(days=1)
    return f"{nights * berth_price:.2f}, back by {back.strftime('%d.%m.%Y')}"
"""
JURY = """
def jury_pick(sheets):
    points = {}
    for sheet in sheets:
        if len(set(sheet)) != len(sheet):
            continue
        for place, dish in enumerate(sheet):
            points[dish] = points.get(dish, 0) + 3 - place
    if not points:
        return []
    return sorted(dish for dish in points if points[dish] == max(points.values()))
"""
FERTILISER = """
def fertiliser(bed, area_m2, pots):
    grams = {"rose": 35, "herb": 12}.get(bed, 20) * area_m2
    grams += 4 * min(pots, 6)
    return round(grams / 5) * 5
"""
CREW = """
def crew_order(sailors):
    best = max(sorted(sailors), key=lambda name: sailors[name])
    return best.title()
"""
WEIGH = """
def alarm_sum(entries):
    total = 0
    for kind, host in entries:
        total += 5 if kind == "fatal" else 1
    return total
"""
CARGO = """
def cargo_split(order_lines):
    light = [line for line in order_lines if line["kg"] < 30]
    return {"kg": round(sum(line["kg"] for line in light)), "share": round(len(light) / len(order_lines), 1)}
"""
FEE = """
def fee(weight, express):
    for limit, price in [(5, 10), (20, 25)]:
        if weight <= limit:
            break
    total = price * 2
    if express:
        total += 7
    return total
"""
VOTES = "def first_vote(votes):\n    if len(votes) != len(set(votes)):\n        return 'dup'\n    return votes[0]\n"
PAIRS = """
def total_load(pairs):
    held = {}
    for name, kg in pairs:
        held[name] = kg
    return sum(held.values())
"""
STAMPS = """
from datetime import datetime

def stay_hours(start, end):
    first = datetime.strptime(start, "%Y-%m-%d %H:%M")
    last = datetime.strptime(end, "%Y-%m-%d %H:%M")
    return -1 if last < first else (last - first).seconds // 3600
"""
MESSAGE = "def told(count, name):\n    if count > 3:\n        return f'{count} items'\n    return name.upper()\n"
BOUNDS = "def pay(hours, rate):\n    hours = max(hours, 2)\n    total = hours * rate\n    return min(total, 100)\n"
OLDEST = """
def leader(ages, votes):
    oldest = max(sorted(ages), key=lambda name: ages[name])
    return sorted(votes, key=lambda name: -votes[name])[0] + oldest
"""
RANKED = """
def ranked(rows):
    made = list(rows)
    made.append(("last", 99))
    made.sort(key=lambda row: (row[1], row[0]))
    return made
"""
CALLS = {
    FEE: ("fee(3, True)", "fee(12, False)", "fee(30, True)"),
    VOTES: ("first_vote(['a', 'b'])", "first_vote(['c'])", "first_vote(['d', 'e'])"),
    PAIRS: ("total_load([('a', 1), ('c', 3)])", "total_load([('b', 4)])"),
    STAMPS: (
        "stay_hours('2025-01-02 10:00', '2025-01-02 14:30')",
        "stay_hours('2025-02-03 08:15', '2025-02-04 07:00')",
    ),
    MESSAGE: ("told(5, 'oak')", "told(1, 'elm')"),
    BOUNDS: ("pay(1, 12)", "pay(9, 20)"),
    OLDEST: ("leader({'a': 3, 'b': 5}, {'c': 1, 'd': 2})", "leader({'x': 1}, {'y': 4, 'z': 4})"),
    RANKED: ("ranked([('a', 3), ('b', 1)])", "ranked([('c', 120)])"),
    LEVEL: ("fire_level(3, 1)", "fire_level(12, 4)", "fire_level(20, 9)", "fire_level(9, 2)"),
    FERRY: (
        "ferry_stay('2025-05-02', '2025-05-06', 20)",
        "ferry_stay('2025-06-10', '2025-06-11', 35.5)",
        "ferry_stay('2025-07-01', '2025-07-09', 18)",
    ),
    JURY: (
        "jury_pick([['soup', 'cake'], ['cake', 'soup'], ['soup', 'stew']])",
        "jury_pick([['stew', 'soup', 'cake']])",
        "jury_pick([['cake'], ['stew', 'cake']])",
    ),
    FERTILISER: ("fertiliser('rose', 4, 2)", "fertiliser('herb', 7, 9)", "fertiliser('oak', 3, 0)"),
    CREW: ("crew_order({'ann': 3, 'bo': 5})", "crew_order({'cy': 2, 'di': 2})"),
    WEIGH: ("alarm_sum([('fatal', 'a'), ('warn', 'b')])", "alarm_sum([('warn', 'c')])"),
    CARGO: (
        "cargo_split([{'kg': 12.4}, {'kg': 60}])",
        "cargo_split([{'kg': 5}, {'kg': 8.25}, {'kg': 31}])",
    ),
}


def ask(reference: str, question: str) -> str:
    return reply_about(HUMAN, reference, CALLS[reference], question, "Please write the function for me.")


@pytest.mark.parametrize(
    ("reference", "question", "parts"),
    [
        (LEVEL, "Could you give me the cut-offs for the levels?", ['"red"', "40", '"orange"', "25", '"yellow"', "10"]),
        (FERRY, "What comes back if the departure is before the arrival?", ["-1"]),
        (FERRY, "What if departure is earlier than arrival?", ["-1"]),
        (FERRY, "What if the departure is older than the arrival?", ["-1"]),
        (FEE, "For a weight of 25 kg and express, what is the result?", ["57"]),
        (VOTES, "What if a vote occurs twice?", ['"dup"']),
        (FERRY, "In which format should the result be?", ["plain string", "2 decimals", "day.month.year"]),
        (JURY, "What about a sheet that lists a dish twice?", ["empty list", "skipped"]),
        (FERTILISER, "What rounding do you want?", ["nearest multiple of 5"]),
        (FERTILISER, "Is there a cap on the pots that count?", ["Yes, the smaller of the pots and 6"]),
        (FERTILISER, "Which beds are there, and how many grams does each get?", ['35 for "rose"', '12 for "herb"']),
        (CREW, "Who wins when there's a tie?", ["first in ascending (alphabetical) order"]),
        (CARGO, "How should the numbers be rounded?", ['"kg" entry', "whole number", '"share" entry', "one decimal"]),
    ],
)
def test_what_the_reference_decides_is_told(reference: str, question: str, parts: list[str]) -> None:
    reply = ask(reference, question).replace("'", '"')
    assert all(part in reply for part in parts), reply


@pytest.mark.parametrize(
    ("reference", "question", "untrue"),
    [
        (FERTILISER, "What rounding do you want?", "nearest whole number"),
        (FERTILISER, "Is there an upper limit for the pots?", "the larger of"),
        (CREW, "Should 'ann' and 'ANN' be the same sailor?", "No, upper and lower case make a difference"),
        (CREW, "Who wins when there's a tie?", "first in the input"),
        (JURY, "What if a sheet mentions the same dish twice?", "counts only once"),
        (WEIGH, "Does a fatal entry weigh more than a warning?", "nothing is weighted"),
        (CARGO, "Is there a minimum order value?", "original order"),
        (CARGO, "Can the same line be used twice?", "do make a difference"),
        (CARGO, "Are lines I can't read an error?", "Yes, no error"),
        (CARGO, "What is put in place of a heavy line?", "What is passed in stays unchanged"),
        (LEVEL, "I'd score the winds 1-2-4-8, is that alright?", "Yes, that's right"),
        (FEE, "Is there an error for a weight of 25?", "Yes"),
        (PAIRS, "What if the same name appears twice?", "fail"),
        (JURY, "What if the same sheet appears twice?", "counts only once"),
        (STAMPS, "What if the end is before the start?", "fail"),
        (MESSAGE, "In which format should the result be?", "items"),
        (BOUNDS, "Is there an upper limit on the hours?", "100"),
        (BOUNDS, "Is the total capped?", "the larger of"),
        (OLDEST, "Who comes first when two have the same votes?", "alphabetical"),
        (RANKED, "What is it sorted by?", "99"),
        (LEVEL, "For the map ['.', '$'] and a wind of 3, which level is it?", "for example"),
    ],
)
def test_what_is_not_so_is_not_said(reference: str, question: str, untrue: str) -> None:
    assert untrue not in ask(reference, question)


def test_a_record_of_fixed_parts_gets_no_further_part() -> None:
    """An entry (kind, host) with a third part failed to be taken apart, and that was told as what happens."""
    assert "fail" not in ask(WEIGH, "Are entries such as Backup or Restore to be included?")


@pytest.mark.parametrize("question", ["Which streaming service do the levels come from?", "Who maintains the server?"])
def test_what_is_about_something_else_is_not_known(question: str) -> None:
    assert "I don't know" in ask(LEVEL, question)


@pytest.mark.parametrize(
    ("before", "new", "told"),
    [
        ("The fee is 3; the cap is 9.", "The cap is 9; if it is a Sunday, the fee is 4.", "If it is a Sunday, the fee is 4."),
        ("The cap is 9.", "The cap is 9. The fee is 3.", "The fee is 3."),
        ("The result is 1 if dry.", "The result is 1 if dry; 2 otherwise.", "The result is 1 if dry; 2 otherwise."),
        ("Nothing is rounded.", "The fee is 3; the cap is 9.", "The fee is 3; the cap is 9."),
    ],
)  # fmt: skip
def test_what_several_answers_have_in_common_is_told_once(before: str, new: str, told: str) -> None:
    assert _new(Part(new), [Part(before)]).text == told


@pytest.mark.parametrize(
    "question",
    [
        "Which printers are there?",
        "What is the maximum number of concurrent users?",
        "What happens when the user cannot log in?",
        "What currency symbol should be used?",
    ],
)
def test_a_question_about_something_else_brings_out_no_constant(question: str) -> None:
    reply = ask(FERTILISER, question)
    assert not any(constant in reply for constant in ("35", "12", "20", "6"))


@pytest.mark.parametrize(
    ("reference", "question"),
    [
        (f"def f(x):\n    return round(x / 1{'0' * 400}) * 1{'0' * 400}\n", "What rounding do you want?"),
        ("def f(rows):\n    return len(rows)\n", "What if there are 1e400 rows?"),
        ("def f(x):\n    return x\n", "1 - 2 " * 300 + "?"),
        ("def f(x):\n    return x\n", "What if x is " + "9" * 1500 + "?"),
        ("def f(x):\n    return 10 ** 400\n", "Should f([1, 2]) give 1.5?"),
    ],
    ids=["a huge step", "endlessly many", "a long formula", "a long number", "a long result"],
)
def test_what_is_out_of_all_bounds_raises_nothing(reference: str, question: str) -> None:
    assert reply_about(HUMAN, reference, ("f([1, 2])",), question)
