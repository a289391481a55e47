"""Facts about the sections of the page, its sidebar and its footer: what they hold, and how it is arranged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from colbench_gym.humans.facts import Fact
from colbench_gym.humans.page.appearance import border_words, corners
from colbench_gym.humans.page.areas import Area, pictures_of
from colbench_gym.humans.page.geometry import holds, nearest, rows_of
from colbench_gym.humans.page.reading import CONTACT, PRICE, Node
from colbench_gym.humans.page.telling import arranged, hued, listed, quoted, said, several, tell
from colbench_gym.humans.page.wanted import Wanted
from colbench_gym.humans.page.words import ROLES
from colbench_gym.page_language.statements import share_words
from colbench_gym.rendering.layout import Rect, TextBlock

_WHOLE_CHARS = 240  # of titles and texts, up to which the things of an area are told with their texts
_INSET_PX = 40.0  # at most so far what a sidebar holds stands from its inner edge
_COLUMNS = {2: ("on the left", "on the right"), 3: ("on the left", "in the middle", "on the right")}
_EQUAL = 0.08  # of the page: columns whose widths differ by less are equally wide
_NOUNS = {"tr": "row", "li": "point", "p": "line"}


class _Own:
    """Tells of one area, under its name."""

    def __init__(self, wanted: Wanted, area: Area) -> None:
        self.called, self._words, self._key = wanted.called(area), wanted.words(area), wanted.areas.index(area)

    def tell(self, name: str, /, *about: str, **values: str | int) -> Fact:
        """Return a fact about the area, or about a part of it with these titles."""
        return tell(name, about, self._words, called=self.called, key=self._key, **values)


def section_facts(wanted: Wanted) -> Iterator[Fact]:
    """Yield what concerns the sections, the opening's items and the sidebar among them, and the footer."""
    for area in wanted.areas:
        own = _Own(wanted, area)
        if area.kind in ("section", "opening", "sidebar"):
            yield from _section(wanted, area, own)
        wide = [one.rect.height for one in area.pictures if one.rect.width >= 0.95 * wanted.layout.width]
        if wide and not area.texts:
            yield own.tell("band", number=round(wide[0] / 10) * 10)
        contacts = [text.text for text in area.texts if CONTACT.search(text.text) and len(text.text) < 160]
        if contacts and area.kind != "sidebar":
            yield own.tell("contact", names=listed([said(text) for text in contacts[:5]]))
    footer = wanted.first("footer")
    if footer is not None:
        yield from _footer(footer)


def _section(wanted: Wanted, area: Area, own: _Own) -> Iterator[Fact]:
    if area.items:
        yield from _items(wanted, area, own)
    yield from _columns(area, own)
    if area.kind != "sidebar":
        yield from _texts(area, own)
    elif area.rect is not None:
        yield from _sidebar(area, area.rect, wanted.layout.width, own)
    covered = area.rect is not None and any(holds(one.rect, area.rect) for one in area.pictures)
    if area.color is not None and not covered and (area.kind != "opening" or area.color != wanted.layout.background):
        same = " like the page" if area.color == wanted.layout.background else ""
        yield own.tell("colour", color=hued(area.color), same=same)
    if area.inputs:
        written = [text for text in area.texts if text.role in ("text", "label")]
        labels = [label for one in area.inputs if (label := one.label or nearest(one.rect, written))]
        button = f" and the button {quoted(area.buttons[-1:])}" if area.buttons else ""
        named = f": {quoted(labels)}" if labels else ""
        yield own.tell("form", many=several(len(area.inputs), "field"), named=named, button=button)


def _noun(area: Area) -> str:
    noun = ROLES[area.role].item if area.role else "field"
    if noun not in ("paragraph", "field", "button", "line"):
        return noun if noun != "card" or any(item.rest or item.picture for item in area.items) else "part"
    return _NOUNS.get(area.items[0].node.tag, "card") if any(item.texts for item in area.items) else "picture"


def _items(wanted: Wanted, area: Area, own: _Own) -> Iterator[Fact]:
    items = area.items
    many = several(len(items), _noun(area))
    pairs = [(item.title, item.rest[0].text) for item in items if item.title and len(item.rest) == 1]
    paired = len(pairs) == len(items) and sum(len(title) + len(text) for title, text in pairs) <= _WHOLE_CHARS
    titles = [item.title for item in items if item.title]
    if paired:
        named = ": " + listed([f"{said(title, 8)} {said(text)}" for title, text in pairs], 9)
    else:
        named = f": {quoted(titles, 9)}" if titles else ""
        named += " - only the headings" if all(_bare(item.node.every()) for item in items) else ""
    pictured = ", each with a picture" * all(item.picture and item.texts for item in items)
    yield own.tell("items", many=many, named=pictured + named)
    rects = {item.node.rect: item for item in items if item.node.rect is not None}
    stands = arranged(rects)
    if 1 < len(rects) < 4 and len(rows_of(rects)) == 1 and len(titles) == len(items):
        beside = zip(_COLUMNS[len(rects)], rows_of(rects)[0], strict=True)
        stands += f": {listed([f'{said(rects[rect].title, 5)} {side}' for side, rect in beside])}"
    yield own.tell("columns", many=many, stands=stands)
    prices = [(item.title, PRICE.search(" ".join(text.text for text in item.texts))) for item in items]
    costs = [f"{said(title, 6)} costs {match.group().strip()}" for title, match in prices if match]
    if costs and not paired:
        yield own.tell("prices", names=listed(costs, 6))
    if any(item.texts for item in items):
        yield from _boxes(wanted, area, own, many)


