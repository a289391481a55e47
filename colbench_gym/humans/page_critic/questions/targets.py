"""The things of the wanted page that a question names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from colbench_gym.humans.page.appearance import around
from colbench_gym.humans.page.geometry import overlap_y
from colbench_gym.humans.page.view import Part, View
from colbench_gym.humans.page.view import area as area_px
from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.naming import told_apart
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.vocabulary import Concept
from colbench_gym.humans.page_critic.regions import Region, Regions
from colbench_gym.humans.page_critic.ways import standing_near
from colbench_gym.page_language.statements import Subject, SubjectKind
from colbench_gym.rendering.layout import Element, Rect

_CLOSING = re.compile(r"©|\bcopyright\b|\brights reserved\b", re.IGNORECASE)
_PRICE = re.compile(r"[$\u20ac\u00a3\u00a5]\s?\d|\d\s?(?:USD|EUR|GBP|dollars?|euros?)\b")
_CONTACT = re.compile(
    r"@|\d{3}[-. ]\d{3,4}|\b\d+ \w+ (?:st|street|road|rd|ave|avenue|lane)\b|\bphone\b|\bemail\b", re.IGNORECASE
)
_SOCIAL = re.compile(r"\b(?:facebook|twitter|instagram|linkedin|youtube|tiktok|social|follow us)\b", re.IGNORECASE)
_CONTACT_WORDS = {
    "phone": re.compile(r"\d{3}[-. )]|\bphone\b", re.IGNORECASE),
    "mail": re.compile(r"@|\be-?mail\b", re.IGNORECASE),
    "address": re.compile(
        r"\b\d+ \w+ (?:st|street|road|rd|ave|avenue|lane)\b|\b[A-Z]{2} \d{5}\b|\baddress\b", re.IGNORECASE
    ),
}
KIND_OF: dict[Concept, SubjectKind] = {
    "heading": "heading", "text": "text", "link": "link", "button": "button", "picture": "picture", "input": "input",
    "label": "label",
}  # fmt: skip
_COVERING = re.compile(r"\b(?:full[- ](?:width|screen|bleed|page)|background|cover|huge)\b")
_LARGE = re.compile(r"(?<!how )\b(?:large|big|banner)\b")
_HERO_PX = 500.0  # a picture that begins lower is no hero image
_LOW = 0.6  # of the page: what begins lower stands at its bottom
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
        is_bare: whether a question asks for what stands below it, and nothing does.
    """

    mention: Mention
    parts: tuple[Part, ...] = ()
    region: Region | None = None
    boxes: tuple[Element, ...] = ()
    is_bare: bool = False

    @property
    def is_there(self) -> bool:
        """Return whether the page has it."""
        return bool(self.parts or self.boxes) or self.region is not None or self.mention.concept == "page"

    @property
    def rect(self) -> Rect | None:
        """Return the place of its first thing."""
        if self.region is not None:
            return self.region.rect
        return self.boxes[0].rect if self.boxes else self.parts[0].rect if self.parts else None


def texts_of_kind(view: View, kind: SubjectKind) -> tuple[Part, ...]:
    """Return the texts of a page that are links, or buttons, or headings."""
    return tuple(part for part in view.texts if part.kind == kind)


_SENTENCE = 8  # words of a text that is a paragraph, at least
_AREAS_BELOW = ("footer", "sidebar", "form")  # where the logo and the name of a page seldom stand
AREAS: tuple[Concept, ...] = ("header", "navigation bar", "sidebar", "footer", "hero section", "form")


def paragraphs(view: View) -> tuple[Part, ...]:
    """Return the texts that are whole sentences."""
    return tuple(
        part for part in view.texts if part.kind == "text" and part.block and len(part.block.text.split()) >= _SENTENCE
    )


def subject_of(part: Part, regions: Regions) -> Subject:
    """Return how a part of the wanted page is named."""
    if part is regions.logo:
        return Subject("logo")
    return regions.view.subject(part)


def subject_of_target(target: Target, regions: Regions) -> Subject:
    """Return how the first thing of a target is named: an area, a box by the text in it, or a part."""
    if target.region is not None:
        return Subject(target.region.kind)
    if target.boxes:
        return around("box around", regions.view.subject(target.parts[0]))
    return subject_of(target.parts[0], regions)


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


