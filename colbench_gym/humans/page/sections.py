"""Facts about the sections of the page: what they hold, how it is arranged, and how each looks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.areas import Area, Item, column_widths, pictures_of
from colbench_gym.humans.page.reading import DATE, PRICE, Node, beside, bounding, rows_of
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
from colbench_gym.humans.page.words import ROLES
from colbench_gym.page_language.color_names import name_of
from colbench_gym.rendering.layout import Rect, TextBlock

_VALUE_CHARS = 22
_MOST_ITEMS = 8  # each told of apart


def section_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns the sections, the opening's items and the sidebar among them."""
    for area in wanted.areas:
        if area.kind in ("section", "opening", "sidebar"):
            yield from _section(wanted, area)


def _section(wanted: Wanted, area: Area) -> Iterator[Fact]:
    called, about = wanted.called(area), wanted.words(area)
    key = f"{wanted.areas.index(area)}"
    if area.role and area.kind == "section" and area.title is not None and not area.items:
        yield tell("role", about, called=called, name=ROLES[area.role].name, more=_contents(area), key=key)
    if area.kind != "opening" and area.title is not None:
        yield tell("title", about, more=_role_words(area) or "that part", text=said(area.title.text), key=key)
    if area.items:
        yield from _items(wanted, area, called, about, key)
    yield from _columns(wanted, area, called, about, key)
    if area.kind == "sidebar":
        yield from _sidebar(wanted, area, about, key)
    yield from _texts(area, called, about, key)
    yield from _look(wanted, area, called, about, key)


def _role_words(area: Area) -> str:
    return f"the section with {ROLES[area.role].name}" if area.role else ""


def _contents(area: Area) -> str:
    """Return what a section holds, in a few words."""
    found = []
    if area.paragraphs:
        found.append(several(len(area.paragraphs), "paragraph"))
    if area.pictures:
        found.append(several(len(area.pictures), "picture"))
    if area.inputs:
        found.append(several(len(area.inputs), "field"))
    if area.buttons:
        found.append(
            f"the button {quoted(area.buttons)}" if len(area.buttons) == 1 else several(len(area.buttons), "button")
        )
    if area.links:
        found.append(several(len(area.links), "link"))
    return listed(found) or "nothing but its heading"


def _noun(area: Area) -> str:
    first = area.items[0]
    if area.role:
        noun = ROLES[area.role].item
        if noun not in ("paragraph", "field", "button", "line"):
            return noun
    if all(not item.texts for item in area.items):
        return "picture"
    return (
        "row"
        if first.node.tag == "tr"
        else "point"
        if first.node.tag == "li"
        else "line"
        if first.node.tag == "p"
        else "card"
    )


def _items(wanted: Wanted, area: Area, called: str, about: Sequence[str], key: str) -> Iterator[Fact]:
    items, noun = area.items, _noun(area)
    titles = [item.title for item in items if item.title]
    rects = [item.node.rect for item in items if item.node.rect is not None]
    rows = rows_of(rects)
    stands = arranged(rows)
    pairs = [(item.title, item.rest[0].text) for item in items if item.title and len(item.rest) == 1]
    paired = len(pairs) == len(items) and all(len(text) <= _VALUE_CHARS for _, text in pairs)
    named = f": {quoted(titles, 9)}" if titles else ""
    if paired:
        named = f": {listed([f'{said(one, 8)} {said(other, 8)}' for one, other in pairs], 9)}"
    yield tell("items", about, called=called, many=several(len(items), noun), named=named, key=key)
    yield tell("columns", about, many=several(len(items), noun), called=called, stands=stands, key=key)
    prices = [(item.title, PRICE.search(" ".join(text.text for text in item.texts))) for item in items]
    if any(match for _, match in prices):
        told = [f"{said(title, 6)} costs {match.group().strip()}" for title, match in prices if match]
        if not paired:
            yield tell("prices", about, titles, names=listed(told, 6), key=key)
    dates = [(item.title, DATE.search(" ".join(text.text for text in item.texts))) for item in items]
    if sum(bool(match) for _, match in dates) > 1 and not any(
        match.group() in title for title, match in dates if match
    ):
        told = [f"{said(title, 6)}: {match.group().strip()}" for title, match in dates if match]
        yield tell("dates", about, titles, noun=noun, names=listed(told, 6), key=key)
    elif area.role in ("news",):
        yield tell("no_dates", about, called=called, key=key)
    yield from _item_pictures(area, called, about, key, noun)
    for place, item in enumerate(items[:_MOST_ITEMS]):
        rest = [text.text for text in item.rest]
        if rest and item.title and not paired:
            details = listed([said(text, 16) for text in rest[:5]])
            button = f", and has the button {said(item.buttons[0].text)}" if item.buttons else ""
            yield tell(
                "item",
                (item.title, *rest[:2]),
                about[:4],
                text=said(item.title, 10),
                told=details,
                button=button,
                key=key,
                place=place,
            )
    if len(pairs) == len(items) and not paired:
        yield tell(
            "pairs", about, called=called, names=listed([f"{said(a, 8)}: {said(b, 14)}" for a, b in pairs], 6), key=key
        )
    held = [text for item in items for text in item.buttons]
    if held:
        labels = list(dict.fromkeys(text.text for text in held))
        yield (
            tell(
                "buttons",
                about,
                called=called,
                noun=noun,
                names=quoted(labels, 4),
                color=name_of(held[0].background),
                color2=name_of(held[0].color),
                key=key,
            )
            if len(held) >= len(items)
            else tell("buttons_else", about, called=called, names=quoted(labels), key=key)
        )
    yield from _item_boxes(wanted, area, called, about, key, noun)
    yield from _marks(area, called, about, key, noun)
    if area.items[0].node.tag in ("li", "tr"):
        listing = (
            "a table"
            if area.items[0].node.tag == "tr"
            else "a numbered list"
            if any(n.tag == "ol" for n in area.items[0].node.above()) and "list-none" not in wanted.page.source
            else "a bulleted list"
            if "list-disc" in wanted.page.source
            else "a plain list"
        )
        yield tell("list", about, called=called, listing=listing, key=key)
    table = next((node for node in area.items[0].node.above() if node.tag == "table"), None)
    heads = [text.text for node in table.every() if node.tag == "th" for text in node.texts] if table else []
    if heads:
        yield tell("heads", about, called=called, names=quoted(heads), key=key)


