"""The request for a page: kind of site, mood, a few wishes and perhaps a purpose; the rest stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from colbench_gym.tasks.generated_frontend.aspects import Aspect, aspects_of
from colbench_gym.tasks.generated_frontend.page import Page
from colbench_gym.tasks.generated_frontend.wordings import lines_of, lists_in
from colbench_gym.tasks.permutation import Draw

MIN_WORDS, MAX_WORDS = 15, 65  # ours: of a request; the official ones have about 40
TOLD: Mapping[str, tuple[int, int]] = {"easy": (5, 7), "medium": (3, 4), "hard": (1, 2)}  # ours: decisions told
_MIXED = ("easy", "medium", "medium", "hard")  # levels of a set without a difficulty
MAX_WORDINGS = 400  # ours: drawn for one page until one belongs to its split
_SIXTEENTHS: Mapping[str, range] = {  # of all wordings, names left out: no split shares one with another
    "train": range(6),
    "validation": range(6, 8),
    "test": range(8, 11),
    "test_compositions": range(11, 13),
    "test_domains": range(13, 16),
}
_AIMED = 50  # per cent: how often a purpose is told


def split_of(description: str, name: str) -> str:
    """Return the split to which a wording belongs, by a hash of it without the name and numbers."""
    masked = re.sub(r"\d+", "0", description.replace(name, "")).casefold()
    sixteenth = blake2b(masked.encode(), digest_size=1).digest()[0] % 16
    return next(split for split, share in _SIXTEENTHS.items() if sixteenth in share)


def draw_request(draw: Draw, page: Page, split: str, difficulty: str) -> tuple[str, tuple[Aspect, ...]]:
    """Return a request that belongs to a split, and the decisions that it tells.

    Raises:
        RuntimeError: no wording of the split was drawn.
    """
    level = draw.pick(_MIXED) if difficulty == "default" else difficulty
    aspects = [aspect for aspect in aspects_of(page) if aspect.phrases]
    for _ in range(MAX_WORDINGS):
        told = draw.some(aspects, draw.between(*TOLD[level]))
        named = level != "hard" or draw.below(2) == 0
        text = _word(draw, page, told, named)
        if MIN_WORDS <= len(text.split()) <= MAX_WORDS and split_of(text, page.name) == split:
            named_aspect = [aspect for aspect in aspects_of(page) if aspect.key == "name" and page.name in text]
            return text, (*named_aspect, *told)
    raise RuntimeError(f"got no request of {split!r} in {MAX_WORDINGS} wordings; expected one")


def _word(draw: Draw, page: Page, told: Sequence[Aspect], named: bool) -> str:
    parts = [draw.pick(aspect.phrases) for aspect in told if aspect.form == "part"]
    manners = [draw.pick(aspect.phrases) for aspect in told if aspect.form == "manner"]
    with_ = [manner.removeprefix("with ") for manner in manners if manner.startswith("with ")]
    manners = [manner for manner in manners if not manner.startswith("with ")]
    manners += [f"with {enumerate_(with_)}"] if with_ else []
    called, style, listed = draw.pick(page.domain.called), draw.pick(lists_in("voice")["style"]), enumerate_(parts)
    aim = draw.pick(lists_in("voice")["aim"]).format(draw.pick(page.domain.aims)) if draw.below(100) < _AIMED else ""
    text = draw.pick(lines_of("openings" if named else "nameless")).format(
        name=page.name,
        called=called,
        Called=called[:1].upper() + called[1:],
        a_called=a(called),
        A_called=a(called).capitalize(),
        style=style,
        a_style=a(style),
        A_style=a(style).capitalize(),
        with_=f" with {listed}" if parts else "",
        plus_=f", with {listed}" if parts else "",
        and_=f" and have {listed}" if parts else "",
        manner=draw.pick(lists_in("voice")["manner"]).format(", ".join(manners)) if manners else "",
        aim=aim,
    )
    return " ".join(text.split())


def enumerate_(phrases: Sequence[str]) -> str:
    """Return phrases as one list."""
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}" if phrases else ""


def a(noun: str) -> str:
    """Return a noun with its indefinite article."""
    vowel = noun[0] in "aeiou" and not noun.startswith(("uni", "one"))
    return f"{'an' if vowel else 'a'} {noun}"
