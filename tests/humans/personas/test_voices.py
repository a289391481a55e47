"""Personas change how and when a true reply is said, never what is true."""

from itertools import combinations

import pytest
from support.tables import cases

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.humans import NOTHING_SHOWN, make_human
from colbench_gym.humans.personas import VOICES, PersonaHuman, read_persona
from colbench_gym.humans.personas.renderings import plainly, shortly
from colbench_gym.humans.replies import Part, Reply
from colbench_gym.tasks import BackendTask, load_tasks

FACTS = {
    f"What about matter {i}?": (
        Part(f"The limit of matter {i} is {100 + i}.", "answer", reveals=True),
        Part(f"I chose that because of matter {i}.", "reason"),
    )
    for i in range(9)
}
PERSONAS = tuple(VOICES)


class Knows:
    """Scripted human that has one answer and one reason for each question."""

    def __init__(self):
        self.closed = 0

    def compose(self, task, dialogue, shown=NOTHING_SHOWN):
        asked = dialogue.turns[-1].content
        parts = tuple(part for question, parts in FACTS.items() if question in asked for part in parts)
        return Reply(parts or (Part("I have no preference about that.", "unknown"),))

    def close(self):
        self.closed += 1


def task(number: int) -> BackendTask:
    return BackendTask(f"test-{number}", "Make it. The signature of the function is: def f(x)", "", (), (), "")


def talk(human, number: int, questions, turns: int = 14):
    """Ask each question until its fact is heard; the replies in their order."""
    dialogue = Dialogue((Turn("human", task(number).description),))
    replies: list[str] = []
    waiting = list(questions)
    while waiting and len(replies) < turns:
        dialogue = Dialogue((*dialogue.turns, Turn("agent", waiting[0])))
        replies.append(human.reply(task(number), dialogue))
        dialogue = Dialogue((*dialogue.turns, Turn("human", replies[-1])))
        waiting = [q for q in waiting if str(100 + int(q[-2])) not in " ".join(replies)]
        if waiting and len(replies) % 2:  # somebody who put it off is given the next question meanwhile
            waiting.append(waiting.pop(0))
    return replies, waiting


@pytest.mark.parametrize("persona", PERSONAS)
def test_every_fact_can_be_got_within_fourteen_turns(persona):
    for number in range(60):
        replies, waiting = talk(PersonaHuman(Knows(), persona), number, FACTS)
        assert not waiting, replies
        for reply in replies:
            assert len(reply) <= 400


@pytest.mark.parametrize("persona", PERSONAS)
def test_no_number_is_said_that_is_not_in_the_facts(persona):
    for number in range(40):
        for reply in talk(PersonaHuman(Knows(), persona), number, FACTS)[0]:
            digits = {word.strip(".;:,") for word in reply.split() if any(c.isdigit() for c in word)}
            assert digits <= {str(i) for i in range(9)} | {str(100 + i) for i in range(9)}


def test_two_personas_say_the_same_in_different_words():
    same = total = 0
    for number in range(50):
        first = {p: talk(PersonaHuman(Knows(), p), number, list(FACTS)[:1], turns=1)[0][0] for p in PERSONAS}
        for one, another in combinations(PERSONAS, 2):
            total += 1
            same += first[one] == first[another]
    assert same <= 0.1 * total


@pytest.mark.parametrize("persona", PERSONAS)
def test_equal_dialogues_get_equal_replies(persona):
    assert talk(PersonaHuman(Knows(), persona), 3, FACTS) == talk(PersonaHuman(Knows(), persona), 3, FACTS)


def test_an_intensity_of_0_says_what_the_human_itself_says():
    plain = talk(PersonaHuman(Knows(), "cooperative"), 1, FACTS)
    for persona in PERSONAS:
        assert talk(PersonaHuman(Knows(), persona, 0.0), 1, FACTS) == plain, persona


def test_incomplete_answers_one_part_of_a_compound_question_first():
    human = PersonaHuman(Knows(), "incomplete")
    compound = "What about matter 0? And what about matter 1? " + " ".join(list(FACTS)[:2])
    opening = Turn("human", task(0).description)
    first = human.reply(task(0), Dialogue((opening, Turn("agent", compound))))
    assert ("100" in first) != ("101" in first)
    turns = (opening, Turn("agent", compound), Turn("human", first), Turn("agent", compound))
    assert "101" in human.reply(task(0), Dialogue(turns))


def test_impatient_pushes_back_on_a_repeated_question():
    human = PersonaHuman(Knows(), "impatient")
    question = next(iter(FACTS))
    turns = (Turn("human", "Make it."), Turn("agent", question), Turn("human", "100."), Turn("agent", question))
    reply = human.reply(task(0), Dialogue(turns))
    assert "100" in reply
    assert reply.startswith(("You asked", "As I said", "Again", "I told"))


def test_mixed_draws_one_persona_for_each_task():
    human = PersonaHuman(Knows(), "mixed")
    drawn = [human.persona_for(task(number)) for number in range(200)]
    assert set(drawn) == set(PERSONAS)
    assert drawn == [human.persona_for(task(number)) for number in range(200)]


@pytest.mark.parametrize(("text", "plain"), cases(__file__, "the_layperson_leaves_quoted_texts_alone"))
def test_the_layperson_leaves_quoted_texts_alone(text, plain):
    assert plainly(text) == plain


@pytest.mark.parametrize(("text", "short"), cases(__file__, "the_terse_one_says_condition_thing_and_value"))
def test_the_terse_one_says_condition_thing_and_value(text, short):
    assert shortly(text) == short


def test_a_sentence_of_a_fact_has_parts():
    assert (
        shortly("If the age is at most 5, the price is 'half, or less'.")
        == "the age is at most 5: price: 'half, or less';"
    )
    assert shortly("Nothing is rounded.") == "nothing is rounded;"


@pytest.mark.parametrize("persona", ["terse", "layperson"])
def test_who_says_it_in_other_words_knows_what_was_said(persona):
    wages = load_tasks("examples", track="backend").get("wages")
    human = make_human(f"scripted:{persona}")
    turns = [Turn("human", wages.description)]
    for question in ("When does overtime start?", "From how many hours on is it overtime?"):
        turns.append(Turn("agent", question))
        turns.append(Turn("human", human.reply(wages, Dialogue(tuple(turns)))))
    human.close()
    assert "As I said" in turns[-1].content


def test_incomplete_leaves_out_a_reason_until_it_is_asked_again():
    human = PersonaHuman(Knows(), "incomplete")
    question = next(iter(FACTS))
    turns = (Turn("human", task(0).description), Turn("agent", question))
    first = human.reply(task(0), Dialogue(turns))
    again = human.reply(task(0), Dialogue((*turns, Turn("human", first), Turn("agent", question))))
    assert "I chose that" not in first
    assert "I chose that" in again


def test_closing_closes_the_human_inside():
    inside = Knows()
    human = PersonaHuman(inside, "terse")
    human.close()
    assert inside.closed == 1


def test_specs():
    assert read_persona("terse") == ("terse", 1.0)
    assert read_persona("chatty:0.5") == ("chatty", 0.5)
    with pytest.raises(UnknownNameError, match="chatty"):
        read_persona("chaty")
    for wrong in ("terse:2", "terse:", "terse:often", "terse:nan"):
        with pytest.raises(UsageError, match="from 0 to 1"):
            read_persona(wrong)
    with pytest.raises(UsageError, match="from 0 to 1"):
        PersonaHuman(Knows(), "terse", 1.5)
    for track in ("backend", "frontend"):
        with pytest.raises(UnknownNameError, match="persona"):
            make_human("scripted:grumpy", track=track)
