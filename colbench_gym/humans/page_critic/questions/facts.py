"""Statements about the wanted page that answer what is asked of a thing: colours, counts, places, sizes, texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from colbench_gym.humans.page_critic.appearance import around, border_words
from colbench_gym.humans.page_critic.geometry import columns, place_of, relation
from colbench_gym.humans.page_critic.questions.targets import ColumnsTarget, Target, subject_of
from colbench_gym.humans.page_critic.regions import Region, Regions, bounding
from colbench_gym.humans.page_critic.view import Part
from colbench_gym.page_language.color_names import name_of
from colbench_gym.page_language.statements import (
    ALIGNS,
    READ_OUT_CHARS,
    READ_OUT_WORDS,
    ROWS,
    SIDES,
    Statement,
    Subject,
    corner_words,
    letter_words,
    pixel_words,
    quote,
    share_words,
)
from colbench_gym.page_language.subjects import anchor
from colbench_gym.rendering.layout import Element, Rect

MAX_NAMED = 6  # things in one enumeration
_WIDE = 0.8  # of the page: what is wider stands at no side
_CENTRE = 0.08  # of the page's width: so far from its middle still is in the centre
_CENTRED = 0.02  # of the page's width: so far from the middle of its box a line still is centred
_ONE_LINE = 1.9  # times the font size
_NOUNS = {
    "title": "heading", "subtitle": "text", "section": "heading", "caption": "text", "item": "card", "copyright": "text",
    "navigation bar": "navigation bar", "hero section": "heading", "label": "text", "letters": "text", "contact": "text",
    "background": "picture",
}  # fmt: skip


def color_facts(target: Target, regions: Regions, *, ground: bool = False, letters: bool = False) -> list[Statement]:
    """Return the colour of a thing; of letters where they are asked for, of their ground where that is."""
    region, concept = target.region, target.mention.concept
    if isinstance(target, ColumnsTarget) and target.areas:
        return [fact for area in target.areas[:3] if area.kind != "quote" for fact in _ground(area, regions)]
    if concept == "page":
        return [Statement("color", Subject("page"), name_of(regions.view.layout.background))]
    if region is not None and letters:
        held = [part for part in regions.held(region.rect) if part.block]
        return [_letters(part, regions) for part in held[:1]]
    if region is not None:
        return _ground(region, regions)
    if target.boxes:
        return [_box_color(part, regions) for part in target.parts[:1]]
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
        return [Statement("color", subject, name_of(part.element.color))] if part.element and part.kind != "picture" else []
    if part.kind == "button":
        face = Statement("color", subject, name_of(part.block.background))
        writing = Statement("color", around("writing on", subject), name_of(part.block.color))
        return [writing] if letters else [face, writing]
    if ground:
        behind = regions.behind(part.rect)
        if behind is not None:
            return [Statement("place", subject, "on top of", other=subject_of(behind, regions))]
        return [Statement("color", around("background behind", subject), name_of(part.block.background))]
    return [_letters(part, regions)]


def _letters(part: Part, regions: Regions) -> Statement:
    subject = regions.view.subject(part)
    color = part.block.color if part.block else (0, 0, 0)
    return Statement("color", around("writing on", subject) if part.kind == "button" else subject, name_of(color))


def palette(regions: Regions, *, grounds: bool = False) -> list[Statement]:
    """Return the colours of the page, its header and footer, and its first button or heading."""
    facts = [Statement("color", Subject("page"), name_of(regions.view.layout.background))]
    areas = [regions.header, regions.footer, regions.sidebar, *regions.columns]
    for area in areas:
        if area is not None and area.color is not None and area.kind != "quote":
            facts.append(Statement("color", Subject(area.kind), name_of(area.color)))
    if not grounds:
        button = next((part for part in regions.view.texts if part.kind == "button"), None)
        if button is not None and button.block is not None:
            facts.append(Statement("color", regions.view.subject(button), name_of(button.block.background)))
        elif regions.title is not None:
            facts.append(_letters(regions.title, regions))
    return facts[:4]


def count_facts(target: Target, regions: Regions) -> list[Statement]:
    """Return how many there are, with their names where these are few and short."""
    noun = _NOUNS.get(target.mention.concept, target.mention.concept)
    if target.mention.concept == "item":
        return [_counted("card", number_of_cards(regions), ())]
    if isinstance(target, ColumnsTarget):
        return [_counted("column", max(1, len(target.areas)), ())]
    if target.mention.concept == "card":
        number = number_of_cards(regions)
        return [_counted("card", number, ())]
    if target.region is not None:
        return [Statement("count", None, f"a {noun}")]
    named = [part for part in target.parts if part.name and part.kind != "picture"]
    items = tuple(anchor(regions.view.subject(part)) for part in named) if len(named) == len(target.parts) <= MAX_NAMED else ()
    return [_counted(noun, len(target.parts), items)]


def number_of_cards(regions: Regions) -> int:
    """Return how many cards there are: boxes with texts, or else groups of texts side by side."""
    if regions.cards:
        return len(regions.cards)
    sizes = [len(group) for group in regions.groups if columns([part.rect for part in group]) > 1]
    return max(sizes, default=0)


def _counted(noun: str, number: int, items: tuple[Subject, ...]) -> Statement:
    words = f"no {noun}s" if number == 0 else f"{number} {noun}{'s' * (number > 1)}"
    return Statement("count", None, words, items=items if number else ())


def absence(concept: str) -> Statement:
    """Return that the page has nothing of a kind."""
    noun = _NOUNS.get(concept, concept)
    return Statement("count", None, f"no {noun}s" if noun in _SEVERAL else f"no {noun}")


_SEVERAL = ("picture", "icon", "button", "link", "input", "card", "heading", "column", "text")


def presence(target: Target, regions: Regions) -> list[Statement]:
    """Return that the page has a thing, or that it has none of its kind."""
    concept = target.mention.concept
    if not target.is_there:
        return [absence(concept)]
    if isinstance(target, ColumnsTarget):
        return count_facts(target, regions)
    if target.region is not None:
        return [Statement("count", None, f"a {target.region.kind}")]
    if concept in ("title", "heading", "subtitle", "text", "copyright", "contact", "item", "section"):
        return wordings(target, regions)[:1]
    if concept in ("logo", "search field"):
        return [Statement("count", None, f"a {concept}")]
    return count_facts(target, regions)


def wordings(target: Target, regions: Regions) -> list[Statement]:
    """Return what texts say; several of one kind are enumerated."""
    parts = [part for part in target.parts if part.block]
    if target.region is not None and not parts:
        parts = [part for part in regions.held(target.region.rect) if part.block]
    kinds = {part.kind for part in parts}
    if len(parts) > 1 and len(kinds) == 1 and kinds <= {"link", "button", "heading"}:
        items = tuple(anchor(regions.view.subject(part)) for part in parts[:MAX_NAMED])
        return [Statement("order", None, f"{parts[0].kind}s", items=items)]
    room = 1 if len(parts) == 1 else 3
    return [Statement("wording", Subject(part.kind), _read_out(part, len(parts[:room]))) for part in parts[:room]]


def _read_out(part: Part, many: int) -> str:
    text = part.block.text if part.block else part.name
    return quote(text, READ_OUT_WORDS // many, READ_OUT_CHARS // many) if many < 3 else part.name


def contents(target: Target, regions: Regions) -> list[Statement]:
    """Return what an area holds: its headings first."""
    areas = list(target.areas) if isinstance(target, ColumnsTarget) else [target.region] if target.region else []
    facts: list[Statement] = []
    room = MAX_NAMED if len(areas) < 2 else 3
    for area in areas[:3]:
        if area.kind == "quote":
            continue
        held = regions.held(area.rect)
        if not held:
            facts.append(Statement("empty", Subject(area.kind)))
            continue
        chosen = sorted(sorted(held, key=lambda part: _RANK.get(part.kind, 5))[:room], key=lambda part: part.place)
        facts.append(Statement("holds", Subject(area.kind), items=tuple(_item(part, regions) for part in chosen)))
    return facts


_RANK = {"heading": 0, "picture": 1, "input": 1, "text": 2, "button": 2, "link": 3}


def _item(part: Part, regions: Regions) -> Subject:
    return anchor(subject_of(part, regions))


def outline(regions: Regions) -> list[Statement]:
    """Return the page's parts from top to bottom: bars, headings and large pictures."""
    items: list[tuple[float, Subject]] = []
    for area in (regions.header, regions.sidebar, regions.footer):
        if area is not None:
            items.append((area.rect.y, Subject(area.kind)))
    bars = [area.rect for area in (regions.header, regions.footer) if area]
    for part in regions.view.things:
        free = not any(bar.y <= part.rect.y and part.rect.y + part.rect.height <= bar.y + bar.height for bar in bars)
        if free and (part.kind == "heading" or (part.kind == "picture" and part is not regions.logo)):
            items.append((part.rect.y, anchor(regions.view.subject(part))))
    if regions.form is not None:
        items.append((regions.form.rect.y, Subject("form")))
    if not items:
        items = [(part.rect.y, anchor(regions.view.subject(part))) for part in regions.view.texts[:MAX_NAMED]]
    ordered = [subject for _, subject in sorted(items, key=lambda item: item[0])]
    if len(ordered) > MAX_NAMED:
        ordered = [*ordered[: MAX_NAMED - 1], ordered[-1]]
    return [Statement("outline", None, items=tuple(ordered))] if ordered else [Statement("empty", Subject("page"))]


