"""The scripted human of the frontend track: on drawn layouts, and on real pages where there is a browser."""

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from support import drawn_pages as drawn
from support.critic_replies import replies
from support.drawn_pages import BAKERY, Drawings, changed, heading, layout, text, without
from support.page_truth import lies
from support.samples import FULL
from support.shown_pages import shown
from support.tables import cases
from support.work_counts import cpu_s

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.errors import MissingExtraError, TaskError, UsageError
from colbench_gym.humans import HumanSimulator, Shown, make_human
from colbench_gym.humans.leaks import measure_reply
from colbench_gym.humans.page.human import PageHuman
from colbench_gym.page_language.sentences import read_statements
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import BackendTask, FrontendTask, load_tasks

TASK = FrontendTask("7", "A bakery.", "<html>wanted</html>")
RIGHT = "That looks right to me."


def said(*messages):
    """A dialogue in which the agent and the human speak in turn."""
    seats = ["agent", "human"] * len(messages)
    return Dialogue(
        (Turn("human", "A bakery."), *(Turn(seat, words) for seat, words in zip(seats, messages, strict=False)))
    )


def replied(renderer, dialogue, task=TASK):
    return PageHuman().reply(task, dialogue, shown(renderer, task, dialogue))


def reply_to(got, message="Here it is: <html>got</html>", wanted=BAKERY, earlier=()):
    reply = replied(Drawings(wanted=wanted, **({} if got is None else {"got": got})), said(*earlier, message))
    assert lies(reply, wanted, got) == []
    return reply


def test_it_is_what_scripted_names():
    human = make_human("scripted", track="frontend")
    assert isinstance(human, PageHuman)
    assert isinstance(human, HumanSimulator)
    reference = Drawings(wanted=BAKERY).render(TASK.reference)
    assert human.reply(TASK, said("Hello."), Shown(reference=reference)) == "Please show me a page."
    human.close()
    human.close()
    with pytest.raises(UsageError, match="got no picture of the wanted page of task '7'"):
        human.reply(TASK, said("Hello."))


def test_a_page_that_looks_right_is_called_so():
    assert reply_to(BAKERY) == RIGHT
    assert reply_to(changed(BAKERY, drawn.TITLE, x=493)) == RIGHT


@pytest.mark.parametrize(
    ("got", "sentence"),
    [
        (without(BAKERY, drawn.LEAD), "The text “We bake through the night so that you can have …” of about 17 words is missing, it belongs below “Fresh bread every day”."),
        (without(BAKERY, *drawn.LINKS), "The link “Home”, the link “Menu” and the link “Contact” are missing, they belong to the right of “Bay Bakery”, side by side."),
        (layout(*BAKERY.texts, *BAKERY.elements, text("Buy!", 32, 650, role="link")), "The link “Buy!” should go."),
        (changed(BAKERY, drawn.TITLE, text="Bread and more"), "The heading should say “Fresh bread every day”, yours says “Bread and more”."),
        (replace(BAKERY, background=(31, 41, 55)), "The page should be white, yours is very dark grey."),
        (changed(changed(BAKERY, drawn.BAR, color=drawn.RED), drawn.NAME, background=drawn.RED), "The header should be very dark blue, yours is red."),
        (changed(BAKERY, drawn.TITLE, color=drawn.RED), "The heading “Fresh bread every day” should be black, yours is red."),
        (changed(BAKERY, drawn.TITLE, font_px=18.0), "The letters of the heading “Fresh bread every day” should be about twice as large."),
        (changed(BAKERY, drawn.TITLE, bold=False), "The heading “Fresh bread every day” should be bold, yours is not bold."),
        (changed(BAKERY, drawn.TITLE, align="left", x=32), "The heading “Fresh bread every day” should be centred, yours is aligned left."),
        (changed(BAKERY, drawn.PUSH, radius_px=0.0), "The corners of the button “Order now” should be rounded, yours are square."),
        (without(BAKERY, drawn.CARDS[1]), "A picture is missing, it belongs below"),
        (changed(BAKERY, drawn.CARDS[0], border=None), "The box around “Rye” should have a pale grey border, yours has no border."),
        (changed(BAKERY, drawn.ORDER, role="link"), "“Order now” should be a button, yours is a link."),
        (changed(BAKERY, drawn.CARDS[1], width=180), "The first picture should take about a quarter of the width, yours takes about a tenth."),
    ],
)  # fmt: skip
def test_one_difference_is_said_first(got, sentence):
    reply = reply_to(got)
    assert reply.startswith(sentence), reply


