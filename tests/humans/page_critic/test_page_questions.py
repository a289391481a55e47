"""Questions that name things by their look or place, and when a reply begins with yes or no."""

from __future__ import annotations

import pytest
from support import drawn_pages as drawn
from support.drawn_pages import BAKERY, Drawings, element, heading, layout, text
from support.page_truth import lies
from support.shown_pages import shown

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.humans.page_critic import PageCritic
from colbench_gym.humans.page_critic.questions.verdicts.scrolling import staying_areas
from colbench_gym.tasks import FrontendTask

GREEN, BLUE, BLACK, WHITE = (16, 185, 129), (30, 58, 138), (0, 0, 0), (255, 255, 255)
SHOP = layout(  # two boxes of their own colours below a line of text, a closing line, no picture
    text("Corner shop", 32, 20, 200, font_px=14.0),
    element("box", 32, 100, 500, 120, GREEN),
    heading("Open all day", 48, 110, 300, 28, font_px=24.0, color=WHITE, background=GREEN),
    text("Come in and look around.", 48, 150, 300, color=WHITE, background=GREEN),
    element("box", 600, 100, 500, 120, BLUE),
    heading("Delivery", 616, 110, 300, 28, font_px=24.0, color=WHITE, background=BLUE),
    text("We bring it to your door.", 616, 150, 300, color=WHITE, background=BLUE),
    text("Thank you for your visit", 32, 600, 300),
)


def asked(question, wanted=BAKERY, html="<html>wanted</html>"):
    task = FrontendTask("7", "A page.", html)
    dialogue = Dialogue((Turn("human", "A page."), Turn("agent", question)))
    name = html.removeprefix("<html>").removesuffix("</html>")
    reply = PageCritic().reply(task, dialogue, shown(Drawings(**{name: wanted}), task, dialogue))
    assert lies(reply, wanted) == []
    return reply


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What text is in the green box?", "The box around “Open all day” should hold “Open all day” and “Come in and look around.”."),
        ("What does the blue card say?", "The box around “Delivery” should hold “Delivery” and “We bring it to your door.”."),
        ("What's green on the page?", "The box around “Open all day” should be green."),
        ("Are there any red elements?", "No, the page and the heading “Open all day” should be white."),
        ("Is any text white?", "Yes, the heading “Open all day” should be white."),
        ("Which text is the smallest?", "The text should say “Corner shop”."),
        ("What is the last thing on the page?", "The text should say “Thank you for your visit”."),
        ("Is there anything at the bottom of the page?", "Yes, the text “Thank you for your visit” should stand at the bottom, on the left."),
        ("Are all headings white?", "Yes, the heading “Open all day” and the heading “Delivery” should be white."),
        ("Is every text left-aligned?", "Yes, the text “Corner shop” and"),
        ("Is everything centred?", "No, the text “Corner shop” should be aligned left."),
        ("Is the delivery box darker than the page?", "Yes, the box around “Delivery” should be very dark blue. The page should be white."),
        ("Does the page fit on one screen?", "Yes, the page should be roughly 700 pixels high."),
        ("Does each section have a picture?", "No, there should be no pictures."),
        ("Is there a testimonials section?", "No, there should be no mention of “testimonials”."),
        ("What should the text about your door say?", "The text should say “We bring it to your door.”."),
        ("Can I leave out the pictures?", "Yes, there should be no pictures."),
    ],
)  # fmt: skip
def test_things_are_known_by_their_colour_size_and_place(question, answer):
    reply = asked(question, SHOP)
    assert reply.startswith(answer), reply


@pytest.mark.parametrize(
    "question",
    [
        "Does the header have a shadow?",
        "Does the heading have an underline?",
        "Is there a caption under the pictures?",
        "Is there a button that opens the calendar?",
    ],
)
def test_what_the_page_does_not_decide_is_neither_yes_nor_no(question):
    assert not asked(question).startswith(("Yes", "No,")), asked(question)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Do you need a donate button?", "No, there should be no button but “Order now”."),
        ("Does each card have a picture?", "Yes, the box around “Rye” should hold the first picture,"),
        ("Do the cards have the same size?", "Yes, the box around “Rye” should take about a third of the width."),
        ("Are the three cards side by side?", "Yes, “Rye”, “Spelt” and “Oat” should be in 3 columns."),
        ("What comes after Home in the menu?", "The link should say “Menu”."),
        ("How should the cards be arranged?", "“Rye”, “Spelt” and “Oat” should be in 3 columns."),
        ("Menu links centred?", "No, "),
        ("Any sidebar?", "No, there should be no sidebar."),
        ("Should I put the logo left of the menu?", "No, there should be no logo."),
    ],
)
def test_a_decided_question_gets_its_verdict_first(question, answer):
    reply = asked(question)
    assert reply.startswith(answer), reply


def test_what_stays_in_place_is_read_from_the_wanted_pages_own_html():
    tailwind = '<link href="tailwind.min.css" rel="stylesheet">'
    assert staying_areas(f'{tailwind}<header class="sticky top-0">') == {"header"}
    assert staying_areas('<nav style="position: fixed">') is None  # nothing says whether a style sheet undoes it
    assert staying_areas("<style>nav { position: fixed }</style><nav>") is None
    assert staying_areas("<header><p class='fixed'>") == frozenset()
    assert staying_areas(f'{tailwind}<div class="bg-fixed">') == {"page background"}
    sticky = f'<html>{tailwind}<header class="sticky"></html>'
    assert (
        asked("Is the header sticky?", html=sticky)
        == "Yes, the header should stay in place while the page is scrolled."
    )
    assert asked("Does the header scroll with the page?", html=sticky).startswith("No, the header should stay in place")
    assert asked("Should the header stay visible?") == "No, the header should scroll with the page."
    assert (
        asked("When the visitor scrolls, does the background picture remain fixed?", html="<html></html>")
        == "No, the page background should scroll with the page."
    )
    assert asked("Is the header sticky?", html="<html><style>header{position:sticky}</style></html>").startswith(
        "I don't"
    )


def test_all_of_a_kind_are_named_where_there_is_none_but_these():
    assert lies("There should be no button but “Order now”.", BAKERY) == []
    assert lies("There should be no link but “Home” and “Menu”.", BAKERY) != []
    assert lies("The sidebar should scroll with the page.", BAKERY) != []
    assert drawn.ORDER in BAKERY.texts


def test_items_that_are_pictures_without_a_box_are_counted():
    gallery = layout(
        heading("Our rooms", 32, 20, 300, 28, font_px=24.0),
        element("picture", 32, 100, 300, 200),
        element("picture", 400, 100, 300, 200),
        text("Before", 32, 310, 300),
        text("After", 400, 310, 300),
    )
    assert asked("How many before/after pairs are supposed to be shown?", gallery) == "There should be 2 pictures."
