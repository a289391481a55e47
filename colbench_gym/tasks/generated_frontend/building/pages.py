"""A whole page as elements and as HTML."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.tasks.generated_frontend.building.bars import footer_node, header_node, notice_node, sidebar_node
from colbench_gym.tasks.generated_frontend.building.elements import Node, document, el
from colbench_gym.tasks.generated_frontend.building.openings import opening_node
from colbench_gym.tasks.generated_frontend.building.sections import section_node
from colbench_gym.tasks.generated_frontend.building.style import style_of
from colbench_gym.tasks.generated_frontend.page import Look, Page


def page_node(page: Page) -> Node:
    """Return the body of a page."""
    parts = page_parts(page)
    body = parts.pop("body")
    sections = [node for name, node in parts.items() if name.startswith("section")]
    if page.frame != "none":
        content, side = el("div", "w-3/4", sections), parts["sidebar"]
        beside = [side, content] if page.frame == "left" else [content, side]
        sections = [el("div", f"flex items-start px-2 {style_of(page.look).pad}", beside)]
    main = el("main", "", parts["opening"], sections)
    return el("body", body.classes, parts.get("notice"), parts["header"], main, parts.get("footer"))


def page_parts(page: Page) -> dict[str, Node]:
    """Return the parts of a page by their names, from top to bottom; ``body`` is what holds them, empty."""
    framed = page.frame != "none"
    banded = page.look.bands != "none" and not framed
    parts: dict[str, Node | None] = {
        "body": _body(page.look),
        "notice": notice_node(page),
        "header": header_node(page),
        "opening": opening_node(page),
        "sidebar": sidebar_node(page) if framed else None,
    }
    for place, section in enumerate(page.sections):
        band = banded and place % 2 == 0
        parts[f"section {place}"] = section_node(page.domain, page.branch, section, page.look, band, framed)
    parts["footer"] = footer_node(page)
    return {name: node for name, node in parts.items() if node is not None}


@lru_cache(maxsize=4096)
def _body(look: Look) -> Node:
    return Node("body", style_of(look).body)


def page_html(page: Page) -> str:
    """Return the HTML of a page."""
    return document(page_node(page))


def texts_of(node: Node) -> list[str]:
    """Return every text of a page in its order, placeholders included."""
    if node.inside:
        return [text for child in node.inside for text in texts_of(child)]
    text = node.text or node.get("placeholder")
    return [text] if text else []
