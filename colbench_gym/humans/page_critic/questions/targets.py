"""The things of the wanted page that a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.humans.page_critic.questions.reading import Mention, Question
from colbench_gym.humans.page_critic.questions.vocabulary import Concept
from colbench_gym.humans.page_critic.regions import Region, Regions
from colbench_gym.humans.page_critic.view import Part, View
from colbench_gym.page_language.statements import Subject, SubjectKind
from colbench_gym.rendering.layout import Element, Rect

_CLOSING = re.compile(r"©|\bcopyright\b|\brights reserved\b", re.IGNORECASE)
_CONTACT = re.compile(
    r"@|\d{3}[-. ]\d{3,4}|\b\d+ \w+ (?:st|street|road|rd|ave|avenue|lane)\b|\bphone\b|\bemail\b", re.IGNORECASE
)
_SOCIAL = re.compile(r"\b(?:facebook|twitter|instagram|linkedin|youtube|tiktok|social|follow us)\b", re.IGNORECASE)
_KIND_OF: dict[Concept, SubjectKind] = {
    "heading": "heading", "text": "text", "link": "link", "button": "button", "picture": "picture", "input": "input",
    "label": "label",
}  # fmt: skip
_COVERING = re.compile(r"\b(?:full[- ](?:width|screen|bleed|page)|background|cover|huge)\b")
_LARGE = re.compile(r"\b(?:large|big|banner)\b")
_HERO_PX = 500.0  # a picture that begins lower is no hero image
_NEAR_PX = 40.0  # so far from a picture a text still is its caption


@dataclass(frozen=True)
class Target:
    """One thing that a question names, as it is on the wanted page.

    Attributes:
        mention: how it was named.
        parts: the parts of the page that it means, in reading order.
        region: the area that it means.
        boxes: the boxes that it means: cards.
        is_there: whether the page has it.
    """

    mention: Mention
    parts: tuple[Part, ...] = ()
    region: Region | None = None
    boxes: tuple[Element, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether the page has it."""
        return bool(self.parts or self.boxes) or self.region is not None or self.mention.concept == "page"

    @property
    def rect(self) -> Rect | None:
        """Where its first thing is."""
        if self.region is not None:
            return self.region.rect
        return self.parts[0].rect if self.parts else self.boxes[0].rect if self.boxes else None


def resolve(question: Question, regions: Regions) -> list[Target]:
    """Return the targets of a question; texts that it quotes or spells out come instead of their kind."""
    named = named_parts(question, regions.view)
    targets = [_resolve(mention, question, regions) for mention in _placed(question)]
    if named and not any(set(named) & set(target.parts) for target in targets):
        concepts = {mention.concept for mention in question.mentions}
        if concepts <= {"heading", "title", "text", "label", "caption", "item", "page", "card", "section", "letters"}:
            return [Target(Mention("text", "text", 0), named)]
    return [
        replace(target, parts=tuple(part for part in target.parts if part in named) or target.parts)
        for target in targets
    ]


def _placed(question: Question) -> list[Mention]:
    """Return the mentions; in "how many links does the footer contain" the links are those of the footer."""
    areas = [mention for mention in question.mentions if mention.concept in _AREAS]
    if (
        question.form != "wh"
        or len(areas) != 1
        or question.quality not in ("count", "wording", "contents", "color", None)
    ):
        return list(question.mentions)
    area = areas[0]
    if area.concept == "navigation bar" and question.mentions[0].concept == "item":
        return [replace(question.mentions[0], concept="link")]
    return [
        replace(mention, where=area.concept)
        if mention.concept in _KIND_OF and mention.where is None and mention.start < area.start
        else mention
        for mention in question.mentions
    ]


_AREAS: tuple[Concept, ...] = ("header", "navigation bar", "sidebar", "footer", "hero section", "form")


def named_parts(question: Question, view: View) -> tuple[Part, ...]:
    """Return the texts whose words stand in the question: in quotes, or as two words and more, or capitalised."""
    quoted = {" ".join(words.lower().split()).rstrip(".,") for words in question.quoted}
    found = []
    for part in view.texts:
        name = part.name.lower()
        if name in quoted:
            found.append(part)
        elif len(name) > 3 and name in question.text:
            several = " " in name and len(name) > 7
            capital = part.name[0].isupper() and re.search(
                rf"(?<=\w )['\"]?{re.escape(part.name)}\b", question.original
            )
            if several or capital:
                found.append(part)
    return tuple(found)