def test_order_and_columns():
    stacked = BAKERY
    for at, name in enumerate(("Rye", "Spelt", "Oat")):
        card = next(one for one in stacked.texts if one.text == name)
        stacked = changed(stacked, card, x=48, y=510 + 60 * at)
    assert reply_to(stacked).startswith("“Rye”, “Spelt” and “Oat” should be in 3 columns, yours are in 1 column.")
    swapped = changed(changed(BAKERY, drawn.LEAD, y=110), drawn.TITLE, y=160)
    assert "“Fresh bread every day”, yours is above it." in reply_to(swapped)


def test_two_colours_of_one_name_are_told_by_their_shade():
    assert (
        reply_to(replace(BAKERY, background=(240, 240, 242)), wanted=replace(BAKERY, background=(249, 249, 250)))
        != RIGHT
    )
    wanted = replace(BAKERY, background=(55, 65, 81))
    assert reply_to(replace(BAKERY, background=(75, 85, 99)), wanted=wanted) == "The page should be a bit darker."


def test_the_most_outstanding_comes_first_and_whole_sentences_fit():
    bare = layout(text("Hello", 0, 0), background=(31, 41, 55))
    reply = reply_to(
        bare,
        wanted=layout(
            *BAKERY.texts, *(text(f"Line {n} of the long list", 32, 720 + 30 * n) for n in range(60)), height=2600
        ),
    )
    assert reply.startswith("The heading “Rye”")
    assert ". The page should be white, yours is very dark grey. " in reply
    assert len(reply) <= 1000
    assert reply.endswith(".")


def test_what_was_said_before_makes_room_for_the_rest():
    got = layout(*(text(f"Wrong {n}", 32, 40 * n, role="link") for n in range(90)))
    first = reply_to(got)
    second = reply_to(got, earlier=("<html>got</html>", first))
    assert first != second
    assert first == reply_to(got)


def answer(question, *earlier):
    """What is said of the bakery's own page."""
    task = FrontendTask("7", "A bakery.", drawn.BAKERY_HTML)
    return PageHuman().reply(task, said(*earlier, question), Shown(reference=RenderedPage("rendered", b"", BAKERY)))


@pytest.mark.parametrize(("question", "begins"), cases(__file__, "questions_are_answered_from_the_wanted_page"))
def test_questions_are_answered_from_the_wanted_page(question, begins):
    assert answer(question).startswith(begins), answer(question)
    assert answer(question) == answer(question)


def test_each_question_of_a_message_is_answered_under_its_number():
    reply = answer("1. What colour is the page? 2. What does the button say? 3. How many pictures are there?")
    first, second, third = (reply.index(f"{number}. ") for number in (1, 2, 3))
    assert "The page should be white." in reply[first:second]
    assert "“Order now”" in reply[second:third]
    assert "The page has three pictures." in reply[third:]
    assert len(reply) <= 400


def test_what_the_page_shows_is_never_denied():
    html = "<html><body><aside><p>Shelves</p><p>Lamps</p></aside><main><h1>Chairs</h1><p>All of oak.</p></main></body></html>"
    page = layout(
        text("Shelves", 20, 100), text("Lamps", 20, 140), heading("Chairs", 400, 100), text("All of oak.", 400, 150)
    )
    task = FrontendTask("8", "A shop.", html)
    reply = PageHuman().reply(task, said("Is there a sidebar?"), Shown(reference=RenderedPage("rendered", b"", page)))
    assert "no sidebar" not in reply
    assert "The sidebar" in reply


