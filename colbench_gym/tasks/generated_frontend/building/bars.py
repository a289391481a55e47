"""Frame of a page, as elements: the notice, the header, the sidebar and the footer."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.tasks.generated_frontend import words
from colbench_gym.tasks.generated_frontend.building.elements import Node, el, link, say
from colbench_gym.tasks.generated_frontend.building.style import style_of
from colbench_gym.tasks.generated_frontend.content import address, items_of, notice_of
from colbench_gym.tasks.generated_frontend.domains import Domain
from colbench_gym.tasks.generated_frontend.kinds import KINDS
from colbench_gym.tasks.generated_frontend.page import Look, Page

MAX_LINKS = 5  # ours: in one navigation
_FILL = ("Home", "Account", "Language")  # words of a navigation that is too short


def links_of(page: Page) -> list[str]:
    """Return the words of the navigation: of the sections, and at least three."""
    found = list(dict.fromkeys(KINDS[section.kind].link for section in page.sections))[:MAX_LINKS]
    return [*found, *_FILL[: max(0, 3 - len(found))]]


def notice_node(page: Page) -> Node | None:
    """Return the line above the header, if there is one."""
    return _notice(page.notice, page.look, page.domain, page.branch)


@lru_cache(maxsize=1024)
def _notice(notice: str, look: Look, domain: Domain, branch: int) -> Node | None:
    if notice == "none":
        return None
    colors = style_of(look).colors
    ground = f"bg-{colors.accent} text-{colors.on_accent}" if notice == "accent" else "bg-black text-white"
    return el("div", f"{ground} text-center text-sm py-2 px-8", say("p", "", notice_of(domain, branch)))


def header_node(page: Page) -> Node:
    """Return the bar at the top."""
    return _header(page.header, page.tone, page.look, page.name, tuple(links_of(page)))


@lru_cache(maxsize=1024)
def _header(arrangement: str, tone: str, look: Look, business: str, entries: tuple[str, ...]) -> Node:
    style = style_of(look)
    colors = style.colors
    ground = {
        "plain": f"bg-{colors.surface} border-b border-{colors.line}",
        "accent": f"bg-{colors.accent} text-{colors.on_accent}",
        "dark": "bg-black text-white",
        "clear": "",
    }[tone]
    loud = tone in ("accent", "dark")
    name = say("span", "text-2xl font-bold", business)
    shape = "border border-current rounded-full py-1 px-4" if arrangement == "pills" else ""
    links = [link(text, shape) for text in entries]
    nav = "flex items-center space-x-6"
    if arrangement == "centred":
        inside = [el("div", "text-center mb-3", name), el("nav", f"{nav} justify-center", links)]
        return el("header", f"{ground} py-5 px-8", inside)
    if arrangement == "left":
        return el("header", f"{ground} flex items-center space-x-12 py-4 px-8", name, el("nav", nav, links))
    last: list[Node] = []
    if arrangement == "button":
        last = [style.button("Log in", "bg-white text-gray-900" if loud else "")]
    if arrangement == "search":
        last = [style.field(words.SEARCH, "w-60")]
    return el("header", f"{ground} flex items-center justify-between py-4 px-8", name, el("nav", nav, links), last)


def sidebar_node(page: Page) -> Node:
    """Return what stands beside the sections."""
    return _sidebar(page.look, page.domain, page.branch)


@lru_cache(maxsize=1024)
def _sidebar(look: Look, domain: Domain, branch: int) -> Node:
    style = style_of(look)
    colors = style.colors
    street, town, phone, _ = address(domain, branch)
    hours = items_of(domain, branch, "hours")[:3]
    lines = [say("p", "text-sm mb-2", f"{day}: {time}") for day, time in hours]
    box = f"bg-{colors.band} p-6 {style.corner}"
    title = words.SIDEBAR[branch % len(words.SIDEBAR)]
    contact = [say("p", "text-sm mt-4", phone), say("p", "text-sm", f"{street}, {town}")]
    return el("aside", "w-1/4", el("div", box, style.subtitle(title, "mb-4"), lines, contact))


def footer_node(page: Page) -> Node | None:
    """Return the end of the page, if it is set off."""
    return _footer(page.footer, page.look, page.domain, page.branch, page.name)


@lru_cache(maxsize=1024)
def _footer(footer: str, look: Look, domain: Domain, branch: int, business: str) -> Node | None:
    if footer == "none":
        return None
    style = style_of(look)
    colors = style.colors
    line = say("p", "text-sm", words.RIGHTS.format(name=business))
    small = [link(text, "text-sm") for text in words.SMALL_PRINT[branch % 3 : branch % 3 + 3]]
    if footer.endswith("line"):
        ground = {
            "dark line": "bg-gray-900 text-white text-center",
            "accent line": f"bg-{colors.accent} text-{colors.on_accent} text-center",
            "plain line": f"border-t border-{colors.line}",
        }[footer]
        return el("footer", f"{ground} py-6 px-8", line)
    if footer == "centred links":
        nav = el("nav", "flex justify-center space-x-6 mb-3", small)
        return el("footer", f"bg-{colors.band} text-center py-8 px-8", nav, line)
    ground = (
        "bg-gray-900 text-white" if footer == "dark columns" else f"bg-{colors.surface} border-t border-{colors.line}"
    )
    return el("footer", f"{ground} grid grid-cols-3 gap-8 py-8 px-8", _columns(domain, branch, small, line))


def _columns(domain: Domain, branch: int, small: list[Node], line: Node) -> list[Node]:
    street, town, *_ = address(domain, branch)
    shown = [say("p", "font-semibold mb-2", "Find us"), say("p", "text-sm", f"{town}, {street}")]
    return [el("div", "", shown), el("nav", "flex flex-col space-y-1", small), el("div", "text-right", line)]