def spot(target: Target, regions: Regions) -> list[Statement]:
    """Return where on the page a thing stands."""
    facts = []
    if target.region is not None:
        rect = target.region.rect
        if target.region.kind == "navigation bar" and regions.links:
            rect = bounding([part.rect for part in regions.links])
        return [Statement("spot", Subject(target.region.kind), spot_words(rect, regions))]
    for part in target.parts[:2]:
        rect = part.rect
        button = regions.view.button(part) if part.kind == "button" else None
        facts.append(Statement("spot", subject_of(part, regions), spot_words(button.rect if button else rect, regions)))
    return facts


def spot_words(rect: Rect, regions: Regions) -> str:
    """Return the third of the page's height and the side at which something stands."""
    layout = regions.view.layout
    down = (rect.y + rect.height / 2) / max(1.0, layout.height)
    row = ROWS[min(2, int(3 * down))]
    side = side_words(rect, layout.width)
    return f"{row}, {side}" if rect.width < _WIDE * layout.width else row


def side_words(rect: Rect, width: float) -> str:
    """Return the side of the page at which something stands."""
    apart = rect.x + rect.width / 2 - width / 2
    return SIDES[1] if abs(apart) <= _CENTRE * width else SIDES[0] if apart < 0 else SIDES[2]


def places(target: Target, other: Target | None, regions: Regions) -> list[Statement]:
    """Return where a thing stands: to another one where that was asked, and on the page."""
    rect = target.rect
    if rect is None:
        return [absence(target.mention.concept)]
    subject = Subject(target.region.kind) if target.region else subject_of(target.parts[0], regions)
    behind = regions.behind(rect)
    beside = other.rect if other else None
    if other is not None and beside is not None and (other.parts or other.region):
        reference = anchor(subject_of(other.parts[0], regions)) if other.parts else Subject(other.region.kind if other.region else "page")
        way = "on top of" if behind is not None and behind in other.parts else relation(rect, beside)
        if way:
            return [Statement("place", subject, way, other=reference)]
    facts = spot(target, regions)
    if behind is not None and target.mention.concept == "navigation bar":
        facts.append(Statement("place", subject, "on top of", other=anchor(subject_of(behind, regions))))
    elif target.parts and len(target.parts) == 1:
        place = place_of(target.parts[0], regions.view)
        if place.anchor is not None:
            facts.append(Statement("place", subject, place.relation, other=anchor(subject_of(place.anchor, regions))))
    return facts


