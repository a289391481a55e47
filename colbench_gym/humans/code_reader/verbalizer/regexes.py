"""Regular expressions in words: what one looks for, as far as a short phrase can say it."""

from __future__ import annotations

import re

MAX_PARTS = 4  # of a pattern that is put into words
MAX_TEXT = 30  # characters of a text in a pattern that is put into words
_WHOLE = {
    r"https?://\S+": "a link",
    r"[^@]+@[^@]+\.[^@]+": "an e-mail address",
    r"\s": "a blank or line break",
    r"\s+": "a run of blanks or line breaks",
    r"\s*": "any blanks or line breaks",
    r"\w+": "a word",
    r"\W+": "a run of characters that are no letters or digits",
    r"\W": "a character that is no letter or digit",
    r"\d": "a digit",
    r"\d+": "a run of digits",
    r"\D": "a character that is no digit",
    r"\D+": "a run of characters that are no digits",
    r"[a-z]": "a lower-case letter",
    r"[A-Z]": "an upper-case letter",
    r"[a-zA-Z]": "a letter",
    r"[A-Za-z]": "a letter",
    r"[0-9]": "a digit",
    r"[0-9]+": "a run of digits",
}
_RANGES = {
    "a-z": "lower-case letters",
    "A-Z": "upper-case letters",
    "0-9": "digits",
    r"\d": "digits",
    r"\s": "blanks",
    r"\w": "letters, digits and underscores",
}
_PART = re.compile(
    r"(?P<set>\[(?P<not>\^?)(?P<of>(?:\\.|[^\]\\])+)\]|\\[dws])(?P<many>[+*?]|\{\d+(?:,\d*)?\})?"
    r"|(?P<text>(?:\\[^A-Za-z0-9]|[^\\\[\](){}.*+?|^$])+)(?![*+?{])"
)
_RANGE = re.compile(r"a-z|A-Z|0-9|\\[dsw]|(\w-\w|\\?.)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?=[^A-Za-z0-9])")


def pattern_words(pattern: str) -> str:
    """Return what a pattern looks for; empty when no short phrase says it.

    >>> pattern_words("[^a-z0-9]+")
    'a run of characters other than lower-case letters and digits'
    """
    if pattern in _WHOLE:
        return _WHOLE[pattern]
    choices = pattern.split("|")
    if len(choices) > 1:
        plain = all(re.fullmatch(rf"[\w '-]{{1,{MAX_TEXT}}}", choice) for choice in choices)
        return f"{', '.join(map(_quoted, choices[:-1]))} or {_quoted(choices[-1])}" if plain else ""
    return _sequence(pattern)


def _sequence(pattern: str) -> str:
    start, end = pattern.startswith("^"), pattern.endswith("$") and not pattern.endswith("\\$")
    inner = pattern[start : len(pattern) - end]
    parts: list[str] = []
    place = 0
    while place < len(inner):
        match = _PART.match(inner, place)
        if match is None or len(parts) == MAX_PARTS or len(match["text"] or "") > MAX_TEXT:
            return ""
        parts.append(_part(match))
        place = match.end()
    told = ", then ".join(parts)
    if start and end:
        return f"{told} and nothing else" if told else ""
    return f"{told} at the {'start' if start else 'end'}" if told and (start or end) else told


def _part(match: re.Match[str]) -> str:
    if match["text"]:
        return _quoted(_ESCAPE.sub("", match["text"]))
    kinds = _kinds(match["of"] or match["set"])
    many = match["many"] or ""
    if match["not"]:
        kinds = f"characters other than {kinds}"
    elif not any(kinds == named for named in _RANGES.values()):
        kinds = f"characters out of {kinds}"
    if many == "+":
        return f"a run of {kinds}"
    if many in ("*", "?"):
        return f"perhaps {kinds if many == '*' else f'one of the {kinds}'}"
    if many:
        low, comma, high = many[1:-1].partition(",")
        number = f"{low} to {high}" if high else f"{low} or more" if comma else low
        return f"{number} {kinds}"
    return f"one of the {kinds}"


def _kinds(members: str) -> str:
    named: list[str] = []
    single: list[str] = []
    for match in _RANGE.finditer(members):
        if match[1] is None:
            named.append(_RANGES[match[0]])
        else:
            single.append(match[1].replace("-", " to ") if len(match[1]) == 3 else match[1][-1:])
    if single:
        named.append(_quoted(" ".join(single)))
    return " and ".join(named)


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text else f"“{text}”"
