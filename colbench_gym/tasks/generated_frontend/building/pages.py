"""A whole page as elements and as HTML."""

from __future__ import annotations

from colbench_gym.tasks.generated_frontend.building.bars import footer_node, header_node, notice_node, sidebar_node
from colbench_gym.tasks.generated_frontend.building.elements import Node, document, el
from colbench_gym.tasks.generated_frontend.building.openings import opening_node
from colbench_gym.tasks.generated_frontend.building.sections import section_node
from colbench_gym.tasks.generated_frontend.building.style import style_of
from colbench_gym.tasks.generated_frontend.page import Page


def page_node(page: Page) -> Node:
    """Return the body of a page."""
    style = style_of(page.look)
    framed = page.frame != "none"
    sections = [
        section_node(page.domain, page.branch, section, page.look,
                     page.look.bands != "none" and place % 2 == 0 and not framed, framed)
        for place, section in enumerate(page.sections)
    ]  # fmt: skip
    main = [*sections]
    if framed:
        content, side = el("div", "w-3/4", sections), sidebar_node(page)
        beside = [side, content] if page.frame == "left" else [content, side]
        main = [el("main", f"flex items-start px-2 {style.pad}", beside)]
    return el("body", style.body, notice_node(page), header_node(page), opening_node(page), main, footer_node(page))


def page_html(page: Page) -> str:
    """Return the HTML of a page."""
    return document(page_node(page))


def texts_of(node: Node) -> list[str]:
    """Return every text of a page in its order, placeholders included."""
    if node.inside:
        return [text for child in node.inside for text in texts_of(child)]
    text = node.text or node.get("placeholder")
    return [text] if text else []
