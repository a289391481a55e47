"""Renderings of a fact's sentences: in short, and in a layperson's words; values are said as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from colbench_gym.humans.vocabulary import read_toml

_WORDS: dict[str, str] = read_toml(Path(__file__).with_name("phrases.toml"))["layperson"]
_QUOTED = r"\"[^\"]{0,400}\"|“[^”]{0,400}”|'[^']{0,400}'(?!\w)"
_NOUN = r"(?<!of )(?<!the )(?<!in )"  # "the number of returns" is no verb
_LONGEST_FIRST = "|".join(
    (_NOUN if word in ("return", "returns") else "") + re.escape(word) for word in sorted(_WORDS, key=len, reverse=True)
)
_LAYPERSON = re.compile(rf"{_QUOTED}|\b(?:{_LONGEST_FIRST})\b")
_SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")
_LEAD = re.compile(r"(?:(?:\d{1,2}|[a-h])\. )?(?:Yes, |No, |As I said: )?")
_CLAUSE = re.compile(  # under a condition, a thing is a value; "result" is what is returned
    r"(?:(?:If|When|For|With) (?!example)(?P<condition>[^.;\"]{1,200}?), (?=the ))?(?:[Tt]he )"
    r"(?P<thing>[^,.;:\"]{1,80}?) (?:is|are) (?!(?:not|no|at|more|less|one|either|then|sorted|skipped)\b)"
    r"(?P<value>[^\n]{1,400}?)\.?"
)
_POLITE = re.compile(
    r"(?:I(?:'d| would) (?:expect|like|want|say)(?: that)?|I (?:want|expect|think|use|need)(?: that)?|Please|Well,?)"
    r" (?=\w)"
)


def shortly(text: str) -> str:
    """Say the condition, the thing and the value; other sentences without capital and full stop."""
    lead = _LEAD.match(text := text.strip())
    start = lead.end() if lead else 0
    return text[:start] + " ".join(map(_short, _SENTENCES.split(text[start:])))


def _short(sentence: str) -> str:
    clause = _CLAUSE.fullmatch(sentence)
    if clause is None:
        short = _POLITE.sub("", sentence, count=1) if _POLITE.match(sentence) else sentence
        if len(short) > 1 and short[0].isupper() and (short[1].islower() or short[1] == " ") and short[:2] != "I ":
            short = short[0].lower() + short[1:]
        return f"{short[:-1]};" if short.endswith(".") else short
    thing = "" if clause["thing"] == "result" else f"{clause['thing']}: "
    condition = f"{clause['condition']}: " if clause["condition"] else ""
    return f"{condition}{thing}{clause['value']};"


def plainly(text: str) -> str:
    """Replace a programmer's words; quoted texts, numbers, True, False and None stay as they are."""
    return _LAYPERSON.sub(lambda match: _WORDS.get(match[0], match[0]), text)


RENDERINGS: Mapping[str, Callable[[str], str]] = {"terse": shortly, "layperson": plainly}  # of personas that re-word
