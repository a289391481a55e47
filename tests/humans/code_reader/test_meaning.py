"""What questions mean: intents, alternatives, whole decisions, proposals; each on a small reference of its own."""

from __future__ import annotations

import pytest
from support.one_question import reply_about

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.humans.code_reader.claims import Claim
from colbench_gym.humans.code_reader.intents import classifier
from colbench_gym.humans.code_reader.intents.tokens import tokens
from colbench_gym.humans.code_reader.reader import read
from colbench_gym.humans.code_reader.verbalizer import spoken
from colbench_gym.humans.code_reader.verbalizer.families import families
from colbench_gym.tasks import BackendTask

GRADE = """
def grade_jump(height_cm, note):
    if height_cm > 190:
        return "Gold"
    elif height_cm > 170:
        return "Silver"
    else:
        return "Bronze"
"""
HEAT = """
def heat_demand(area, loss_rate, rooms):
    total = 0
    for room in rooms:
        total += room * 3
    return area * loss_rate / 100 + total
"""
TEAM = """
def fit_for_team(skills, wanted=4):
    for skill in skills:
        if skill in ("rowing", "climbing"):
            return True
    return False
"""
RENT = """
def boat_rent(deck, harbour, insured, captain):
    rent = 60
    share = {"north": 0, "old": 12, "island": 35}.get(harbour, 12)
    if insured:
        rent += 30
    if deck == 2:
        rent += 25
    else:
        rent += 14
    if captain:
        rent += 9
    return rent + share
"""
CALLS = {
    GRADE: ("grade_jump(200, 'x')", "grade_jump(180, 'y')", "grade_jump(100, 'z')"),
    HEAT: ("heat_demand(40, 5, [1, 2])", "heat_demand(10, 8, [3])"),
    TEAM: ("fit_for_team(['rowing', 'chess'])", "fit_for_team(['chess'])"),
}
human = CodeReader()


def ask(reference: str, question: str) -> str:
    return reply_about(human, reference, CALLS.get(reference, ("judge(3)",)), question, "Please write the function.")


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("What data type does the height_cm argument have?", "type"),
        ("Could you tell me whether I may import numpy?", "library"),
        ("Up to how many decimal places do you want it rounded?", "rounding"),
        ("Is the note given in metres or in feet?", "unit"),
        ("What value is assumed when height_cm is omitted?", "default"),
        ("Which message is returned, word for word?", "labels"),
    ],
)
def test_the_intent_of_a_phrasing_is_recognised(question: str, intent: str) -> None:
    known = read(GRADE)
    assert known is not None
    shares = classifier().shares(tokens(question, known))
    assert max(shares, key=lambda name: shares[name]) == intent
    assert sum(shares.values()) == pytest.approx(1)


def test_all_cases_of_a_decision_are_told_with_their_conditions() -> None:
    known = read(GRADE)
    assert known is not None
    (family,) = families(spoken(known))
    told = family.told()
    for part in ("Gold", "more than 190", "Silver", "more than 170", "Bronze", "otherwise"):
        assert part in told


def test_a_question_that_names_nothing_gets_what_no_reply_has_told() -> None:
    """All cases of a decision are told in one sentence, which holds no case in the words of its own."""
    task = BackendTask("t", "What a boat costs.", RENT, ("boat_rent(2, 'old', True, True)",), (), RENT, ())
    turns = [Turn("human", task.description)]
    for question in ("Which conditions decide?", "What happens in all other cases?", "What are the exact formulas?"):
        turns.append(Turn("agent", question))
        turns.append(Turn("human", human.reply(task, Dialogue(tuple(turns)))))
    conditions, otherwise, formulas = [turn.content for turn in turns[2::2]]
    assert ("25" in conditions, "35" in otherwise, "60" in formulas) == (True, True, True)
    assert conditions not in formulas


@pytest.mark.parametrize(
    ("reference", "question", "parts"),
    [
        (GRADE, "Which heights separate the medals?", ["190", "170"]),
        (GRADE, "Please list all possible results.", ["Gold", "Silver", "Bronze"]),
        (GRADE, "Should the outcome be random or completely determined by the height?", ["determined"]),
        (GRADE, "Is a numeric score or a label returned?", ["Gold"]),
        (HEAT, "Is a loss_rate of five percent passed as 5 or as 0.05?", ["5", "percentage"]),
        (HEAT, "Is the area given in square metres or square feet?", ["don't know"]),
        (TEAM, "Which default does wanted have?", ["4"]),
        (TEAM, "Has skills a default value?", ["no default"]),
    ],
)
def test_a_question_gets_what_it_is_about(reference: str, question: str, parts: list[str]) -> None:
    reply = ask(reference, question)
    assert [part for part in parts if part not in reply] == []


@pytest.mark.parametrize(
    ("reference", "question", "start"),
    [
        (GRADE, "Does the note influence the medal?", "No, "),
        (GRADE, "To me the note argument looks irrelevant. Am I right?", "Yes, "),
        (GRADE, "The result isn't rounded, right?", "Yes, "),
        (HEAT, "Should I round the result?", "No, "),
        (HEAT, "Should I sort the rooms first?", "No, "),
        (GRADE, "Should 'Tin' be a fourth category?", "No, "),
        (GRADE, "Is 'gold' fine instead of 'Gold'?", "No, "),
        (TEAM, "Must the person have all of the skills?", "No, "),
    ],
)
def test_yes_and_no_follow_the_reference(reference: str, question: str, start: str) -> None:
    assert ask(reference, question).startswith(start)


def test_a_tag_makes_the_statement_before_it_the_question() -> None:
    one = ask(HEAT, "I take it that nothing is rounded. Is that so?")
    assert one.startswith("Yes")


def test_a_claim_without_its_code_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        Claim(())  # type: ignore[abstract]


def test_the_name_of_an_argument_asks_for_no_property() -> None:
    reference = "def judge(order_hours):\n    if order_hours <= 0:\n        return 'invalid'\n    return 'redo'\n"
    reply = ask(reference, "With order hours of exactly 0, is it 'invalid'?")
    assert "sorting" not in reply
    assert not reply.startswith("No")
