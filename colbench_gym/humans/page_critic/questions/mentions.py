"""The things that a text names, each with its place and which of several it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from colbench_gym.humans.page_critic.questions.vocabulary import CONCEPTS, Concept

_PLACED = re.compile(r"^\W*(?:in|inside|within|on|at|of|for|from|into) (?:\w+ ){0,4}$")
_TOUCHING = re.compile(r"^(?:'s)?[\s-]*$")
_SIDE = re.compile(r"\b(left|right|middle|cent(?:er|re)|first|second|third|last|bottom|top)(?:[- ]hand)?(?: \w+)?\s*$")
_OWN_SIDE = re.compile(r"^(left|right)\b")
_BOTH = re.compile(r"\bleft(?:[- ]hand)?(?: \w+)? (?:and|or|versus|vs|from) (?:the )?right")


@dataclass(frozen=True)
class Mention:
    """One thing that a question names.

    Attributes:
        concept: what it is.
        words: the noun as it was asked.
        start: of the noun in the question.
        where: the thing that it is part of: the footer, in "the links in the footer".
        side: which of several: "left", "first", "main".
        plural: whether it names more than one.
        where_side: which of several places: "left", in "the heading of the left column".
        end: of the noun in the question.
    """

    concept: Concept
    words: str
    start: int
    where: Concept | None = None
    side: str = ""
    plural: bool = False
    where_side: str = ""
    end: int = 0


_ASIDE = re.compile(
    r"\b(?:besides|apart from|aside from|other than|except(?: for)?|in addition to) (?:the |a |an |my |your )?"
    r"(?:[\w'-]+ ){0,2}?[\w'-]+(?=[,?.!]| and | that | which | is | are |$)"
)
_MENTION = re.compile("|".join(rf"(?P<c{n}>\b(?:{pattern})\b)" for n, (_, pattern) in enumerate(CONCEPTS)))


def read_mentions(lower: str) -> tuple[Mention, ...]:
    """Return the things that a text in lower case names; of "the links in the footer" the links, with their place."""
    raw: list[Mention] = []
    ends: list[int] = []
    for match in _MENTION.finditer(_ASIDE.sub(lambda aside: " " * len(aside.group()), lower)):
        concept = CONCEPTS[int((match.lastgroup or "c0")[1:])][0]
        before = lower[max(0, match.start() - 24) : match.start()]
        side = None if _BOTH.search(before) else _SIDE.search(before)
        words = match.group()
        raw.append(
            Mention(
                concept,
                words,
                match.start(),
                None,
                side[1] if side else own[1] if (own := _OWN_SIDE.search(words)) else "",
                words.endswith("s") and concept != "text",
                end=match.end(),
            )
        )
        ends.append(match.end())
    mentions: list[Mention] = []
    used: set[int] = set()
    for index, mention in enumerate(raw):
        if index in used:
            continue
        while index + 1 < len(raw) and _TOUCHING.search(lower[ends[index] : raw[index + 1].start]):
            mention = _modified(mention, raw[index + 1])  # "menu links": the last noun is what is meant
            index += 1
            used.add(index)
        if mention.words in _MANY and index + 1 < len(raw) and _OF.search(lower[ends[index] : raw[index + 1].start]):
            continue  # "a grid of six cards" are cards
        if mention.where not in (None, *PLACES):
            mention = replace(mention, where=None)
        if index + 1 < len(raw) and _PLACED.search(lower[ends[index] : raw[index + 1].start]):
            place = raw[index + 1]
            if place.concept in ("button", "link", "input") and mention.concept in ("label", "text", "caption"):
                continue  # "the label of the button": the button is read next, with its own place
            if mention.concept in ("background", "letters") and place.concept in ("section", "card", "item", "heading"):
                continue  # "the background of the news section": the section is read next
            noun = raw[index + 2] if index + 2 < len(raw) else None
            compound = noun is not None and _TOUCHING.search(lower[ends[index + 1] : noun.start]) is not None
            if compound and noun is not None and noun.concept in ("title", "heading", "button", "link", "picture"):
                mentions.append(mention)
                continue  # "the wording of the hero headline": the headline is read next, with its own place
            if place.concept in PLACES and mention.concept != place.concept:
                after = index + 1
                mention = replace(mention, where=place.concept, where_side=place.side)
                used.add(after)
                while after + 1 < len(raw) and _TOUCHING.search(lower[ends[after] : raw[after + 1].start]):
                    after += 1
                    used.add(after)
        mentions.append(mention)
    return tuple(mentions)


_MANY = ("grid", "blocks", "block")  # of other things
_OF = re.compile(r"^ of (?:\w+ ){0,3}$")
PLACES: tuple[Concept, ...] = (
    "header", "navigation bar", "sidebar", "footer", "hero section", "column", "card", "picture", "form", "page",
    "button", "section",
)  # fmt: skip


_AREAS: tuple[Concept, ...] = ("header", "navigation bar", "sidebar", "footer", "hero section", "form", "card")


def _modified(modifier: Mention, head: Mention) -> Mention:
    if head.concept == "text" and modifier.concept in (*_AREAS, "item"):
        where = modifier.concept if modifier.concept in _AREAS else None
        return replace(head, where=where, words=f"{modifier.words} {head.words}", start=modifier.start)
    if head.concept == "section" and modifier.concept == "item":
        return replace(modifier, end=head.end)  # "a testimonials section": what is in it tells it
    if head.concept in ("background", "letters", "section", "label", "caption", "text") and modifier.concept != "page":
        if head.concept in ("background", "letters") or modifier.concept not in ("button", "link"):
            return replace(modifier, words=f"{modifier.words} {head.words}", end=head.end)
        return (
            replace(head, where=modifier.concept)
            if head.concept == "section"
            else replace(modifier, words=f"{modifier.words} {head.words}", end=head.end)
        )
    if modifier.concept == "social" or (head.concept == "picture" and modifier.concept in ("logo", "icon")):
        return replace(modifier, end=head.end)
    if modifier.concept not in PLACES or head.concept == "page":
        return replace(head, words=f"{modifier.words} {head.words}", end=head.end)
    return replace(
        head,
        where=modifier.concept,
        side=head.side or modifier.side,
        words=f"{modifier.words} {head.words}",
        start=modifier.start,
    )
