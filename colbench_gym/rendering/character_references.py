"""Read the character references of untrusted HTML, such as ``&amp;`` and ``&#65;``."""

from __future__ import annotations

import html
import re

_LEADING_ZEROS = re.compile(r"&#0+(?=[0-9])")
_NO_CHARACTER = re.compile(r"&#[0-9]{8,}")  # the last character is number 1114111; int() refuses thousands of digits


def unescape(text: str) -> str:
    """Return ``text`` with its references read. As :func:`html.unescape`, which raises ValueError for long numbers."""
    return html.unescape(_NO_CHARACTER.sub("\ufffd", _LEADING_ZEROS.sub("&#", text)))
