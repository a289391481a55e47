"""The facts of wanted pages: bounded, plain, the same each time, and never a denial of what is there."""

from dataclasses import replace

import pytest
from support.drawn_pages import BAKERY, BAKERY_HTML, element, heading, layout, text
from support.tables import cases
from support.work_counts import cpu_s

from colbench_gym.humans.asking import questions_in
from colbench_gym.humans.page.concepts import has
from colbench_gym.humans.page.knowledge import MAX_FACTS, PageKnowledge
from colbench_gym.humans.page.telling import hued
from colbench_gym.humans.page.words import CONCEPTS
from colbench_gym.rendering.layout import EMPTY
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.tasks import load_tasks

PRICES = (
    "<html><body><h1>Ride</h1><section><h2>Our rates</h2><div>"
    "<div><h3>Day</h3><p>$9</p></div><div><h3>Week</h3><p>$40</p></div></div></section></body></html>"
)
PRICED = layout(
    heading("Ride", 40, 20, font_px=40.0),
    heading("Our rates", 40, 120),
    heading("Day", 40, 200, font_px=18.0),
    text("$9", 40, 240),
    heading("Week", 640, 200, font_px=18.0),
    text("$40", 640, 240),
)


def facts(html, page):
    return {fact.slot: fact.text for fact in PageKnowledge(html, page).facts}


def verdict(question, html=BAKERY_HTML, page=BAKERY):
    (asked,) = questions_in(question, "frontend")
    found = PageKnowledge(html, page).decide(asked)
    return None if found is None else found.text


@pytest.mark.parametrize("index", range(6))
def test_facts_are_few_plain_and_the_same_each_time(index):
    task = load_tasks("generated", track="frontend").at(index)
    page = ScriptedRenderer().render(task.reference).layout
    known = PageKnowledge(task.reference, page).facts
    assert known == PageKnowledge(task.reference, page).facts
    assert 20 < len(known) <= MAX_FACTS
    assert len({fact.text for fact in known}) == len(known)
    for fact in known:
        assert fact.text[0] not in "abcdefghijklmnopqrstuvwxyz", fact.text
        assert fact.text[-1] in ".!?”", fact.text
        assert not any(mark in fact.text for mark in ("<", ">", "px-", "bg-", "{", "}", "class=")), fact.text


def test_an_aside_is_never_denied():
    tasks = load_tasks("generated", track="frontend")
    framed = [task for task in map(tasks.at, range(40)) if "<aside" in task.reference]
    assert len(framed) >= 3
    for task in framed:
        page = ScriptedRenderer().render(task.reference).layout
        assert not any("no sidebar" in fact.text for fact in PageKnowledge(task.reference, page).facts)


def test_a_section_is_named_by_what_it_is_and_its_things_are_counted():
    assert facts(PRICES, PRICED)["items"] == "“Our rates” has two packages: “Day” “$9” and “Week” “$40”."
    assert "“Our rates” (the prices)" in PageKnowledge(PRICES, PRICED).outline


@pytest.mark.parametrize(("html", "seen", "slot", "says"), cases(__file__, "what_is_seen_is_told_of_the_right_thing"))
def test_what_is_seen_is_told_of_the_right_thing(html, seen, slot, says):
    drawn = {"heading": heading, "text": text, "pushed": lambda *where: text(*where, role="button")}
    things = [drawn[kind](*where) if kind in drawn else element(kind, *where, (90, 90, 90)) for kind, *where in seen]
    assert facts(f"<body>{html}</body>", layout(*things)).get(slot) == says


def test_what_is_painted_counts():
    bar = "<html><body><header class='bg-teal-500'><span>Shop</span><span>Open daily</span></header><p>Hi</p></body></html>"
    page = layout(text("Shop", 20, 20), text("Open daily", 900, 20), text("Hi", 20, 200))
    assert facts(bar, page)["colour:header"] == "The header should be white."
    painted = layout(*page.texts, element("box", 0, 0, 1280, 60, (30, 58, 138)))
    assert facts(bar, painted)["colour:header"] == "The header should be very dark blue."
    assert facts(bar, painted)["scheme"] == "The main colour is very dark blue (the header)."


@pytest.mark.parametrize(("question", "says"), cases(__file__, "yes_and_no_come_from_a_test_alone"))
def test_yes_and_no_come_from_a_test_alone(question, says):
    assert verdict(question) == says


@pytest.mark.parametrize(("title", "question", "says"), cases(__file__, "what_a_section_is_about_is_not_denied"))
def test_what_a_section_is_about_is_not_denied(title, question, says):
    page = layout(heading("Ride", 40, 20, font_px=40.0), heading(title, 40, 120), text("A line.", 40, 200))
    html = f"<html><body><h1>Ride</h1><section><h2>{title}</h2><p>A line.</p></section></body></html>"
    assert verdict(question, html, page) == says


