"""Statements about pages: every sentence is read back as what it said."""

from __future__ import annotations

import pytest

from colbench_gym.page_language.color_names import NAMES, name_of, rgb_of
from colbench_gym.page_language.sentences import (
    AGREED,
    BROKEN,
    ENOUGH,
    INDIFFERENT,
    REFUSED,
    RIGHT,
    SHOW,
    UNKNOWN,
    UNSEEN,
    read_statements,
    say,
)
from colbench_gym.page_language.statements import (
    QUOTED_CHARS,
    QUOTED_WORDS,
    Statement,
    Subject,
    corner_words,
    pixel_words,
    pixels_of,
    quote,
    ratio_words,
    share_words,
)

ABOUT = Subject("heading", "About us. Really?")
LINK = Subject("link", "Learn more, and “more”".translate({ord("“"): "'", ord("”"): "'"}), 2)
WELCOME = Subject("quote", "Welcome")
SECOND = Subject("quote", "Go", 2)
PICTURE = Subject("picture", "", 1)

SENTENCES = [
    ("The heading “About us. Really?” is missing.", [Statement("missing", ABOUT)]),
    (
        "The heading “About us. Really?” is missing, it belongs at the top.",
        [Statement("missing", ABOUT, "at the top")],
    ),
    (
        "A picture is missing, it belongs to the right of “Welcome”.",
        [Statement("missing", Subject("picture"), "to the right of", other=WELCOME)],
    ),
    ("An input is missing.", [Statement("missing", Subject("input"))]),
    (
        "The text “We are …” of about 40 words is missing, it belongs below the second “Go”.",
        [Statement("missing", Subject("text", "We are …", 0, 40), "below", other=SECOND)],
    ),
    ("The box around “Welcome” is missing.", [Statement("missing", Subject("box around", "Welcome"))]),
    ("The input “Your email” should go.", [Statement("unwanted", Subject("input", "Your email"))]),
    ("The heading should say “A and B”, yours says “C”.", [Statement("wording", Subject("heading"), "A and B", "C")]),
    ("The link should say “A”.", [Statement("wording", Subject("link"), "A")]),
    (
        "“Go on …” should have about 40 words, yours has about 9.",
        [Statement("length", Subject("quote", "Go on …"), "40", "9")],
    ),
    (
        "The heading “About us. Really?” should be above “Welcome”, yours is below it.",
        [Statement("place", ABOUT, "above", "below", WELCOME)],
    ),
    (
        "“Welcome” and the second “Go” should be in 2 columns, yours are in 1 column.",
        [Statement("columns", None, "2 columns", "1 column", items=(WELCOME, SECOND))],
    ),
    ("The header should be dark blue, yours is white.", [Statement("color", Subject("header"), "dark blue", "white")]),
    ("The header should be dark blue.", [Statement("color", Subject("header"), "dark blue")]),
    (
        "The background behind the second “Go” should be brown, yours is very pale grey.",
        [Statement("color", Subject("background behind", "Go", 2), "brown", "very pale grey")],
    ),
    ("The writing on the second “Go” should be white.", [Statement("color", Subject("writing on", "Go", 2), "white")]),
    ("The first picture should be the background of the page.", [Statement("backdrop", PICTURE)]),
    ("The heading “Rye” should have no text of its own below it.", [Statement("bare", Subject("heading", "Rye"))]),
    (
        "“Welcome” and the second “Go” should stand together at the top, in the centre.",
        [Statement("row", None, "at the top, in the centre", items=(WELCOME, SECOND))],
    ),
    (
        "The first picture should be wider than “Welcome”.",
        [Statement("compare", PICTURE, "wider than", other=WELCOME)],
    ),
    ("The logo should be a picture.", [Statement("role", Subject("logo"), "picture")]),
    ("The page should be a bit darker.", [Statement("shade", Subject("page"), "darker")]),
    (
        "The letters of the second link “Learn more, and 'more'” should be about half as large again.",
        [Statement("font", LINK, "half as large again")],
    ),
    (
        "The link “Home” should be not bold, yours is bold.",
        [Statement("bold", Subject("link", "Home"), "not bold", "bold")],
    ),
    (
        "The label “X” should be centred, yours is aligned left.",
        [Statement("align", Subject("label", "X"), "centred", "aligned left")],
    ),
    (
        "The first picture should be roughly 300 pixels further right.",
        [Statement("shift", PICTURE, "300 pixels further right")],
    ),
    (
        "The space between the first picture and “Welcome” should be roughly 50 pixels, yours is roughly 0 pixels.",
        [Statement("gap", PICTURE, "50 pixels", "0 pixels", WELCOME)],
    ),
    (
        "The 21st blank input should take about all of the width, yours takes about a third.",
        [Statement("width", Subject("input", "", 21), "all", "a third")],
    ),
    (
        "The page should be roughly 1500 pixels high, yours is roughly 720 pixels high.",
        [Statement("height", Subject("page"), "1500 pixels", "720 pixels")],
    ),
    (
        "The corners of the button “X” should be fully round, yours are square.",
        [Statement("corners", Subject("button", "X"), "fully round", "square")],
    ),
    (
        "The first blank box should have a grey border, yours has no border.",
        [Statement("border", Subject("blank box", "", 1), "a grey border", "no border")],
    ),
    ("“Welcome” should be a button, yours is a link.", [Statement("role", WELCOME, "button", "link")]),
    ("There should be 1 picture, yours has 3.", [Statement("count", None, "1 picture", "3")]),
    (
        "The headings should be “Welcome” and the second “Go”.",
        [Statement("order", None, "headings", items=(WELCOME, SECOND))],
    ),
    (
        "There should be 2 links: “Welcome” and the second “Go”.",
        [Statement("count", None, "2 links", items=(WELCOME, SECOND))],
    ),
    ("No, there should be no navigation bar.", [Statement("count", None, "no navigation bar", verdict="no")]),
    ("Yes, the header should be dark blue.", [Statement("color", Subject("header"), "dark blue", verdict="yes")]),
    ("“Welcome” should be on top of the first picture.", [Statement("place", WELCOME, "on top of", other=PICTURE)]),
    (
        "The navigation bar should stand at the top, on the right.",
        [Statement("spot", Subject("navigation bar"), "at the top, on the right")],
    ),
    (
        "The logo should stand in the middle of the page.",
        [Statement("spot", Subject("logo"), "in the middle of the page")],
    ),
    (
        "The button “X” should be white with dark blue writing.",
        [Statement("face", Subject("button", "X"), "white with dark blue writing")],
    ),
    (
        "The footer should hold “Welcome”, the second “Go” and the first picture.",
        [Statement("holds", Subject("footer"), items=(WELCOME, SECOND, PICTURE))],
    ),
    (
        "The navigation bar should hold 1 link: “Welcome”.",
        [Statement("tally", Subject("navigation bar"), "1 link", items=(WELCOME,))],
    ),
    ("The left column should be empty.", [Statement("empty", Subject("left column"))]),
    (
        "The letters of the link “Home” should be very large, about 40 pixels.",
        [Statement("letters", Subject("link", "Home"), "very large, about 40 pixels")],
    ),
    (
        "From top to bottom there should be the header, “Welcome” and the form.",
        [Statement("outline", None, items=(Subject("header"), WELCOME, Subject("form")))],
    ),
    ("There should be no mention of “news”.", [Statement("mention", None, "news")]),
    ("Yes, that matches what I have in mind.", [AGREED]),
    ("I don't know, a page does not show that.", [UNSEEN]),
    ("I have no preference there.", [INDIFFERENT]),
    ("You could ask me about the footer.", [Statement("hint", None, "the footer")]),
    ("Nothing more comes to mind, but you can ask me about any part of the page.", [ENOUGH]),
    ("That looks right to me.", [RIGHT]),
    ("Please show me a page.", [SHOW]),
    ("I can't see anything of your page, please send one that shows.", [BROKEN]),
    ("I don't know.", [UNKNOWN]),
    ("I won't hand over any code, but you can ask me what the page should look like.", [REFUSED]),
]


