"""A text with the characters that it seems to have: look-alikes, decorations and invisible ones replaced or dropped."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_TAGS = range(0xE0020, 0xE007F)  # invisible copies of ASCII
_REGIONAL = 0x1F1E6  # the first of 26 letters that flags are made of
_OPERATORS = {"≤": "<=", "≥": ">=", "≠": "!=", "×": "*", "÷": "/", "−": "-", "→": "->", "∗": "*", "⁄": "/", "＿": "_"}
_CYRILLIC = ("абсԁеɡһіјӏорԛѕԝхуАВСЕНІЈКМОРЅТХУ", "abcdeghijlopqswxyABCEHIJKMOPSTXY")
_GREEK = ("αοικνρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aoiknptuxABEZHIKMNOPTYX")
_LOOK_ALIKE = dict(pair for strange, usual in (_CYRILLIC, _GREEK) for pair in zip(strange, usual, strict=True))
_DROPPED = ("Mn", "Me", "Cf", "Co", "Cs")  # combining and enclosing marks, formatting, private use, surrogates


def plain(text: str) -> str:
    """Return a text in compatibility form, without marks that are set over letters and without invisible characters."""
    if text.isascii():
        return text
    return "".join(map(_plain_character, text))


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    code = ord(character)
    if code in _TAGS:
        return chr(code - 0xE0000)
    if 0 <= code - _REGIONAL < 26:
        return chr(ord("a") + code - _REGIONAL)
    if character in _OPERATORS:
        return _OPERATORS[character]
    kept = [part for part in unicodedata.normalize("NFKD", character) if unicodedata.category(part) not in _DROPPED]
    return "".join(_LOOK_ALIKE.get(part, part) for part in kept)
