"""Likely meaning of a sentence about a page in free words, as a language model or a person writes it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from colbench_gym.jsonl import read_toml
from colbench_gym.page_language.color_names import NAMES
from colbench_gym.page_language.statements import Statement, Subject, SubjectKind

_WORDS = read_toml(Path(__file__).with_suffix(".toml"))
_SHADES, _SAME_HUE, _NUMBERS = (_WORDS[name] for name in ("shades", "same_hue", "numbers"))
_KINDS: Mapping[str, SubjectKind] = {kind: kind for kind in get_args(SubjectKind)}
_MISSING, _UNWANTED, _SAYS, _INSTEAD, _RIGHT, _NEGATED = (
    re.compile(_WORDS["patterns"][name], re.I)
    for name in ("missing", "unwanted", "says", "instead", "right", "negated")
)
_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|(?<!\w)'([^']+)'(?!\w)")
_HUES = "red|orange|yellow|green|teal|blue|indigo|purple|pink|grey|gray|brown|black|white|violet|navy"
_COLOR = re.compile(rf"\b(?:(very )?(dark|light|pale|bright|deep|soft)(?:er)?[ -])?({_HUES})\b", re.IGNORECASE)
_COLUMNS = re.compile(rf"\b(\d|{'|'.join(_NUMBERS)})[ -]columns?\b", re.IGNORECASE)


def guess_statements(sentence: str) -> tuple[Statement, ...]:
    """Return the statements that a sentence probably makes; none where nothing in it is known."""
    quotes = ["".join(groups) for groups in _QUOTED.findall(sentence)]
    plain = _QUOTED.sub(" ", sentence)
    statements = [*_about_quotes(quotes, plain), *_about_pictures(quotes, plain), *_about_looks(quotes, plain)]
    if not statements and _RIGHT.search(plain) and not _NEGATED.search(plain):
        statements.append(Statement("right"))
    return tuple(statements)


def _about_quotes(quotes: list[str], plain: str) -> list[Statement]:
    if not quotes:
        return []
    if _UNWANTED.search(plain):
        return [Statement("unwanted", Subject("quote", text)) for text in quotes]
    if len(quotes) == 2 and _SAYS.search(plain) and _INSTEAD.search(plain):
        return [Statement("wording", Subject("text"), wanted=quotes[0], got=quotes[1])]
    side, target = _first("sides", plain), _first("targets", plain)
    kind = _KINDS[target if target in ("button", "heading") else "text"]
    if _MISSING.search(plain):
        neighbour = Subject("quote", quotes[-1]) if side and len(quotes) > 1 else None
        new = quotes[:-1] if neighbour else quotes
        return [Statement("missing", Subject(kind, text), side if neighbour else "", other=neighbour) for text in new]
    if side and len(quotes) == 2:
        return [Statement("place", Subject("quote", quotes[0]), side, other=Subject("quote", quotes[1]))]
    if _SAYS.search(plain):
        return [Statement("wording", Subject(kind), wanted=quotes[0])]
    return []


def _about_pictures(quotes: list[str], plain: str) -> list[Statement]:
    if not re.search(r"\b(picture|image|photo)s?\b", plain, re.IGNORECASE):
        return []
    if _UNWANTED.search(plain):
        return [Statement("unwanted", Subject("picture", ordinal=1))]
    side = _first("sides", plain) or _first("picture_sides", plain)
    at_top = re.search(r"\b(top|banner|full[ -]width|whole width)\b", plain, re.IGNORECASE)
    if not (side or at_top or _MISSING.search(plain)):
        return []
    neighbour = Subject("quote", quotes[0]) if quotes and side else None
    return [Statement("missing", Subject("picture"), "at the top" if at_top and not side else side, other=neighbour)]


def _about_looks(quotes: list[str], plain: str) -> list[Statement]:
    target = _first("targets", plain)
    subject = Subject("quote", quotes[0]) if len(quotes) == 1 else Subject(_KINDS[target]) if target else None
    if len(quotes) == 1 and re.search(r"\bbackground\b", plain):
        subject = Subject("background behind", quotes[0])
    statements = []
    colors = [color for match in _COLOR.finditer(plain) if (color := _name(match)) in NAMES]
    if colors and subject is not None:
        statements.append(Statement("color", subject, colors[0]))
    columns = _COLUMNS.search(plain)
    if columns:
        many = _NUMBERS.get(columns[1].lower()) or int(columns[1])
        items = tuple(Subject("quote", text) for text in quotes)
        statements.append(Statement("columns", wanted=f"{many} columns", items=items))
    for align in _all("aligns", plain):
        statements.append(Statement("align", subject or Subject("heading"), align))
    if corners := _first("corners", plain):
        statements.append(Statement("corners", subject, corners))
    return statements


def _all(table: str, plain: str) -> list[str]:
    """Return what of a table a sentence says."""
    return [words for words, pattern in _WORDS[table].items() if re.search(pattern, plain, re.IGNORECASE)]


def _first(table: str, plain: str) -> str:
    return next(iter(_all(table, plain)), "")


def _name(match: re.Match[str]) -> str:
    very, shade, hue = match[1] or "", (match[2] or "").lower(), match[3].lower()
    if hue == "navy":
        return "dark blue"
    words = (very.strip().lower(), _SHADES.get(shade, shade), _SAME_HUE.get(hue, hue))
    return " ".join(filter(None, words))
