"""The areas of the wanted page, from the roles that its elements have, and from where they stand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from colbench_gym.humans.page.geometry import beside, bounding, rows_of
from colbench_gym.humans.page.reading import CLOSING, HEADINGS, Node, Page
from colbench_gym.humans.page.words import ROLES
from colbench_gym.rendering.layout import Color, Element, Rect, TextBlock

AreaKind = Literal["notice", "header", "menu", "opening", "section", "sidebar", "footer"]
_MARKED = frozenset(["header", "nav", "main", "section", "article", "aside", "footer"])
_BY_TAG: dict[str, AreaKind] = {"header": "header", "nav": "menu", "aside": "sidebar", "footer": "footer"}
_NOTICE_CHARS = 140
_HEADER_PX = 220.0  # at most so high is a bar at the top that no element marks as one


@dataclass(frozen=True, eq=False)
class Item:
    """One of several things of one sort: a card, a row of a table, a step."""

    node: Node

    @cached_property
    def texts(self) -> tuple[TextBlock, ...]:
        """Its texts in order."""
        return tuple(text for node in self.node.every() for text in node.texts)

    @cached_property
    def title(self) -> str:
        """Its heading, else its strongest text, else its first."""
        headings = [text for node in self.node.every() if node.tag in HEADINGS for text in node.texts]
        texts = headings or [text for text in self.texts if text.role != "button"] or [*self.texts]
        return texts[0].text if texts else self.picture.label if self.picture else ""

    @cached_property
    def picture(self) -> Element | None:
        """Its picture."""
        return next(iter(pictures_of(self.node)), None)

    @property
    def rest(self) -> tuple[TextBlock, ...]:
        """Its texts but the title and the buttons."""
        return tuple(text for text in self.texts if text.text != self.title and text.role != "button")


def pictures_of(node: Node) -> list[Element]:
    """Return the pictures in an element."""
    return [one.element for one in node.every() if one.element is not None and one.element.kind == "picture"]


@dataclass(frozen=True, eq=False)
class Area:
    """One area of the page."""

    kind: AreaKind  # by its place and its element
    nodes: tuple[Node, ...]  # that it consists of
    color: Color | None = None  # of its ground; None on a picture
    box: Element | None = None  # that it is, if it is set off

    def every(self) -> Iterator[Node]:
        """Yield its elements in order."""
        for node in self.nodes:
            yield from node.every()

    @cached_property
    def rect(self) -> Rect | None:
        """Return the rectangle around all that is in it."""
        rects = [node.rect for node in self.nodes if node.rect is not None]
        return self.box.rect if self.box else bounding(rects) if rects else None

    @cached_property
    def texts(self) -> tuple[TextBlock, ...]:
        """All its texts, in order."""
        return tuple(text for node in self.every() for text in node.texts)

    @cached_property
    def headings(self) -> tuple[TextBlock, ...]:
        """Its headings."""
        return tuple(text for text in self.texts if text.role == "heading")

    @cached_property
    def title(self) -> TextBlock | None:
        """Its heading."""
        inside = {id(text) for item in self.items for text in item.texts}
        headings = [text for text in self.headings if id(text) not in inside]
        if not headings:
            return None
        top = max(text.font_px for text in headings[:2])
        return headings[0] if headings[0].font_px >= 0.8 * top else headings[1]

    @cached_property
    def plain(self) -> tuple[TextBlock, ...]:
        """Its running texts."""
        return tuple(text for text in self.texts if text.role in ("text", "label"))

    @cached_property
    def pushed(self) -> tuple[TextBlock, ...]:
        """The words on its buttons; links of a menu that are drawn as buttons are none."""
        found = []
        for node in self.every():
            nav = next((one for one in (node, *node.above()) if one.tag == "nav"), None)
            found += [text for text in node.texts if text.role == "button" and (nav is None or _apart(text, nav))]
        return tuple(found)

    @cached_property
    def links(self) -> tuple[TextBlock, ...]:
        """Its links."""
        return tuple(
            text for text in self.texts if text.role == "link" or (text.role == "button" and text not in self.pushed)
        )

    @cached_property
    def buttons(self) -> tuple[str, ...]:
        """Return the words on its buttons, in order."""
        return tuple(text.text for text in self.pushed)

    @cached_property
    def pictures(self) -> tuple[Element, ...]:
        """Its pictures."""
        return tuple(element for node in self.nodes for element in pictures_of(node))

    @cached_property
    def inputs(self) -> tuple[Element, ...]:
        """Its fields."""
        return tuple(node.element for node in self.every() if node.element and node.element.kind == "input")

    @cached_property
    def items(self) -> tuple[Item, ...]:
        """The things of one sort that it shows, if it shows several."""
        best: list[Node] = []
        for node in self.nodes:
            for one in node.every():
                if one.tag not in ("nav", "form", "header") and one.parent is not None:
                    run = _alike(one.seen)
                    if len(run) > max(1, len(best)) and not any(kid in one.every() for kid in best):
                        best = run
        inner = [kid for one in best for kid in one.seen]
        in_rows = all(len(one.seen) > 1 and len(rows_of(map(_rect, one.seen))) == 1 for one in best)
        return tuple(map(Item, inner if in_rows and len(_alike(inner)) == len(inner) else best))

    @cached_property
    def columns(self) -> tuple[Node, ...]:
        """The first things in it that stand side by side, from left to right, its items apart."""
        items = {id(item.node) for item in self.items if self.kind != "footer"}
        for node in self.every():
            kids = sorted(node.seen, key=lambda kid: _rect(kid).x)
            if {id(node), *map(id, kids)} & items or not 2 <= len(kids) <= 4 or len(rows_of(map(_rect, kids))) != 1:
                continue
            if node.tag not in _NO_COLUMNS and any(kid.tag not in ("a", "button", "span", "input") for kid in kids):
                return tuple(kids)
        return ()

    @cached_property
    def shares(self) -> list[float]:
        """The shares of its columns in the width of the page, as far as their left edges tell."""
        rects = [_rect(kid) for kid in self.columns]
        edge = rects[0].x if rects else 0.0
        ends = [rect.x for rect in rects[1:]] + [max(1280.0 - edge, rect.x + rect.width) for rect in rects[-1:]]
        return [(end - rect.x) / max(1.0, ends[-1] - edge) for rect, end in zip(rects, ends, strict=True)]

    @cached_property
    def role(self) -> str:
        """Return the section of ``roles.toml`` that it is about; "" where nothing tells."""
        title = self.title.text.lower() if self.title else ""
        titles = [heading.text.lower() for heading in self.headings]
        longest = {name: max(map(len, role.titles.findall(title)), default=0) for name, role in ROLES.items()}
        if any(longest.values()):
            return max(longest, key=longest.__getitem__)
        for name, role in ROLES.items():
            if not title and titles and all(role.titles.search(one) for one in titles):
                return name
        cards = [item for item in self.items if item.rest or item.picture]
        return "services" if len(cards) > 1 and self.kind == "section" else ""


def _apart(text: TextBlock, nav: Node) -> bool:
    """Return whether a button in a menu looks other than its entries."""
    others = [one for node in nav.every() for one in node.texts if one is not text and one.role in ("link", "button")]
    return not any((one.role, one.background, one.color) == (text.role, text.background, text.color) for one in others)


_NO_COLUMNS = frozenset(["nav", "form", "p", "h1", "h2", "h3", "table", "tr", "ul", "ol"])
_NO_ITEMS = HEADINGS | {"p", "input", "label", "button", "br", "td", "span", "select"}


def _headed(node: Node) -> object:
    """Return what a card with a small heading is like."""
    tags = [one.tag for one in node.every() if one.tag in HEADINGS]
    return (node.tag, tags[0]) if len(tags) == 1 and tags[0] not in ("h1", "h2") else None


def _alike(kids: Sequence[Node]) -> list[Node]:
    """Return the most of some elements that are built alike."""
    kids = [kid for kid in kids if kid.tag not in _NO_ITEMS and (kid.tag != "a" or len(kid.classes) > 1)]
    best: list[Node] = []
    keys: tuple[Callable[[Node], object], ...] = (
        _headed,
        lambda one: (one.tag, tuple(kid.tag for kid in one.seen)),
        lambda one: (one.tag, one.classes),
    )
    for key in keys:
        groups: dict[object, list[Node]] = {}
        for kid in kids:
            if (sort := key(kid)) is not None:
                groups.setdefault(sort, []).append(kid)
        for group in groups.values():
            if len(group) > max(1, len(best)):
                best = group
    worded = [kid for kid in best if any(one.texts for one in kid.every())]
    if 0 < len(worded) < len(best):  # texts beside a picture
        best = worded if len(worded) > 1 else []
    fields = sum(1 for kid in best for one in kid.every() if one.element and one.element.kind == "input")
    return [] if fields >= len(best) > 0 else best


def find_areas(page: Page) -> list[Area]:
    """Return the areas of a page in their order."""
    tops = _tops(page)
    kinds = [_kind(nodes, place, tops) for place, nodes in enumerate(tops)]
    areas = [Area(kind, tuple(nodes), *page.ground(nodes[0])) for kind, nodes in zip(kinds, tops, strict=True)]
    for place, area in enumerate(areas):
        across = not any(area.rect and one.rect and beside(area.rect, one.rect) for one in areas if one is not area)
        if area.kind == "sidebar" and across and area.rect is not None:
            areas[place] = replace(area, kind="section")  # it lies between others, beside none
    return areas


_SINGLE = HEADINGS | {"p", "img", "button", "a", "span", "ul", "ol", "table", "br", "label", "input", "textarea"}


def _tops(page: Page) -> list[list[Node]]:
    """Return the elements that make up the page, loose ones in groups that begin with a heading."""
    found: list[list[Node]] = []
    loose = False
    waiting = list(reversed(_kids(page.body))) or [page.body]
    while waiting:
        node = waiting.pop()
        if _opens_up(node):
            waiting.extend(reversed(_kids(node)))
            loose = False
            continue
        single = node.tag in _SINGLE or (
            node.tag == "div" and not any(one.tag in HEADINGS for one in node.every()) and loose
        )
        if single and loose and node.tag not in ("h1", "h2", "h3"):
            found[-1].append(node)
        else:
            found.append([node])
        loose = single
    return found


def _kids(node: Node) -> list[Node]:
    return [kid for kid in node.children if kid.rect is not None or kid.tag in ("header", "footer", "nav", "aside")]


def _opens_up(node: Node) -> bool:
    """Return whether an element only holds areas together."""
    if node.tag in ("header", "nav", "aside", "footer", "form", "ul", "ol", "table"):
        return False
    kids = _kids(node)
    if not kids:
        return False
    if any(one.tag in _MARKED for one in node.every() if one is not node):
        return True
    if node.texts:
        return False
    level = node
    while level.parent is not None and level.parent.tag in ("main", "body", "div") and len(_kids(level.parent)) == 1:
        level = level.parent
    siblings = _kids(level.parent) if level.parent is not None and level.parent.tag == "body" else []
    only = sum(kid.tag not in ("header", "footer", "nav") for kid in siblings) == 1
    in_a_row = len(rows_of(map(_rect, kids))) == 1
    return (level.tag in ("main", "body") or only) and len(kids) > 1 and not in_a_row


def _rect(node: Node) -> Rect:
    return node.rect or Rect(0.0, 0.0, 0.0, 0.0)


def _kind(nodes: Sequence[Node], place: int, tops: Sequence[Sequence[Node]]) -> AreaKind:
    node, rect = nodes[0], _rect(nodes[0])
    if node.tag in _BY_TAG:
        return _BY_TAG[node.tag]
    texts = [text for one in nodes for inner in one.every() for text in inner.texts]
    said = sum(len(text.text) + 1 for text in texts)
    marked = {one[0].tag for one in tops}
    pictures, headings = pictures_of(node), _headings(nodes)
    if place == 0 and "header" in marked and said <= _NOTICE_CHARS and not headings and not pictures:
        return "notice"
    bar = rect.y <= 60 and rect.height <= _HEADER_PX and said <= 300
    if place == 0 and "header" not in marked and bar and len(tops) > 1:
        return "header"
    last = 0 < place == len(tops) - 1 and "footer" not in marked and said < 600
    if last and any(CLOSING.search(text.text) for text in texts):
        return "footer"
    before = any(_headings(one) for one in tops[:place] if one[0].tag not in _BY_TAG)
    first = any(inner.tag == "h1" for one in nodes for inner in one.every())
    return "opening" if headings and first and not before else "section"


def _headings(nodes: Sequence[Node]) -> list[TextBlock]:
    return [text for node in nodes for one in node.every() if one.tag in HEADINGS for text in one.texts]
