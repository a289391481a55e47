"""Proposals about texts, criteria, properties and bands, decided from the code or by running it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.tasks import BackendTask

LINK = """
def share_link(host, page, options=None):
    link = host + '/' + page
    if options:
        link += '?' + '&'.join(options)
    return link
"""
LINKS = (
    "share_link('shop.example', 'boots', ['size=9', 'color=red'])",
    "share_link('shop.example', 'hats', ['size=2'])",
    "share_link('news.example', 'sports', ['page=3', 'lang=en'])",
)
SLUG = "def slug(title):\n    return title.strip().lower().replace(' ', '-').replace('!', '')\n"
SLUGS = ("slug('Seven Ways Home')", "slug('A quiet Night')", "slug('Rain')")
ALERT = """
def alert_level(rain_mm, wind_kmh, river_m):
    if rain_mm > 80:
        level = 'red'
    elif wind_kmh > 110:
        level = 'red'
    elif river_m >= 4:
        level = 'orange'
    else:
        level = 'green'
    return level
"""
ALERTS = ("alert_level(90, 20, 1)", "alert_level(10, 130, 2)", "alert_level(5, 30, 5)", "alert_level(5, 30, 1)")
PLAN = """
def phone_bill(minutes, price_per_minute):
    if minutes > 0 and minutes <= 100:
        return minutes * price_per_minute
    elif minutes > 100 and minutes <= 400:
        return minutes * price_per_minute * 0.8
    elif minutes > 400:
        return minutes * price_per_minute * 0.6
"""
PLANS = ("phone_bill(50, 2)", "phone_bill(150, 2)", "phone_bill(900, 3)", "phone_bill(399, 1)")
TIDY = "def tidy(notes):\n    return [None if note.strip() == '' else note for note in notes]\n"
TIDIES = ("tidy(['milk', 'eggs'])", "tidy(['call home', 'pay rent', 'tea'])", "tidy(['a', 'b'])")
DIET = """
def trim_diet(sugar_grams, salt_grams, fat_grams, budget):
    if sugar_grams > budget:
        sugar_grams = budget
    if salt_grams > budget / 4:
        salt_grams = budget / 4
    if fat_grams > budget / 2:
        fat_grams = budget / 2
    return sugar_grams, salt_grams, fat_grams
"""
DIETS = ("trim_diet(9, 3, 7, 8)", "trim_diet(2, 1, 1, 8)", "trim_diet(30, 9, 20, 16)")
SPLIT = """
def split_games(games, coach_start):
    before = [game for game in games if game['day'] < coach_start]
    after = [game for game in games if game['day'] >= coach_start]
    return len(before), len(after)
"""
SPLITS = (
    "split_games([{'day': 3}, {'day': 9}], 5)",
    "split_games([{'day': 1}, {'day': 2}, {'day': 7}], 4)",
    "split_games([{'day': 8}], 6)",
)
LIMITS = "def over_limits(debt, late_share, max_debt=900, max_share=0.3):\n    return debt > max_debt or late_share > max_share\n"
LIMITED = ("over_limits(1000, 0.1)", "over_limits(100, 0.5)", "over_limits(10, 0.1)")
CASES = {
    "link": (LINK, LINKS, "Write share_link for me."),
    "slug": (SLUG, SLUGS, "I need slugs for my blog titles."),
    "alert": (ALERT, ALERTS, "Write alert_level for floods and storms."),
    "plan": (PLAN, PLANS, "Work out my phone bill from the minutes."),
    "tidy": (TIDY, TIDIES, "Tidy my notes."),
    "diet": (DIET, DIETS, "Keep my diet within the budget."),
    "split": (SPLIT, SPLITS, "Count my games before and after the new coach."),
    "limits": (LIMITS, LIMITED, "Tell me who is over the limits."),
}


@pytest.fixture(scope="module")
def human() -> Iterator[CodeReader]:
    """Return one human for all questions."""
    reader = CodeReader()
    yield reader
    reader.close()


def told(human: CodeReader, case: str, question: str) -> str:
    """Return the reply to one question about one of the functions."""
    source, calls, description = CASES[case]
    names = tuple(f"test{place}" for place in range(len(calls)))
    task = BackendTask(case, description, source, calls, names, "")
    return human.reply(task, Dialogue((Turn("human", description), Turn("agent", question))))


@pytest.mark.parametrize(
    ("case", "question", "begins", "holds"),
    [
        ("link", 'With an empty list of options, does the link end with a "?"', "No, ", "shop.example/boots"),
        ("link", "Does the link start with 'https'?", "No, ", "beginning"),
        ("slug", "Should exclamation marks be removed?", "Yes, ", "removed"),
        ("slug", "Are commas kept in the slug?", "Yes, ", "stays"),
        ("slug", "What is done with underscores, are they handled?", "", "stays as it is"),
        ("slug", "I'd leave upper and lower case as they are, is that alright?", "No, ", "case"),
        ("alert", "Must all of the three conditions hold for a red alert?", "No, not all", "more than 110"),
        ("plan", "Is the reduction marginal, only on the minutes above each limit?", "No, ", "entire amount"),
        ("plan", "Do you round the bill? I'd keep it unrounded, with all digits. OK?", "", "not rounded"),
        ("tidy", "A note of nothing but blanks, like '   ': keep it, or turn it into None too?", "", "becomes None"),
        ("split", "A game on the very day the coach starts: before or after?", "", "at least the coach start"),
        ("limits", "Are the defaults for the maximum debt and the maximum share, 900 and 0.3, right?", "Yes", "0.3"),
        ("limits", "Are the defaults for the maximum debt and the maximum share, 500 and 0.7, right?", "No", "0.3"),
    ],
)
def test_a_proposal_is_decided(human: CodeReader, case: str, question: str, begins: str, holds: str) -> None:
    """Yes or no comes first where the code decides, and the reason says what is so."""
    reply = told(human, case, question)
    assert reply.startswith(begins)
    assert holds in reply


def test_bands_are_told_without_repeating_their_subject(human: CodeReader) -> None:
    """All bands fit into one reply, each with its condition."""
    reply = told(human, "plan", "Which factors apply in each of the bands (up to 100, 100 to 400, over 400 minutes)?")
    assert "times 0.8" in reply
    assert "times 0.6" in reply
    assert "if more than 100 and at most 400" in reply


def test_parallel_limits_are_told_together(human: CodeReader) -> None:
    """Names that differ in one word under like circumstances are told side by side."""
    reply = told(human, "diet", "How do the limits for sugar, salt and fat relate to the budget?")
    assert "the sugar grams are the budget" in reply
    assert "divided by 4" in reply
    assert "divided by 2" in reply


def test_a_restated_claim_is_confirmed_and_a_changed_one_is_not(human: CodeReader) -> None:
    """Yes needs the same things, numbers and comparisons as the claim."""
    right = told(human, "alert", "If the river is at least 4 m, is the level orange?")
    wrong = told(human, "alert", "If the river is at least 5 m, is the level orange?")
    assert right.startswith("Yes, ")
    assert not wrong.startswith("Yes")


def test_what_nothing_in_the_code_knows_is_admitted(human: CodeReader) -> None:
    """Of several things that the reference never heard of, none is chosen."""
    reply = told(human, "plan", "Is the price a wholesale quotation, a subscriber quotation, or a holiday quotation?")
    assert reply.startswith("I don't know")