def arranged(rows: Sequence[Sequence[Rect]]) -> str:
    """Return how things stand that are in such rows."""
    if not rows:
        return "together"
    most = max(len(row) for row in rows)
    if most == 1:
        return "one below the other" if len(rows) > 1 else "alone"
    if len(rows) == 1:
        return f"side by side in one row, so there are {several(most, 'column')}"
    return f"in a grid of {several(most, 'column')} and {several(len(rows), 'row')}, {_number(most)} per row"


def _number(count: int) -> str:
    return several(count, "x").split()[0]


def _item_pictures(area: Area, called: str, about: Sequence[str], key: str, noun: str) -> Iterator[Fact]:
    with_pictures = [item for item in area.items if item.picture is not None and item.texts]
    if not with_pictures:
        if any(item.texts for item in area.items):
            yield tell("no_item_pictures", about, many=several(len(area.items), noun), called=called, key=key)
        return
    item = with_pictures[0]
    text = bounding([one.rect for one in item.texts])
    picture = item.picture.rect if item.picture else text
    if beside(picture, text):
        where = "to the left of its text" if picture.x < text.x else "to the right of its text"
    else:
        where = "above its text" if picture.y < text.y else "below its text"
    shape = _shape(item)
    yield tell("item_pictures", about, noun=noun, called=called, shape=shape, where=where, key=key)


def _shape(item: Item) -> str:
    picture = item.picture
    if picture is None:
        return ""
    rect, radius = picture.rect, picture.radius_px
    if radius >= 0.45 * min(rect.width, rect.height) and abs(rect.width - rect.height) < 12:
        return "round "
    return "rounded " if radius > 3 else "square-cornered "


def _item_boxes(wanted: Wanted, area: Area, called: str, about: Sequence[str], key: str, noun: str) -> Iterator[Fact]:
    grounds = [wanted.page.ground(item.node) for item in area.items]
    boxes = [box for _, box in grounds if box is not None and box is not area.box]
    if not boxes:
        yield tell("no_boxes", about, many=several(len(area.items), noun), called=called, key=key)
        return
    box = boxes[0]
    colors = list(dict.fromkeys(color_words(one.color) for one in boxes))
    look = [
        f"with {'an' if name_of(box.border)[0] in 'aeiou' else 'a'} {name_of(box.border)} border"
        if box.border
        else "without a border",
        "square corners" if box.radius_px < 1.5 else "rounded corners",
    ]
    yield tell(
        "boxes",
        about,
        many=several(len(area.items), noun),
        called=called,
        names=listed(colors),
        more=" and ".join(look),
        key=key,
    )
    odd = [item for item, (color, _) in zip(area.items, grounds, strict=True) if color != grounds[0][0]]
    first = [item for item, (color, _) in zip(area.items, grounds, strict=True) if color == grounds[0][0]]
    few = odd if len(odd) <= len(first) else first
    if few and len(few) == 1 and few[0].title:
        color = wanted.page.ground(few[0].node)[0]
        yield tell(
            "odd",
            about,
            called=called,
            text=said(few[0].title, 8),
            more=color_words(color) if color else "a picture",
            key=key,
        )


