"""Code that is read aloud: marks by their names, letters in Morse code or by the words that pilots use."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from colbench_gym.humans.vocabulary import read_toml

_SHORTEST = 12  # letters that a text has to name before it is read like that
_DICTATED = 3  # words that nobody uses who speaks about a task, before a text counts as dictated
_DOTS = str.maketrans({"·": ".", "•": ".", "–": "-", "—": "-", "−": "-", "_": "-", "*": "."})
_SYMBOL = re.compile(r"[.-]+")
_UNDERSCORE = re.compile(r"(?:(?<=\s)|\b)underscore\b", re.IGNORECASE)
_TELLING = ("underscore", "paren", "bracket", "brace", "curly", "colon", "equals sign", "quote", "asterisk")
_ONLY_DICTATED = re.compile(rf"\b(?:{'|'.join(_TELLING)}|parenthesis)\b", re.IGNORECASE)


@lru_cache(maxsize=1)
def _names() -> tuple[dict[str, str], dict[str, str], tuple[str, ...], re.Pattern[str]]:
    """Return letters by Morse symbol and by word, marks, and a pattern with one group for the names of each mark."""
    table = read_toml(Path(__file__).with_name("spoken_code.toml"))
    morse = dict(zip(table["morse"].split(), table["morse_letters"], strict=True))
    words = {word: word[0] for word in table["letter_words"].split()}
    words |= {word: str(digit) for digit, word in enumerate(table["digit_words"].split())}
    marks = re.compile("|".join(rf"\b({names})\b" for names in table["marks"].values()), re.IGNORECASE)
    return morse, words, tuple(table["marks"]), marks


def dictated(text: str) -> str:
    """Return a text with marks in place of their names; "" where too few are named for a dictation."""
    if text.isascii() and not any(word in text.lower() for word in _TELLING):
        return ""
    if sum(1 for _ in _ONLY_DICTATED.finditer(text)) < _DICTATED:
        return ""
    joined = "_".join(part.strip() for part in _UNDERSCORE.split(text))
    _, _, marks, pattern = _names()
    return pattern.sub(lambda match: f" {marks[(match.lastindex or 1) - 1]} ", joined)


def from_morse(text: str) -> str:
    """Return what dots and dashes in a text spell; "" when they are too few."""
    dotted = text.translate(_DOTS)
    if dotted.count(".") + dotted.count("-") < _SHORTEST:
        return ""
    morse = _names()[0]
    letters = [morse[symbol] for symbol in _SYMBOL.findall(dotted) if symbol in morse]
    return "".join(letters) if len(letters) >= _SHORTEST else ""


def from_letter_words(text: str) -> str:
    """Return what words of the spelling alphabet spell; "" when they are too few."""
    letters = _names()[1]
    words = re.findall(r"[a-z]+", text.lower().replace("x-ray", "xray"))
    if sum(word in letters and not letters[word].isdigit() for word in words) < _SHORTEST:
        return ""
    return "".join(letters.get(word, "") for word in words)