@pytest.mark.parametrize(("sentence", "statements"), SENTENCES, ids=[text for text, _ in SENTENCES])
def test_every_sentence_is_read_back_as_what_it_says(sentence, statements):
    assert say(statements) == sentence
    assert read_statements(sentence) == tuple(statements)


def test_a_list_is_read_as_a_chain_of_single_statements():
    names = [Subject("heading", "A"), Subject("text", "B …", 0, 30), Subject("button", "C, D and E")]
    down = [
        Statement("missing", names[0], "below", other=WELCOME),
        Statement("missing", names[1], "below", other=Subject("quote", "A")),
        Statement("missing", names[2], "below", other=Subject("quote", "B …")),
    ]
    sentence = say(down)
    assert sentence == (
        "The heading “A”, the text “B …” of about 30 words and the button “C, D and E” are missing, "
        "they belong below “Welcome”, one below the other."
    )
    assert read_statements(sentence) == tuple(down)
    aside = [
        Statement("missing", PICTURE, "at the top"),
        Statement("missing", LINK, "to the right of", other=PICTURE),
    ]
    assert say(aside).endswith("are missing, they belong at the top, side by side.")
    assert read_statements(say(aside)) == tuple(aside)
    gone = [Statement("unwanted", names[0]), Statement("unwanted", names[2])]
    assert say(gone) == "The heading “A” and the button “C, D and E” should go."
    assert read_statements(say(gone)) == tuple(gone)