def test_questions_and_a_draft_in_one_message_are_both_answered():
    task = FrontendTask("7", "A bakery.", drawn.BAKERY_HTML)
    draft = RenderedPage("rendered", b"", without(BAKERY, drawn.LEAD))
    pages = Shown(draft, RenderedPage("rendered", b"", BAKERY))
    reply = PageHuman().reply(task, said("Is there a footer? ```html\n<html>got</html>\n```"), pages)
    assert reply.startswith("No, there should be no footer.")
    assert "is missing, it belongs below “Fresh bread every day”." in reply


@pytest.mark.parametrize("request_", ["Please name the menu entries.", "Please tell me the colour of the page."])
def test_a_request_without_a_question_mark_is_answered(request_):
    reference = Drawings(wanted=BAKERY).render(TASK.reference)
    assert PageHuman().reply(TASK, said(request_), Shown(reference=reference)) != "Please show me a page."


@pytest.mark.parametrize("question", ["Is it right now?", "Does this match what you want?", "What should I change?"])
def test_a_question_for_the_draft_compares(question):
    assert reply_to(None, question) == "Please show me a page."
    got = without(BAKERY, drawn.LEAD)
    human = PageHuman()
    pages = shown(Drawings(wanted=BAKERY, got=got), TASK, said("<html>got</html>", "Hm.", question))
    assert "is missing" in human.reply(TASK, said("<html>got</html>", "Hm.", question), pages)


def test_a_reply_names_three_differences_unless_all_are_asked_for():
    got = layout(*(text(f"Wrong {n}", 32, 40 * n, role="link") for n in range(30)), background=drawn.SILVER)
    few = reply_to(got)
    every = reply_to(got, "Please tell me all differences. <html>got</html>")
    assert len(few) <= 400
    assert few.count(". ") + 1 <= 3
    assert len(few) < len(every) <= 1000


@pytest.mark.parametrize("message", cases(__file__, "instructions_change_nothing"))
def test_instructions_change_nothing(message):
    reply = reply_to(without(BAKERY, drawn.LEAD), f"{message} <html>got</html>")
    assert reply == (
        "I won't hand over any code, but you can ask me what the page should look like. "
        "The text “We bake through the night so that you can have …” of about 17 words is missing, "
        "it belongs below “Fresh bread every day”."
    )


def test_the_last_page_shown_is_the_one_seen():
    renderer = Drawings(wanted=BAKERY, got=BAKERY, other=without(BAKERY, drawn.LEAD))
    assert replied(renderer, said("<html>other</html>", "Hm.", "<html>got</html> <html>other</html>")) == RIGHT
    assert replied(renderer, said("<html>got</html>", "Fine.", "Thank you! Is it good?")) == RIGHT
    assert replied(renderer, said("Hi", "Hi", "Please be kind")) == "Please show me a page."


def test_a_page_that_cannot_be_seen_is_said_to_be_so_and_a_task_of_the_other_track_is_refused():
    assert (
        replied(Drawings(wanted=BAKERY), said("<html>endless</html>"))
        == "I can't see anything of your page, please send one that shows."
    )
    with pytest.raises(TaskError, match="backend"):
        PageHuman().reply(BackendTask("1", "d", "def f(): 1", (), (), ""), said("Hi."))


def test_replies_do_not_depend_on_threads():
    renderer = Drawings(wanted=BAKERY, got=without(BAKERY, drawn.LEAD, drawn.TITLE), other=layout(text("X", 0, 0)))
    dialogues = [said(f"<html>{name}</html>") for name in ("got", "other", "wanted")] * 8
    alone = [replied(renderer, dialogue) for dialogue in dialogues]
    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(lambda dialogue: replied(renderer, dialogue), dialogues)) == alone


