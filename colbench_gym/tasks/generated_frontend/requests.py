"""The request for a page: kind of site, mood, a few wishes and perhaps a purpose; the rest stays open."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b

from colbench_gym.tasks.generated_frontend.aspects import PLACES, VOICES, Aspect, aspects_of, spoken
from colbench_gym.tasks.generated_frontend.page import Page
from colbench_gym.tasks.generated_frontend.wordings import lines_of, lists_in
from colbench_gym.tasks.permutation import Draw

MIN_WORDS, MAX_WORDS = 20, 65  # ours: of a request; the official ones have about 40
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
_NAMED = {"easy": 80, "medium": 75, "hard": 65}  # per cent: how often the name is told
_AIMED, _ADDED = 35, 35  # per cent: how often a purpose is told, and a sentence that tells nothing of the page
_BRIEF = 50  # per cent of requests that speak of the page alone


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
    every = aspects_of(page)
    aspects = [aspect for aspect in every if aspect.phrases]
    for _ in range(MAX_WORDINGS):
        told = draw.some(aspects, draw.between(*TOLD[level]))
        named = draw.below(100) < _NAMED[level]
        text = _word(draw, page, sorted(told, key=every.index), named)
        if MIN_WORDS <= len(text.split()) <= MAX_WORDS and split_of(text, page.name) == split:
            named_aspect = [aspect for aspect in every if aspect.key == "name" and page.name in text]
            return text, (*named_aspect, *told)
    raise RuntimeError(f"got no request of {split!r} in {MAX_WORDINGS} wordings; expected one")


@lru_cache(maxsize=1)
def _frames() -> Mapping[str, tuple[str, ...]]:
    """Return the sentences of requests by who speaks and what they tell, such as ``client top``."""
    found: dict[str, list[str]] = {}
    for line in lines_of("frames"):
        use, _, frame = line.partition(": ")
        found.setdefault(use, []).append(frame)
    return {use: tuple(frames) for use, frames in found.items()}


def _word(draw: Draw, page: Page, told: Sequence[Aspect], named: bool) -> str:
    domain, lists = page.domain, lists_in("voice")
    called = draw.pick([one for one in domain.called if one.split()[-1] not in page.name.lower()] or domain.called)
    voice = "brief" if draw.below(100) < _BRIEF else "person" if called in lists["persons"] else "client"
    speaker = "client" if voice == "person" else voice
    groups: dict[str, list[str]] = {}
    for aspect in told:
        groups.setdefault(aspect.place, []).append(spoken(draw.pick(aspect.phrases), domain, voice))
    first = draw.pick([place for place in groups if place != "foot"] or ["foot"])
    if "foot" in groups and "body" in groups and voice != "brief" and draw.below(2):
        groups["body"] += groups.pop("foot")
    who, who_d = ("We", "We'd") if voice == "client" and draw.below(2) else ("I", "I'd")
    heard = " ".join(phrase for phrases in groups.values() for phrase in phrases)
    style, style2 = draw.some([mood for mood in lists[domain.mood[0]] if mood not in heard], 2)
    nouns = {"called": called, "a_called": a(called), "a_style": a(style)}
    words = nouns | {name.capitalize(): text[:1].upper() + text[1:] for name, text in nouns.items()}
    words |= {"name": page.name, "style": style, "style2": style2, "design": draw.pick(lists["design"])}
    words |= {"I": who, "I_d": who_d, "people": domain.people[0], "aim": draw.pick(domain.aims), **VOICES[voice]}
    sentences = [_said(draw, f"{voice} {'named' if named else 'open'}", words, groups.pop(first))]
    sentences += [_said(draw, f"{speaker} {place}", words, groups[place]) for place in PLACES if place in groups]
    if draw.below(100) < _AIMED:
        sentences.insert(draw.pick((1, len(sentences))), _said(draw, f"{speaker} aim", words, ()))
    if draw.below(100) < _ADDED:
        sentences.append(_said(draw, f"{speaker} more", words, ()))
    return " ".join(sentences)


def _said(draw: Draw, use: str, words: Mapping[str, str], phrases: Sequence[str]) -> str:
    """Return one sentence with some phrases; within it who speaks is small."""
    listed = enumerate_(phrases)
    frame = draw.pick(_frames()[use])
    text = frame.format(**words, list=listed, List=listed[:1].upper() + listed[1:], with_=f" with {listed}")
    return re.sub(r"(?<=[a-z,] )We\b", "we", text)


def enumerate_(phrases: Sequence[str]) -> str:
    """Return phrases as one list."""
    return phrases[0] if len(phrases) == 1 else f"{', '.join(phrases[:-1])} and {phrases[-1]}" if phrases else ""


def a(noun: str) -> str:
    """Return a noun with its indefinite article."""
    vowel = noun[0] in "aeiou" and not noun.startswith(("uni", "one"))
    return f"{'an' if vowel else 'a'} {noun}"
