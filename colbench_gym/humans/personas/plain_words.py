"""The layperson: no programmer's words, the same facts."""

from __future__ import annotations

import re

from colbench_gym.humans.personas.moments import Moment, framed
from colbench_gym.humans.replies import Reply

# Longest first where one holds another. Values keep their quotes, numbers stay as they are.
PLAIN: tuple[tuple[str, str], ...] = (
    ("list of dictionaries", "list of records"),
    ("dictionaries", "tables"),
    ("dictionary", "table"),
    ("a dict", "a table"),
    ("dicts", "tables"),
    ("dict", "table"),
    ("an integer", "a whole number"),
    ("integers", "whole numbers"),
    ("integer", "whole number"),
    ("a float", "a decimal number"),
    ("floats", "decimal numbers"),
    ("float", "decimal number"),
    ("booleans", "yes-or-no values"),
    ("boolean", "yes-or-no value"),
    ("strings", "texts"),
    ("string", "text"),
    ("tuples", "groups of values"),
    ("tuple", "group of values"),
    ("None", "nothing"),
    ("True", "yes"),
    ("False", "no"),
    ("the function returns", "you get"),
    ("it returns", "it gives"),
    ("is returned", "comes out"),
    ("are returned", "come out"),
    ("Return", "Give back"),
    ("return", "give back"),
    ("returns", "gives back"),
    ("an argument", "an input"),
    ("arguments", "inputs"),
    ("argument", "input"),
    ("parameters", "inputs"),
    ("parameter", "input"),
    ("exception", "error"),
    ("is raised", "comes up"),
    ("indices", "positions"),
    ("an index", "a position"),
    ("index", "position"),
    ("whitespace", "blank space"),
    ("lowercase", "small letters"),
    ("lower case", "small letters"),
    ("uppercase", "capital letters"),
    ("upper case", "capital letters"),
    ("navbar", "menu at the top"),
    ("hero section", "big opening part"),
    ("footer", "bottom part"),
    ("px", "dots"),
)
_QUOTED = r"\"[^\"]{0,400}\"|“[^”]{0,400}”|'[^']{0,400}'(?!\w)"
_PLAIN = dict(PLAIN)
_NOUN = r"(?<!of )(?<!the )(?<!in )"  # "the number of returns" is no verb
_LONGEST_FIRST = "|".join(
    (_NOUN if word in ("return", "returns") else "") + re.escape(word) for word in sorted(_PLAIN, key=len, reverse=True)
)
_WORDS = re.compile(rf"{_QUOTED}|\b(?:{_LONGEST_FIRST})\b")
_FRAMES = (
    "In plain words:",
    "I'm no programmer, but:",
    "The way I see it:",
    "Put simply:",
    "As we say here:",
    "For us it is like this:",
    "Without the technical terms:",
)


def layperson(reply: Reply, moment: Moment) -> str:
    """Say the same without a programmer's words; quoted texts stay as they are."""
    core = plainly(reply.text(moment.max_chars)) if moment.intensity > 0 else reply.text(moment.max_chars)
    return framed(moment.pick("frame", _FRAMES) if moment.happens("frame", 1.0) else "", core, "", moment.max_chars)


def plainly(text: str) -> str:
    """Replace a programmer's words outside of quotes."""
    return _WORDS.sub(lambda match: _PLAIN.get(match[0], match[0]), text)