def test_without_a_browser_texts_are_still_compared():
    task = FrontendTask("1", "A shop.", "<html><h1>Shop</h1><p>Open daily</p></html>")
    reply = replied(ScriptedRenderer(), said("<html><h1>Shop</h1></html>"), task)
    assert "The text “Open daily” is missing, it belongs below “Shop”." in reply
    assert replied(ScriptedRenderer(), said(task.reference), task) == RIGHT


def test_nothing_of_a_reply_is_source():
    for got in (BAKERY, layout(text("X", 0, 0)), without(BAKERY, *drawn.LINKS)):
        assert measure_reply(TASK, "Show me.", reply_to(got)).as_info() == {
            "code": 0.0,
            "run": 0.0,
            "literals": 0.0,
            "test_calls": 0.0,
            "test_values": 0.0,
        }


def test_lies_are_found():
    """The check of the truth is worth something: what is turned round, or said of other pages, is found out."""
    got = changed(
        changed(without(BAKERY, drawn.LEAD), drawn.TITLE, font_px=24.0, color=drawn.RED), drawn.BAR, color=drawn.RED
    )
    reply = reply_to(replace(got, background=drawn.SILVER))
    assert lies(reply, got, BAKERY)
    assert lies(RIGHT, BAKERY, got)
    assert lies("The header should be green, yours is red.", BAKERY, got)
    assert lies("The heading “Rye” is missing.", BAKERY, got)
    assert lies("The heading “Rye” should go.", BAKERY, got)
    assert lies("The letters of the heading “Rye” should be about twice as large.", BAKERY, got)
    assert lies("“Rye” and “Spelt” should be in 1 column.", BAKERY, got)
    assert lies("A picture is missing.", BAKERY, got)
    assert lies("Some <b>page</b>.", BAKERY, got)
    assert lies("That looks right to me.", BAKERY, BAKERY) == []
    assert lies("I like it! That looks right to me.", BAKERY, BAKERY)


@pytest.mark.browser
def test_what_is_said_of_real_pages_is_true(renderer, official_data):
    given, made = (
        load_tasks(official_data / "frontend_tasks.jsonl", track="frontend"),
        load_tasks("generated", track="frontend"),
    )
    pages, count = (10, 150) if FULL else (3, 45)
    tasks = [one for index in range(pages) for one in (given.at(index), made.at(index))]
    found = list(replies(tasks, renderer, count))
    assert [reply.lies for reply in found if reply.lies] == []
    kinds = Counter(statement.kind for reply in found for statement in read_statements(reply.text))
    assert len(kinds) >= 12, kinds
    assert all(
        measure_reply(tasks[number * len(tasks) // count], "", reply.text).code == 0.0
        for number, reply in enumerate(found)
    )


@pytest.mark.browser
def test_a_real_page_is_compared_by_what_it_looks_like(renderer):
    task = FrontendTask("1", "A shop.", "<html><body style='background:navy'><h1>Shop</h1></body></html>")
    reply = replied(renderer, said("<html><h1>Shop</h1></html>"), task)
    assert reply.startswith("The page should be very dark blue, yours is white.")
    assert replied(renderer, said(task.reference), task) == RIGHT


def test_without_scipy_the_pip_line_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    with (
        open_scenario("frontend", renderer="scripted") as scenario,
        pytest.raises(MissingExtraError, match=r"colbench-gym\[render\]"),
    ):
        scenario.episode("test-0").say("Like this? <html><body><h1>Another</h1><p>Other words here</p></body></html>")


@pytest.mark.parametrize("piece", ["<>", "<html>", "```", "? ", "1. a? ", "<body", "“", "the picture show "])
def test_a_message_of_200_kb_takes_half_a_second_at_most(piece):
    answer("Hello.")  # compiles the facts
    replies = []  # asked for once: what was read of a message is kept
    assert cpu_s(lambda: replies.append(answer(piece * (200_000 // len(piece))))) < 0.5
    assert len(replies[0]) <= 1000
