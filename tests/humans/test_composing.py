"""Replies put together: every question answered under its number, nothing that is only said again."""

import pytest

from colbench_gym.humans import composing
from colbench_gym.humans.asking import questions_in
from colbench_gym.humans.composing import MOST_MORE, ONE_MORE, REMINDER, Composer, Way, best_together
from colbench_gym.humans.facts import NO_PREFERENCE, Fact
from colbench_gym.humans.ranking import FactIndex, ranker
from colbench_gym.humans.replies import Part

LONG = "with a great many words about it that nobody needs to hear but that the sentence has all the same " * 2
FACTS = (
    Fact("ties", f"On a tie the older member wins, {LONG}so it is.", ("tie",)),
    Fact("rounding", f"The fee is rounded to two decimals. It is {LONG}.", ("rounded", "fee")),
    Fact("empty", "Without any member the fee is 7.", ("no members", "empty")),
    Fact("order", "Members come in the order of their age.", ("order", "members")),
)


class Known:
    """What is known of a task without any code."""

    facts = FACTS
    outline = "You can ask me about members and fees."

    def decide(self, question):
        return None


def said(message, before="", room=400, earlier=frozenset()):
    composer = Composer(Known(), FactIndex(FACTS), ranker("backend"), earlier)
    return [part.text for part in composer.parts(questions_in(message), before, room)]


def test_each_numbered_question_has_an_answer_even_where_facts_are_long():
    texts = said(
        "1. How are ties broken?\n2. How is the fee rounded?\n3. And with no members?\n4. What is the order of members?"
    )
    assert [text[:3] for text in texts if text[1:3] == ". "] == ["1. ", "2. ", "3. ", "4. "]
    assert texts[0] == f"1. {composing.BY_ITSELF}"
    assert "3. Without any member the fee is 7." in texts
    assert len(" ".join(texts)) <= 400


def test_room_is_given_to_the_answers_that_most_likely_settle_something():
    long, short, order = (Part(text) for text in ("L" * 60, "S" * 20, "O" * 40))
    ways = [[Way((long,), 0.9), Way((short,), 0.5)], [Way((order,), 0.8), Way((Part("-"),), -0.1)]]
    assert best_together(ways, ["1. ", "2. "], 80) == [[short], [order]]
    assert best_together(ways, ["1. ", "2. "], 120) == [[long], [order]]
    assert best_together([ways[0], [Way((long,), 0.9), Way((short,), 0.3)]], ["1. ", "2. "], 80) == [[long], [long]]


def test_a_question_that_nothing_is_left_for_is_not_passed_over():
    texts = said("1. Is there a dress code?\n2. What is the order of members?", room=80)
    assert [text[:2] for text in texts] == ["1.", "2."]


def test_the_same_question_again_brings_out_nothing_new():
    question = "Which order do the members have?"
    (first, *_) = said(question)
    (asked,) = questions_in(question)
    assert said(question, first, earlier=frozenset([frozenset(asked.stem_list)])) == [f"{REMINDER}{first}"]
    assert said(f"And {question}", first, earlier=frozenset([frozenset(asked.stem_list)])) == [f"{REMINDER}{first}"]


def test_another_question_after_what_was_told_gets_what_was_not_told():
    message = "1. Does the order matter where there are no members?\n2. Is the fee rounded?"
    assert FACTS[2].text in said(message, FACTS[3].text)
    earlier = frozenset(frozenset(question.stem_list) for question in questions_in(message))
    assert FACTS[2].text not in said(message, FACTS[3].text, earlier=earlier)


@pytest.mark.parametrize(
    "message",
    ["Could you tell me 1. whether ties matter 2. whether it is rounded?", "Can you tell me whether it is rounded?"],
)
def test_a_request_to_be_told_something_is_not_broad(message):
    assert Known.outline not in said(message)
    assert said("Can you tell me a bit more?") == [Known.outline]


BAND = (
    Fact("cap", "It is never more than 40.", ("maximum",), source="author", key="cap", weight=1.0),
    Fact("floor", "It is at least 5.", ("minimum",), source="author", key="floor", weight=1.0),
    Fact("exception", "There are no exceptions.", ("exceptions",), source="author", key="exempt", weight=1.0),
    Fact("condition", "Guests pay double.", ("guests",), source="author", key="guests", weight=1.0),
    Fact("ties", NO_PREFERENCE, ("maximum", "tie"), source="author", key="ties", reveals=False),
)
CAP, GUESTS = BAND[0], BAND[3]


