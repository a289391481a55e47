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
    r"\W+": "a run of characters that are no letters, digits or underscores",
    r"\W": "a character that is no letter, digit or underscore",
    r"\d": "a digit",
    r"\D": "a character that is no digit",
    r"\D+": "a run of characters that are no digits",
    r"[a-z]": "a lower-case letter",
    r"[A-Z]": "an upper-case letter",
    r"[a-zA-Z]": "a letter",
    r"[A-Za-z]": "a letter",
    r"[0-9]": "a digit",
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
_MEMBER = re.compile(r"(?P<range>[A-Za-z0-9]-[A-Za-z0-9])|(?P<class>\\[A-Za-z0-9])|\\?.", re.DOTALL)
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
        if not parts[-1]:
            return ""
        place = match.end()
    told = ", then ".join(parts)
    if start and end:
        return f"{told} and nothing else" if told else ""
    return f"{told} at the {'start' if start else 'end'}" if told and (start or end) else told


def _part(match: re.Match[str]) -> str:
    if match["text"]:
        return _quoted(_ESCAPE.sub("", match["text"]))
    kinds = _kinds(match["of"] or match["set"])
    if not kinds:
        return ""
    many = match["many"] or ""
    if match["not"]:
        kinds = f"characters other than {kinds}"
    elif kinds not in _RANGES.values():
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
    """Return what the members of a set are; empty where no short phrase says it."""
    named: list[str] = []
    single: list[str] = []
    for match in _MEMBER.finditer(members):
        if match["range"]:
            first, last = match["range"][0], match["range"][2]
            alike = [kind for kind in (str.isdigit, str.islower, str.isupper) if kind(first) and kind(last)]
            if not alike:
                return ""
            named.append(_RANGES.get(match[0]) or f'"{first}" to "{last}"')
        elif match["class"]:
            if match[0] not in _RANGES:
                return ""
            named.append(_RANGES[match[0]])
        else:
            inside = match.start() > 0 and match.end() < len(members)
            if match[0] == "-" and inside:
                return ""  # a range of signs
            single.append("a blank" if match[0][-1] == " " else f'"{match[0][-1]}"')
    return " and ".join([*named, *([", ".join(single)] if single else [])])


def _quoted(text: str) -> str:
    return f'"{text}"' if '"' not in text else f"“{text}”"
