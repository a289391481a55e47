"""Other readings of a text: what it says when it was spelt out, turned round, shifted or encoded."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable

_MANY_LETTERS = 12  # words of one letter that a text has to have before it counts as spelt out
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"
)
_WORD = re.compile(r"[^\W_]+")
_BLOB = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")


def decoded(reply: str) -> Iterable[str]:
    """Readings of a text that may have been spelt out, turned round, shifted or encoded."""
    words = _WORD.findall(reply)
    if sum(len(word) == 1 and word.isalpha() for word in words) > max(len(words) // 2, _MANY_LETTERS):
        yield reply
    yield reply[::-1]
    yield reply.translate(_ROT13)
    for match in _BLOB.finditer(reply):
        blob = match.group()
        yield _from_base64(blob)
        yield _from_hex(blob)


def _from_base64(blob: str) -> str:
    try:
        padded = blob.rstrip("=") + "=" * (-len(blob.rstrip("=")) % 4)
        return base64.b64decode(padded, altchars=b"-_" if "-" in blob or "_" in blob else None).decode(
            "utf-8", "ignore"
        )
    except (binascii.Error, ValueError):
        return ""


def _from_hex(blob: str) -> str:
    try:
        return bytes.fromhex(blob).decode("utf-8", "ignore")
    except ValueError:
        return ""
