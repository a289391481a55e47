"""A page as a tree of elements with Tailwind classes, and the tree as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

STYLESHEET = "https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css"  # the one of official pages
PICTURES = "https://picsum.photos/id/48"  # the one picture of official pages

_EMPTY = ("img", "input")
_INLINE_CHARS = 100  # an element of one child whose line stays below is written in one line


@dataclass(frozen=True, eq=False)
class Node:
    """One element; two are equal only if they are one, so that what is read off it can be kept by it.

    Attributes:
        tag: its name.
        classes: of Tailwind 2.2.19, apart by blanks.
        text: what it says; empty for an element with others inside.
        inside: the elements in it.
        attributes: all but the class, in their order.
    """

    tag: str
    classes: str = ""
    text: str = ""
    inside: tuple[Node, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str:
        """Return an attribute, or an empty text."""
        return dict(self.attributes).get(name, "")


def words(*classes: str) -> str:
    """Return classes in one text, without needless blanks."""
    return " ".join(" ".join(classes).split())


def el(tag: str, classes: str, *inside: Node | Iterable[Node] | None) -> Node:
    """Return an element with others inside; None stands for nothing."""
    nodes: list[Node] = []
    for part in inside:
        if isinstance(part, Node):
            nodes.append(part)
        elif part is not None:
            nodes.extend(part)
    return Node(tag, words(classes), inside=tuple(nodes))


def say(tag: str, classes: str, text: str, **attributes: str) -> Node:
    """Return an element that says a text."""
    return Node(tag, words(classes), text=text, attributes=tuple(attributes.items()))


def link(text: str, classes: str = "") -> Node:
    """Return a link that leads nowhere."""
    return say("a", classes, text, href="#")


def picture(width: int, height: int, classes: str = "", alt: str = "Picture") -> Node:
    """Return a picture of that size."""
    return Node("img", words(classes), attributes=(("src", f"{PICTURES}/{width}/{height}"), ("alt", alt)))


def field(placeholder: str, classes: str) -> Node:
    """Return a line to write in."""
    return Node("input", words(classes), attributes=(("type", "text"), ("placeholder", placeholder)))


def document(body: Node) -> str:
    """Return the HTML of a page; it begins with ``<html>``, as official references do."""
    lines = ["<html>", f'<link href="{STYLESHEET}" rel="stylesheet">', *_lines(body), "</html>"]
    return "\n".join(lines)


def _lines(node: Node) -> Sequence[str]:
    opening = _opening(node)
    if node.tag in _EMPTY:
        return [opening]
    if not node.inside:
        return [f"{opening}{escape(node.text, quote=False)}</{node.tag}>"]
    inside = [line for child in node.inside for line in _lines(child)]
    if len(inside) == 1 and len(opening) + len(inside[0]) < _INLINE_CHARS:
        return [f"{opening}{inside[0]}</{node.tag}>"]
    return [opening, *(f" {line}" for line in inside), f"</{node.tag}>"]


def _opening(node: Node) -> str:
    attributes = [*node.attributes, *([("class", node.classes)] if node.classes else [])]
    written = "".join(f' {name}="{escape(value)}"' for name, value in attributes)
    return f"<{node.tag}{written}>"