def _marks(area: Area, called: str, about: Sequence[str], key: str, noun: str) -> Iterator[Fact]:
    """Yield numbers and lines that mark the items."""
    numbers = [
        item.texts[0]
        for item in area.items
        if item.texts and item.texts[0].text.isdigit() and len(item.texts[0].text) == 1
    ]
    if len(numbers) == len(area.items):
        yield tell("numbers", about, noun=noun, called=called, color=name_of(numbers[0].background), key=key)
    elif noun == "step":
        yield tell("no_numbers", about, called=called, key=key)
    for node in (
        area.items[0].node,
        *(one for one in area.items[0].node.above() if any(one is kid for kid in area.every())),
    ):
        for start, where in (("border-l", "at the left of"), ("border-t", "above"), ("border-b", "below")):
            if any(name.startswith(start) for name in node.classes):
                what = f"each {noun}" if node is area.items[0].node else f"the {noun}s"
                color = next(
                    (
                        name.removeprefix("border-").split("-")[0]
                        for name in sorted(node.classes)
                        if name.count("-") >= 2 or name in ("border-black", "border-white")
                    ),
                    "",
                )
                color = color if color.isalpha() and len(color) > 1 else ""
                yield tell(
                    "line", about, called=called, more=color + " " if color else "", where=where, what=what, key=key
                )
                return


def _columns(wanted: Wanted, area: Area, called: str, about: Sequence[str], key: str) -> Iterator[Fact]:
    """Yield what stands side by side in an area, other than its items."""
    item_nodes = {id(item.node) for item in area.items}
    for node in [one for top in area.nodes for one in top.every()]:
        kids = [kid for kid in node.seen if kid.rect is not None]
        if id(node) in item_nodes or any(id(kid) in item_nodes for kid in kids) or not 2 <= len(kids) <= 4:
            continue
        if node.tag in ("nav", "form", "p", "h1", "h2", "h3", "table", "tr", "ul", "ol"):
            continue
        rects = [kid.rect for kid in kids if kid.rect is not None]
        if len(rows_of(rects)) != 1 or all(kid.tag in ("a", "button", "span", "input") for kid in kids):
            continue
        kids = sorted(kids, key=lambda kid: kid.rect.x if kid.rect else 0.0)
        names = {2: ("left", "right"), 3: ("left", "middle", "right")}.get(
            len(kids), tuple(f"{n}." for n in range(1, 9))
        )
        told = [
            f"on the {name} {_held(kid)}" if len(kids) == 2 else f"in the {name} column {_held(kid)}"
            for name, kid in zip(names, kids, strict=False)
        ]
        yield tell("split", about, called=called, names=listed(told), key=key)
        for name, kid in zip(names, kids, strict=False):
            color, box = wanted.page.ground(kid)
            if color is not None and box is not None:
                yield tell(
                    "colour",
                    about,
                    f"{name}, column, side, half",
                    name=name,
                    called=called,
                    color=color_words(color),
                    key=key,
                )
        shares = column_widths(rects)
        same = max(shares) - min(shares) < 0.08
        yield (
            tell("widths", about, called=called, key=key)
            if same
            else tell(
                "widths_else",
                about,
                called=called,
                more=names[shares.index(max(shares))],
                more2=round(100 * max(shares) / 5) * 5,
                key=key,
            )
        )
        return


def _held(node: Node) -> str:
    """Return what a column holds, in a few words."""
    texts = [text for one in node.every() for text in one.texts]
    headings = [text for text in texts if text.role == "heading"]
    pictures, fields = pictures_of(node), [one for one in node.every() if one.element and one.element.kind == "input"]
    found = []
    if pictures and not texts:
        return "the picture" if len(pictures) == 1 else several(len(pictures), "picture")
    if headings:
        found.append(quoted([text.text for text in headings], 4))
        if any(text.role == "text" for text in texts):
            found.append("text")
    elif texts:
        found.append(f"the text {said(texts[0].text, 6)}")
    if pictures:
        found.append("a picture" if len(pictures) == 1 else several(len(pictures), "picture"))
    if fields:
        found.append("a form")
    found += [f"the button {said(text.text, 5)}" for text in texts if text.role == "button"][:1]
    return " with ".join([found[0], listed(found[1:])]) if len(found) > 1 else (found[0] if found else "nothing")


