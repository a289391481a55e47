"""What is read off a page: texts, boxes and controls as a person sees them, and nothing that cannot be seen."""

import pytest
from support.tables import cases

from colbench_gym.rendering.layout import LIMITS, Rect, read_layout

pytestmark = pytest.mark.browser


@pytest.fixture
def layout(renderer):
    def read(html):
        page = renderer.render(html)
        assert page.status == "rendered"
        return page.layout

    return read


def texts(layout):
    return [block.text for block in layout.texts]


def test_a_plain_page(layout):
    page = layout(
        "<html><body style='margin:0;background:#eef'><h1 style='color:#123456;font-size:40px;text-align:center'>Welcome"
        "  home</h1><p>One <b>bold</b> word and <a href='/x'>a link</a> in it.</p></body></html>"
    )
    assert (page.width, page.height, page.background, page.cut) == (1280, 720, (238, 238, 255), False)
    heading, text = page.texts
    assert (heading.text, heading.role, heading.color, heading.font_px) == ("Welcome home", "heading", (18, 52, 86), 40)
    assert (heading.bold, heading.align, heading.background) == (True, "center", (238, 238, 255))
    assert heading.rect.x + heading.rect.width / 2 == pytest.approx(640, abs=2)
    assert (text.text, text.role, text.bold, text.align) == ("One bold word and a link in it.", "text", False, "left")
    assert page.elements == ()


def test_a_line_of_links_is_a_text_for_each(layout):
    page = layout("<nav><a href='/'>Home</a> <a href='/a'>About us</a> <a href='/c'>Contact</a></nav>")
    assert texts(page) == ["Home", "About us", "Contact"]
    assert {block.role for block in page.texts} == {"link"}
    assert [element.kind for element in page.elements] == ["navigation"]


def test_boxes_pictures_and_controls(layout):
    page = layout(
        "<div style='background:#f00;border-radius:8px;width:200px;height:100px;position:absolute;left:10px;top:20px'></div>"
        "<img alt='A cat' style='width:50px;height:40px;position:absolute;left:300px;top:20px'>"
        "<input placeholder='Your name' style='position:absolute;left:10px;top:200px'>"
        "<button style='background:rgb(0,0,255);color:white;position:absolute;left:10px;top:300px'>Send it</button>"
        "<a href='/' style='background:#0a0;padding:8px 16px;position:absolute;left:10px;top:400px'>Join</a>"
        "<div style='border:2px solid #abcdef;position:absolute;left:10px;top:500px;width:90px;height:30px'></div>"
    )
    found = {(element.kind, element.label) for element in page.elements}
    assert found == {
        ("box", ""), ("picture", "A cat"), ("input", "Your name"), ("button", "Send it"), ("button", "Join"),
    }  # fmt: skip
    red = page.elements[0]
    assert (red.rect, red.color, red.radius_px, red.border) == (Rect(10, 20, 200, 100), (255, 0, 0), 8, None)
    assert page.elements[-1].border == (171, 205, 239)
    assert {block.role for block in page.texts} == {"button"}


def test_colours_are_those_that_are_seen(layout):
    page = layout(
        "<body style='background:black'><div style='background:rgba(255,255,255,0.5);opacity:0.5;color:white'>"
        "mixed</div></body>"
    )
    (block,) = page.texts
    assert block.background == (64, 64, 64)
    assert block.color == (160, 160, 160)


@pytest.mark.parametrize("hidden", cases(__file__, "what_cannot_be_seen_is_not_there"))
def test_what_cannot_be_seen_is_not_there(layout, hidden):
    page = layout(f"<html><body>{hidden}</body></html>")
    assert "x" not in texts(page)


@pytest.mark.parametrize("hidden", cases(__file__, "what_nobody_can_read_is_not_there"))
def test_what_nobody_can_read_is_not_there(layout, hidden):
    assert layout(f"<html><body>{hidden}").texts == ()


@pytest.mark.parametrize("shown", cases(__file__, "what_is_hard_to_read_is_there"))
def test_what_is_hard_to_read_is_there(layout, shown):
    assert len(layout(f"<html><body>{shown}").texts) == 1


@pytest.mark.parametrize("doctype", ["", "<!doctype html>"])
@pytest.mark.parametrize("style", ["", "height:100%", "inset:0", "min-height:100%"])
def test_what_is_placed_below_the_window_is_there(layout, doctype, style):
    lines = "".join(f"<p>line {number}</p>" for number in range(60))
    page = layout(f"{doctype}<html><body><div style='position:absolute;width:100%;{style}'>{lines}</div></body></html>")
    assert len(page.texts) == 60
    assert page.height > 1500


def test_text_is_as_shown(layout):
    page = layout(
        "<p style='text-transform:uppercase'>stra&szlig;e</p><p style='text-transform:capitalize'>two words</p>"
        "<p>\u0645\u0631\u062d\u0628\u0627 \U0001f600 \u4f60\u597d</p>"
    )
    assert texts(page) == ["STRASSE", "Two Words", "\u0645\u0631\u062d\u0628\u0627 \U0001f600 \u4f60\u597d"]


def test_lines_of_one_text_are_words_apart(layout):
    assert texts(layout("<p>123 Main St<br>Anytown<br><br>USA</p>")) == ["123 Main St Anytown USA"]


def test_a_text_over_a_picture_is_seen(layout):
    picture = "background-image:url(https://picsum.photos/300/200)"
    page = layout(
        f"<div style='{picture}'><p style='color:white'>seen</p><p style='background:white;color:white'>not</p></div>"
    )
    assert texts(page) == ["seen"]


@pytest.mark.full
def test_pages_without_measure_are_cut(layout):
    many = layout("<p>word</p>" * 3000)
    assert (len(many.texts), many.cut) == (LIMITS["texts"], True)
    boxes = layout("<div style='background:red;height:2px'></div>" * 3000)
    assert (len(boxes.elements), boxes.cut) == (LIMITS["elements"], True)
    deep = layout("<div>" * 20_000 + "x" + "</div>" * 20_000)
    assert len(deep.texts) <= 1
    long = layout("<p>" + "word " * 20_000 + "</p>")
    assert len(long.texts[0].text) == LIMITS["chars"]


def test_pages_cannot_change_how_they_are_read(layout):
    page = layout(
        "<form name='documentElement'><input name='scrollWidth'><img name='createTreeWalker'></form>"
        "<img name='fonts'><img name='body'><img name='documentElement'><img name='adoptedStyleSheets'><img name='getAnimations'>"
        "<a id='getComputedStyle'>a</a><form><input name='parentElement'><input name='localName' value='v'><p>b</p></form>"
    )
    assert {"a", "b"} <= set(texts(page))


def test_an_empty_page(layout):
    page = layout("")
    assert (page.texts, page.elements, page.background) == ((), (), (255, 255, 255))


@pytest.mark.parametrize("change", [{"background": "red"}, {"texts": [{}]}, {"width": None}])
def test_what_our_script_did_not_say_is_refused(change):
    raw = {"width": 1, "height": 1, "background": [0, 0, 0], "texts": [], "elements": [], "cut": False}
    with pytest.raises((ValueError, KeyError, TypeError)):
        read_layout(raw | change)
