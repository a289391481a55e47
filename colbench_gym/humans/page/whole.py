"""Facts about the page as a whole: what it consists of, its colours and letters, its buttons and pictures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.appearance import border_words, corners
from colbench_gym.humans.page.areas import Area
from colbench_gym.humans.page.geometry import relation
from colbench_gym.humans.page.telling import alignment, hued, listed, most_common, quoted, said, several, tell
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.words import ROLES
from colbench_gym.page_language.color_names import oklab
from colbench_gym.rendering.layout import Color

_SECOND = 0.5  # of the weight of the first: a second main colour has so much
_COLOURED = 0.05  # OKLab chroma from which a colour is no grey
_MOST_BUTTONS = 6  # each told of apart
_MOST_NAMED = 14


def whole_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns the whole page."""
    yield from _outline(wanted)
    yield from _colors(wanted)
    yield from _letters(wanted)
    yield from _buttons(wanted)
    if wanted.pictures:
        yield tell("pictures", many=several(len(wanted.pictures), "picture"))


def outline_words(wanted: Wanted) -> list[str]:
    """Return the areas of the page by name, from top to bottom."""
    names = []
    for area in wanted.areas:
        name = wanted.called(area)
        if area.kind == "section" and area.title is not None:
            role = f" ({ROLES[area.role].name})" if area.role and len(wanted.areas) < 10 else ""
            name = f"{said(area.title.text, 10)}{role}"
        elif area.kind == "opening":
            name = f"the hero {said(area.title.text, 10)}" if area.title else "a hero"
        names.append(name.replace("the ", "a ", 1) if area.kind in ("header", "footer", "menu", "sidebar") else name)
    return list(dict.fromkeys(names))


def _outline(wanted: Wanted) -> Iterator[Fact]:
    areas = wanted.areas
    if names := outline_words(wanted):
        yield tell("outline", names=listed(names, _MOST_NAMED))
    content = [area for area in areas if area.kind in ("section", "opening")]
    titles = list(dict.fromkeys(area.title.text for area in content if area.title))
    if titles and len(content) > 1:
        start = "should be" if wanted.single(titles) else "are"
        rects = [area.rect for area in content if area.rect is not None]
        stacked = all(relation(one, other) == "above" for one, other in pairwise(rects))
        many = f"{several(len(content), 'section')}{', one below the other' * stacked}"
        yield tell("sections", many=many, start=start, names=quoted(titles, _MOST_NAMED))
    for place, area in enumerate(areas):
        if area.kind not in ("section", "opening") or len(areas) < 2:  # a sidebar stands beside several
            continue
        more = _next_to(wanted, area, areas[place - 1], "below") if place else "at the top"
        last = place + 1 == len(areas)
        more += f" and {'at the end of the page' if last else _next_to(wanted, area, areas[place + 1], 'above')}"
        third = ("near the top", "in the middle", "near the end")[int(3 * (place + 0.5) / len(areas))]
        yield tell("order", wanted.words(area), called=wanted.called(area), place=third, more=more)


def _next_to(wanted: Wanted, area: Area, other: Area, way: str) -> str:
    """Return where an area stands, as seen from another one: ``way`` where they overlap."""
    if area.rect and other.rect:
        way = relation(area.rect, other.rect) or way
    return f"{way} {wanted.called(other)}"


def _colors(wanted: Wanted) -> Iterator[Fact]:
    layout, texts = wanted.layout, wanted.layout.texts
    backdrop, element = wanted.page.ground(wanted.page.body)
    wide = [one.rect for one in wanted.pictures if one.rect.width >= 0.95 * layout.width]
    if backdrop is None or (element is None and any(rect.height >= 0.9 * layout.height for rect in wide)):
        yield tell("photo_page")
    else:
        yield tell("colour_page", color=hued(layout.background))
    accents = list(dict.fromkeys(map(hued, accents_of(wanted))))[:2]
    used = [f"{color} ({listed(places, 4)})" if (places := _coloured(wanted, color)) else color for color in accents]
    if used:
        yield tell("scheme", verb=" is" if len(used) == 1 else "s are", names=listed(used))
    else:
        yield tell("no_scheme")
    running = [text.color for text in texts if text.role == "text" for _ in text.text]
    if color := most_common(running):
        yield tell("colour_text", color="mostly " * (running.count(color) < 0.9 * len(running)) + hued(color))


