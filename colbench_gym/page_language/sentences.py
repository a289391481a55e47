"""Statements about pages as sentences, and the same sentences read back.

Every sentence has one pattern. In the table S is a subject, W what is wanted, G what is got, N a number::

    kind      sentence
    missing   S is missing, it belongs below O.     (or: to the right of O. / at the top. / nothing after "missing")
              S, S and S are missing, they belong below O, one below the other.    (or: side by side; read as one
              statement each: the first belongs below O, every other one below, or to the right of, the one before it)
    unwanted  S should go.     S, S and S should go.
    wording   The KIND should say “W”, yours says “G”.
    length    S should have about N words, yours has about N.
    place     S should be above O, yours is below it.     (above, below, to the left of, to the right of; for yours also
              beside it)
    columns   “A”, “B” and “C” should be in 3 columns, yours are in 1 column.
    color     S should be dark blue, yours is white.     (color_names.NAMES; of a text: its letters)
    shade     S should be a bit darker.     (darker, lighter, stronger, paler)
    font      The letters of S should be about RATIO.     (page_statements.RATIOS; wanted to got)
    bold      S should be bold, yours is not bold.     S should be not bold, yours is bold.
    align     S should be centred, yours is aligned left.     (page_statements.ALIGNS)
    shift     S should be roughly N pixels further right.     (left, right, up, down)
    gap       The space between S and O should be roughly N pixels, yours is roughly N pixels.
    width     S should take about half of the width, yours takes about a third.     (page_statements.SHARES)
    height    S should be roughly N pixels high, yours is roughly N pixels high.
    corners   The corners of S should be rounded, yours are square.     (page_statements.CORNERS)
    border    S should have a grey border, yours has no border.
    role      S should be a button, yours is a link.
    count     There should be N pictures, yours has N.     (inputs, buttons, links, headings; "1 picture", "no footer")
    order     The headings should be “A”, “B” and “C”.     (headings, links, buttons, inputs; in reading order; answers)
    right     That looks right to me.
    show      Please show me a page.
    broken    I can't see anything of your page, please send one that shows.
    unknown   I can't tell.
    refused   I won't hand over any code, but you can ask me what the page should look like.

Of one kind, with one W and one G, several are said together: ``S, S and S should be centred, yours are aligned left.``
(color, shade, font, bold, align, shift, width, height, corners, border; "yours have", "yours take"); read as one each.
The answer to a question has no "yours" part. A subject is ``the page``, ``the header``, ``the footer``, ``the heading
“X”`` (text, link, button, label, input), ``the first picture``, ``the second link “X”`` (ordinals where several have
these words), ``the first blank input``, ``the first blank box``, ``the box around “X”``, ``the background behind “X”``,
``the writing on “X”`` (a button; what is said of the button's colour is said of its face); a missing thing without
words is ``a picture``, ``an input``, ``a button`` or ``a box``; O may be just ``“X”``. A quote that ends in `` …`` is
the beginning of a longer text, one that begins with ``… `` is from its middle.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import get_args

from colbench_gym.page_language.color_names import NAMES
from colbench_gym.page_language.statements import (
    ALIGNS,
    CORNERS,
    RATIOS,
    SHARES,
    TEXT_KINDS,
    Statement,
    StatementKind,
    Subject,
    SubjectKind,
)

RIGHT = Statement("right")
SHOW = Statement("show")
BROKEN = Statement("broken")
UNKNOWN = Statement("unknown")
REFUSED = Statement("refused")

_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ASIDE = {"below": "one below the other", "to the right of": "side by side"}
_SINGULAR = {f"{noun}s": noun for noun in ("picture", "input", "button", "link", "heading", "header", "footer")}


def _one_of(words: Iterable[str]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


_QUOTE = "“[^”]*”"
_ORDINAL = rf"(?:{'|'.join(_ORDINALS)}|\d+(?:st|nd|rd|th)) "
_NOUN = rf"(?:{_one_of([*TEXT_KINDS, 'input'])})"
_SUBJECT = (
    rf"(?:[Tt]he (?:page|header|footer)|[Aa]n? (?:picture|input|box|button)|"
    rf"[Tt]he {_ORDINAL}(?:picture|blank input|blank button|blank box)|"
    rf"[Tt]he (?:{_ORDINAL})?{_NOUN} {_QUOTE}(?: of about \d+ words)?|"
    rf"[Tt]he (?:box around|background behind|writing on) (?:the {_ORDINAL})?{_QUOTE}|"
    rf"(?:[Tt]he {_ORDINAL})?{_QUOTE})"
)
_LIST = rf"{_SUBJECT}(?:(?:, | and ){_SUBJECT})*"
_COLOR = _one_of(NAMES)
_PLACE = "above|below|to the left of|to the right of"
_PIXELS = r"\d+ pixels"
_BORDER = rf"no border|an? (?:{_COLOR}) border"

TOGETHER: frozenset[StatementKind] = frozenset(
    ["color", "shade", "font", "bold", "align", "shift", "width", "height", "corners", "border"]
)
_PLURAL = {"yours is": "yours are", "yours has": "yours have", "yours takes": "yours take"}

# kind: (what is wanted, what follows where yours is told), each with the pattern of its values
_SENTENCES: dict[StatementKind, tuple[str, str, str]] = {
    "length": ("{subject} should have about {wanted} words", "yours has about {got}", r"\d+"),
    "place": ("{subject} should be {wanted} {other}", "yours is {got} it", rf"{_PLACE}|beside"),
    "columns": ("{items} should be in {wanted}", "yours are in {got}", r"\d+ columns?"),
    "color": ("{subject} should be {wanted}", "yours is {got}", _COLOR),
    "shade": ("{subject} should be a bit {wanted}", "", "darker|lighter|stronger|paler"),
    "font": ("The letters of {subject} should be about {wanted}", "", _one_of(RATIOS)),
    "bold": ("{subject} should be {wanted}", "yours is {got}", "bold|not bold"),
    "align": ("{subject} should be {wanted}", "yours is {got}", _one_of(ALIGNS.values())),
    "shift": ("{subject} should be roughly {wanted}", "", rf"{_PIXELS} further (?:left|right|up|down)"),
    "gap": ("The space between {subject} and {other} should be roughly {wanted}", "yours is roughly {got}", _PIXELS),
    "width": ("{subject} should take about {wanted} of the width", "yours takes about {got}", _one_of(SHARES)),
    "height": ("{subject} should be roughly {wanted} high", "yours is roughly {got} high", _PIXELS),
    "corners": ("The corners of {subject} should be {wanted}", "yours are {got}", _one_of(CORNERS)),
    "border": ("{subject} should have {wanted}", "yours has {got}", _BORDER),
    "role": ("{subject} should be a {wanted}", "yours is a {got}", "|".join(TEXT_KINDS)),
    "count": (
        "There should be {wanted}",
        "yours has {got}",
        rf"\d+|(?:\d+|no) (?:{_one_of([*_SINGULAR, *_SINGULAR.values()])})",
    ),
    "order": ("The {wanted} should be {items}", "", "headings|links|buttons|inputs"),
    "right": ("That looks right to me", "", ""),
    "show": ("Please show me a page", "", ""),
    "broken": ("I can't see anything of your page, please send one that shows", "", ""),
    "unknown": ("I can't tell", "", ""),
    "refused": ("I won't hand over any code, but you can ask me what the page should look like", "", ""),
}


def _pattern(kind: StatementKind, values: str, wanted: str, got: str) -> re.Pattern[str]:
    pattern = re.escape(wanted).replace(r"\ ", " ")
    if got:
        pattern += rf"(?:, {re.escape(got)})?".replace(r"\ ", " ")
    for one, several in _PLURAL.items():
        pattern = pattern.replace(one, f"(?:{one}|{several})")
    fields = {
        "subject": _LIST if kind in TOGETHER else _SUBJECT,
        "other": _SUBJECT,
        "items": _LIST,
        "wanted": values,
        "got": values,
    }
    for name, inside in fields.items():
        pattern = pattern.replace(rf"\{{{name}\}}", f"(?P<{name}>{inside})")
    return re.compile(pattern)


_PATTERNS = {kind: _pattern(kind, values, wanted, got) for kind, (wanted, got, values) in _SENTENCES.items()}
_MISSING = re.compile(
    rf"(?P<items>{_LIST}) (?:is|are) missing(?:, (?:it belongs|they belong) "
    rf"(?:at the top|(?P<place>{_PLACE}) (?P<other>{_SUBJECT}))(?:, (?P<aside>{_one_of(_ASIDE.values())}))?)?"
)
_UNWANTED = re.compile(rf"(?P<items>{_LIST}) should go")
_WORDING = re.compile(rf"The (?P<kind>{_NOUN}) should say (?P<wanted>{_QUOTE})(?:, yours says (?P<got>{_QUOTE}))?")
_SENTENCE = re.compile(r"\s*((?:“[^”]*”|[^“.])+)(?:\.|$)")
_TOP = re.compile(r"they belong at the top|it belongs at the top")


def say(statements: Sequence[Statement]) -> str:
    """One sentence for a statement, or for several of one kind that belong together.

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
        sentence = (f"{wanted}, {got}" if got and first.got else wanted).format(
            subject=listed([one.subject for one in statements if one.subject]),
            other=named(first.other) if first.other else "",
            items=listed(first.items),
            wanted=first.wanted,
            got=first.got,
        )
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
    """The statements of a reply in their order; a sentence that no pattern fits is one of kind ``unread``."""
    return tuple(
        statement for sentence in _SENTENCE.findall(reply) if sentence.strip() for statement in _read(sentence.strip())
    )


