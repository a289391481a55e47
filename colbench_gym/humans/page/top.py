"""Facts about the top of the page: the notice, the header with name, logo and menu, and the opening."""

from __future__ import annotations

from collections.abc import Iterator

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.areas import Area
from colbench_gym.humans.page.geometry import beside, bounding, holds, rows_of
from colbench_gym.humans.page.telling import alignment, hued, listed, quoted, said, several, tell
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.rendering.layout import Rect, TextBlock

_SHORT_CHARS = 90  # of a sentence that is told with the headline
_SCREEN_PX = 640.0  # at least so high fills the screen


def top_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns the top of the page."""
    notice = wanted.first("notice")
    if notice is not None and notice.texts:
        yield tell("notice", text=said(notice.texts[0].text))
    if wanted.header is not None:
        yield from _header(wanted, wanted.header)
    yield from _menu(wanted)
    yield from _opening(wanted)


def _header(wanted: Wanted, header: Area) -> Iterator[Fact]:
    called = "the header" if header.kind == "header" else "the menu bar"
    rows = _header_parts(wanted, header)
    names = [[f"{name} {wanted.side(rect)}" for name, rect in row] for row in rows]
    first, rest = (names[0] if names else []), [name for row in names[1:] for name in row]
    if rest and len(first) == 1:
        yield tell("header_parts", called=called, names=f"{first[0]}, and below it {listed(rest)}")
    elif first:
        one_row = ", all in one row" if len(first) > 1 and not rest else ""
        yield tell("header_parts", called=called, names=listed([*first, *rest]) + one_row)
    picture = wanted.on_picture(bounding([rect for row in rows for _, rect in row])) if rows else None
    if header.color is None or (picture is not None and header.box is None):
        yield tell("no_colour_header", called=called)
    else:
        yield tell("colour_header", called=called, color=hued(header.color))
    if brand := wanted.brand:
        yield tell("brand", called=called, text=said(brand.text))
    above = [*header.nodes, *(one for node in header.nodes for one in node.above())]
    stays = any(node.classes & {"sticky", "fixed"} for node in above)
    if stays or "position:" not in wanted.page.source:
        yield tell("sticky" if stays else "no_sticky", called=called)
    for element in header.inputs:
        yield tell("header_field", called=called, text=said(element.label), more=wanted.side(element.rect))


def _header_parts(wanted: Wanted, header: Area) -> list[list[tuple[str, Rect]]]:
    """Return what stands in the header in rows, each from left to right."""
    parts = [("the logo", wanted.logo.rect)] if wanted.logo else []
    parts += [(f"the name {said(wanted.brand.text, 8)}", wanted.brand.rect)] if wanted.brand else []
    links = wanted.menu[1] if wanted.menu is not None and wanted.menu[0] in header.every() else []
    parts += [("the menu", bounding([text.rect for text in links]))] if links else []
    parts += [(f"the button {said(text.text, 6)}", text.rect) for text in header.pushed]
    parts += [(f"the field {said(one.label, 6)}" if one.label else "a field", one.rect) for one in header.inputs]
    known = {id(text) for text in links} | {id(wanted.brand)}
    names = {text.text for text in links}
    others = [text for text in header.texts if id(text) not in known and text.role in ("text", "heading", "link")]
    parts += [(said(text.text, 8), text.rect) for text in others if text.text not in names][:2]
    names_of = {rect: name for name, rect in parts}
    return [[(names_of[rect], rect) for rect in row] for row in rows_of(names_of)]


def _menu(wanted: Wanted) -> Iterator[Fact]:
    if wanted.menu is None:
        return
    _, links, buttons = wanted.menu
    if not links:
        return
    names = list(dict.fromkeys(text.text for text in links))
    also = f", and the button {quoted(buttons)}" if buttons else ""
    start = "The links should be" if wanted.single(names) else "They are"
    yield tell("menu", many=several(len(links), "entry"), names=quoted(names, 12), also=also, links=start)


def _opening(wanted: Wanted) -> Iterator[Fact]:
    opening, title = wanted.opening, wanted.headline
    if opening is None or title is None:
        if title is not None:
            yield tell("headline", text=said(title.text), joined="")
        return
    yield tell("align_headline", aligned=alignment([title]))
    inside = {id(text) for item in opening.items for text in item.texts} | {id(title)}
    texts = [text for text in opening.texts if text.rect.y > title.rect.y and id(text) not in inside]
    below = [text for text in texts if text.role == "text" or (text.role == "heading" and text is texts[0])]
    first = below[0].text if below and below[0].font_px <= title.font_px else ""
    joined = f", and below it {said(first)}" if first and len(first) <= _SHORT_CHARS else ""
    yield tell("headline", "subtitle" if joined else "", text=said(title.text), joined=joined)
    if below and (len(below) > 1 or not opening.items):
        many, verb = several(len(below), "paragraph"), "is" if len(below) == 1 else "are"
        weight = 0.4 if len(below) > 1 else 0.15
        yield tell("paragraphs_opening", weight=weight, text=said(title.text, 6), more=verb, many=many)
    yield from _opening_look(wanted, opening, title, below)


def _opening_look(wanted: Wanted, opening: Area, title: TextBlock, texts: list[TextBlock]) -> Iterator[Fact]:
    about, key = ("opening", "picture_place"), wanted.areas.index(opening)
    pictures = [one for one in opening.pictures if one is not wanted.logo]
    behind = wanted.on_picture(title.rect)
    if behind is not None:
        band = f"is a band about {round(behind.rect.height / 10) * 10} pixels high"
        full = "fills the whole screen" if behind.rect.height >= _SCREEN_PX else band
        yield tell("opening_background", *about, full=full, key=key)
    elif pictures:
        picture, words = pictures[0].rect, bounding([title.rect, *(text.rect for text in texts)])
        where = "above the headline" if picture.y < title.rect.y else "below the headline"
        if beside(picture, words):
            where = f"on the {'left' if picture.x < words.x else 'right'}, beside the headline"
        wide = ", over the full width" if picture.width >= 0.95 * wanted.layout.width else ""
        yield tell("opening_picture", *about, where=where, wide=wide, more=round(picture.height / 10) * 10, key=key)
    holder = next((node for node in opening.every() if title in node.texts), None)
    while holder is not None and holder not in opening.nodes:
        _, box = wanted.page.ground(holder)
        if box is not None and box is not opening.box and box.kind == "box" and holds(box.rect, title.rect):
            yield tell("opening_box", color=hued(title.background))
            break
        holder = holder.parent
