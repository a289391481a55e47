"""Statements about how things of the wanted page look: colours, letters, corners and borders."""

from __future__ import annotations

from collections.abc import Iterable

from colbench_gym.humans.page.appearance import around, border_words
from colbench_gym.humans.page.view import Part, smallest_around
from colbench_gym.humans.page_critic.questions.mentions import Mention
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target, subject_of
from colbench_gym.humans.page_critic.regions import Region, Regions
from colbench_gym.page_language.color_names import name_of, oklab, rgb_of
from colbench_gym.page_language.statements import (
    Statement,
    Subject,
    corner_words,
    letter_words,
)
from colbench_gym.rendering.layout import Element

TALL = 0.6  # of the page: boxes side by side that are higher are its columns, no cards
WIDE = 0.8  # of the page: what is wider stands at no side


def color_facts(target: Target, regions: Regions, *, ground: bool = False, letters: bool = False) -> list[Statement]:
    """Return the colour of a thing; of letters where they are asked for, of their ground where that is."""
    region, concept = target.region, target.mention.concept
    if isinstance(target, ColumnsTarget) and target.areas:
        return [fact for area in target.areas[:3] if area.kind != "quote" for fact in _ground(area, regions)]
    if concept == "page":
        if regions.backdrop is not None:
            return [Statement("backdrop", subject_of(regions.backdrop, regions))]
        return [Statement("color", Subject("page"), name_of(regions.view.layout.background))]
    if region is not None and letters:
        held = [part for part in regions.held(region.rect) if part.block]
        return [_letters(part, regions) for part in held[:1]]
    if region is not None:
        return _ground(region, regions)
    if target.boxes:
        return [_box_color(part, regions) for part in target.parts[: 3 if target.mention.plural else 1]]
    facts: list[Statement] = []
    for part in target.parts[:3]:
        facts += _part_color(part, regions, ground=ground, letters=letters)
    return facts[:4]


def _ground(region: Region, regions: Regions) -> list[Statement]:
    if region.color is not None:
        return [Statement("color", Subject(region.kind), name_of(region.color))]
    picture = regions.behind(region.rect) or next((part for part in regions.pictures if part.rect == region.rect), None)
    if picture is None or picture.rect == region.rect:
        return []
    return [Statement("place", Subject(region.kind), "on top of", other=subject_of(picture, regions))]


def _box_color(part: Part, regions: Regions) -> Statement:
    box = regions.view.box(part)
    color = box.color if box else regions.view.layout.background
    return Statement("color", around("box around", regions.view.subject(part)), name_of(color))


def _part_color(part: Part, regions: Regions, *, ground: bool, letters: bool) -> list[Statement]:
    subject = subject_of(part, regions)
    if part.block is None:
        return (
            [Statement("color", subject, name_of(part.element.color))]
            if part.element and part.kind != "picture"
            else []
        )
    if part.kind == "button":
        if letters:
            return [Statement("color", around("writing on", subject), name_of(part.block.color))]
        words = f"{name_of(part.block.background)} with {name_of(part.block.color)} writing"
        return [Statement("face", subject, words)]
    if ground:
        behind = regions.behind(part.rect)
        if behind is not None:
            return [Statement("place", subject, "on top of", other=subject_of(behind, regions))]
        return [Statement("color", around("background behind", subject), name_of(part.block.background))]
    return [_letters(part, regions)]


def grounds(target: Target, regions: Regions) -> list[Statement]:
    """Return what lies behind a thing: a picture, or a colour."""
    rect = target.rect
    if rect is None:
        return []
    if target.boxes and target.parts:
        rect, subject = target.boxes[0].rect, around("box around", regions.view.subject(target.parts[0]))
    elif target.region is not None:
        subject = Subject(target.region.kind)
    elif target.parts:
        subject = subject_of(target.parts[0], regions)
    else:
        return []
    picture = regions.behind(rect)
    if picture is not None:
        return [Statement("place", subject, "on top of", other=subject_of(picture, regions))]
    if target.parts and target.parts[0].block and not target.boxes:
        return _part_color(target.parts[0], regions, ground=True, letters=False)
    around_it = smallest_around(rect, (box for box in regions.view.boxes if box.rect != rect))
    for area in (regions.header, regions.footer, regions.sidebar):
        if area is not None and area.box is not None and area.box is around_it:
            return _ground(area, regions)
    if around_it is not None:
        label = regions.view.label(around_it)
        return [_box_color(label, regions)] if label is not None else []
    return [Statement("color", Subject("page"), name_of(regions.view.layout.background))]


def _letters(part: Part, regions: Regions) -> Statement:
    subject = regions.view.subject(part)
    color = part.block.color if part.block else (0, 0, 0)
    return Statement("color", around("writing on", subject) if part.kind == "button" else subject, name_of(color))


def lightness(name: str) -> float:
    """Return how light a colour of some name looks, from 0 to 1."""
    return oklab(rgb_of(name))[0]


def palette(regions: Regions, *, grounds: bool = False) -> list[Statement]:
    """Return the colours of the page, its header and footer, and its first button or heading."""
    facts = color_facts(Target(Mention("page", "page", 0)), regions)
    tall = [area for area in regions.columns if area.rect.height > TALL * regions.view.layout.height]
    areas = [regions.header, regions.footer, regions.sidebar, *tall]
    for area in areas:
        own = area is not None and area.color is not None and area.color != regions.view.layout.background
        if own and area is not None and area.color is not None and area.kind != "quote":
            facts.append(Statement("color", Subject(area.kind), name_of(area.color)))
    if not grounds:
        button = next((part for part in regions.view.texts if part.kind == "button"), None)
        if button is not None and button.block is not None:
            facts.append(Statement("color", regions.view.subject(button), name_of(button.block.background)))
        elif regions.title is not None:
            facts.append(_letters(regions.title, regions))
        if regions.title is not None and button is not None:
            facts.append(_letters(regions.title, regions))
    return facts[:4]


def letter_sizes(target: Target, regions: Regions) -> list[Statement]:
    """Return how large letters are."""
    return [
        Statement("letters", regions.view.subject(part), letter_words(part.block.font_px))
        for part in target.parts[:2]
        if part.block is not None
    ]


def boldness(target: Target, regions: Regions) -> list[Statement]:
    """Return which texts are bold."""
    return [
        Statement("bold", regions.view.subject(part), "bold" if part.block.bold else "not bold")
        for part in target.parts[:2]
        if part.block is not None
    ]


def shapes(target: Target, regions: Regions, quality: str) -> list[Statement]:
    """Return corners or borders of buttons, inputs, pictures, cards and areas."""
    facts = []
    for subject, element in _outlined(target, regions):
        if quality == "corners":
            facts.append(Statement("corners", subject, corner_words(element.radius_px, element.rect.height)))
        elif element.kind != "picture":
            facts.append(Statement("border", subject, border_words(element.border)))
    return facts


def _outlined(target: Target, regions: Regions) -> Iterable[tuple[Subject, Element]]:
    for part in target.parts[:2]:
        element = part.element or (regions.view.button(part) if part.kind == "button" else None)
        if element is not None:
            yield subject_of(part, regions), element
        elif (box := regions.view.box(part)) is not None and regions.view.label(box) is part:
            yield around("box around", regions.view.subject(part)), box
    if target.region is not None and target.region.box is not None:
        yield Subject(target.region.kind), target.region.box
