"""What a question supposes is brought about and run; the answer says what came out, and never more."""

from __future__ import annotations

from typing import Any

import pytest
from support.one_question import reply_about

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.humans.code_reader.experiments import marked
from colbench_gym.humans.code_reader.judging.drafts import looks_like_code, program_in
from colbench_gym.humans.code_reader.questions import questions_in
from colbench_gym.humans.code_reader.reader import Knowledge, read
from colbench_gym.humans.code_reader.trials.bringing import brought_about
from colbench_gym.humans.code_reader.trials.clauses import asks_yes_no, clauses_of
from colbench_gym.humans.code_reader.trials.constraints import constraints_of
from colbench_gym.humans.code_reader.trials.inputs import bases, varied
from colbench_gym.humans.code_reader.trials.places import ITEM, LOCAL, terrain_of
from colbench_gym.humans.code_reader.trials.proposals import proposals_of
from colbench_gym.tasks import BackendTask

TICKET = """
def ticket_price(visitor_age, has_pass, day, seat_count):
    price = 12 * seat_count
    if visitor_age < 14:
        price -= 4
    if day == 'tuesday' or day == 'holiday':
        return 'free'
    if has_pass:
        price = price * 0.5
    if price > 100:
        return 'call us'
    return price
"""
TICKETS = (
    "ticket_price(30, False, 'monday', 2)",
    "ticket_price(10, True, 'tuesday', 1)",
    "ticket_price(52, True, 'friday', 3)",
)
SHELF = """
def sort_books(books, shelves):
    placed = {}
    for book in books:
        if book['pages'] >= 300:
            placed.setdefault(book['shelf'], []).append(book['title'])
    return placed
"""
SHELVES = (
    "sort_books([{'title': 'Moss', 'pages': 320, 'shelf': 'A'}, {'title': 'Fern', 'pages': 90, 'shelf': 'B'}], ['A', 'B'])",
    "sort_books([{'title': 'Reed', 'pages': 400, 'shelf': 'B'}], ['A', 'B'])",
)
DIVIDE = "def share(total_cost, guests):\n    return total_cost / len(guests)\n"
DIVIDES = ("share(90, ['Ann', 'Bo', 'Cy'])", "share(10, ['Di', 'Ed'])")
COMMON = "def common(left_tags, right_tags):\n    return [tag for tag in left_tags if tag in right_tags]\n"
COMMONS = ("common(['red', 'blue'], ['blue'])", "common(['tin', 'oak', 'elm'], ['oak', 'tin'])")
TEMPER = "def mood(score_sum, rounds):\n    score = score_sum / rounds\n    return 'calm' if score > 7 else 'tense'\n"
TEMPERS = ("mood(80, 10)", "mood(20, 10)")

HUMAN = CodeReader()


@pytest.fixture(scope="module", autouse=True)
def closed():
    yield
    HUMAN.close()


def known(source: str, *calls: str) -> Knowledge:
    found = read(source, "", calls)
    assert found is not None
    return found


def reply(source: str, calls: tuple[str, ...], question: str) -> str:
    return reply_about(HUMAN, source, calls, question)


def supposed(source: str, calls: tuple[str, ...], question: str) -> dict[str, Any]:
    """The places that a question speaks of, with the kind and the value of what it supposes of each."""
    knowledge = known(source, *calls)
    (asked, *_) = questions_in(question)
    taken = frozenset(token for p in proposals_of(asked, knowledge) for token in p.tokens)
    found = constraints_of(asked, knowledge, taken)
    return {"/".join((c.place.parameter, *c.place.path)): (c.kind, c.value) for c in found}


def test_places_are_arguments_items_entries_and_numbers_worked_out_on_the_way() -> None:
    ticket, shelf, temper = known(TICKET, *TICKETS), known(SHELF, *SHELVES), known(TEMPER, *TEMPERS)
    assert terrain_of(ticket).at("day") is not None
    assert terrain_of(shelf).at("books", (ITEM, "pages")) is not None
    assert terrain_of(temper).at(LOCAL, ("score",)) is not None
    assert {(t.place.parameter, t.relation, t.value) for t in terrain_of(ticket).tests} >= {
        ("visitor_age", "<", 14),
        ("day", "==", "tuesday"),
    }