def test_what_is_changed_in_one_way_is_said_together():
    centred = [Statement("align", subject, "centred", "aligned left") for subject in (ABOUT, LINK)]
    sentence = "The heading “About us. Really?” and the second link “Learn more, and 'more'” should be centred, yours are aligned left."
    assert say(centred) == sentence
    assert read_statements(sentence) == tuple(centred)
    wide = [Statement("width", Subject("input", "", at), "half", "all") for at in (1, 2, 3)]
    assert say(wide).endswith("the third blank input should take about half of the width, yours take about all.")
    assert read_statements(say(wide)) == tuple(wide)
    edged = [Statement("border", Subject("input", "", at), "no border", "a red border") for at in (1, 2)]
    assert say(edged).endswith("should have no border, yours have a red border.")
    assert read_statements(say(edged)) == tuple(edged)
    larger = [Statement("font", subject, "twice as large") for subject in (ABOUT, LINK)]
    assert read_statements(say(larger)) == tuple(larger)


def test_a_whole_reply_is_read_and_what_is_no_statement_is_not_lost():
    reply = " ".join(sentence for sentence, _ in SENTENCES)
    assert read_statements(reply) == tuple(one for _, statements in SENTENCES for one in statements)
    assert read_statements("Nice. The header should be blueish. That looks right to me.") == (
        Statement("unread", wanted="Nice"),
        Statement("unread", wanted="The header should be blueish"),
        RIGHT,
    )
    assert read_statements("") == ()


def test_colours_have_the_names_that_people_give_them():
    assert all(name_of(rgb_of(name)) == name for name in NAMES)
    known = {
        "white": "FFFFFF F9FAFB", "black": "000000", "very pale grey": "F3F4F6", "dark grey": "374151",
        "very dark grey": "111827", "red": "FF0000 EF4444", "dark red": "991B1B A52A2A", "orange": "F59E0B",
        "green": "10B981", "dark green": "008000 065F46", "blue": "3B82F6", "dark blue": "1E40AF", "very dark blue": "000080 1E3A8A",
        "purple": "8B5CF6", "dark purple": "5B21B6 800080", "pink": "EC4899", "brown": "92400E", "very pale blue": "DBEAFE",
    }  # fmt: skip
    for name, codes in known.items():
        for code in codes.split():
            assert name_of(tuple(bytes.fromhex(code))) == name, code


def test_a_quote_is_short_and_says_that_it_is_cut():
    assert quote("  Book   now ") == "Book now"
    assert quote("Say “hello”") == "Say 'hello'"
    long = quote(" ".join(f"w{i}" for i in range(50)))
    assert long == "w0 w1 w2 w3 w4 w5 w6 w7 w8 w9 …"
    assert len(quote("x" * 500)) <= QUOTED_CHARS + 2
    assert len(quote("word " * 50).split()) <= QUOTED_WORDS + 1


def test_sizes_in_words():
    assert share_words(0.34) == "a third"
    assert share_words(2.0) == "all"
    assert ratio_words(36 / 24) == "half as large again"
    assert ratio_words(16 / 18) == "a bit smaller"
    assert pixels_of(pixel_words(287)) == 290
    assert pixel_words(1234) == "1250 pixels"
    assert [corner_words(r, 40) for r in (0, 4, 8, 16, 9999)] == [
        "square",
        "slightly rounded",
        "rounded",
        "strongly rounded",
        "fully round",
    ]
