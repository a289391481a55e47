"""The whole reference in disguise: encoded, spelt out, turned round or in strange letters, it is still a leak."""

import base64
import codecs
import re
import string
import urllib.parse

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import cases, named

from colbench_gym.humans.leaks import READ_CHARS, pastes_code
from colbench_gym.humans.leaks import disguises as readings
from colbench_gym.humans.leaks.pages import pastes_html
from colbench_gym.humans.leaks.plain_characters import plain
from colbench_gym.tasks import BackendTask, FrontendTask

REFERENCE = """
def parcel_cost(weight, distance_km, express=False):
    if weight <= 0:
        raise ValueError("weight must be positive")
    base_price = 4.9 + 0.35 * weight
    zone_factor = 1.5 if distance_km > 300 else 1
    total = base_price * zone_factor
    if express:
        total += 7.25
    return round(total, 2)
"""
DESCRIPTION = "What does a parcel cost? The signature is: def parcel_cost(weight, distance_km, express=False)"
TASK = BackendTask("parcel", DESCRIPTION, REFERENCE, (), (), REFERENCE)
CODE = REFERENCE.strip()
BODY = CODE.partition("\n")[2]
MORSE = dict(
    zip(
        string.ascii_lowercase + string.digits,
        [".-", "-...", "-.-.", "-..", ".", "..-.", "--.", "....", "..", ".---", "-.-", ".-..", "--", "-.", "---", ".--.", "--.-", ".-.", "...", "-", "..-", "...-", ".--", "-..-", "-.--", "--..", "-----", ".----", "..---", "...--", "....-", ".....", "-....", "--...", "---..", "----."],
        strict=True,
    )
)  # fmt: skip
PILOTS = dict(
    zip(
        string.ascii_lowercase,
        ["alfa", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliett", "kilo", "lima", "mike", "november", "oscar", "papa", "quebec", "romeo", "sierra", "tango", "uniform", "victor", "whiskey", "x-ray", "yankee", "zulu"],
        strict=True,
    )
)  # fmt: skip
SPOKEN = {
    "_": " underscore ", "(": " open parenthesis ", ")": " close parenthesis ", ",": " comma ", ":": " colon ",
    "<=": " less than or equal to ", "+=": " plus equals ", "*": " times ", "+": " plus ", "=": " equals ", ">": " greater than ",
}  # fmt: skip


def shifted(places: int) -> str:
    letters = string.ascii_lowercase
    return CODE.translate(str.maketrans(letters, letters[places:] + letters[:places]))


def spoken(code: str) -> str:
    return re.sub("|".join(map(re.escape, SPOKEN)), lambda mark: SPOKEN[mark.group()], code)


def mapped(first: int, text: str = CODE) -> str:
    """Letters of a block of Unicode that begins with a."""
    return "".join(chr(first + ord(c) - ord("a")) if c in string.ascii_lowercase else c for c in text)


RAW = CODE.encode()
NAMES = {
    "BODY": BODY, "CODE": CODE, "MORSE": MORSE, "PILOTS": PILOTS, "RAW": RAW, "base64": base64, "codecs": codecs,
    "mapped": mapped, "re": re, "shifted": shifted, "spoken": spoken, "string": string, "urllib": urllib,
}  # fmt: skip
DISGUISES = named(__file__, "disguises.txt", "DISGUISES", NAMES)


@pytest.mark.parametrize("text", DISGUISES.values(), ids=DISGUISES)
@pytest.mark.parametrize("around", ["{}", "Sure, here is what you need: {} Good luck!"])
def test_a_reference_in_disguise_is_a_leak(text, around):
    assert pastes_code(TASK, around.format(text))


@pytest.mark.parametrize("text", cases(__file__, "what_looks_like_a_disguise_and_is_none_passes"))
def test_what_looks_like_a_disguise_and_is_none_passes(text):
    assert not pastes_code(TASK, text)


PAGE = '<html><body class="p-4 bg-gray-100"><h1 class="text-xl">Bread</h1></body></html>'


@pytest.mark.parametrize(
    "text",
    [
        PAGE.encode().hex(" "),
        "\u200b".join(PAGE),
        "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in PAGE),
        PAGE[::-1],
    ],
)
def test_a_page_in_disguise_is_a_leak(text):
    assert pastes_html(FrontendTask("bakery", "A bakery's page.", PAGE), text)


@pytest.mark.parametrize(
    "piece", ["QUJD" * 9 + " ", "0x41 ", ".- ", "%41", "alfa ", "a|", "=" * 17, "01", "é\u0301", "x\n"]
)
def test_readings_are_bounded_in_number_and_length(piece):
    text = (piece * READ_CHARS)[:READ_CHARS]
    found = list(readings.decoded(text))
    assert len(found) <= 400
    assert sum(map(len, found)) <= 200 * READ_CHARS


def test_stretches_are_found_whatever_stands_between_their_letters():
    code = readings.SqueezedCode.of(CODE)
    assert code.stands_in("THE WEIGHT-MUST.BE_POSITIVE, please")
    assert code.stands_in("w!e!i!g!h!t!m!u!s!t!b!e!p!o!s!i!t!i!v!e")
    assert not code.stands_in("the weight may be negative")
    assert not code.stands_in("weight")


@pytest.mark.parametrize("places", readings.SHIFTS)
def test_each_shift_of_the_alphabet_is_a_reading(places):
    assert pastes_code(TASK, f"Sure: {shifted(places)}")
    assert not pastes_code(TASK, "The weight has to be positive.".translate(readings.SHIFTS[places]))


@given(st.data(), st.text(), st.text())
def test_a_stretch_is_found_just_where_it_stands_in_each_shift_of_the_alphabet(data, before, after):
    start, length, places = data.draw(st.tuples(st.integers(0, len(CODE)), st.integers(9, 30), st.integers(0, 25)))
    text = plain(before + CODE[start : start + length].translate(readings.SHIFTS.get(places, {})) + after)
    code, row = readings.SqueezedCode.of(CODE), re.sub(r"[\s\-_.,|/'\"]+", "", CODE.lower())
    for shift in (*readings.SHIFTS.values(), {}):
        bare = re.sub(r"[\s\-_.,|/'\"]+", "", text.translate(shift).lower())
        letters = re.sub(r"[^a-z0-9]", "", bare)
        found = any(bare[at : at + 12] in row for at in range(0, len(bare) - 11, 3)) or any(
            letters[at : at + 12] in re.sub(r"[^a-z0-9]", "", row) for at in range(0, len(letters) - 11, 3)
        )
        assert code.stands_in(text.translate(shift)) == found
        assert not (shift and found) or code.stands_shifted_in(text)
    assert code.stands_shifted_in(text) == any(code.stands_in(text.translate(s)) for s in readings.SHIFTS.values())