def _read(sentence: str) -> tuple[Statement, ...]:
    if match := _MISSING.fullmatch(sentence):
        return _read_missing(match, sentence)
    if match := _UNWANTED.fullmatch(sentence):
        return tuple(Statement("unwanted", subject) for subject in _subjects(match["items"]))
    if match := _WORDING.fullmatch(sentence):
        subject = _subject(f"the {match['kind']} “”")
        return (Statement("wording", subject, match["wanted"][1:-1], (match["got"] or "“”")[1:-1]),)
    for kind, pattern in _PATTERNS.items():
        if match := pattern.fullmatch(sentence):
            return _filled(kind, match.groupdict())
    return (Statement("unread", wanted=sentence),)


def _filled(kind: StatementKind, found: Mapping[str, str | None]) -> tuple[Statement, ...]:
    subjects, other, items = found.get("subject"), found.get("other"), found.get("items")
    about = _subjects(subjects) if subjects else [None]
    return tuple(
        Statement(
            kind,
            subject,
            found.get("wanted") or "",
            found.get("got") or "",
            _subject(other) if other else None,
            tuple(_subjects(items)) if items else (),
        )
        for subject in about
    )


def _read_missing(match: re.Match[str], sentence: str) -> tuple[Statement, ...]:
    subjects = _subjects(match["items"])
    if match["other"]:
        first = Statement("missing", subjects[0], match["place"], other=_subject(match["other"]))
    else:
        first = Statement("missing", subjects[0], "at the top" if _TOP.search(sentence) else "")
    chain = next((place for place, words in _ASIDE.items() if words == match["aside"]), "below")
    rest = (Statement("missing", this, chain, other=anchor(before)) for before, this in pairwise(subjects))
    return (first, *rest)


