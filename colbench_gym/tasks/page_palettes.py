"""The colours that generated pages choose from, all of them in Tailwind 2.2.19."""

from __future__ import annotations

from colbench_gym.tasks.page_model import Palette

ACCENTS = ("red", "yellow", "green", "blue", "purple", "pink")
DEPTHS = ("bright", "deep")
GROUNDS = ("white", "grey", "dark", "tinted")

_SHADE = {"bright": "500", "deep": "800"}
_TITLE_ON_DARK = {"bright": "400", "deep": "200"}


def palette(accent: str, depth: str, ground: str) -> Palette:
    """The colours of a page: one accent, bright or deep, on one of the grounds."""
    strong = f"{accent}-{_SHADE[depth]}"
    if ground == "dark":
        title = f"{accent}-{_TITLE_ON_DARK[depth]}"
        return Palette("gray-900", "gray-100", "gray-700", "gray-500", strong, title)
    behind = {"white": "white", "grey": "gray-200", "tinted": f"{accent}-100"}[ground]
    return Palette(behind, "gray-800", "gray-50" if ground == "white" else "white", "gray-400", strong, strong)