def _sidebar(wanted: Wanted, area: Area, about: Sequence[str], key: str) -> Iterator[Fact]:
    rect = area.rect
    if rect is None:
        return
    left = rect.x + rect.width / 2 < wanted.layout.width / 2
    others = [
        one.rect
        for one in wanted.areas
        if one is not area and one.rect is not None and one.kind in ("section", "opening")
    ]
    share = rect.width / wanted.layout.width
    near = [other for other in others if other.y < rect.y + rect.height and other.y + other.height > rect.y]
    if near and area.box is None:
        edge = min(other.x for other in near)
        share = (edge - rect.x) / max(1.0, wanted.layout.width - 2 * min(rect.x, 40)) if left else share
    words = "a quarter" if 0.19 < share < 0.29 else "a third" if share < 0.38 else "a fifth"
    words = "a fifth" if share <= 0.19 else words
    yield tell("sidebar", about, more="left" if left else "right", words=words, key=key)
    names = {name for node in area.nodes for one in (node, *node.above()) for name in one.classes}
    fixed = bool(names & {"fixed", "sticky"})
    yield tell(
        "sidebar_scroll",
        about,
        more="stays in place while the page scrolls" if fixed else "scrolls with the page",
        key=key,
    )
    if area.texts:
        yield tell("sidebar_text", about, names=quoted([text.text for text in area.texts], 9), key=key)


def _texts(area: Area, called: str, about: Sequence[str], key: str) -> Iterator[Fact]:
    """Yield what is to be read in a section, heading by heading."""
    inside = {id(text) for item in area.items for text in item.texts}
    groups: list[tuple[TextBlock | None, list[TextBlock]]] = [(None, [])]
    for text in area.texts:
        if text.role == "heading":
            groups.append((text, []))
        elif text.role in ("text", "label"):
            groups[-1][1].append(text)
    for place, (heading, texts) in enumerate(groups):
        texts = [text for text in texts if id(text) not in inside]
        head = said(heading.text, 8) if heading else called
        own = (heading.text,) if heading else ()
        if not texts:
            if (
                heading is not None
                and id(heading) not in inside
                and not area.items
                and len(groups) > 1
                and not area.inputs
            ):
                yield tell("no_text", own, about, head=head, key=key, place=place)
            continue
        if heading is not None and area.kind == "opening" and heading is area.title:
            for extra in texts[1:3]:
                yield tell("text", about, text=said(extra.text), key=key, place=place, y=extra.rect.y)
            continue
        yield (
            tell(
                "text_2",
                own,
                about,
                head=head,
                names=listed([said(text.text, 26 if len(texts) == 1 else 12) for text in texts[: _most(texts)]]),
                key=key,
                place=place,
            )
            if heading
            else tell(
                "text_else",
                own,
                about,
                called=called,
                names=listed([said(text.text, 16) for text in texts[: _most(texts)]]),
                key=key,
                place=place,
            )
        )
        if len(texts) != 1 or not area.items:
            yield tell("paragraphs", own, about, head=head, many=several(len(texts), "paragraph"), key=key, place=place)


def _most(texts: Sequence[TextBlock]) -> int:
    """Return how many of some texts are read out."""
    return 6 if all(len(text.text) < 50 for text in texts) else 3


def _look(wanted: Wanted, area: Area, called: str, about: Sequence[str], key: str) -> Iterator[Fact]:
    if area.kind != "opening":
        if area.color is not None:
            same = " like the page" if area.color == wanted.layout.background else ""
            yield tell("colour_2", about, called=called, color=color_words(area.color), same=same, key=key)
        texts = [text for text in area.texts if text.role in ("text", "heading")]
        color = most_common(text.color for text in texts if text.role == "text")
        if color is not None:
            yield tell("colour_text_2", about, called=called, color=color_words(color), key=key)
        if texts:
            heads = [text for text in texts if text.role == "heading"][:1]
            where, head = alignment([t for t in texts if t not in heads] or texts), alignment(heads)
            yield tell(
                "align",
                about,
                called=called,
                where=where,
                more=f", its heading {head}" if head and head != where else "",
                key=key,
            )
        if area.title is not None:
            yield tell(
                "colour_title", about, text=said(area.title.text, 6), color=color_words(area.title.color), key=key
            )
        if not area.pictures:
            yield tell("no_pictures", about, called=called, key=key)
        else:
            yield tell("pictures", about, called=called, many=several(len(area.pictures), "picture"), key=key)
        if not area.buttons:
            yield tell("no_buttons", about, called=called, key=key)
        elif not any(item.buttons for item in area.items):
            yield tell(
                "buttons_2",
                about,
                called=called,
                more="s" if len(area.buttons) > 1 else "",
                names=quoted(area.buttons, 6),
                key=key,
            )
    if area.inputs:
        labels = [one.label for one in area.inputs if one.label]
        rects = [one.rect for one in area.inputs]
        button = f" and the button {quoted(area.buttons[-1:])}" if area.buttons else ""
        named = f": {quoted(labels)}" if labels else ""
        yield tell(
            "form", about, called=called, many=several(len(area.inputs), "field"), named=named, button=button, key=key
        )
        if len(rects) > 1:
            yield tell("form_columns", about, stands=arranged(rows_of(rects)), key=key)
