"""Bytes that stand in a text in many forms."""

import base64

import pytest

from colbench_gym.humans.leaks.byte_encodings import decoded_bytes

SOURCE = (
    "def parcel_cost(weight, distance_km):\n    if weight <= 0:\n        raise ValueError('weight must be positive')"
)


@pytest.mark.parametrize(
    "text",
    [
        base64.b64encode(SOURCE.encode()).decode(),
        ",".join(str(ord(character)) for character in SOURCE),
        "\u2003".join(hex(ord(character)) for character in SOURCE),
        "".join(f"\\x{ord(character):02x}" for character in SOURCE),
        " ".join(f"{ord(character):08b}" for character in SOURCE),
    ],
)
def test_bytes_are_found_in_each_form(text):
    assert SOURCE.encode() in list(decoded_bytes(text))


def test_too_short_a_text_is_not_decoded():
    assert list(decoded_bytes("61,62,63,64,65")) == []
