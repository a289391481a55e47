"""Subjects of statements in words, and the same words read back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import get_args

from colbench_gym.page_language.statements import TEXT_KINDS, WORDS, Subject, SubjectKind

_ORDINALS: tuple[str, ...] = tuple(WORDS["lists"]["ordinals"])
_ALONE: tuple[SubjectKind, ...] = tuple(WORDS["lists"]["alone"])  # of these a page has one


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for one of some words, the longest first."""
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


QUOTE = "“[^”]*”"
NOUN = rf"(?:{any_of([*TEXT_KINDS, 'input'])})"
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th)) "
SUBJECT = (
    rf"(?:[Tt]he (?:{any_of(_ALONE)})|[Aa]n? (?:picture|input|box|button)|"
    rf"[Tt]he {_ORDINAL}(?:picture|blank input|blank button|blank box)|"
    rf"[Tt]he (?:{_ORDINAL})?{NOUN} {QUOTE}(?: of about \d+ words)?|"
    rf"[Tt]he (?:box around|background behind|writing on) (?:the {_ORDINAL})?{QUOTE}|"
    rf"(?:[Tt]he {_ORDINAL})?{QUOTE})"
)
SUBJECTS = rf"{SUBJECT}(?:(?:, | and ){SUBJECT})*"


def anchor(subject: Subject) -> Subject:
    """Return a subject as it is named when another one is placed by it: a text by its words alone."""
    return replace(subject, kind="quote" if subject.text and subject.kind in TEXT_KINDS else subject.kind, words=0)


def named(subject: Subject) -> str:
    """Return a subject in words."""
    which = ordinal(subject.ordinal)
    quoted = f"“{subject.text}”"
    if subject.kind in _ALONE:
        return f"the {subject.kind}"
    if subject.kind == "quote":
        return f"the {which} {quoted}" if which else quoted
    if subject.kind in ("box around", "background behind", "writing on"):
        return f"the {subject.kind} " + (f"the {which} {quoted}" if which else quoted)
    if subject.text:
        words = f" of about {subject.words} words" if subject.words else ""
        return " ".join(filter(None, ["the", which, subject.kind, quoted])) + words
    if not which:
        noun = subject.kind.removeprefix("blank ")
        return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
    return f"the {which} {'blank ' if subject.kind in ('input', 'button') else ''}{subject.kind}"


def ordinal(number: int) -> str:
    """Return a place in a row in words; "" for 0."""
    if number <= len(_ORDINALS):
        return ("", *_ORDINALS)[number]
    return f"{number}{'th' if number // 10 % 10 == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def listed(subjects: Sequence[Subject]) -> str:
    """Return subjects as they are enumerated."""
    names = [named(subject) for subject in subjects]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def read_subjects(words: str) -> list[Subject]:
    """Return the subjects that an enumeration names."""
    return [read_subject(match.group()) for match in re.finditer(SUBJECT, words)]


_PARTS = re.compile(
    rf"(?:the|an?)?\s*(?:(?P<kind>box around|background behind|writing on)\s+)?(?:the\s+)?(?:(?P<ordinal>{_ORDINAL}))?"
    rf"(?P<noun>{any_of(_ALONE)}|picture|blank input|blank button|blank box|box|{NOUN})?"
    rf"\s*(?P<quote>{QUOTE})?(?: of about (?P<words>\d+) words)?",
    re.IGNORECASE,
)
_NOUNS: Mapping[str, str] = {"blank input": "input", "blank button": "button", "box": "blank box"}


def read_subject(words: str) -> Subject:
    """Return the subject that some words name.

    Raises:
        ValueError: they name none.
    """
    match = _PARTS.fullmatch(words)
    if match is None:
        raise ValueError(f"got {words!r}, expected a thing on a page, as named() writes it")
    noun = match["noun"] or ""
    kind = match["kind"] or _NOUNS.get(noun, noun) or "quote"
    which = (match["ordinal"] or "").strip()
    number = 0 if not which else _ORDINALS.index(which) + 1 if which in _ORDINALS else int(which[:-2])
    text = (match["quote"] or "“”")[1:-1]
    return Subject(_KINDS[kind], text, number, int(match["words"] or 0))


_KINDS: Mapping[str, SubjectKind] = {kind: kind for kind in get_args(SubjectKind)}
