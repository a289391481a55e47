"""Statements about pages as sentences, and the same sentences read back.

Every sentence has one pattern. Three kinds have patterns of their own, S being a subject, W what is wanted, G what is
got; all others stand in words.toml::

    missing   S is missing, it belongs below O.     (or: to the right of O. / at the top. / nothing after "missing")
              S, S and S are missing, they belong below O, one below the other.    (or: side by side; read as one
              statement each: the first belongs below O, every other one below, or to the right of, the one before it)
    unwanted  S should go.     S, S and S should go.
    wording   The KIND should say “W”, yours says “G”.

What is said of a text's colour is said of its letters. Lists of headings, links, buttons and inputs are in reading
order, and ``holds`` need not name all; ``count`` may name what it counts (``There should be 2 links: “A” and “B”.``).

Of one kind, with one W and one G, several are said together: ``S, S and S should be centred, yours are aligned left.``
(color, shade, font, bold, align, shift, width, height, corners, border; "yours have", "yours take"); read as one each.
The answer to a question has no "yours" part; to a yes/no question it begins with ``Yes, `` or ``No, ``. A subject is
``the page``, ``the header``, ``the footer``, ``the heading “X”`` (text, link, button, label, input), ``the first
picture``, ``the second link “X”`` (ordinals where several have these words), ``the first blank input``, ``the first
blank box``, ``the box around “X”``, ``the background behind “X”``, ``the writing on “X”`` (a button; what is said of
the button's colour is said of its face), in answers also ``the navigation bar``, ``the logo``, ``the hero section``,
``the left column`` and the like; a missing thing without words is ``a picture``, ``an input``, ``a button`` or ``a
box``; O may be just ``“X”``. A quote that ends in `` …`` is the beginning of a longer text, one that begins with ``…
`` is from its middle.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from colbench_gym.page_language.color_names import NAMES
from colbench_gym.page_language.statements import ALIGNS, TEXT_KINDS, WORDS, Statement, StatementKind, Verdict
from colbench_gym.page_language.subjects import (
    NOUN,
    QUOTE,
    SUBJECT,
    SUBJECTS,
    anchor,
    any_of,
    listed,
    named,
    read_subject,
    read_subjects,
)

RIGHT = Statement("right")
SHOW = Statement("show")
BROKEN = Statement("broken")
UNKNOWN = Statement("unknown")
REFUSED = Statement("refused")

_ASIDE = {"below": "one below the other", "to the right of": "side by side"}
_SINGULAR = {f"{noun}s": noun for noun in WORDS["lists"]["counted"]}
_NUMBER = rf"none|(?:\d+|no|an?) (?:{any_of([*_SINGULAR, *_SINGULAR.values()])})"
_PLACE = "above|below|to the left of|to the right of|on top of"

TOGETHER: frozenset[StatementKind] = frozenset(
    ["color", "shade", "font", "bold", "align", "shift", "width", "height", "corners", "border"]
)
_PLURAL = {"yours is": "yours are", "yours has": "yours have", "yours takes": "yours take"}

_VALUES = {  # parts of the patterns in words.toml
    **{name: any_of(WORDS[name]) for name in ("ratios", "shares", "corners")},
    "aligns": any_of(ALIGNS.values()),
    "kinds": "|".join(TEXT_KINDS),
    "color": any_of(NAMES),
    "place": _PLACE,
    "pixels": r"\d+ pixels",
    "number": _NUMBER,
    "border": rf"no border|an? (?:{any_of(NAMES)}) border",
}
# kind: what is wanted, what follows where yours is told, and the pattern of both values
_SENTENCES: dict[StatementKind, tuple[str, str, str]] = {
    kind: (wanted, got, re.sub(r"<(\w+)>", lambda name: _VALUES[name[1]], values))
    for kind, (wanted, got, values) in WORDS["sentences"].items()
}
_NAMED = "(?:: (?P<items>{items}))?"  # may follow a count


def _pattern(kind: StatementKind, values: str, wanted: str, got: str) -> re.Pattern[str]:
    pattern = re.escape(wanted).replace(r"\ ", " ")
    if got:
        pattern += rf"(?:, {re.escape(got)})?".replace(r"\ ", " ")
    for one, several in _PLURAL.items():
        pattern = pattern.replace(one, f"(?:{one}|{several})")
    fields = {
        "subject": SUBJECTS if kind in TOGETHER else SUBJECT,
        "other": SUBJECT,
        "items": SUBJECTS,
        "wanted": values,
        "got": values,
    }
    for name, inside in fields.items():
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{inside})")
    return re.compile(pattern + (_NAMED.format(items=SUBJECTS) if kind == "count" else ""))


@cache  # not at import: who only says statements reads none
def _patterns() -> Mapping[StatementKind, re.Pattern[str]]:
    return {kind: _pattern(kind, values, wanted, got) for kind, (wanted, got, values) in _SENTENCES.items()}


_MISSING = re.compile(
    rf"(?P<items>{SUBJECTS}) (?:is|are) missing(?:, (?:it belongs|they belong) "
    rf"(?:at the top|(?P<place>{_PLACE}) (?P<other>{SUBJECT}))(?:, (?P<aside>{any_of(_ASIDE.values())}))?)?"
)
_UNWANTED = re.compile(rf"(?P<items>{SUBJECTS}) should go")
_WORDING = re.compile(rf"The (?P<kind>{NOUN}) should say (?P<wanted>{QUOTE})(?:, yours says (?P<got>{QUOTE}))?")
_SENTENCE = re.compile(r"\s*((?:“[^”]*”|[^“.])+)(?:\.|$)")
_VERDICT = re.compile("(?P<verdict>Yes|No), (?P<reason>.+)", re.DOTALL)
_VERDICTS: Mapping[str, Verdict] = {"Yes": "yes", "No": "no"}
_TOP = re.compile(r"they belong at the top|it belongs at the top")


def say(statements: Sequence[Statement]) -> str:
    """Return one sentence for a statement, or for several of one kind that belong together.

    Those of a kind in :data:`TOGETHER` must have one ``wanted`` and one ``got``. Several missing things must be a
    chain: each but the first has the one before it as ``other``, all with one ``wanted``, ``below`` or ``to the right
    of``.
    """
    first = statements[0]
    if first.kind == "missing":
        sentence = _say_missing(statements)
    elif first.kind == "unwanted":
        sentence = f"{listed([one.subject for one in statements if one.subject])} should go"
    elif first.kind == "wording":
        noun = first.subject.kind if first.subject else "text"
        sentence = f"The {noun} should say “{first.wanted}”" + (f", yours says “{first.got}”" if first.got else "")
    else:
        wanted, got, _ = _SENTENCES[first.kind]
        if len(statements) > 1:
            got = next((got.replace(one, many) for one, many in _PLURAL.items() if one in got), got)
        wanted += ": {items}" if first.kind == "count" and first.items else ""
        sentence = (f"{wanted}, {got}" if got and first.got else wanted).format(
            subject=listed([one.subject for one in statements if one.subject]),
            other=named(first.other) if first.other else "",
            items=listed(first.items),
            wanted=first.wanted,
            got=first.got,
        )
    if first.verdict:
        lower = sentence if sentence.startswith("I ") else f"{sentence[:1].lower()}{sentence[1:]}"
        return f"{first.verdict.capitalize()}, {lower}."
    return f"{sentence[:1].upper()}{sentence[1:]}."


def _say_missing(statements: Sequence[Statement]) -> str:
    first = statements[0]
    several = len(statements) > 1
    sentence = listed([one.subject for one in statements if one.subject]) + (
        " are missing" if several else " is missing"
    )
    belongs = "they belong" if several else "it belongs"
    if first.wanted == "at the top":
        sentence += f", {belongs} at the top"
    elif first.other:
        sentence += f", {belongs} {first.wanted} {named(first.other)}"
    return sentence + (f", {_ASIDE[statements[1].wanted]}" if several else "")


def read_statements(reply: str) -> tuple[Statement, ...]:
    """Return the statements of a reply in their order; a sentence that no pattern fits is one of kind ``unread``."""
    return tuple(
        statement for sentence in _SENTENCE.findall(reply) if sentence.strip() for statement in _read(sentence.strip())
    )


def _read(sentence: str) -> tuple[Statement, ...]:
    if answer := _VERDICT.fullmatch(sentence):
        first, *rest = _read(answer["reason"][:1].upper() + answer["reason"][1:])
        if first.kind != "unread":
            return (replace(first, verdict=_VERDICTS[answer["verdict"]]), *rest)
    if match := _MISSING.fullmatch(sentence):
        return _read_missing(match, sentence)
    if match := _UNWANTED.fullmatch(sentence):
        return tuple(Statement("unwanted", subject) for subject in read_subjects(match["items"]))
    if match := _WORDING.fullmatch(sentence):
        subject = read_subject(f"the {match['kind']} “”")
        return (Statement("wording", subject, match["wanted"][1:-1], (match["got"] or "“”")[1:-1]),)
    for kind, pattern in _patterns().items():
        if match := pattern.fullmatch(sentence):
            return _filled(kind, match.groupdict())
    return (Statement("unread", wanted=sentence),)


def _filled(kind: StatementKind, found: Mapping[str, str | None]) -> tuple[Statement, ...]:
    subjects, other, items = found.get("subject"), found.get("other"), found.get("items")
    about = read_subjects(subjects) if subjects else [None]
    return tuple(
        Statement(
            kind,
            subject,
            found.get("wanted") or "",
            found.get("got") or "",
            read_subject(other) if other else None,
            tuple(read_subjects(items)) if items else (),
        )
        for subject in about
    )


def _read_missing(match: re.Match[str], sentence: str) -> tuple[Statement, ...]:
    subjects = read_subjects(match["items"])
    if match["other"]:
        first = Statement("missing", subjects[0], match["place"], other=read_subject(match["other"]))
    else:
        first = Statement("missing", subjects[0], "at the top" if _TOP.search(sentence) else "")
    chain = next((place for place, words in _ASIDE.items() if words == match["aside"]), "below")
    rest = (Statement("missing", this, chain, other=anchor(before)) for before, this in pairwise(subjects))
    return (first, *rest)