def anchor(subject: Subject) -> Subject:
    """A subject as it is named when another one is placed by it: a text by its words alone."""
    return replace(subject, kind="quote" if subject.text and subject.kind in TEXT_KINDS else subject.kind, words=0)


def named(subject: Subject) -> str:
    """A subject in words."""
    which = ordinal(subject.ordinal)
    quoted = f"“{subject.text}”"
    if subject.kind in ("page", "header", "footer"):
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
    """A place in a row; "" for 0."""
    if number <= len(_ORDINALS):
        return ("", *_ORDINALS)[number]
    return f"{number}{'th' if number // 10 % 10 == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def listed(subjects: Sequence[Subject]) -> str:
    """Subjects as they are enumerated."""
    names = [named(subject) for subject in subjects]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def _subjects(words: str) -> list[Subject]:
    return [_subject(match.group()) for match in re.finditer(_SUBJECT, words)]


_PARTS = re.compile(
    rf"(?:the|an?)?\s*(?:(?P<kind>box around|background behind|writing on)\s+)?(?:the\s+)?(?:(?P<ordinal>{_ORDINAL}))?"
    rf"(?P<noun>page|header|footer|picture|blank input|blank button|blank box|box|{_NOUN})?"
    rf"\s*(?P<quote>{_QUOTE})?(?: of about (?P<words>\d+) words)?",
    re.IGNORECASE,
)
_NOUNS: Mapping[str, str] = {"blank input": "input", "blank button": "button", "box": "blank box"}


def _subject(words: str) -> Subject:
    match = _PARTS.fullmatch(words)
    if match is None:
        raise ValueError(f"{words!r} names nothing on a page")
    noun = match["noun"] or ""
    kind = match["kind"] or _NOUNS.get(noun, noun) or "quote"
    which = (match["ordinal"] or "").strip()
    number = 0 if not which else _ORDINALS.index(which) + 1 if which in _ORDINALS else int(which[:-2])
    text = (match["quote"] or "“”")[1:-1]
    return Subject(_KINDS[kind], text, number, int(match["words"] or 0))


_KINDS: Mapping[str, SubjectKind] = {kind: kind for kind in get_args(SubjectKind)}
