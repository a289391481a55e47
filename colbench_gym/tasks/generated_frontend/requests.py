"""The request for a page: a voice, an aim, and some of the decisions; the rest stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b

from colbench_gym.tasks.generated_frontend.aspects import Aspect, aspects_of
from colbench_gym.tasks.generated_frontend.page import Page
from colbench_gym.tasks.permutation import Draw

MIN_WORDS, MAX_WORDS = 20, 60  # ours: of a request; the official ones have about 40
TOLD: Mapping[str, tuple[int, int]] = {"easy": (6, 8), "medium": (3, 5), "default": (3, 5), "hard": (1, 2)}  # ours
MAX_WORDINGS = 400  # ours: drawn for one page until one belongs to its split
_SIXTEENTHS: Mapping[str, range] = {  # of all wordings, names left out: no split shares one with another
    "train": range(6),
    "validation": range(6, 8),
    "test": range(8, 11),
    "test_compositions": range(11, 13),
    "test_domains": range(13, 16),
}

_OPENINGS = (
    "{Called}: {a_style} page{with_}. {manner} It should {aim}.",
    "We are {a_called} called {name} and need a website{with_}. {manner} Above all it should {aim}.",
    "{name}, {a_called}. Please make us a page{with_}. {manner} The point is to {aim}.",
    "Could you design a one-page site for {a_called}{with_}? {manner} It has to {aim}. We go by the name of {name}.",
    "I work for {a_called}, {name}, and our old site is gone. I would like {a_style} one{with_}. {manner} "
    "It must {aim}.",
    "{Called} site, {style}: {parts}. {manner} The name is {name}; the goal is to {aim}.",
    "My sister works for {a_called} named {name}. She dreams of {a_style} page{with_}. {manner} It ought to {aim}.",
    "Landing page for {name} ({called}){with_}. {manner} What matters most: {aim}.",
    "Our {called} opens again next month and {name} has no page yet. Something {style}{with_}. {manner} May it {aim}.",
    "{name} needs a new face on the web. It is {a_called}; I see {a_style} layout{with_}. {manner} It has to {aim}.",
    "Hello! A page for our {called} {name}, please, {style}{with_}. {manner} If it can {aim}, we are happy.",
    "{Called} {name}: the page opens with what makes us special{and_}. {manner} It should be {style} and {aim}.",
)
_NAMELESS = (
    "{Called}: {a_style} page{with_}. {manner} It should {aim}.",
    "A website for {a_called}, {style}{with_}. {manner} It has to {aim}.",
    "I need {a_style} page for {a_called}{with_}. {manner} Above all, {aim}.",
)
_STYLES = (
    "modern", "clean", "friendly", "elegant", "simple", "warm", "serious", "playful", "tidy", "inviting", "calm",
    "lively", "minimal", "classic", "bold", "cosy", "trustworthy", "fresh", "quiet", "confident",
)  # fmt: skip
_MANNERS = (
    "The whole thing comes {}.", "Make it {}.", "I see it {}.", "Everything {}, please.", "It should be done {}.",
    "We like it {}.",
)  # fmt: skip
_CLOSINGS = (
    "The details are in my head; ask me.",
    "I will tell you when something is off.",
    "You will have to ask about the rest.",
    "I know how the rest should look, so show me drafts.",
    "Let us find the rest together.",
)


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
    aspects = [aspect for aspect in aspects_of(page) if aspect.phrases]
    for _ in range(MAX_WORDINGS):
        told = draw.some(aspects, draw.between(*TOLD[difficulty]))
        named = difficulty != "hard" or draw.below(2) == 0
        text = _word(draw, page, told, named)
        if MIN_WORDS <= len(text.split()) <= MAX_WORDS and split_of(text, page.name) == split:
            named_aspect = [aspect for aspect in aspects_of(page) if aspect.key == "name" and page.name in text]
            return text, (*named_aspect, *told)
    raise RuntimeError(f"got no request of {split!r} in {MAX_WORDINGS} wordings; expected one")


def _word(draw: Draw, page: Page, told: Sequence[Aspect], named: bool) -> str:
    parts = [draw.pick(aspect.phrases) for aspect in told if aspect.form == "part"]
    manners = [draw.pick(aspect.phrases) for aspect in told if aspect.form == "manner"]
    called, style = draw.pick(page.domain.called), draw.pick(_STYLES)
    listed = enumerate_(parts)
    frames = [frame for frame in (_OPENINGS if named else _NAMELESS) if parts or "{parts}" not in frame]
    text = draw.pick(frames).format(
        name=page.name,
        called=called,
        Called=called[:1].upper() + called[1:],
        a_called=a(called),
        style=style,
        a_style=a(style),
        parts=listed,
        with_=f" with {listed}" if parts else "",
        and_=f" and has {listed}" if parts else "",
        manner=draw.pick(_MANNERS).format(enumerate_(manners)) if manners else "",
        aim=draw.pick(page.domain.aims),
    )
    text = " ".join(text.split())
    text = text[:1].upper() + text[1:]
    if len(text.split()) < MIN_WORDS or draw.below(3) == 0:
        text += f" {draw.pick(_CLOSINGS)}"
    return text


def enumerate_(phrases: Sequence[str]) -> str:
    """Return phrases as one list."""
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}" if phrases else ""


def a(noun: str) -> str:
    """Return a noun with its indefinite article."""
    vowel = noun[0] in "aeiou" and not noun.startswith(("uni", "one"))
    return f"{'an' if vowel else 'a'} {noun}"
