"""Statements about pages: every sentence is read back as what it said."""

import pytest
from support.tables import cases, rows

from colbench_gym.page_language.color_names import NAMES, name_of, rgb_of
from colbench_gym.page_language.sentences import (
    RIGHT,
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


def statement_of(fields):
    """Return a statement of the table, whose subjects are given by their fields."""
    subjects = {name: Subject(**fields[name]) for name in ("subject", "other") if name in fields}
    return Statement(**{**fields, **subjects, "items": tuple(Subject(**item) for item in fields.get("items", ()))})


SENTENCES = [(row["sentence"], [statement_of(row["statement"])]) for row in rows(__file__, "sentences.jsonl")]


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
    known = cases(__file__, "known")
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
        "square", "slightly rounded", "rounded", "strongly rounded", "fully round",
    ]  # fmt: skip
