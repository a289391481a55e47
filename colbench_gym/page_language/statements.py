"""Statements about a page, as data: their subjects and the words for sizes, shares and corners."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from colbench_gym.jsonl import read_toml

QUOTED_WORDS = 10  # ours: at most so many words of a text in one quote
QUOTED_CHARS = 70  # ours: and so many characters
MORE = " …"  # ends a quote that is not the whole text

SubjectKind = Literal[
    "page",
    "page background",
    "header",
    "footer",
    "heading",
    "text",
    "link",
    "button",
    "label",
    "picture",
    "input",
    "blank box",
    "box around",
    "background behind",
    "writing on",
    "quote",
    "navigation bar",
    "sidebar",
    "logo",
    "hero section",
    "form",
    "left column",
    "middle column",
    "right column",
]
TEXT_KINDS: tuple[SubjectKind, ...] = ("heading", "text", "link", "button", "label")
StatementKind = Literal[
    "missing",
    "unwanted",
    "wording",
    "length",
    "place",
    "columns",
    "color",
    "shade",
    "font",
    "bold",
    "align",
    "shift",
    "gap",
    "width",
    "height",
    "corners",
    "border",
    "role",
    "count",
    "order",
    "right",
    "show",
    "broken",
    "unknown",
    "refused",
    "unread",
    "holds",
]
Verdict = Literal["", "yes", "no"]


@dataclass(frozen=True)
class Subject:
    """Thing that a statement is about, such as ``the second link “Learn more”``.

    Attributes:
        kind: what it is. ``box around`` and ``background behind`` belong to the text that is quoted, ``writing on`` to
            the button with these words; ``quote`` is a text whatever its role.
        text: what stands there, as :func:`quote` has it; empty for what has no words (the page, a picture).
        ordinal: which of those with this text, from 1 in reading order; 0 where the words name only one.
        words: how many words the whole text has, where the quote is cut and the statement says it; else 0.
    """

    kind: SubjectKind
    text: str = ""
    ordinal: int = 0
    words: int = 0


@dataclass(frozen=True)
class Statement:
    """One thing said of the two pages.

    Attributes:
        kind: which sentence says it, see the table in :mod:`colbench_gym.page_language.sentences`.
        subject: what it is about; None where that is the whole page or everything.
        wanted: how the human wants it, in the words of the sentence.
        got: how it is on the agent's page; empty where the sentence does not say.
        other: the second thing, for ``place``, ``gap`` and ``missing``.
        items: the things enumerated, for ``columns``, ``order``, ``count``, ``holds``.
        verdict: the answer to a yes/no question that this statement is the reason of; empty without one.
    """

    kind: StatementKind
    subject: Subject | None = None
    wanted: str = ""
    got: str = ""
    other: Subject | None = None
    items: tuple[Subject, ...] = ()
    verdict: Verdict = ""


WORDS = read_toml(Path(__file__).with_name("words.toml"))
SHARES: Mapping[str, float] = WORDS["shares"]
RATIOS: Mapping[str, float] = WORDS["ratios"]
CORNERS: Mapping[str, float] = WORDS["corners"]
ALIGNS: Mapping[str, str] = WORDS["aligns"]
_SMALLEST_STEP = 10  # pixels


def share_words(share: float) -> str:
    """Return the nearest share of a width in words."""
    return min(SHARES, key=lambda words: abs(SHARES[words] - share))


def ratio_words(ratio: float) -> str:
    """Return the nearest ratio in words; at least a bit."""
    return min(RATIOS, key=lambda words: abs(RATIOS[words] / ratio - ratio / RATIOS[words]))


def pixel_words(pixels: float) -> str:
    """Return a length as a person estimates it: to 10 pixels, to 50 from 400 on."""
    step = _SMALLEST_STEP if pixels < 400 else 5 * _SMALLEST_STEP
    return f"{step * round(pixels / step)} pixels"


def pixels_of(words: str) -> float:
    """Return the length that :func:`pixel_words` said."""
    return float(words.split()[0])


def corner_words(radius_px: float, height_px: float) -> str:
    """Return how round a corner looks on something of that height."""
    if radius_px < 1.5:
        return "square"
    if radius_px >= 0.45 * height_px:
        return "fully round"
    return min(("slightly rounded", "rounded", "strongly rounded"), key=lambda words: abs(CORNERS[words] - radius_px))


def plain(text: str) -> str:
    """Return a text without marks that the critic's own sentences need, and with single blanks."""
    return " ".join(text.translate(_NO_MARKS).split())


def quote(text: str, max_words: int = QUOTED_WORDS, max_chars: int = QUOTED_CHARS) -> str:
    """Return the first words of a text as they are quoted, with :data:`MORE` where the text goes on."""
    words = plain(text).split()
    kept: list[str] = []
    for word in words[:max_words]:
        if len(" ".join([*kept, word])) > max_chars:
            break
        kept.append(word)
    if not kept and words:
        kept = [words[0][:max_chars]]
    whole = " ".join(kept)
    return whole if whole == " ".join(words) else whole + MORE


def count_words(text: str) -> int:
    """Return how many words a text has."""
    return len(text.split())


_NO_MARKS = {ord("“"): "'", ord("”"): "'", ord("…"): "..."}  # of our own sentences