@pytest.mark.parametrize(
    ("question", "place", "held"),
    [
        ("What comes out for a visitor of age 9?", "visitor_age", ("equals", 9)),
        ("What if the visitor is older than 60?", "visitor_age", ("compare", 60)),
        ("If it's a holiday, what is returned?", "day", ("equals", "holiday")),
        ("Without a pass, what is the price?", "has_pass", ("equals", False)),
        ("With a pass, what happens?", "has_pass", ("equals", True)),
        ("What happens for four seats?", "seat_count", ("equals", 4)),
        ("If the day is unknown, what do I return?", "day", ("unknown", None)),
        ("What if the seat_count is negative?", "seat_count", ("negative", None)),
        ("What if the price is exactly 100?", f"{LOCAL}/price", ("equals", 100)),
    ],
)
def test_conditions_become_constraints(question: str, place: str, held: tuple[str, Any]) -> None:
    assert supposed(TICKET, TICKETS, question)[place] == held


def test_a_missing_entry_and_an_empty_list_are_understood() -> None:
    assert (
        supposed(SHELF, SHELVES, "If a book's pages are missing, is it left out?")["books/<item>/pages"][0] == "missing"
    )
    assert supposed(DIVIDE, DIVIDES, "What if there are no guests?")["guests"][0] == "empty"
    assert supposed(DIVIDE, DIVIDES, "What if guests is an empty list?")["guests"][0] == "empty"


def test_a_value_that_is_proposed_as_the_outcome_is_no_constraint() -> None:
    found = supposed(DIVIDE, DIVIDES, "If there are no guests, should I return 0?")
    assert found == {"guests": ("empty", None)}


def test_a_clause_that_supposes_is_told_from_one_that_asks() -> None:
    (question,) = questions_in("If the day is a holiday, should the price be 0?")
    assert [clause.supposed for clause in clauses_of(question)] == [True, False]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is it free on a holiday?", True),
        ("It is free on a holiday, right?", True),
        ("I leave those out. Fine with you?", True),
        ("What is returned on a holiday?", False),
    ],
)
def test_agreement_with_a_statement_is_a_yes_no_question(question: str, expected: bool) -> None:
    assert asks_yes_no(questions_in(question)[0]) is expected


def test_inputs_hold_what_is_supposed_and_keep_the_rest() -> None:
    knowledge = known(TICKET, *TICKETS)
    (question,) = questions_in("What if the visitor is older than 60 on a holiday?")
    constraints = constraints_of(question, knowledge)
    for base in bases(knowledge):
        for made in brought_about(base, constraints, knowledge):
            assert made["visitor_age"] > 60
            assert made["day"] == "holiday"
            assert made["seat_count"] == base["seat_count"]


def test_varied_inputs_are_deterministic_and_do_not_change_the_seeds() -> None:
    knowledge = known(TICKET, *TICKETS)
    before = repr(knowledge.seeds)
    first, second = varied(knowledge), varied(knowledge)
    first[0]["day"] = "changed by the caller"
    assert varied(knowledge) == second
    assert repr(knowledge.seeds) == before


def test_marks_tell_which_statements_ran_and_change_no_result() -> None:
    knowledge = known(TICKET, *TICKETS)
    space: dict[str, Any] = {"_visited": set()}
    exec(knowledge.marked(), space)  # our own text
    assert space["ticket_price"](30, False, "monday", 2) == 24
    plain = len(space["_visited"])
    assert space["ticket_price"](10, False, "monday", 2) == 20
    assert len(space["_visited"]) == plain + 1


def test_a_name_can_be_held_at_a_number() -> None:
    knowledge = known(TEMPER, *TEMPERS)
    space: dict[str, Any] = {"_visited": set()}
    exec(marked(knowledge.tree, [], knowledge.function, {"score": 7}), space)  # our own text
    assert space["mood"](100, 1) == "tense"


@pytest.mark.parametrize(
    ("source", "calls", "question", "start", "part"),
    [
        (TICKET, TICKETS, "What's returned on a holiday?", "Then the result is", '"free"'),
        (DIVIDE, DIVIDES, "If there are no guests, should I return 0?", "No", "division by zero"),
        (
            DIVIDE,
            DIVIDES,
            "With no guests Python raises a ZeroDivisionError. Leave it at that?",
            "That isn't handled",
            "ZeroDivisionError",
        ),
        (DIVIDE, DIVIDES, "A total cost of 90 and a list of 3 guests: how much?", "", "30"),
        (COMMON, COMMONS, "If left_tags is empty, do I get an empty list?", "Yes", "empty list"),
        (COMMON, COMMONS, "What if a tag stands twice in left_tags?", "Each entry counts", "duplicates stay"),
        (TEMPER, TEMPERS, "Score of exactly 7: 'calm' or 'tense'?", "Then the result is", "tense"),
        (TEMPER, TEMPERS, "A score of 7.5 is 'tense', right?", "No", "calm"),
        (TEMPER, TEMPERS, "mood(90, 10)?", "Then the result is", "calm"),
    ],
)
def test_the_answer_is_what_the_runs_show(
    source: str, calls: tuple[str, ...], question: str, start: str, part: str
) -> None:
    said = reply(source, calls, question)
    assert said.startswith(start)
    assert part in said