def target_of(mention: Mention, question: Question, regions: Regions) -> Target:
    """Return what a mention means on the wanted page."""
    concept = mention.concept
    if concept in ("header", "navigation bar", "sidebar", "footer", "hero section", "form"):
        region = area_of(concept, regions) or _plain_bar(mention, regions)
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
    if concept == "button" and _SENDS.search(question.text[max(0, mention.start - 12) : mention.start]):
        mention = replace(mention, where="form" if regions.form is not None else mention.where)
    if concept == "item" and mention.where == "navigation bar" and regions.navigation is not None:
        mention = replace(mention, concept="link")
    parts = _parts(mention, question, regions)
    return Target(mention, _of_side(told_apart(parts, mention, question, regions), mention, regions))


def _parts(mention: Mention, question: Question, regions: Regions) -> tuple[Part, ...]:
    concept, view = mention.concept, regions.view
    single: dict[Concept, Part | None] = {
        "title": regions.title, "subtitle": regions.subtitle, "logo": regions.logo, "brand": regions.brand,
    }  # fmt: skip
    if concept in single:
        part = single[concept]
        is_area = mention.where in _AREAS_BELOW and area_of(mention.where, regions) is not None
        return _within((part,) if part else (), mention if is_area else replace(mention, where=None), regions)
    if concept == "link" and mention.where is None:
        links = tuple(part for part in regions.links if part.kind == "link")
        return links or tuple(part for part in view.texts if part.kind == "link")
    if concept == "picture":
        return _pictures(mention, question, regions)
    if concept == "social" and question.text[: mention.end].endswith(_AS_ICONS):
        held = _within(regions.icons, mention, regions)
        return held if mention.where else regions.icons
    if concept == "text" and mention.where in (*AREAS, "card") and (inner := _within(view.texts, mention, regions)):
        return tuple(part for part in inner if part.kind in ("heading", "text")) or inner
    word = _stem(mention.words.split()[-1])
    begins = re.compile(rf"\b{re.escape(word)}")
    lists: dict[Concept, tuple[Part, ...]] = {
        "icon": regions.icons,
        "search field": tuple(part for part in regions.inputs if "search" in part.name.lower()),
        "price": tuple(part for part in view.texts if part.block and _PRICE.search(part.block.text)),
        "paragraph": paragraphs(view) or texts_of_kind(view, "text"),
        "copyright": tuple(part for part in view.texts if part.block and _CLOSING.search(part.block.text)),
        "social": tuple(part for part in view.texts if part.block and _SOCIAL.search(part.block.text)),
        "contact": tuple(part for part in view.texts if part.block and _CONTACT.search(part.block.text)),
        "section": regions.headings,
        "heading": regions.headings,
        "caption": captions(regions) if not mention.where else (),
        "letters": view.texts[:1],
        "item": tuple(part for part in view.texts if part.block and begins.search(part.block.text.lower())),
        "map": (), "table": (), "page": (),
    }  # fmt: skip
    found = lists.get(concept)
    if found is None:
        kind = KIND_OF.get(concept, "text")
        found = tuple(part for part in view.things if part.kind == kind)
        if concept == "text" and not _within(found, mention, regions):
            found = tuple(part for part in view.texts if part.kind != "link") or view.texts
    if concept == "label" and not found:
        found = texts_of_kind(view, "button") or texts_of_kind(view, "link")
    if concept == "contact":
        asked = [pattern for word, pattern in _CONTACT_WORDS.items() if word in question.text]
        called = [part for part in found if part.block and any(one.search(part.block.text) for one in asked)]
        found = tuple(called) if asked else found
    if concept == "contact" and not _within(found, mention, regions):
        low = [part for part in view.texts if "contact" in part.name.lower() and len(part.name.split()) < 4]
        found = tuple(one for part in low for one in regions.under(part))
    if concept == "heading" and not mention.plural and not mention.side and mention.where in (None, "page"):
        return told_apart(found, mention, question, regions, or_else=(regions.title,) if regions.title else found)
    if concept == "text" and mention.where is None:
        found = tuple(part for part in found if part not in regions.headings and part is not regions.brand) or found
    if concept == "item" and _ANY_ITEM.search(mention.words) and not any(part in regions.headings for part in found):
        found = tuple(part for part in captions(regions) if part in regions.headings) or found
    if concept == "item" and mention.plural and question.form == "wh":
        found = _repeated(found, regions)
    if concept == "item" and any(part.kind == "heading" for part in found):
        found = tuple(part for part in found if part.kind == "heading")
    held = _within(found, mention, regions)
    is_area = mention.where in AREAS and area_of(mention.where, regions) is not None
    return held or (found if concept in lists and not is_area else ())