def band(message, before="", facts=BAND):
    known = Known()
    known.facts = facts
    asked = Composer(known, FactIndex(facts), ranker("backend")).parts(questions_in(message), before, 400)
    return [part.text for part in asked]


def test_both_ends_of_a_band_are_told_together():
    assert set(band("Is there a maximum, or a minimum?")) == {"It is never more than 40.", "It is at least 5."}
    assert NO_PREFERENCE not in band("Is there a maximum, or a tie?")[1:]


def test_what_leads_another_answer_is_told_under_its_own_number():
    told = band("1. Is there a minimum, or a maximum?\n2. Which maximum is there?")
    assert told == ["1. It is at least 5.", "2. It is never more than 40."]


def test_another_matter_of_the_author_is_told_only_where_the_question_speaks_of_it():
    start = Fact("formula", "Start with the area times 3.", ("formula", "area"), source="author", weight=1.0)
    desert = Fact("condition", "A desert takes 15 percent off.", ("climate", "desert"), source="author", weight=1.0)
    facts = (start, desert)
    assert band("How exactly is it calculated from the area?", facts=facts) == [start.text]
    assert band("What happens in a desert climate?", facts=facts) == [desert.text]
    assert band("How exactly is the result calculated in a desert climate?", facts=facts)[0] == desert.text


def test_what_is_left_is_told_to_those_who_ask_for_anything_else():
    said_before = "It is never more than 40. It is at least 5."
    assert band("Anything else?", said_before) == [f"{ONE_MORE}Guests pay double."]
    assert band("Anything else?", f"{said_before} {ONE_MORE}Guests pay double.") == [
        f"{ONE_MORE}There are no exceptions."
    ]
    assert band("Is that everything?", f"{ONE_MORE * MOST_MORE}{said_before}") == [composing.MORE]
    for closing in ("Did I miss anything?", "Have I missed a rule, apart from the two limits?", "That's all, right?"):
        assert band(closing, " ".join(fact.text for fact in BAND)) == [composing.ALL]
    assert said("Anything else?", " ".join(fact.text for fact in FACTS)) == [composing.NOTHING_MORE]


FEE = Fact("rounding", "The fee is rounded.", ("rounded", "fee"), source="author")
FIRST = Fact("order", "The highest price comes first.", ("order", "price", "first"), source="author")
LATER = Fact("ties", "Of equal ones the later wins.", ("tie",), source="code")
REPLIES = (  # what was said before, the question, the facts, the reply
    (FEE.text, "How is the fee rounded?", (FEE,), [f"{REMINDER}{FEE.text}"]),
    (CAP.text, "What is the maximum?", (CAP, GUESTS), [f"{REMINDER}{CAP.text}"]),
    (FIRST.text, "Of equal prices, which is first?", (FIRST, LATER), [LATER.text]),
    ("", "Any special cases?", BAND, [CAP.text, BAND[1].text, BAND[2].text]),  # last that there are none
    ("", "1. How is the fee rounded?\n2. How is it rounded?", (FEE,), [f"1. {FEE.text}", "2. Same as (1)."]),
    ("", "How is the fee rounded, and what should I do with it?", (FEE,), [FEE.text]),
    (CAP.text, "Do colleagues wear hats?", (CAP, GUESTS), [GUESTS.text]),
)


@pytest.mark.parametrize(("before", "question", "facts", "reply"), REPLIES)
def test_a_reply_says_what_is_new_and_where_nothing_is(before, question, facts, reply):
    assert band(question, before, facts=facts) == reply


def test_where_the_author_breaks_ties_the_code_says_nothing_of_them():
    authored = Fact("ties", "The earlier wins.", ("tie",), source="author")
    assert FactIndex((authored, LATER)).facts == (authored,)


def test_who_asks_what_input_is_odd_is_told_what_the_author_decided_about_any():
    negative = Fact("invalid value", "A negative price counts as 0.", ("negative",), source="author", weight=1.0)
    twice = Fact("duplicates", "Only the first of two counts.", ("twice",), source="author", weight=1.0)
    facts = (*BAND, negative, twice)
    for message in ("Which edge cases are there?", "How should I treat bad data?", "What odd entries do you mean?"):
        assert set(band(message, facts=facts)) == {negative.text, twice.text}
    assert band("Which edge cases are there?", f"{negative.text} {twice.text}", facts) not in (
        [negative.text],
        [twice.text],
    )
    assert negative.text not in band("Is a bad harvest below the minimum?", facts=facts)
