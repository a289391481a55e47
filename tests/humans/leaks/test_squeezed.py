"""One pass over a text finds the same shifts of the alphabet, and the same encodings, as trying each of them."""

from __future__ import annotations

import base64
import random
import re
import string

import pytest

from colbench_gym.humans.leaks.byte_encodings import decoded_bytes
from colbench_gym.humans.leaks.disguises import SHIFTS
from colbench_gym.humans.leaks.squeezed import SHORTEST, SqueezedCode

SOURCES = (
    "def parcel_cost(weight, distance_km):\n    if weight <= 0:\n        raise ValueError('weight must be positive')",
    "return {'1234567890123': total / 3600, 'éΑé': \"naïve\"}[key]",
    "x = 1",
)
STRANGE = "\u0130\u212aſéñΣσς“”—\x1c\xa0"


def squeezed(text: str) -> tuple[str, str]:
    bare = re.sub(r"[\s\-_.,|/'\"]+", "", text.lower())
    return bare, re.sub(r"[^a-z0-9]+", "", bare)


def stands_in(source: str, text: str) -> bool:
    """Return the same as SqueezedCode.stands_in, in the plainest way."""
    return any(
        wanted[place : place + SHORTEST] == written[start : start + SHORTEST]
        for wanted, written in zip(squeezed(source), squeezed(text), strict=True)
        for start in range(0, len(written) - SHORTEST + 1, 3)
        for place in range(len(wanted) - SHORTEST + 1)
    )


def some_text(rng: random.Random) -> str:
    """Return a stretch of some source, shifted or not, within noise."""
    source = rng.choice(SOURCES)
    start = rng.randrange(len(source))
    stretch = source[start : start + rng.randrange(5, 50)].translate(
        rng.choice([{}, rng.choice(list(SHIFTS.values()))])
    )
    noise = rng.choice([string.ascii_letters, string.digits, string.printable, STRANGE + string.ascii_lowercase])
    before, within, behind = ("".join(rng.choices(noise, k=rng.randrange(length))) for length in (9, 2, 9))
    cut = rng.randrange(len(stretch) + 1)
    return before + stretch[:cut] + within + stretch[cut:] + behind


@pytest.mark.slow
def test_stretches_are_found_as_by_comparing_each_with_each():
    rng = random.Random(0)
    found = {"as it is": 0, "shifted": 0}
    for _ in range(600):
        source, text = rng.choice(SOURCES), some_text(rng)
        code = SqueezedCode.of(source)
        plainly = stands_in(source, text)
        shifted = any(stands_in(source, text.translate(shift)) for shift in SHIFTS.values())
        assert code.stands_in(text) == plainly, (source, text)
        assert code.stands_shifted_in(text) == shifted, (source, text)
        found["as it is"] += plainly
        found["shifted"] += shifted
    assert min(found.values()) > 20


def test_the_plain_text_is_no_shift():
    code = SqueezedCode.of(SOURCES[0])
    assert code.stands_in("the weight must be positive")
    assert not code.stands_shifted_in("the weight must be positive")
    assert code.stands_shifted_in("the weight must be positive".translate(SHIFTS[7]))


def test_what_no_shift_changes_counts_as_shifted():
    assert SqueezedCode.of(SOURCES[1]).stands_shifted_in("no 1234567890123, no")


@pytest.mark.parametrize("letter", ["\u0130", "\u212a"])
def test_a_letter_whose_small_form_is_ascii_hides_no_shift(letter):
    text = letter + "weightmustbepositive".translate(SHIFTS[3])
    assert SqueezedCode.of(SOURCES[0]).stands_shifted_in(text)


@pytest.mark.parametrize(
    "text",
    [
        base64.b85encode(SOURCES[0].encode()).decode(),
        ",".join(str(ord(character)) for character in SOURCES[0]),
        "\u2003".join(hex(ord(character)) for character in SOURCES[0]),
        "".join(f"\\x{ord(character):02x}" for character in SOURCES[0]),
        " ".join(f"{ord(character):08b}" for character in SOURCES[0]),
    ],
)
def test_bytes_are_found_in_each_form(text):
    assert SOURCES[0].encode() in list(decoded_bytes(text))


def test_too_short_a_text_is_not_decoded():
    assert list(decoded_bytes("61,62,63,64,65")) == []