def _repeated(found: tuple[Part, ...], regions: Regions) -> tuple[Part, ...]:
    """Return the names of things of one kind: like texts with this word, those under its heading, or those of cards."""
    groups = [tuple(group) for group in regions.groups if all(len(part.name.split()) <= _NAME for part in group)]
    named = [group for group in groups if sum(part in found for part in group) > 1]
    if named:
        return tuple(part for part in named[0] if part in found)
    heads = [part for part in found if part in regions.headings]
    under = [part for head in heads[:1] for part in regions.view.texts if part.place > head.place]
    below = [group for group in groups if group[0] in under]
    if below:
        return below[0]
    labels = tuple(part for box in regions.cards if (part := regions.view.label(box)))
    if len(labels) > 1 and all(len(part.name.split()) > _NAME for part in found):
        return labels
    if found:
        return found
    lists = [group for group in groups if len(group) > 2 and group[0].kind == "text"]
    if lists:
        return max(lists, key=len)
    return tuple(part for part in regions.pictures if part not in (regions.logo, regions.backdrop))


_NAME = 5  # words of a thing's name at most
_AS_ICONS = ("icons", "icon", "symbols", "badges")
_SENDS = re.compile(r"\b(?:submit|send|submission)[ -]$")
_ANY_ITEM = re.compile(r"\b(?:products?|items?|listings?|pieces|articles?|entries|artworks?)$")


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
    if mention.where in ("hero section", "header") and (not pictures or pictures == (regions.logo,)):
        pictures = tuple(part for part in regions.pictures if part is not regions.logo and part.rect.y < _HERO_PX)
    if len(pictures) > 1 and not mention.plural and mention.where is None:
        pictures = tuple(part for part in pictures if part is not regions.logo)
    if mention.words.startswith("thumbnail") and len(pictures) > 1:
        most = max(area_px(part.rect) for part in pictures)
        pictures = tuple(part for part in pictures if area_px(part.rect) < most / 2) or pictures
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
    elif mention.where == "form":
        area = regions.form
        near = standing_near(parts, area.rect) if area else ()
        return near or tuple(parts)
    elif mention.where == "button":
        return tuple(part for part in regions.view.texts if part.kind == "button")
    else:
        area = area_of(mention.where, regions)
        if area is None and mention.where == "footer" and parts:  # "the pictures in the bottom row"
            last = max(parts, key=lambda part: part.rect.y)
            low = last.rect.y > _LOW * regions.view.layout.height
            return tuple(part for part in parts if low and overlap_y(part.rect, last.rect) > 0)
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
        """Return whether the page has columns."""
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


_NTH = {"first": 0, "left": 0, "top": 0, "second": 1, "middle": 1, "third": 2, "last": -1, "right": -1, "bottom": -1}


def _cards(mention: Mention, regions: Regions) -> Target:
    boxes = regions.cards or regions.panels
    pick = _NTH.get(mention.side)
    if pick is not None and not mention.plural and len(boxes) > 1:
        boxes = boxes[pick : pick + 1] if pick >= 0 else boxes[pick:]
    labels = tuple(part for box in boxes if (part := regions.view.label(box)))
    return Target(mention, labels, boxes=boxes)


def _plain_bar(mention: Mention, regions: Regions) -> Region | None:
    """Return the header where a bar at the top is named, and the page has no navigation bar."""
    is_bar = mention.concept == "navigation bar" and re.search(r"\bbar\b|\bstrip\b", mention.words)
    return regions.header if is_bar and not re.search(r"\bnav|\bmenu", mention.words) else None


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