@pytest.mark.parametrize(
    "question",
    [
        "Does a higher age make it cheaper?",
        "Does having a pass make it more expensive?",
        "Are seats on a friday dearer?",
        "Should I round the price if there is a pass?",
        "Is it always free with a pass?",
    ],
)
def test_yes_is_not_said_of_what_the_runs_do_not_show(question: str) -> None:
    assert not reply(TICKET, TICKETS, question).startswith("Yes")


def test_a_body_is_run_as_the_function_that_is_asked_for() -> None:
    knowledge = known(DIVIDE, *DIVIDES)
    program = program_in("Here is my body:\n\n    return total_cost / (len(guests) + 1)\n\nIs that right?", knowledge)
    assert program.startswith("def share(total_cost, guests):")
    assert program_in("I would return the total. Is that right?", knowledge) == ""
    said = reply(DIVIDE, DIVIDES, "    return total_cost / (len(guests) + 1)\n\nIs that right?")
    assert said.startswith("No, not quite")
    right = reply(
        COMMON,
        COMMONS,
        "found = []\nfor tag in left_tags:\n    if tag in right_tags:\n        found.append(tag)\n\nOk?",
    )
    assert right.startswith("Yes, on the inputs that I tried")


def test_unreadable_code_is_never_agreed_to() -> None:
    message = "My code so far:\n\nfor guest in guests:\n    next total_cost by guest\n\nIs this how you would do it?"
    assert looks_like_code(message)
    assert not reply(DIVIDE, DIVIDES, message).startswith("Yes")


def test_equal_questions_get_equal_replies_from_another_human() -> None:
    other = CodeReader()
    task = BackendTask("t", "Please write it.", TICKET, TICKETS, (), TICKET)
    questions = [
        "What if the visitor is older than 60?",
        "Is it free on a holiday?",
        "If the day is unknown, what then?",
    ]
    try:
        for question in questions:
            dialogue = Dialogue((Turn("human", task.description), Turn("agent", question)))
            assert other.reply(task, dialogue) == HUMAN.reply(task, dialogue)
    finally:
        other.close()


WALL = """
def wall_cost(wall_bricks, stone):
    price = wall_bricks * 2
    price -= {"brick": 450}.get(stone.lower(), 0)
    return price
"""
WALLS = ("wall_cost(300, 'Brick')", "wall_cost(700, 'timber')", "wall_cost(450, 'BRICK')")


@pytest.mark.parametrize("name", ["wall bricks", "wall_bricks"])
def test_the_name_of_an_argument_is_no_value_of_another(name: str) -> None:
    assert "450" not in reply(WALL, WALLS, f"What happens if {name} is zero?")
    assert supposed(WALL, WALLS, f"What happens if {name} is zero?").keys() == {"wall_bricks"}


def test_an_element_that_is_chosen_is_told_behind_its_loop() -> None:
    source = """
def streak(minutes, limit):
    known = [{} for value in minutes]
    return len(known)
"""
    calls, question = ("streak([1, None], 2)",), "What does minutes change?"
    told = reply(source.format("0 if value is None else value"), calls, question)
    assert "the minutes with 0 in place of each None" in told
    told = reply(source.format("0 if value < 1 else value"), calls, question)
    assert (
        "one element for each value in the minutes, namely 0 if the value is less than 1, otherwise the value" in told
    )


TAG = """
def tag(title, absent):
    if absent < 0:
        return "none"
    return f"{absent}_{title.strip().upper()}"
"""
TAGS = ("tag(' return', 3)", "tag('Drain', 40)")


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("What should I return when absent is zero?", {"absent": ("equals", 0)}),
        ("What if absent is negative?", {"absent": ("negative", None)}),
    ],
)
def test_words_of_a_question_are_no_values_or_states_by_accident(question: str, held: dict[str, Any]) -> None:
    assert supposed(TAG, TAGS, question) == held


