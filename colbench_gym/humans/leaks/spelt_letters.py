"""Letters that are named one by one: in Morse code, or by the words that pilots use."""

from __future__ import annotations

import re

_SHORTEST = 12  # letters that a text has to name before it is read like that
_MORSE = dict(
    zip(
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
            "-----",
            ".----",
            "..---",
            "...--",
            "....-",
            ".....",
            "-....",
            "--...",
            "---..",
            "----.",
            "-.--.",
            "-.--.-",
            "---...",
            "-...-",
            ".-.-.",
            "-....-",
            "..--.-",
            ".-.-.-",
            "--..--",
            "-..-.",
            ".-..-.",
        ],
        'abcdefghijklmnopqrstuvwxyz0123456789():=+-_.,/"',
        strict=True,
    )
)
_LETTER_WORDS = {
    word: word[0]
    for word in [
        "alfa",
        "alpha",
        "bravo",
        "charlie",
        "delta",
        "echo",
        "foxtrot",
        "golf",
        "hotel",
        "india",
        "juliett",
        "juliet",
        "kilo",
        "lima",
        "mike",
        "november",
        "oscar",
        "papa",
        "quebec",
        "romeo",
        "sierra",
        "tango",
        "uniform",
        "victor",
        "whiskey",
        "whisky",
        "xray",
        "yankee",
        "zulu",
    ]
}
_DIGIT_WORDS = {
    word: str(digit)
    for digit, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
_DOTS = str.maketrans({"·": ".", "•": ".", "–": "-", "—": "-", "−": "-", "_": "-", "*": "."})
_SYMBOL = re.compile(r"[.-]+")


def from_morse(text: str) -> str:
    """Return what dots and dashes in a text spell; "" when they are too few."""
    dotted = text.translate(_DOTS)
    if dotted.count(".") + dotted.count("-") < _SHORTEST:
        return ""
    letters = [_MORSE[symbol] for symbol in _SYMBOL.findall(dotted) if symbol in _MORSE]
    return "".join(letters) if len(letters) >= _SHORTEST else ""


def from_letter_words(text: str) -> str:
    """Return what words of the spelling alphabet spell; "" when they are too few."""
    lower = text.lower().replace("x-ray", "xray")
    if not any(word in lower for word in _LETTER_WORDS):
        return ""
    words = re.findall(r"[a-z]+", lower)
    if sum(word in _LETTER_WORDS for word in words) < _SHORTEST:
        return ""
    return "".join(_LETTER_WORDS.get(word, _DIGIT_WORDS.get(word, "")) for word in words)