def alignment(target: Target, regions: Regions) -> list[Statement]:
    """Return how texts are aligned as it looks: a line in the middle of its box is centred, whatever makes it so."""
    if target.region is not None or (target.parts and target.parts[0].block is None) or target.mention.concept == "link":
        if target.parts and target.mention.concept == "link":
            rect = bounding([part.rect for part in target.parts])
            return [Statement("spot", subject_of(part, regions), spot_words(rect, regions)) for part in target.parts[:1]]
        return spot(target, regions)
    facts = []
    for part in target.parts[:2]:
        words = aligned(part, regions)
        if part.block is not None and words == ALIGNS[part.block.align]:
            facts.append(Statement("align", subject_of(part, regions), words))
        else:
            facts.append(Statement("spot", subject_of(part, regions), spot_words(part.rect, regions)))
    return facts


def aligned(part: Part, regions: Regions) -> str:
    """Return how a text looks aligned."""
    block, layout = part.block, regions.view.layout
    if block is None:
        return ""
    box = regions.view.box(part)
    left, width = (box.rect.x, box.rect.width) if box else (0.0, layout.width)
    apart = abs(part.rect.x + part.rect.width / 2 - left - width / 2)
    one_line = part.rect.height <= _ONE_LINE * block.font_px
    if one_line and part.rect.width < _WIDE * width and apart <= _CENTRED * layout.width and block.align == "left":
        return ALIGNS["center"]
    return ALIGNS[block.align]