def test_what_holds_below_zero_is_tried_close_to_zero_too() -> None:
    fee = "def fee(distance):\n    return max(distance * 2 + 9, 5)\n"
    assert "the result is 5" not in reply(fee, ("fee(40)", "fee(60)"), "What if distance is negative?")


def test_a_whole_name_in_words_is_the_argument_and_not_its_items() -> None:
    source = "def last(bed_text_lines):\n    return [line.split(':')[0] for line in bed_text_lines] or 'nothing'\n"
    calls = ("last(['Fern: 4', 'Rose: 5'])", "last(['Hedge: 40'])")
    assert supposed(source, calls, "If bed text lines is empty, should I return 'nothing'?").keys() == {
        "bed_text_lines"
    }
    assert reply(source, calls, "If bed text lines is empty, should I return 'nothing'?").startswith("Yes")


def test_an_outcome_that_an_optional_argument_decides_as_well_is_told_with_that_condition() -> None:
    source = "def total(prices, starting_value=21, factor=2):\n    return (starting_value + sum(prices)) * factor\n"
    calls = ("total([1, 2])", "total([3, 4, 6], 21)")
    assert (
        reply(source, calls, "What happens if prices is empty?")
        == "Then the result is 42 if the starting value and the factor are not given."
    )
    one_said = reply(source, calls, "What if prices is empty and the starting value is 3?")
    assert one_said == "Then the result is 6 if the factor is not given."
    assert reply(source, calls, "With prices = [4] and factor = 1, what is the result?") == "The result is 25."
    always_given = ("total([1, 2], 5, 3)", "total([3, 4, 6], 5, 3)")
    assert "15 if" not in reply(source, always_given, "What happens if prices is empty?")
    unused = "def total(prices, label='x'):\n    return sum(prices)\n"
    assert reply(unused, ("total([1, 2])", "total([3], 'y')"), "What happens if prices is empty?").endswith(" 0.")


def test_what_is_looked_through_backwards_is_not_in_reverse_order() -> None:
    last = "def last_rise(steps):\n    return len(steps) - steps[::-1].index(max(steps))\n"
    assert reply(last, ("last_rise([1, 2])",), "Is it sorted descending?").startswith("No")
    turned = "def newest(posts):\n    return posts[::-1]\n"
    assert reply(turned, ("newest(['a', 'b'])",), "Is the original order kept?") == "No, the order is reversed."
    assert "nothing is sorted" in reply(turned, ("newest(['a', 'b'])",), "Is it sorted descending?")


def test_outcomes_that_are_listed_are_not_supposed_of_the_input() -> None:
    assert supposed(COMMON, COMMONS, "Once everything is found: an empty list, None, or a message?") == {}
    colours = "def by_colour(names):\n    return {name[0]: [n for n in names if n[0] == name[0]] for name in names}\n"
    assert supposed(colours, ("by_colour(['red', 'rose'])",), "Does it show up as a key with an empty list?") == {}
    assert supposed(COMMON, COMMONS, "Is a tag that is in no right tags part of the result?") == {}


def test_an_empty_inner_list_is_not_an_empty_outer_one() -> None:
    means = "def means(monthly_stats):\n    return [sum(stats) / len(stats) for stats in monthly_stats]\n"
    calls = ("means([[1, 2], [3]])", "means([[5], [6, 8]])")
    question = "And an employee without any monthly data (an empty inner list)?"
    assert supposed(means, calls, question) == {"monthly_stats/<item>": ("empty", None)}
    assert "division by zero" in reply(means, calls, question)


def test_a_number_of_things_spoken_of_is_no_value() -> None:
    capped = (
        "def capped(sugar_level, salt_level, target):\n    return min(sugar_level, target), min(salt_level, target)\n"
    )
    calls = ("capped(3, 4, 5)", "capped(9, 8, 7)")
    assert supposed(capped, calls, "Do the two levels have to add up to the target?") == {}
    assert supposed(capped, calls, "What if the target is two?") == {"target": ("equals", 2)}


def test_a_courteous_end_changes_no_answer() -> None:
    fine = "def fine(years, cases, per_year, per_case):\n    return years * per_year + cases * per_case\n"
    calls = ("fine(2, 3, 100, 50)", "fine(1, 4, 20, 30)")
    question = "Do I add the two components together or multiply them by one another?"
    assert reply(fine, calls, f"{question} Please let me know.") == reply(fine, calls, question)
    assert "don't know" not in reply(fine, calls, question)