@pytest.mark.parametrize("mark", ["<!-- Carousel -->", '<div id="carousel"></div>', "<div class='carousel'></div>"])
def test_what_the_reference_calls_by_its_name_is_not_denied(mark):
    assert verdict("Do you want a carousel?", BAKERY_HTML.replace("<body>", f"<body>{mark}")) is None


def test_a_section_is_not_about_what_one_of_its_things_is_called():
    html = PRICES.replace("<h2>Our rates</h2>", "").replace("Day", "Rooms").replace("Week", "Reviews")
    named = [replace(one, text={"Day": "Rooms", "Week": "Reviews"}.get(one.text, one.text)) for one in PRICED.texts]
    kept = layout(*(one for one in named if one.text not in ("Our rates", "$9", "$40")))
    said = " ".join(facts(html.replace("<p>$9</p>", "").replace("<p>$40</p>", ""), kept).values())
    assert "“Rooms” and “Reviews”" in said
    assert "quote" not in said


def test_an_orange_that_people_call_yellow_is_golden():
    assert [hued(color) for color in ((245, 158, 11), (217, 119, 6))] == ["golden yellow", "orange"]


def test_every_concept_has_a_test_of_its_own():
    wanted = PageKnowledge(BAKERY_HTML, BAKERY).wanted
    assert {has(wanted, name) for name in CONCEPTS} <= {True, False, None}
    assert all(has(wanted, name) for name in ("header", "menu", "button", "picture"))


def test_what_the_request_wishes_for_is_at_most_missing():
    known = PageKnowledge(BAKERY_HTML, BAKERY, "A bakery with a carousel.")
    (asked,) = questions_in("Do you want a carousel?", "frontend")
    says = "There is no carousel or slideshow on the page I picture."
    assert known.decide(asked).text == says
    assert not any("should be no carousel" in fact.text for fact in known.facts)


def test_an_aside_that_lies_across_the_page_is_neither_a_sidebar_nor_denied():
    html = "<body><main><h1>Ride</h1><p>A line.</p></main><aside><p>Start now</p></aside></body>"
    across = layout(heading("Ride", 40, 20), text("A line.", 40, 90), text("Start now", 40, 200))
    assert not [fact for fact in PageKnowledge(html, across).facts if "sidebar" in fact.text]
    aside = layout(heading("Ride", 740, 20), text("A line.", 740, 90), text("Start now", 40, 90))
    assert facts(html, aside)["sidebar:1"].startswith("The sidebar is on the left")


def test_what_is_uncertain_is_weakened_or_not_told():
    html = (
        "<body><header><b>Ride</b></header><main><p>A.</p><p>B.</p></main><footer><a>Ride</a> <i>©</i></footer></body>"
    )
    low = [text("A.", 40, 100), replace(text("B.", 40, 200), align="center"), text("Ride", 40, 600), text("©", 40, 640)]
    told = facts(html, layout(*low))  # the name at the top is white on white
    assert "brand" not in told
    assert "“Ride”" in told["footer"]
    assert "mostly" in told["alignment"]
    photo = element("picture", 40, 20, 300, 140, (0, 0, 0))
    assert not [fact for fact in facts(html, layout(*low, photo)).values() if "no logo" in fact]


def test_an_empty_page_has_facts_too():
    assert PageKnowledge("", EMPTY).outline
    assert all(fact.text for fact in PageKnowledge("", EMPTY).facts)


@pytest.mark.parametrize(
    "html", ["<div>" * 20_000 + "x", "<p>x</p>" * 20_000, "<a><b>" * 5_000, "“" * 100_000], ids=str.__len__
)
def test_odd_references_take_no_time(html):
    found = []
    assert cpu_s(lambda: found.append(PageKnowledge(html, layout(text("x", 0, 0))).facts)) < 10
    assert found[0]


def test_things_with_short_texts_are_told_with_them():
    prices = PRICES.replace("$9", "All day until nine")
    drawn = replace(
        PRICED, texts=tuple(replace(t, text="All day until nine") if t.text == "$9" else t for t in PRICED.texts)
    )
    assert "“Day” “All day until nine” and “Week” “$40”" in facts(prices, drawn)["items"]


def test_a_footer_of_pictures_alone_says_nothing():
    drawn = layout(heading("Ride", 40, 20), element("picture", 40, 700, 80, 40, label="Map"))
    html = '<body><main><h1>Ride</h1></main><footer><img alt="Map"></footer></body>'
    assert not [fact for fact in PageKnowledge(html, drawn).facts if fact.text.startswith("The footer says")]
