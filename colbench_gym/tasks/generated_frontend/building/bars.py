"""What frames a page, as elements: the notice, the header, the sidebar and the footer."""

from __future__ import annotations

from colbench_gym.tasks.generated_frontend import words
from colbench_gym.tasks.generated_frontend.building.elements import Node, el, link, say
from colbench_gym.tasks.generated_frontend.building.style import style_of
from colbench_gym.tasks.generated_frontend.content import address, items_of, notice_of
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import Page

MAX_LINKS = 5  # ours: in one navigation
_FILL = ("Home", "Account", "Language")  # words of a navigation that is too short


def links_of(page: Page) -> list[str]:
    """Return the words of the navigation: of the sections, and at least three."""
    found = list(dict.fromkeys(KINDS[section.kind].link for section in page.sections))[:MAX_LINKS]
    return [*found, *_FILL[: max(0, 3 - len(found))]]


def notice_node(page: Page) -> Node | None:
    """Return the line above the header, if there is one."""
    if page.notice == "none":
        return None
    colors = style_of(page.look).colors
    ground = f"bg-{colors.accent} text-{colors.on_accent}" if page.notice == "accent" else "bg-black text-white"
    return el("div", f"{ground} text-center text-sm py-2 px-8", say("p", "", notice_of(page.domain, page.branch)))


def header_node(page: Page) -> Node:
    """Return the bar at the top."""
    style = style_of(page.look)
    colors = style.colors
    ground = {
        "plain": f"bg-{colors.surface} border-b border-{colors.line}",
        "accent": f"bg-{colors.accent} text-{colors.on_accent}",
        "dark": "bg-black text-white",
        "clear": "",
    }[page.tone]
    loud = page.tone in ("accent", "dark")
    name = say("span", "text-2xl font-bold", page.name)
    shape = "border border-current rounded-full py-1 px-4" if page.header == "pills" else ""
    links = [link(text, shape) for text in links_of(page)]
    nav = "flex items-center space-x-6"
    if page.header == "centred":
        inside = [el("div", "text-center mb-3", name), el("nav", f"{nav} justify-center", links)]
        return el("header", f"{ground} py-5 px-8", inside)
    if page.header == "left":
        return el("header", f"{ground} flex items-center space-x-12 py-4 px-8", name, el("nav", nav, links))
    last: list[Node] = []
    if page.header == "button":
        last = [style.button("Log in", "bg-white text-gray-900" if loud else "")]
    if page.header == "search":
        last = [style.field(words.SEARCH, "w-60")]
    return el("header", f"{ground} flex items-center justify-between py-4 px-8", name, el("nav", nav, links), last)


def sidebar_node(page: Page) -> Node:
    """Return what stands beside the sections."""
    style = style_of(page.look)
    colors = style.colors
    street, town, phone, _ = address(page.domain, page.branch)
    hours = items_of(page.domain, page.branch, "hours")[:3]
    lines = [say("p", "text-sm mb-2", f"{day}: {time}") for day, time in hours]
    box = f"bg-{colors.band} p-6 {style.corner}"
    title = words.SIDEBAR[page.branch % len(words.SIDEBAR)]
    contact = [say("p", "text-sm mt-4", phone), say("p", "text-sm", f"{street}, {town}")]
    return el("aside", "w-1/4", el("div", box, style.subtitle(title, "mb-4"), lines, contact))


def footer_node(page: Page) -> Node | None:
    """Return the end of the page, if it is set off."""
    if page.footer == "none":
        return None
    style = style_of(page.look)
    colors = style.colors
    line = say("p", "text-sm", words.RIGHTS.format(name=page.name))
    small = [link(text, "text-sm") for text in words.SMALL_PRINT[page.branch % 3 : page.branch % 3 + 3]]
    if page.footer.endswith("line"):
        ground = {
            "dark line": "bg-gray-900 text-white text-center",
            "accent line": f"bg-{colors.accent} text-{colors.on_accent} text-center",
            "plain line": f"border-t border-{colors.line}",
        }[page.footer]
        return el("footer", f"{ground} py-6 px-8", line)
    if page.footer == "centred links":
        nav = el("div", "flex justify-center space-x-6 mb-3", small)
        return el("footer", f"bg-{colors.band} text-center py-8 px-8", nav, line)
    ground = (
        "bg-gray-900 text-white"
        if page.footer == "dark columns"
        else f"bg-{colors.surface} border-t border-{colors.line}"
    )
    return el("footer", f"{ground} grid grid-cols-3 gap-8 py-8 px-8", _columns(page, small, line))


def _columns(page: Page, small: list[Node], line: Node) -> list[Node]:
    street, town, *_ = address(page.domain, page.branch)
    shown = [say("p", "font-semibold mb-2", "Find us"), say("p", "text-sm", f"{town}, {street}")]
    return [el("div", "", shown), el("div", "flex flex-col space-y-1", small), el("div", "text-right", line)]