def sizes(target: Target, regions: Regions, *, wide: bool = True, high: bool = True) -> list[Statement]:
    """Return how wide and how high things are."""
    layout = regions.view.layout
    if target.mention.concept == "page":
        return [Statement("height", Subject("page"), pixel_words(layout.height))]
    if isinstance(target, ColumnsTarget):
        return [_width(Subject(area.kind), area.rect, layout.width) for area in target.areas[:3] if area.kind != "quote"]
    shaped: list[tuple[Subject, Rect]] = []
    if target.region is not None:
        shaped.append((Subject(target.region.kind), target.region.rect))
    for part in target.parts[:1]:
        element = part.element or (regions.view.button(part) if part.kind == "button" else None)
        if element is not None:
            shaped.append((subject_of(part, regions), element.rect))
        elif target.boxes and (box := regions.view.box(part)):
            shaped.append((around("box around", regions.view.subject(part)), box.rect))
    facts: list[Statement] = []
    for subject, rect in shaped:
        facts += [_width(subject, rect, layout.width)] if wide else []
        facts += [Statement("height", subject, pixel_words(rect.height))] if high else []
    if not facts and target.parts and target.parts[0].block:
        return letter_sizes(target, regions)
    return facts


def _width(subject: Subject, rect: Rect, width: float) -> Statement:
    return Statement("width", subject, share_words(rect.width / max(1.0, width)))


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


def gaps(targets: Sequence[Target], regions: Regions) -> list[Statement]:
    """Return the space between two things, or between one and what stands above it."""
    parts = [target.parts[0] for target in targets if target.parts][:2]
    if len(parts) == 1:
        place = place_of(parts[0], regions.view)
        if place.anchor is None or place.relation != "below":
            return []
        parts = [place.anchor, parts[0]]
    if len(parts) < 2:
        return []
    upper, lower = sorted(parts, key=lambda part: part.rect.y)
    space = lower.rect.y - upper.rect.y - upper.rect.height
    if space < 0:
        return []
    view = regions.view
    return [Statement("gap", anchor(view.subject(upper)), pixel_words(space), other=anchor(view.subject(lower)))]