def subject_of(part: Part, regions: Regions) -> Subject:
    """Return how a part of the wanted page is named."""
    if part is regions.logo:
        return Subject("logo")
    return regions.view.subject(part)


def area_of(concept: Concept, regions: Regions) -> Region | None:
    """Return the area that a word stands for."""
    return {
        "header": regions.header,
        "navigation bar": regions.navigation,
        "sidebar": regions.sidebar,
        "footer": regions.footer,
        "hero section": regions.hero,
        "form": regions.form,
    }.get(concept)


def _resolve(mention: Mention, question: Question, regions: Regions) -> Target:
    concept = mention.concept
    if concept in ("header", "navigation bar", "sidebar", "footer", "hero section", "form"):
        region = area_of(concept, regions)
        if concept == "form" and "newsletter" in mention.words and region:
            region = region if _says(regions.view, "newsletter") or _says(regions.view, "subscribe") else None
        return Target(mention, region=region)
    if concept == "column" and mention.where in ("footer", "header", "sidebar"):
        return Target(replace(mention, concept=mention.where), region=area_of(mention.where, regions))
    if concept == "column":
        return _columns(mention, regions)
    if concept == "card":
        return _cards(mention, regions)
    if concept == "text" and mention.where == "picture":
        return Target(mention, _within(regions.view.texts, mention, regions))
    if concept == "background":
        return _background(mention, regions)
    parts = _parts(mention, question, regions)
    if concept in ("button", "link") and question.form != "wh":
        parts = _with_words(parts, mention, question)
    return Target(mention, _of_side(parts, mention, regions))


def _with_words(parts: tuple[Part, ...], mention: Mention, question: Question) -> tuple[Part, ...]:
    """Return the buttons that say what stands before the noun: of "a sign-up button" those that say so."""
    before = question.text[max(0, mention.start - 30) : mention.start]
    after = question.text[mention.end : mention.end + 40]
    words = _ACTION.findall(before) + (
        _ACTION.findall(after) if re.match(r"\W*(?:such as|like|for|to)\b", after) else []
    )
    if not words:
        return parts
    flat = [re.sub(r"\W", "", word) for word in words]
    return tuple(part for part in parts if any(word in re.sub(r"\W", "", part.name.lower()) for word in flat))


_ACTION = re.compile(
    r"\b(log[- ]?in|sign[- ]?up|sign[- ]?in|register|subscribe|donate|volunteer|book|buy|order|shop|search|"
    r"contact|learn more|read "
    r"more|download|submit|send|apply|join|reserve|start)\b"
)


def _parts(mention: Mention, question: Question, regions: Regions) -> tuple[Part, ...]:
    concept, view = mention.concept, regions.view
    single: dict[Concept, Part | None] = {"title": regions.title, "subtitle": regions.subtitle, "logo": regions.logo}
    if concept in single:
        part = single[concept]
        return (part,) if part else ()
    if concept == "link" and mention.where is None:
        links = tuple(part for part in regions.links if part.kind == "link")
        return links or tuple(part for part in view.texts if part.kind == "link")
    if concept == "picture":
        return _pictures(mention, question, regions)
    word = _stem(mention.words.split()[-1])
    lists: dict[Concept, tuple[Part, ...]] = {
        "icon": regions.icons,
        "search field": tuple(part for part in regions.inputs if "search" in part.name.lower()),
        "copyright": tuple(part for part in view.texts if part.block and _CLOSING.search(part.block.text)),
        "social": tuple(part for part in view.texts if part.block and _SOCIAL.search(part.block.text)),
        "contact": tuple(part for part in view.texts if part.block and _CONTACT.search(part.block.text)),
        "section": tuple(part for part in view.texts if part.kind == "heading"),
        "caption": captions(regions) if not mention.where else (),
        "letters": view.texts[:1],
        "item": tuple(part for part in view.texts if part.block and word in part.block.text.lower()),
        "map": (), "table": (), "page": (),
    }  # fmt: skip
    found = lists.get(concept)
    if found is None:
        kind = _KIND_OF.get(concept, "text")
        found = tuple(part for part in view.things if part.kind == kind)
        if concept == "heading" and not mention.plural and not mention.side and mention.where in (None, "page"):
            found = (regions.title,) if regions.title else found
        if concept == "text":
            found = found or tuple(part for part in view.texts if part.kind != "link")
    if concept == "item" and any(part.kind == "heading" for part in found):
        found = tuple(part for part in found if part.kind == "heading")
    return _within(found, mention, regions) or (found if concept in lists else ())


