"""The scripted human of the frontend track: on drawn layouts, and on real pages where there is a browser."""

from __future__ import annotations

from dataclasses import replace

import drawn_pages as drawn
import pytest
from drawn_pages import BAKERY, Drawings, changed, layout, text, without
from page_truth import lies

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans import HumanSimulator, make_human
from colbench_gym.humans.page_critic import PageCritic
from colbench_gym.tasks import FrontendTask

TASK = FrontendTask("7", "A bakery.", "<html>wanted</html>")
RIGHT = "That looks right to me."


def said(*messages):
    """A dialogue in which the agent and the human speak in turn."""
    seats = ["agent", "human"] * len(messages)
    return Dialogue(
        (Turn("human", "A bakery."), *(Turn(seat, words) for seat, words in zip(seats, messages, strict=False)))
    )


def reply_to(got, message="Here it is: <html>got</html>", wanted=BAKERY, earlier=()):
    human = PageCritic(Drawings(wanted=wanted, **({} if got is None else {"got": got})))
    reply = human.reply(TASK, said(*earlier, message))
    assert lies(reply, wanted, got) == []
    return reply


def test_it_is_what_scripted_names():
    renderer = Drawings(wanted=BAKERY)
    human = make_human("scripted", track="frontend", renderer=renderer)
    assert isinstance(human, PageCritic)
    assert isinstance(human, HumanSimulator)
    assert human.reply(TASK, said("Hello."), (b"png",)) == "Please show me a page."
    human.close()
    human.close()
    assert renderer.closed == 0


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