def _boxes(wanted: Wanted, area: Area, own: _Own, many: str) -> Iterator[Fact]:
    """Yield whether the things of an area stand in boxes, and how these look; lines between them make none."""
    found = [wanted.page.ground(item.node)[1] for item in area.items]
    boxes = [box for box in found if box is not None and box is not area.box and box.kind == "box"]
    names = {name for item in area.items for node in item.node.every() for name in node.classes}
    shadow = " and a shadow" if any(name.startswith("shadow") for name in names) else ""
    framed = bool(names & {"border", "border-2", "border-4"})  # all around
    apart = len({id(box) for box in boxes}) == len(found)
    if apart and (shadow or framed or all(box.color != area.color for box in boxes)):
        colors = list(dict.fromkeys(hued(box.color) for box in boxes))
        edges = [f", {border_words(box.border)}" if framed or not box.border else "" for box in boxes]
        looks = Counter(f"{corners(box)} corners{edge}" for box, edge in zip(boxes, edges, strict=True))
        more = "mostly " * (len(looks) > 1) + looks.most_common(1)[0][0]
        more += shadow or " and no shadow" * ("shadow" not in wanted.page.source)
        yield own.tell("boxes", many=many, color=listed(colors, 4), more=more)
    elif not boxes:
        yield own.tell("no_boxes", many=many)


def _columns(area: Area, own: _Own) -> Iterator[Fact]:
    """Yield what stands side by side in an area, other than its items."""
    kids, shares = area.columns, area.shares
    if not kids:
        return
    yield own.tell("split", many=several(len(kids), "column"), names=_sided(kids))
    place = shares.index(min(shares))
    if max(shares) - min(shares) < _EQUAL:
        yield own.tell("widths")
    elif len(kids) == 2:
        yield own.tell("narrow", side=("left", "right")[place], words=share_words(shares[place]))


def _sided(kids: Sequence[Node]) -> str:
    """Return what columns hold, each with its side."""
    sides = _COLUMNS.get(len(kids), tuple(f"in the {n}. column" for n in range(1, 5)))
    return listed([f"{_held(kid)} {side}" for side, kid in zip(sides, kids, strict=True)])


def _held(node: Node) -> str:
    """Return what a column holds, in a few words."""
    texts = [text for one in node.every() for text in one.texts]
    headings = [text.text for text in texts if text.role == "heading"]
    pictures = pictures_of(node)
    shown = "a picture" if len(pictures) == 1 else several(len(pictures), "picture")
    if pictures and not texts:
        return shown.replace("a ", "the ", 1)
    found = [quoted(headings, 4)] if headings else [f"the text {said(texts[0].text, 6)}"] if texts else []
    if headings and _bare(node.every()):
        return f"only the heading {found[0]}"
    if headings and any(text.role == "text" for text in texts):
        found.append("text")
    found += [shown] if pictures else []
    if any(one.element and one.element.kind == "input" for one in node.every()):
        found.append("a form")
    return " with ".join([*found[:1], *filter(None, [listed(found[1:])])]) or "nothing"


def _bare(nodes: Iterable[Node]) -> bool:
    """Return whether some elements hold one heading and nothing else."""
    things = [thing for node in nodes for thing in (*node.texts, node.element) if thing is not None]
    return len(things) == 1 and getattr(things[0], "role", "") == "heading"


def _sidebar(area: Area, rect: Rect, whole: float, own: _Own) -> Iterator[Fact]:
    left = rect.x + rect.width / 2 < whole / 2
    margin = max(0.0, rect.x if left else whole - rect.x - rect.width)  # there is one on the other side too
    words = share_words((rect.width + margin + min(margin, _INSET_PX)) / whole)
    yield own.tell("sidebar", more="left" if left else "right", words=words)
    if area.texts:
        yield own.tell("sidebar_text", names=listed([said(text.text, 16) for text in area.texts], 9))


def _texts(area: Area, own: _Own) -> Iterator[Fact]:
    """Yield what is to be read in a section, heading by heading."""
    inside = {id(text) for item in area.items for text in item.texts}
    groups: list[tuple[TextBlock | None, list[TextBlock]]] = [(None, [])]
    for text in area.texts:
        if text.role == "heading":
            groups.append((text, []))
        elif text.role in ("text", "label") and id(text) not in inside:
            groups[-1][1].append(text)
    for place, (heading, texts) in enumerate(groups):
        if not texts or (heading is not None and area.kind == "opening" and heading is area.title):
            continue
        most = 6 if all(len(text.text) < 50 for text in texts) else 3
        names = listed([said(text.text, 26 if len(texts) == 1 else 14) for text in texts[:most]])
        about, head = ((heading.text,), said(heading.text, 8)) if heading else ((), own.called)
        yield own.tell("texts", *about, head=f"{'under' if heading else 'in'} {head}", names=names, place=place)


def _footer(footer: Area) -> Iterator[Fact]:
    if footer.texts:
        yield tell("footer", names=listed([said(text.text, 20) for text in footer.texts], 9))
    if footer.color is not None:
        yield tell("colour_footer", color=hued(footer.color))