def _pictures(mention: Mention, question: Question, regions: Regions) -> tuple[Part, ...]:
    """Return the pictures; of a large one only those that are, of the hero section also what lies behind it."""
    pictures = regions.pictures
    if mention.where in ("hero section", "header"):
        area = area_of(mention.where, regions)
        behind = regions.behind(area.rect) if area else None
        pictures = tuple(part for part in pictures if area and (inside(part.rect, area.rect) or part is behind))
        if area and area.color is None and not pictures:
            pictures = tuple(part for part in regions.pictures if inside(area.rect, part.rect))
    elif mention.where:
        pictures = _within(pictures, mention, regions)
    before = question.text[max(0, mention.start - 25) : mention.start] if question.form != "proposal" else ""
    told = f"{before} {mention.words}"
    width = regions.view.layout.width
    if "hero" in told and not pictures:
        pictures = tuple(part for part in regions.pictures if part is not regions.logo and part.rect.y < _HERO_PX)
    least = 0.5 if _COVERING.search(told) else 0.3 if _LARGE.search(told) else 0.0
    return tuple(part for part in pictures if part.rect.width >= least * width)


def _within(parts: Sequence[Part], mention: Mention, regions: Regions) -> tuple[Part, ...]:
    if mention.where in (None, "page", "section"):
        return tuple(parts)
    if mention.where == "column":
        areas = [region.rect for region in _columns(Mention("column", "", 0, side=mention.where_side), regions).areas]
    elif mention.where == "card":
        areas = [box.rect for box in regions.cards]
    elif mention.where == "picture":
        areas = [part.rect for part in regions.pictures]
    elif mention.where == "button":
        return tuple(part for part in regions.view.texts if part.kind == "button")
    else:
        area = area_of(mention.where, regions)
        areas = [area.rect] if area else []
    return tuple(part for part in parts if any(inside(part.rect, rect) for rect in areas))


@dataclass(frozen=True)
class ColumnsTarget(Target):
    """The columns that a question names.

    Attributes:
        areas: from left to right.
    """

    areas: tuple[Region, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether the page has columns."""
        return bool(self.areas)


def _columns(mention: Mention, regions: Regions) -> ColumnsTarget:
    areas = regions.columns
    nth = {
        "left": 0,
        "first": 0,
        "right": -1,
        "last": -1,
        "second": 1,
        "middle": 1,
        "center": 1,
        "centre": 1,
        "third": 2,
    }
    if mention.side in nth and areas and not mention.plural:
        index = nth[mention.side]
        areas = (areas[index],) if index < len(areas) else ()
    return ColumnsTarget(mention, region=areas[0] if len(areas) == 1 else None, areas=areas)


def _cards(mention: Mention, regions: Regions) -> Target:
    boxes = regions.cards
    labels = tuple(part for box in boxes if (part := regions.view.label(box)))
    return Target(mention, labels, boxes=boxes)


def _background(mention: Mention, regions: Regions) -> Target:
    if (
        mention.where
        and mention.where != "page"
        and mention.where in ("header", "navigation bar", "sidebar", "footer", "hero section")
    ):
        return Target(mention, region=area_of(mention.where, regions))
    return Target(Mention("page", mention.words, mention.start))


def _of_side(parts: tuple[Part, ...], mention: Mention, regions: Regions) -> tuple[Part, ...]:
    if len(parts) < 2 or not mention.side or mention.plural:
        return parts
    order = {"first": 0, "second": 1, "third": 2, "last": -1}
    if mention.side in order:
        index = order[mention.side]
        return (parts[index],) if index < len(parts) else ()
    width = regions.view.layout.width
    keys = {
        "left": lambda part: part.rect.x,
        "right": lambda part: -part.rect.x - part.rect.width,
        "top": lambda part: part.rect.y,
        "bottom": lambda part: -part.rect.y,
    }
    key = keys.get(mention.side, lambda part: abs(part.rect.x + part.rect.width / 2 - width / 2))
    return (min(parts, key=key),)


def captions(regions: Regions) -> tuple[Part, ...]:
    """Return the texts that stand right below a picture, each within its width."""
    found = []
    for picture in regions.pictures:
        rect = picture.rect
        low = [
            part
            for part in regions.view.texts
            if 0 <= part.rect.y - rect.y - rect.height <= _NEAR_PX and rect.x - 8 <= part.rect.x <= rect.x + rect.width
        ]
        found += low[:1]
    return tuple(found)


def _says(view: View, word: str) -> bool:
    return any(word in part.block.text.lower() for part in view.texts if part.block)


def _stem(word: str) -> str:
    return re.sub(r"(?:ies|es|s)$", "", word)
