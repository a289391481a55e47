"""Decision about a stretch of a reference: code, or words and texts that people use as well."""

from __future__ import annotations

from collections.abc import Sequence
from keyword import iskeyword

SHORTEST_RUN = 4  # tokens in a row that count as code when a mark that only code has is among them
SPAN_RUN = 3  # the same inside backticks
_PLAIN_RUN = 12  # tokens in a row that count as code whatever they are
_SPOKEN_RUN = 5  # tokens in a row that count as code when an operator that is a word is among them

_ARITHMETIC = frozenset(("*", "/", "**", "//", "%", "==", "!=", "+=", "-=", "*=", "/="))  # not said in plain words
_WRITTEN = frozenset(("<", ">", "<=", ">=", "==", "!=", "+", "-", "*", "**", "/", "//", "%"))
MARKS = _WRITTEN - {"-"} | _ARITHMETIC | {"=", "[", "]", "{", "}", "->"}
_SPOKEN = frozenset(("in", "is", "and", "or"))  # operators that are words
_LISTING = ("and", "or")  # beside a quotation: people list texts like that
_PUNCTUATION = frozenset(".,;:!?'()-")


def counts_as_code(tokens: Sequence[str], data: Sequence[bool], start: int, length: int, shortest: int) -> bool:
    """Return whether a run of tokens is code: long enough, and more than constants with commas between them.

    ``data`` says which tokens belong to strings, numbers and comments; from ``shortest`` on what only code has decides.
    """
    if length < SPAN_RUN:
        return False
    places = [place for place in range(start, start + length) if not data[place]]
    span = [tokens[place] for place in places]
    if not (telling := [token for token in span if token not in _PUNCTUATION]):
        return False
    operators = sum(token in MARKS for token in span)
    names = sum("_" in token for token in span)
    before = [(tokens[place - 1], tokens[place]) for place in places if place > start]
    calls = sum(token in "(." and name.isidentifier() and not iskeyword(name) for name, token in before)
    if length >= shortest and operators + names + calls:
        return True
    if _is_operation(tokens, data, start, length):
        return True
    if operators and (names or not _ARITHMETIC.isdisjoint(span)):
        return True
    if shortest == SPAN_RUN and sum(iskeyword(token) for token in telling):
        return True
    return length >= _PLAIN_RUN and len(telling) >= 4


def _is_operation(tokens: Sequence[str], data: Sequence[bool], start: int, length: int) -> bool:
    """Return whether a run has an operator with an operand on either side; one that may be prose needs a longer run."""
    for place in range(start + 1, start + length - 1):
        token = tokens[place]
        if data[place] or not (_is_operand(tokens[place - 1]) and _is_operand(tokens[place + 1])):
            continue
        around = (tokens[place - 1], tokens[place + 1])
        named = "_" in "".join(around) or "not" in around or "None" in around  # which plain English has not
        listing = token in _LISTING and "'" in around
        if token in _WRITTEN or (token in _SPOKEN and not listing and (named or length >= _SPOKEN_RUN)):
            return True
    return any(tokens[place] == "lambda" and not data[place] for place in range(start, start + length - 1))


def _is_operand(token: str) -> bool:
    return token in ("'", "(", ")", "[", "]", "not") or token[0].isalnum() or "_" in token


def is_code(token: str) -> bool:
    """Return whether a token is a mark, a keyword or a name that plain English does not have."""
    return token in MARKS or "_" in token or iskeyword(token) or token in "()[]{}:."
