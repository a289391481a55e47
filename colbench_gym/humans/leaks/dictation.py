"""Code that is dictated: marks named by words, as people do who read code aloud."""

from __future__ import annotations

import re

_MARKS = (  # longer names before those that begin them
    ("open(?:ing)? square bracket|left square bracket", "["),
    ("clos(?:e|ing) square bracket|right square bracket", "]"),
    ("open(?:ing)? curly(?: brace)?|left curly(?: brace)?|open brace|left brace", "{"),
    ("clos(?:e|ing) curly(?: brace)?|right curly(?: brace)?|close brace|right brace", "}"),
    ("open(?:ing)? paren(?:thesis)?|left paren(?:thesis)?|open(?:ing)? bracket|left bracket", "("),
    ("clos(?:e|ing) paren(?:thesis)?|right paren(?:thesis)?|clos(?:e|ing) bracket|right bracket", ")"),
    ("(?:is )?greater than or equals?(?: to| sign)?", ">="),
    ("(?:is )?(?:less|smaller) than or equals?(?: to| sign)?", "<="),
    ("(?:is )?greater than(?: sign)?", ">"),
    ("(?:is )?(?:less|smaller) than(?: sign)?", "<"),
    ("double equals?(?: sign)?|equals equals", "=="),
    ("not equals?(?: sign)?", "!="),
    ("equals?(?: sign)?", "="),
    ("double (?:asterisk|star)", "**"),
    ("asterisk|star|times", "*"),
    ("double slash", "//"),
    ("slash|divided by", "/"),
    ("plus(?: sign)?", "+"),
    ("minus(?: sign)?|hyphen|dash", "-"),
    ("percent(?: sign)?|modulo", "%"),
    ("semicolon", ";"),
    ("colon", ":"),
    ("comma", ","),
    ("full stop|period|dot|point", "."),
    ("(?:single |double )?quot(?:e|ation)(?: mark)?|apostrophe", "'"),
    ("new ?line|line break|indent(?:ed)?", "\n"),
)
_MARK = re.compile("|".join(rf"\b({words})\b" for words, _ in _MARKS), re.IGNORECASE)
_UNDERSCORE = re.compile(r"(?:(?<=\s)|\b)underscore\b", re.IGNORECASE)
_ONLY_DICTATED = re.compile(
    r"\b(?:underscore|paren|parenthesis|bracket|brace|curly|colon|equals sign|quote|asterisk)\b", re.IGNORECASE
)
_ROOTS = ("underscore", "paren", "bracket", "brace", "curly", "colon", "equals sign", "quote", "asterisk")
_DICTATED = 3  # such words, which nobody uses who speaks about a task


def dictated(text: str) -> str:
    """Return a text with marks in place of their names; "" where too few are named for a dictation."""
    if text.isascii() and not any(word in text.lower() for word in _ROOTS):
        return ""
    if sum(1 for _ in _ONLY_DICTATED.finditer(text)) < _DICTATED:
        return ""
    joined = "_".join(part.strip() for part in _UNDERSCORE.split(text))
    return _MARK.sub(lambda match: f" {_MARKS[(match.lastindex or 1) - 1][1]} ", joined)
