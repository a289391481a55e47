"""The opening of a page as elements, a function for each way to set it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from colbench_gym.tasks.generated_frontend import words
from colbench_gym.tasks.generated_frontend.building.elements import PICTURES, Node, el, say
from colbench_gym.tasks.generated_frontend.building.style import Style, style_of
from colbench_gym.tasks.generated_frontend.content import Texts, items_of
from colbench_gym.tasks.generated_frontend.page import Page

_BIG_PAD = {"compact": "py-8", "normal": "py-16", "airy": "py-24"}
_WHITE = "bg-white text-gray-900"  # a button on the accent colour
_BACKDROP_HEIGHT = {"compact": 320, "normal": 420, "airy": 520}


@dataclass(frozen=True)
class Welcome:
    """Texts of an opening; ``action`` is empty where it has no button."""

    headline: str
    lead: str
    action: str
    figures: tuple[Texts, ...] = ()


def opening_node(page: Page) -> Node:
    """Return the opening of a page."""
    domain = page.domain
    welcome = Welcome(
        domain.headlines[page.headline],
        domain.leads[page.lead],
        domain.actions[page.action] if page.button else "",
        items_of(domain, page.branch, "figures")[:3] if page.opening == "figures" else (),
    )
    return _node(page.opening, style_of(page.look), welcome)


@lru_cache(maxsize=4096)
def _node(opening: str, style: Style, welcome: Welcome) -> Node:
    return _BUILDERS[opening](style, welcome)


def _words(style: Style, welcome: Welcome, colors: str = "") -> list[Node]:
    found = [style.headline(welcome.headline), say("p", "text-lg", welcome.lead)]
    return [*found, el("div", "mt-6", style.button(welcome.action, colors))] if welcome.action else found


def _banner(style: Style, welcome: Welcome) -> Node:
    colors = f"bg-{style.colors.accent} text-{style.colors.on_accent}"
    return el("section", f"{colors} text-center {_BIG_PAD[style.look.density]} px-8", _words(style, welcome, _WHITE))


def _beside(style: Style, welcome: Welcome, left: bool) -> Node:
    text = el("div", "w-1/2", _words(style, welcome))
    image = el("div", "w-1/2", style.picture(600, 340))
    sides = [image, text] if left else [text, image]
    return el("section", f"flex items-center space-x-10 {style.pad} px-8 {style.width}", sides)


def _above(style: Style, welcome: Welcome) -> Node:
    image = Node("img", "w-full", attributes=(("src", f"{PICTURES}/1280/320"), ("alt", "Picture")))
    return el("section", "", image, el("div", f"text-center {style.pad} px-8", _words(style, welcome)))


def _backdrop(style: Style, welcome: Welcome) -> Node:
    height = _BACKDROP_HEIGHT[style.look.density]
    box = el("div", f"bg-black bg-opacity-75 text-white p-8 max-w-2xl {style.corner}", _words(style, welcome))
    image = f"background-image: url('{PICTURES}/1280/{height}'); height: {height}px"
    place = "justify-center text-center" if style.middle else "justify-start"
    classes = f"bg-cover bg-center flex items-center {place} px-8"
    return Node("section", classes, inside=(box,), attributes=(("style", image),))


def _plain(style: Style, welcome: Welcome, middle: bool) -> Node:
    classes = "text-center" if middle else style.width
    return el("section", f"{classes} {_BIG_PAD[style.look.density]} px-8", _words(style, welcome))


def _card(style: Style, welcome: Welcome) -> Node:
    colors = style.colors
    box = f"bg-{colors.surface} text-{colors.text} shadow-xl {style.corner} p-10 max-w-3xl mx-auto text-center"
    card = el("div", box, _words(style, welcome))
    return el("section", f"bg-{colors.accent} {_BIG_PAD[style.look.density]} px-8", card)


def _halves(style: Style, welcome: Welcome) -> Node:
    colors = style.colors
    text = el("div", f"w-1/2 bg-{colors.accent} text-{colors.on_accent} p-12 flex flex-col justify-center items-start",
              _words(style, welcome, _WHITE))  # fmt: skip
    image = Node("img", "w-1/2", attributes=(("src", f"{PICTURES}/640/400"), ("alt", "Picture")))
    return el("section", "flex items-stretch", text, image)


def _sign_up(style: Style, welcome: Welcome) -> Node:
    colors = style.colors
    text = el("div", "w-1/2", _words(style, replace(welcome, action="")))
    fields = [el("div", "mb-4", style.field(label)) for label in words.FIELDS[:2]]
    form = el(
        "form", f"bg-{colors.surface} shadow-lg {style.corner} p-6", fields, style.button(welcome.action or "Continue")
    )
    return el("section", f"flex items-center space-x-10 {style.pad} px-8 {style.width}", text, el("div", "w-1/2", form))


def _counting(style: Style, welcome: Welcome) -> Node:
    shown = [
        el("div", "", say("p", f"text-3xl font-bold text-{style.colors.title}", figure), say("p", "text-sm", counted))
        for figure, counted in welcome.figures
    ]
    row = el("div", f"grid grid-cols-3 {style.gap} mt-10 max-w-3xl mx-auto", shown)
    return el("section", f"text-center {style.pad} px-8", _words(style, welcome), row)


_BUILDERS: Mapping[str, Callable[[Style, Welcome], Node]] = {
    "banner": _banner,
    "picture right": lambda style, welcome: _beside(style, welcome, left=False),
    "picture left": lambda style, welcome: _beside(style, welcome, left=True),
    "picture above": _above,
    "backdrop": _backdrop,
    "plain": lambda style, welcome: _plain(style, welcome, middle=False),
    "centred": lambda style, welcome: _plain(style, welcome, middle=True),
    "card": _card,
    "halves": _halves,
    "sign-up": _sign_up,
    "figures": _counting,
}
