"""Messages as questions: numbers, context, forms, kinds."""

import pytest

from colbench_gym.humans.asking import MAX_QUESTIONS, questions_in
from colbench_gym.humans.asking.kinds import cues
from colbench_gym.humans.asking.lexicon import PLAIN, RELATED

LISTS = (
    ("1. Ties?\n2. Empty input?\n3) Rounding?", [("1", "Ties?"), ("2", "Empty input?"), ("3", "Rounding?")]),
    ("Two things: a) is it inclusive? b) what about zero?", [("a", "is it inclusive?"), ("b", "what about zero?")]),
    ("- ties?\n- order of the result", [("", "ties?"), ("", "order of the result")]),
    ("**1. Ties:** how are they broken?\n**2. Empty:** what then?", [("1", "Ties:** how are they broken?"), ("2", "Empty:** what then?")]),
    ("Could you tell me 1. who wins, and 2. who loses?", [("1", "who wins"), ("2", "who loses?")]),
    ("Q1: Ties?\nQ2: Empty?", [("1", "Ties?"), ("2", "Empty?")]),
    ("Is it sorted? Also:\n- ties\n- none", [("", "Is it sorted? Also:"), ("", "ties"), ("", "none")]),
    ("1. Sorted by name? Or by age?\n2. Empty?\n\nThanks a lot!", [("1", "Sorted by name? Or by age?"), ("2", "Empty?")]),
)  # fmt: skip


@pytest.mark.parametrize(("message", "wanted"), LISTS)
def test_points_of_a_list_keep_their_numbers(message, wanted):
    assert [(question.label, question.text) for question in questions_in(message)] == wanted


def test_a_sentence_with_two_questions_is_two():
    asked = questions_in("What happens if the list is empty, and should the result be sorted?")
    assert [question.text for question in asked] == [
        "What happens if the list is empty",
        "should the result be sorted?",
    ]
    asked = questions_in("How are ties broken and is the result rounded?")
    assert [question.text for question in asked] == ["How are ties broken", "is the result rounded?"]


def test_a_statement_belongs_to_the_question_after_it():
    (asked,) = questions_in("The result is a list of names. Is that right?")
    assert asked.context == "The result is a list of names."
    assert "name" in asked.stems or "list" in asked.stem_list


def test_a_message_without_a_question_is_one():
    (asked,) = questions_in("I'd use a dict.   The keys are 'a  b'.")
    assert asked.text == "I'd use a dict. The keys are 'a  b'."
    assert questions_in("") == ()


def test_a_number_in_a_sentence_is_no_point_of_a_list():
    (asked,) = questions_in("Is the limit 2.5 km or 3. What then?")[:1]
    assert asked.label == ""


def test_fenced_code_and_the_middle_of_a_long_message_are_not_read():
    assert "secret" not in repr(questions_in("Is it sorted?\n```python\nsecret = 1\n```\n"))
    assert "middle" not in repr(questions_in("Is it sorted? " + "x " * 3000 + "middle " + "x " * 3000))
    assert len(questions_in("Is it? " * 50)) <= MAX_QUESTIONS


FORMS = (
    ("Is the result rounded?", "polar"),
    ("Should ties be broken by name or by age?", "either"),
    ("How is the fee computed?", "open"),
    ("Could you tell me how ties are broken?", "open"),
    ("It is sorted by name, right?", "polar"),
)


@pytest.mark.parametrize(("message", "form"), FORMS)
def test_forms(message, form):
    (asked,) = questions_in(message)
    assert ("polar" if asked.polar else "either" if asked.either else "open") == form


def test_what_goes_on_from_a_question_carries_its_words():
    (asked,) = questions_in("And what about negative numbers?", last="How is the tax computed?")
    assert "tax" in asked.carried
    (asked,) = questions_in("Are negative numbers left out?", last="How is the tax computed?")
    assert not asked.carried
    assert "tax" in questions_in("How is the tax computed? And is it rounded?")[1].carried


def test_names_and_literals_are_read():
    (asked,) = questions_in('Is `max_price` 2.5 or "free"?')
    assert asked.names == {"max price"}
    assert {"2.5", "free"} <= asked.literals


KINDS = (
    ("How are ties broken?", "ties"),
    ("To how many decimals is it rounded?", "rounding"),
    ("What if the list is empty?", "empty"),
    ("Is exactly 5 included?", "boundary"),
    ("Does upper case matter?", "letter case"),
    ("Do 'Wheat' and 'wheat' count together?", "letter case"),
    ("Who wins if two have the same score?", "ties"),
)


@pytest.mark.parametrize(("message", "kind"), KINDS)
def test_kinds_of_matter_are_known_by_their_words(message, kind):
    (asked,) = questions_in(message)
    assert kind in asked.kinds


def test_vocabulary_files_are_whole():
    assert len(PLAIN) > 200
    assert RELATED["price"] & RELATED["cost"]
    assert all(1 <= len(cue) <= 4 for cue in cues("backend"))
