"""Targets told apart by how they look: by the colour or the size that words beside their noun name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from colbench_gym.humans.page.view import Part, area
from colbench_gym.humans.page_critic.columns import inside
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.naming import PLAIN_WORDS, stem_of, words_near
from colbench_gym.humans.page_critic.questions.reading import Question
from colbench_gym.humans.page_critic.questions.targets import KIND_OF, Target
from colbench_gym.humans.page_critic.questions.vocabulary import COLOR, DEPTH_WORDS, DEPTHS, HUES, NEAR_HUES, Concept
from colbench_gym.humans.page_critic.regions import Regions
from colbench_gym.page_language.color_names import name_of
from colbench_gym.rendering.layout import Element

Shade = tuple[int | None, str]  # how dark, and the hue; None where it is not said how dark

_BOXED: tuple[Concept, ...] = ("card", "section", "header", "column")
_TEXTUAL: tuple[Concept, ...] = (
    "text", "heading", "title", "link", "label", "paragraph", "subtitle", "caption", "letters",
)  # fmt: skip
_DEFINITE = re.compile(r"\b(?:the|this|that|these|those|your|my|our|its) (?:[\w-]+ ){0,3}$")
IN_A_COLORED = re.compile(
    rf"^ ?(?:\w+ ){{0,3}}(?:in|inside|within|on|of) (?:the|that|this|your|my|a) (?:\w+ )?"
    rf"(?P<color>colou?red|{COLOR.pattern}) (?:[\w-]+ )?(?:box|card|bar|area|section|block|panel|tile|band|strip|field|"
    rf"button|rectangle|container|background)\b"
)
_ANY_COLOR = re.compile(r"\bcolou?red\b")
_MOST = re.compile(r"\b(largest|biggest|widest|tallest|highest|main|smallest|tiniest|narrowest)\b")
_LEAST_PX = 8.0  # what is thinner is a line


def proposed_colors(text: str) -> list[Shade]:
    """Return the colours that a text names."""
    found: list[Shade] = []
    for match in COLOR.finditer(text):
        word = match[2]
        parts = [part.removesuffix("er") for part in re.findall(r"[a-z]+", match[1])]
        depths = [DEPTH_WORDS[part] for part in parts if part in DEPTH_WORDS]
        depth = sum(depths) if depths else DEPTH_WORDS.get(word)
        found.append((depth, HUES.get(word, word)))
    return found


def is_like(name: str, depth: int | None, hue: str) -> bool:
    """Return whether a colour of one name may be called by such a hue, and is about as dark."""
    *shade, base = name.split()
    actual = DEPTHS.get(" ".join(shade), 0)
    if base == "brown" and hue == "orange":
        return depth is None or depth > 0
    near = base == hue or {base, hue} in NEAR_HUES
    if hue == "white":
        return name == "white"
    if hue == "black":
        return name in ("black", "very dark grey")
    if depth is None:
        return near
    return near and (abs(actual - depth) <= 1 or (depth < 0 and actual < 0) or (depth > 0 and actual > 0))


def is_any(name: str, colors: Sequence[Shade]) -> bool:
    """Return whether a colour of one name may be called by one of some colours."""
    return any(is_like(name, *color) for color in colors)


def color_of(part: Part) -> str:
    """Return the name of the colour that a thing is told apart by: a button's face, a text's letters."""
    if part.block is not None:
        return name_of(part.block.background if part.kind == "button" else part.block.color)
    return name_of(part.element.color) if part.element is not None and part.kind != "picture" else ""


def qualified(target: Target, question: Question, regions: Regions) -> Target:
    """Return of a target only what has the colour or the size that its noun phrase names; all where nothing has."""
    mention = target.mention
    before = question.text[max(0, mention.start - 40) : mention.start]
    words = " ".join(reversed(words_near(before)))
    if (held := IN_A_COLORED.match(question.text[mention.end :])) and mention.concept in (*_TEXTUAL, "button"):
        boxes = colored_boxes(held["color"], regions)
        kind = KIND_OF.get(mention.concept, "text")
        inner = [part for part in regions.view.texts if any(inside(part.rect, box.rect) for box in boxes)]
        parts = tuple(part for part in inner if kind in (part.kind, "text"))
        return replace(target, parts=parts, region=None, boxes=()) if parts else target
    if placed := _at_a_place(target, question, regions):
        return placed
    if question.form != "wh" and not _DEFINITE.search(before):
        return target
    if mention.concept == "card" and (called := _called_box(target, words, regions)):
        return called
    if COLOR.search(words) or _ANY_COLOR.search(words):
        return _of_color(target, words, regions)
    if mention.concept == "picture" and re.search(r"\bsmall(?:er)?\b", words) and len(target.parts) > 1:
        large = area(largest(target.parts).rect)
        return replace(
            target, parts=tuple(part for part in target.parts if area(part.rect) < large / 2) or target.parts
        )
    most = _MOST.search(words)
    if most and len(target.parts) > 1 and not mention.plural and mention.concept != "title":
        return replace(target, parts=(largest(target.parts, smallest=most[1] in _SMALL),))
    return target


def _at_a_place(target: Target, question: Question, regions: Regions) -> Target | None:
    """Return of several things those at a place of the page that follows their noun: "the links at the top right"."""
    place = _PLACE_AFTER.match(question.text[target.mention.end :])
    if place is None or question.quality == "place" or len(target.parts) < 2 or target.region is not None:
        return None
    row, side = (place[1] or place[3] or ""), (place[2] or place[4] or "")
    parts = tuple(part for part in target.parts if stands_at(part, row, side, regions))
    return replace(target, parts=parts, boxes=()) if parts else None


def stands_at(part: Part, row: str, side: str, regions: Regions) -> bool:
    """Return whether a thing stands in the third of the page and in the half of its width that words name."""
    layout, rect = regions.view.layout, part.rect
    across, down = (rect.x + rect.width / 2) / layout.width, (rect.y + rect.height / 2) / layout.height
    low, high = {"top": (0, 0.34), "upper": (0, 0.34), "bottom": (0.66, 1), "lower": (0.66, 1)}.get(row, (0, 1))
    return low <= down <= high and {"left": across < 0.5, "right": across > 0.5}.get(side, True)


_PLACE_AFTER = re.compile(
    r"^ ?(?:(?:are|is|that|which|stand|go|shown|placed|appear|do you want|should be) ){0,3}(?:at|in|on) the "
    r"(?:(top|upper|bottom|lower)[- ](left|right)|(top|bottom)(?! (?:bar|of|menu|nav|section|area))|"
    r"(left|right)(?:[- ]hand)?(?: side)?(?! (?:col|half|of|bar|box|card|part|area|sec)))\b"
)


def _called_box(target: Target, words: str, regions: Regions) -> Target | None:
    """Return the box that is called by words of a text in it: "the welcome box", "the 'Contact' card"."""
    stems = [stem_of(word) for word in words.split() if word not in PLAIN_WORDS and not COLOR.fullmatch(word)]
    said = [stem for stem in stems if len(stem) > 2]
    view = regions.view
    for part in view.texts if said else ():
        box = view.box(part)
        if box is not None and any(stem in part.name.lower() for stem in said):
            return boxed(target.mention, [box], regions)
    return None


_SMALL = ("smallest", "tiniest", "narrowest")


def largest(parts: Sequence[Part], *, smallest: bool = False) -> Part:
    """Return the part with the largest letters, or the largest area where they are no texts."""

    lettered = all(part.block is not None for part in parts)

    def size(part: Part) -> float:
        return part.block.font_px if part.block is not None and lettered else area(part.rect)

    return min(parts, key=size) if smallest else max(parts, key=size)


def _of_color(target: Target, words: str, regions: Regions) -> Target:
    mention, colors = target.mention, proposed_colors(words)
    if mention.concept in _BOXED:
        boxes = colored_boxes(words, regions)
        if not boxes:
            return target
        return boxed(mention, boxes, regions)
    parts = tuple(part for part in target.parts if is_any(color_of(part), colors))
    if not parts and mention.concept in (*_TEXTUAL, "button"):
        kinds = {KIND_OF.get(mention.concept, "heading" if mention.concept == "title" else "text")}
        among = [part for part in regions.view.texts if part.kind in kinds or mention.concept == "text"]
        parts = tuple(part for part in among if is_any(color_of(part), colors))
    return replace(target, parts=parts) if parts else target


def boxed(mention: Mention, boxes: Sequence[Element], regions: Regions) -> Target:
    """Return some boxes as a target: the area that one of them is, or cards."""
    for region in (regions.header, regions.footer, regions.sidebar):
        if region is not None and region.box is boxes[0]:
            return Target(mention, region=region)
    labels = tuple(part for box in boxes if (part := regions.view.label(box)))
    return Target(replace(mention, concept="card"), labels, boxes=tuple(boxes)) if labels else Target(mention)


def colored_boxes(words: str, regions: Regions) -> list[Element]:
    """Return the boxes and buttons of a colour that some words name, those with a text first."""
    colors, view = proposed_colors(words), regions.view
    boxes = [
        element
        for element in view.layout.elements
        if element.kind in ("box", "button", "navigation")
        and min(element.rect.width, element.rect.height) >= _LEAST_PX
        and (is_any(name_of(element.color), colors) if colors else element.color != view.layout.background)
    ]
    held = {id(box): any(inside(part.rect, box.rect) for part in view.texts) for box in boxes}
    rank = {"box": 0, "navigation": 1, "button": 2}
    return sorted(boxes, key=lambda box: (not held[id(box)], rank[box.kind], box.rect.y))