def _coloured(wanted: Wanted, color: str) -> list[str]:
    """Return the areas, and the sorts of texts, that have a colour: all or some of these."""
    grounds: list[tuple[Color | None, str]] = [(wanted.layout.background, "the page")]
    grounds += [(area.color, wanted.called(area)) for area in wanted.areas]
    found = list(dict.fromkeys(name for one, name in grounds if one and hued(one) == color))
    for role in ("button", "heading", "link"):
        colors = [
            text.background if role == "button" else text.color for text in wanted.layout.texts if text.role == role
        ]
        own = sum(hued(one) == color for one in colors)
        found += [f"the {role}s" if own == len(colors) else f"some {role}s" if own > 1 else f"one {role}"] * (own > 0)
    return found


def accents_of(wanted: Wanted) -> list[Color]:
    """Return the strong colours that are used most for buttons, areas and headings; none where all is grey."""
    weighed: Counter[Color] = Counter()
    for text in wanted.layout.texts:
        weighed[text.background] += 3 * (text.role == "button")
        weighed[text.color] += 2 if text.role == "heading" else 1
    for element in wanted.layout.elements:
        if element.kind in ("box", "button", "navigation"):
            weighed.update([element.color, element.color, *filter(None, [element.border])])
    weighed[wanted.layout.background] += 3
    strong = [one for one in weighed.most_common() if sum(part**2 for part in oklab(one[0])[1:]) >= _COLOURED**2]
    least = _SECOND * strong[0][1] if strong else 0.0
    kept = [color for color, weight in strong if weight >= least]
    return kept[:1] + [one for one in kept if hued(one).split()[-1] != hued(kept[0]).split()[-1]]


def _letters(wanted: Wanted) -> Iterator[Fact]:
    source, layout = wanted.page.source, wanted.layout
    classes = {name for node in wanted.page.body.every() for name in node.classes}
    named = re.search(r"font-family:\s*['\"]?([\w ]+)", source)
    if named or classes & {"font-serif", "font-mono", "font-sans"}:
        serif = "font-serif" in classes or re.search(r"font-family:[^;]*(?<!sans-)(?<!sans )serif", source)
        kind = "letters with serifs" if serif else "plain letters without serifs (sans-serif)"
        kind = "typewriter letters, all of one width" if "font-mono" in classes and not serif else kind
        yield tell("font", kind=kind, family=f", {named.group(1).strip()}" if named else "")
    if title := wanted.headline:
        yield tell("look_headline", look=f"{'bold ' * title.bold}{hued(title.color)}")
    where, heads = (alignment(text for text in layout.texts if text.role == role) for role in ("text", "heading"))
    if where or heads:
        also = ", and so are the headings" if heads == where else f", the headings are {heads}" if heads else ""
        yield tell("alignment", where=where or heads, more=also)


def _buttons(wanted: Wanted) -> Iterator[Fact]:
    labels = [label for area in wanted.areas for label in area.buttons]
    if not labels:
        return
    start = "should be" if wanted.single(labels) else "are" if len(labels) > 1 else "is"
    many = f"{len(labels)} button{'s' * (len(labels) != 1)}"
    yield tell("buttons", start=start, many=many, names=quoted(dict.fromkeys(labels)))
    pushed = {text.text: (area, text) for area in reversed(wanted.areas) for text in reversed(area.pushed)}
    for label, (area, text) in list(reversed(pushed.items()))[:_MOST_BUTTONS]:
        own = [one for one in wanted.layout.elements if one.kind == "button" and one.label == label]
        outlined = any(one.border == text.color for one in own[:1]) and area.color == text.background
        look = f"{hued(text.background)} with {hued(text.color)} text, {'outlined' if outlined else 'filled'}"
        shape = f", with {corners(own[0])} corners" if own else ""
        shape += f" and {border_words(own[0].border)}" if own and own[0].border else ""
        yield tell(
            "colour_button", wanted.words(area)[:6], label, text=said(label, 6), look=look, shape=shape, key=label
        )
