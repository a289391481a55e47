"""The wanted page as a tree: the elements of its HTML, each with what is seen of it in the picture."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString, PreformattedString

from colbench_gym.humans.page.geometry import SLACK_PX, area_of, bounding, gap, holds
from colbench_gym.rendering.layout import LIMITS, Color, Element, Layout, Rect, TextBlock

_SILENT = frozenset(["head", "script", "style", "noscript", "template", "title", "link", "meta", "option"])
_PICTURES = frozenset(["img", "video", "canvas", "svg", "object", "embed", "iframe", "audio"])
HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_INPUTS = frozenset(["input", "select", "textarea", "progress", "meter"])
_BOXES = ("box", "navigation")
_PUSHED = frozenset(["submit", "button", "reset", "image"])
_MARKS = re.compile(r"""<!--[^>]*|\b(?:class|id|alt)=["'][^"']*""")
_MAX_NODES, _MAX_DEPTH = 3000, 60  # ours: official pages have some hundred elements, ten deep
_MOST_ALIKE = 50  # things and elements of one name that are compared
_ONE_LINE, _NARROW, _MIDDLE = 2.0, 0.8, 0.015  # of the font size and the page's width: a line in the middle
_CLIMBED = 8  # so many levels above a text its words are known


@dataclass(eq=False)
class Node:
    """One element of the wanted page; its tag, its classes and its style are never said."""

    tag: str
    classes: frozenset[str] = frozenset()
    style: str = ""
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    texts: list[TextBlock] = field(default_factory=list)  # that are its own
    element: Element | None = None  # the picture, input or button that it is
    rect: Rect | None = None  # around all that is seen of it; None where nothing is
    attributes: dict[str, str] = field(default_factory=dict)

    def every(self) -> Iterator[Node]:
        """Yield it and all below it, in document order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))

    def above(self) -> Iterator[Node]:
        """Yield the elements around it, the nearest first."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    @property
    def seen(self) -> list[Node]:
        """Return the children of which something is seen."""
        return [child for child in self.children if child.rect is not None]


class Page:
    """The wanted page: its layout, and the tree of its elements."""

    def __init__(self, html: str, layout: Layout) -> None:
        self.layout = replace(layout, texts=tuple(_as_seen(text, layout) for text in layout.texts))
        self.body, words = _tree(html)
        self.has_styles = "<style" in html.lower()
        self.source = html
        self.marks = " ".join(_MARKS.findall(html))  # what its author calls things: comments and names
        self._place(words)
        self._grounds: dict[int, tuple[Color | None, Element | None]] = {}

    def _place(self, words: dict[str, list[Node]]) -> None:
        """Give each element its texts, those whose words stand in the HTML once first, then what it is itself."""
        texts: dict[str, list[TextBlock]] = defaultdict(list)
        for text in self.layout.texts:
            texts[_key(text.text)].append(text)
        for alone in (True, False):
            for key, shown in texts.items():
                nodes = words.get(key, ())
                if nodes and (len(nodes) == 1) == alone:
                    for node, text in _paired(nodes, shown):
                        node.texts.append(text)
            self._bound()
        found: dict[tuple[str, str], list[Element]] = defaultdict(list)
        for element in self.layout.elements:
            found[element.kind, element.label].append(element)
        alike: dict[tuple[str, str], list[Node]] = defaultdict(list)
        for node in self.body.every():
            alike[_sort_of(node)].append(node)
        for sort, nodes in alike.items():
            for node, element in _paired(nodes, found.get(sort, ())):
                node.element = node.element or element
        self._bound()

    def _bound(self) -> None:
        """Put around each element the rectangle of all that is seen of it."""
        for node in reversed(list(self.body.every())):
            own = [text.rect for text in node.texts]
            own += [node.element.rect] if node.element else []
            rects = own + [child.rect for child in node.children if child.rect is not None]
            node.rect = bounding(rects) if rects else None

    def ground(self, node: Node) -> tuple[Color | None, Element | None]:
        """Return the colour that an element stands on, None on a picture, and the box that it is, if it is one."""
        if id(node) not in self._grounds:
            self._grounds[id(node)] = self._ground(node)
        return self._grounds[id(node)]

    def _ground(self, node: Node) -> tuple[Color | None, Element | None]:
        if node.parent is None or node is self.body:
            if node.element is not None and node.element.kind == "picture":
                return None, node.element
            return self.layout.background, None
        if node.element is not None and node.element.kind == "picture" and node.seen:
            return None, node.element
        paints = self.has_styles or "background" in node.style or any(name.startswith("bg-") for name in node.classes)
        frames = any(name.startswith(("border", "shadow")) for name in node.classes)
        if (paints or frames) and node.rect is not None:
            own = {id(text) for one in node.every() for text in one.texts}
            others = [text.rect for text in self.layout.texts if id(text) not in own]
            boxes = [one for one in self.layout.elements if one.kind in _BOXES and holds(one.rect, node.rect)]
            boxes = [one for one in boxes if not any(holds(one.rect, rect) for rect in others)] or boxes
            if boxes:
                box = max(boxes, key=lambda box: (area_of(box.rect), box.kind == "box"))
                return box.color, box
        color, _ = self.ground(node.parent)
        return color, None


def _as_seen(text: TextBlock, layout: Layout) -> TextBlock:
    """Return a line that stands in the middle of the page as centred, unless another text begins where it does."""
    rect, width = text.rect, layout.width
    off = abs(rect.x + rect.width / 2 - width / 2) > _MIDDLE * width
    if off or rect.height > _ONE_LINE * text.font_px or rect.width > _NARROW * width:
        return text
    beside = any(one is not text and abs(one.rect.x - rect.x) < SLACK_PX for one in layout.texts)
    return text if beside else replace(text, align="center")


_Seen = TypeVar("_Seen", TextBlock, Element)


def _paired(nodes: Sequence[Node], found: Sequence[_Seen]) -> Iterator[tuple[Node, _Seen]]:
    """Yield things of one name with their elements: what is nearest first, else in reading order."""
    left = dict(enumerate(sorted(found, key=lambda one: (round(one.rect.y), one.rect.x))))
    pairs = [(n, m) for n in range(len(nodes))[:_MOST_ALIKE] for m in range(len(found))[:_MOST_ALIKE]]
    taken: set[int] = set()
    for place, other in sorted(pairs, key=lambda pair: (_apart(nodes[pair[0]], left[pair[1]]), pair)):
        if place not in taken and other in left:
            taken.add(place)
            yield nodes[place], left.pop(other)
    yield from ((nodes[-1], thing) for thing in left.values())


def _apart(node: Node, thing: TextBlock | Element) -> tuple[bool, float]:
    """Return whether an element is of another sort than a thing, and how far from it the nearest around it is seen."""
    heads = isinstance(thing, TextBlock) and thing.role == "heading"
    around = next((one.rect for one in (node, *node.above()) if one.rect and one.parent), None)
    return heads != (node.tag in HEADINGS), gap(around, thing.rect) if around else math.inf


def _tree(html: str) -> tuple[Node, dict[str, list[Node]]]:
    """Return the body as nodes, and the nodes by their words, the innermost first where several have the same."""
    soup = BeautifulSoup(html, "html.parser")
    start = soup.body or soup
    body = Node("body", *_looks(start))
    nodes: dict[int, Node] = {id(start): body}
    depths = {id(body): 0}
    words: dict[int, list[str]] = defaultdict(list)
    for _, one in zip(range(2 * _MAX_NODES), start.descendants, strict=False):
        above = nodes.get(id(one.parent))
        if above is None:
            continue
        if isinstance(one, Tag):
            if depths[id(above)] >= _MAX_DEPTH:
                nodes[id(one)] = above
            elif one.name not in _SILENT and above.tag not in _PICTURES:
                node = Node(one.name, *_looks(one), parent=above)
                node.attributes = {k: v for k, v in one.attrs.items() if isinstance(v, str)}
                above.children.append(node)
                depths[id(node)] = depths[id(above)] + 1
                nodes[id(one)] = node
        elif isinstance(one, NavigableString) and not isinstance(one, PreformattedString) and one.strip():
            for _, holder in zip(range(_CLIMBED), (above, *above.above()), strict=False):
                words[id(holder)].append(str(one))
    by_words: dict[str, list[Node]] = defaultdict(list)
    for node in body.every():
        key = _key("".join(words.get(id(node), ())))
        if key and key not in {_key("".join(words.get(id(child), ()))) for child in node.children}:
            by_words[key].append(node)
    return body, by_words


def _looks(tag: Tag) -> tuple[frozenset[str], str]:
    names = tag.get("class") or ""
    return frozenset((names if isinstance(names, str) else " ".join(names)).split()), str(tag.get("style") or "")


def _key(text: str) -> str:
    return "".join(text.split()).lower()[: LIMITS["chars"]]


def _sort_of(node: Node) -> tuple[str, str]:
    """Return the kind and label that the layout has for an element."""
    if node.tag in _PICTURES:
        return "picture", _squeezed(node.attributes.get("alt") or node.attributes.get("aria-label") or "")
    kind = node.attributes.get("type", "").lower()
    if node.tag == "input" and kind in _PUSHED:
        return "button", _squeezed(node.attributes.get("value", ""))
    if node.tag in _INPUTS:
        if kind in ("checkbox", "radio"):
            return "input", kind
        return "input", _squeezed(node.attributes.get("value") or node.attributes.get("placeholder") or "")
    if "url(" in node.style:
        return "picture", ""
    texts = [text.text for one in node.every() for text in one.texts] if node.tag in ("button", "a") else []
    return ("button", _squeezed(" ".join(texts))) if texts else ("", "")


def _squeezed(text: str) -> str:
    return " ".join(text.split())[: LIMITS["chars"]]


PRICE = re.compile(r"(?:[$€£]\s?\d[\d.,]*|\b\d[\d.,]*\s?(?:[$€£]|dollars?\b|euros?\b))")
CONTACT = re.compile(
    r"[\w.+-]+@[\w-]+\.\w+|(?<![\d:.,$€£])(?=\+?[\d() .-]{8,})\+?\(?\d{2,5}\)?(?:[-. ]\d{2,5}){1,4}(?![\d:])"
    r"|\b\d+ (?:\w+ )+(?:st|street|road|rd|ave|avenue|lane)\b|\b(?:street|road|avenue|lane|square|place) \d+\b",
    re.IGNORECASE,
)
CLOSING = re.compile(r"©|\bcopyright\b|\brights reserved\b", re.IGNORECASE)
