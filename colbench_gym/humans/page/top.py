"""Facts about the top of the page: the notice, the header with name, logo and menu, and the opening."""

from __future__ import annotations

from collections.abc import Iterator

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.areas import Area
from colbench_gym.humans.page.reading import Node, beside, bounding, holds
from colbench_gym.humans.page.telling import (
    Wanted,
    alignment,
    color_words,
    listed,
    most_common,
    quoted,
    said,
    several,
    tell,
)
from colbench_gym.rendering.layout import Rect, TextBlock

_ONE_LINE_PX = 24.0
_SHORT_CHARS = 90  # of a sentence that is told with the headline


def top_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns the top of the page."""
    yield from _notice(wanted)
    yield from _header(wanted)
    yield from _menu(wanted)
    yield from _opening(wanted)


def _notice(wanted: Wanted) -> Iterator[Fact]:
    notice = wanted.first("notice")
    if notice is None or not notice.texts:
        return
    about = "notice, announcement, very top, above the header, message, line, bar, strip"
    yield tell("notice", about, text=said(notice.texts[0].text))
    if notice.color is not None:
        yield tell("colour_notice", about, color=color_words(notice.color), color2=color_words(notice.texts[0].color))


def _header(wanted: Wanted) -> Iterator[Fact]:
    header = wanted.header
    if header is None:
        return
    called = "the header" if header.kind == "header" else "the menu bar"
    parts = _header_parts(wanted, header)
    if parts:
        rows = len({round(rect.y / _ONE_LINE_PX) for _, rect in parts}) > 1
        texts = [f"{name} {wanted.side(rect)}" for name, rect in parts]
        if rows and len(parts) > 1 and not beside(parts[0][1], parts[1][1]):
            lines = f"{parts[0][0]} {wanted.side(parts[0][1])}, and below it {listed(texts[1:])}"
            yield tell("header_parts", called=called, lines=lines)
        else:
            yield tell(
                "header_parts_2", called=called, names=listed(texts), more=", all in one row" if len(parts) > 1 else ""
            )
    picture = wanted.on_picture(bounding([rect for _, rect in parts])) if parts else None
    if header.color is None or (picture is not None and header.box is None):
        yield tell("colour_header", called=called)
    else:
        yield tell("colour_header_2", called=called, color=color_words(header.color))
    brand = wanted.brand
    if brand is not None:
        yield tell("brand", called=called, text=said(brand.text))
        yield tell("colour_brand", called=called, color=color_words(brand.color))
        yield tell("place_brand", text=said(brand.text), side=wanted.side(brand.rect), called=called)
    texts_color = most_common(text.color for text in header.texts if text.role != "button")
    if texts_color is not None and header.color is not None:
        yield tell("colour_header_text", called=called, color=color_words(texts_color))
    logo = wanted.logo
    if logo is not None:
        yield tell("logo", side=wanted.side(logo.rect), called=called, number=round(logo.rect.height))
    elif brand is not None:
        yield tell("no_logo", text=said(brand.text))
    names = {
        name
        for node in [*header.nodes, *(one for node in header.nodes for one in node.above())]
        for name in node.classes
    }
    about = "sticky", "header, menu, navigation"
    if names & {"sticky", "fixed"}:
        yield tell("sticky", *about, called=called)
    else:
        yield tell("no_sticky", *about, called=called)
    if header.rect is not None:
        yield tell("height_header", called=called, more=round(header.rect.height / 10) * 10)
    if header.kind == "header" and not header.pushed:
        yield tell("no_header_button", called=called)
    for element in header.inputs:
        yield tell("header_field", called=called, text=said(element.label), more=" " + wanted.side(element.rect))
    if header.kind == "header" and not header.inputs:
        yield tell("no_header_field", called=called)


def _header_parts(wanted: Wanted, header: Area) -> list[tuple[str, Rect]]:
    parts: list[tuple[str, Rect]] = []
    if wanted.logo is not None:
        parts.append(("the logo", wanted.logo.rect))
    if wanted.brand is not None:
        parts.append((f"the name {said(wanted.brand.text, 8)}", wanted.brand.rect))
    menu = wanted.menu
    links = (
        [text for text in menu[1] if text.role != "button" and text is not wanted.brand]
        if menu and _within(menu[0], header)
        else []
    )
    if links:
        parts.append(("the menu", bounding([text.rect for text in links])))
    parts += [(f"the button {said(text.text, 6)}", text.rect) for text in header.pushed]
    parts += [(f"the field {said(one.label, 6)}" if one.label else "a field", one.rect) for one in header.inputs]
    known = {(text.text, text.rect) for text in (*links, *([wanted.brand] if wanted.brand else []))}
    parts += [
        (f"{said(text.text, 8)}", text.rect)
        for text in header.texts
        if (text.text, text.rect) not in known and text.role in ("text", "heading", "link")
    ][:2]
    return (
        sorted(parts, key=lambda part: (round(part[1].y / (2 * _ONE_LINE_PX)), part[1].x))
        if not links
        else _rowed(parts)
    )


def _rowed(parts: list[tuple[str, Rect]]) -> list[tuple[str, Rect]]:
    """Return parts in reading order: things side by side from left to right."""
    rows: list[list[tuple[str, Rect]]] = []
    for part in sorted(parts, key=lambda part: part[1].y):
        if rows and beside(rows[-1][0][1], part[1]):
            rows[-1].append(part)
        else:
            rows.append([part])
    return [part for row in rows for part in sorted(row, key=lambda part: part[1].x)]


def _within(node: Node, area: Area) -> bool:
    return any(one is node for one in area.every())


def _menu(wanted: Wanted) -> Iterator[Fact]:
    if wanted.menu is None:
        return
    node, entries = wanted.menu
    links = [text for text in entries if text is not wanted.brand and text.role != "button"]
    buttons = [text for text in entries if text.role == "button"]
    if not links:
        return
    also = f", and the button {quoted(text.text for text in buttons)}" if buttons else ""
    names = [text.text for text in links]
    alone = names == [text.text for text in wanted.layout.texts if text.role == "link"]
    start = "The links should be" if alone else "The navigation bar should hold"
    start = start if wanted.single(names) else "They are"
    yield tell(
        "menu", many=several(len(links), "entry"), names=quoted(dict.fromkeys(names), 12), also=also, links=start
    )
    rect = bounding([text.rect for text in links])
    rows = len({round(text.rect.y / 10) for text in links})
    stands = "one below the other" if rows == len(links) > 1 else "side by side in one row"
    where = wanted.side(rect)
    home = (
        "in the sidebar"
        if any(one.tag == "aside" for one in node.above())
        else (
            "in the header"
            if wanted.header is not None and wanted.header.kind == "header" and _within(node, wanted.header)
            else "in a bar of its own below the header"
            if wanted.header is not None and wanted.header.kind == "header"
            else "at the top"
        )
    )
    yield tell("menu_place", home=home, where=where, stands=stands)
    color = most_common(text.color for text in links)
    if color is not None:
        yield tell("colour_menu", color=color_words(color))
    ground, box = wanted.page.ground(node)
    if (
        ground is not None
        and box is not None
        and not (wanted.header and wanted.header.box and box is wanted.header.box)
    ):
        yield tell("colour_menu_bar", color=color_words(ground))
    picture = wanted.on_picture(rect)
    if picture is not None:
        yield tell("menu_on_picture")


def _opening(wanted: Wanted) -> Iterator[Fact]:
    opening, title = wanted.opening, wanted.headline
    if opening is None or title is None:
        if title is not None:
            yield tell("headline", text=said(title.text))
        return
    yield tell("colour_headline", text=said(title.text, 6), color=color_words(title.color))
    yield tell("align_headline", aligned=alignment([title]))
    texts = [
        text
        for text in opening.texts
        if text.role in ("text", "heading") and text.rect.y > title.rect.y and text is not title
    ]
    texts = (
        texts[:1] + [text for text in texts[1:] if text.role == "text"]
        if opening.kind in ("header", "opening")
        else texts
    )
    below = texts[0].text if texts and texts[0].font_px <= title.font_px else ""
    joined = f", and below it {said(below)}" if below and len(below) <= _SHORT_CHARS else ""
    yield tell("headline_2", "subtitle" if joined else "", text=said(title.text), joined=joined)
    if texts:
        if below and not joined:
            yield tell("subtitle", text=said(below))
        yield tell("align_opening", aligned=alignment(texts))
        if len(texts) > 1 or not opening.items:
            yield tell(
                "paragraphs_opening",
                weight=0.4 if len(texts) > 1 else 0.15,
                text=said(title.text, 6),
                more="is" if len(texts) == 1 else "are",
                many=several(len(texts), "paragraph"),
            )
    else:
        yield tell("no_subtitle")
    if opening.buttons:
        where = wanted.side(next((t.rect for t in opening.pushed), title.rect))
        yield tell(
            "opening_button", many=several(len(opening.buttons), "button"), names=quoted(opening.buttons), where=where
        )
    else:
        yield tell("no_opening_button")
    yield from _opening_look(wanted, opening, title, texts)


def _opening_look(wanted: Wanted, opening: Area, title: TextBlock, texts: list[TextBlock]) -> Iterator[Fact]:
    about = ("opening", "picture_place")
    pictures = [one for one in opening.pictures if one is not wanted.logo]
    behind = wanted.on_picture(title.rect)
    if behind is not None:
        full = (
            "fills the whole screen"
            if behind.rect.height >= 640
            else f"is a band about {round(behind.rect.height / 10) * 10} pixels high"
        )
        yield tell("opening_picture", *about, full=full)
    elif pictures:
        picture, words = pictures[0], bounding([title.rect, *(text.rect for text in texts)])
        if beside(picture.rect, words):
            side = "left" if picture.rect.x < words.x else "right"
            where = f"on the {side}, beside the headline"
        else:
            where = "above the headline" if picture.rect.y < title.rect.y else "below the headline"
        wide = ", over the full width" if picture.rect.width >= 0.95 * wanted.layout.width else ""
        yield tell("opening_picture_2", *about, where=where, wide=wide, more=round(picture.rect.height / 10) * 10)
    else:
        yield tell("no_opening_picture", *about)
    card = title.background
    holder = next((node for node in opening.every() if title in node.texts), None)
    box = None
    while holder is not None and holder not in opening.nodes:
        _, found = wanted.page.ground(holder)
        if found is not None and found is not opening.box and found.kind == "box" and holds(found.rect, title.rect):
            box = found
            break
        holder = holder.parent
    if box is not None:
        yield tell("opening_box", color=color_words(card))
    if opening.color is not None and behind is None:
        yield tell("colour_opening", color=color_words(opening.color))
    source = wanted.page.source
    if behind is not None and "opacity" in source:
        yield tell("overlay", color=color_words(_overlay(opening)))
    rect = opening.rect
    if rect is not None and (
        rect.height >= 640
        or (
            opening.kind != "header"
            and any("h-screen" in one.classes for one in (*opening.every(), *opening.nodes[0].above()))
        )
    ):
        yield tell("height_opening")


def _overlay(opening: Area) -> tuple[int, int, int]:
    for node in opening.every():
        if any("opacity" in name for name in node.classes) and "bg-black" in node.classes:
            return (0, 0, 0)
    return next((node.texts[0].background for node in opening.every() if node.texts), (0, 0, 0))
