"""The classes that a look gives to the things of a page."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

from colbench_gym.tasks.generated_frontend.building.elements import Node, field, link, picture, say, words
from colbench_gym.tasks.generated_frontend.colors import Palette, palette
from colbench_gym.tasks.generated_frontend.page import Look

_CORNERS = {"square": "", "slight": "rounded", "rounded": "rounded-lg", "round": "rounded-3xl"}
_BUTTON_CORNERS = {"square": "", "slight": "rounded", "rounded": "rounded-lg", "round": "rounded-full"}
_TITLE = {
    "bold": "text-2xl font-bold",
    "large": "text-4xl font-bold",
    "light": "text-3xl font-light",
    "capitals": "text-xl font-semibold uppercase tracking-wide",
}
_HEADLINE = {
    "bold": "text-4xl font-bold",
    "large": "text-6xl font-bold",
    "light": "text-5xl font-light",
    "capitals": "text-3xl font-semibold uppercase tracking-wide",
}
_PAD = {"compact": "py-5", "normal": "py-10", "airy": "py-16"}
_GAP = {"compact": "4", "normal": "6", "airy": "10"}
_WIDTH = {"full": "", "wide": "max-w-6xl mx-auto", "narrow": "max-w-4xl mx-auto"}


@dataclass(frozen=True)
class Style:
    """The classes of one look."""

    look: Look

    @cached_property
    def colors(self) -> Palette:
        """The palette."""
        return palette(self.look.hue, self.look.depth, self.look.ground, self.look.buttons)

    @property
    def body(self) -> str:
        """Of the whole page."""
        return f"font-{self.look.font} bg-{self.colors.ground} text-{self.colors.text}"

    @property
    def corner(self) -> str:
        """Of cards, pictures and fields."""
        return _CORNERS[self.look.corners]

    @property
    def pad(self) -> str:
        """Above and below a section."""
        return _PAD[self.look.density]

    @property
    def gap(self) -> str:
        """Between things side by side."""
        return f"gap-{_GAP[self.look.density]}"

    @property
    def middle(self) -> bool:
        """True if the sections are centred."""
        return self.look.align == "center"

    @property
    def align(self) -> str:
        """Of texts in sections."""
        return "text-center" if self.middle else ""

    @property
    def dots(self) -> str:
        """Of a list; centred lines have none, as dots would stand in no line."""
        return "list-none" if self.middle else "list-disc list-inside"

    @property
    def width(self) -> str:
        """Of what a section holds."""
        return _WIDTH[self.look.width]

    @property
    def card(self) -> str:
        """Of a card, its padding left out."""
        colors = self.colors
        return words(
            {
                "bordered": f"bg-{colors.surface} border border-{colors.line}",
                "shadowed": f"bg-{colors.surface} shadow-lg",
                "filled": f"bg-{colors.band if self.look.bands == 'none' else colors.surface}",
                "bare": "",
            }[self.look.cards],
            self.corner if self.look.cards != "bare" else "",
        )

    @property
    def card_pad(self) -> str:
        """Inside a card; bare cards need none at their sides."""
        return "py-2" if self.look.cards == "bare" else "p-4" if self.look.density == "compact" else "p-6"

    def title(self, text: str) -> Node:
        """Return the heading of a section."""
        return say("h2", f"{_TITLE[self.look.headings]} text-{self.colors.title} mb-6", text)

    def headline(self, text: str, classes: str = "") -> Node:
        """Return the headline of the page."""
        return say("h1", f"{_HEADLINE[self.look.headings]} {classes} mb-4", text)

    def subtitle(self, text: str, classes: str = "") -> Node:
        """Return the heading of a card."""
        return say("h3", f"text-xl font-semibold {classes}", text)

    def button(self, text: str, colors: str = "") -> Node:
        """Return a filled button."""
        fill = colors or f"bg-{self.colors.button} text-{self.colors.on_button}"
        return say("button", f"{fill} font-semibold py-2 px-6 {_BUTTON_CORNERS[self.look.corners]}", text)

    def picture(self, width: int, height: int, classes: str = "w-full", alt: str = "Picture") -> Node:
        """Return a picture with the corners of the page."""
        return picture(width, height, f"{classes} {self.corner}", alt)

    def field(self, placeholder: str, classes: str = "w-full") -> Node:
        """Return a line to write in."""
        colors = self.colors
        ink = f"bg-{'white' if colors.surface == 'gray-50' else colors.surface} text-{colors.text}"
        return field(placeholder, f"{classes} {ink} border border-{colors.line} py-2 px-4 {self.corner}")

    def muted(self, text: str, classes: str = "text-sm") -> Node:
        """Return small print."""
        return say("p", f"{classes} text-{self.colors.muted}", text)

    def link(self, text: str, classes: str = "") -> Node:
        """Return a link in the accent colour."""
        return link(text, f"text-{self.colors.title} underline {classes}")


@lru_cache(maxsize=4096)
def style_of(look: Look) -> Style:
    """Return the style of a look."""
    return Style(look)
