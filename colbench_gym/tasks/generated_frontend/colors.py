"""The colours of Tailwind 2.2.19 that generated pages use, and the colours that a choice of look makes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.tasks.generated_frontend.wordings import lines_of

_ROWS = [line.split() for line in lines_of("colors")]  # a hue, its contrast, its codes as the stylesheet has them
CONTRASTS = {hue: contrast for hue, contrast, *_ in _ROWS}  # the hue of buttons that stand out from the rest
HUES = tuple(CONTRASTS)
GROUNDS = ("white", "grey", "tinted", "dark", "deep")
DEPTHS = ("bright", "strong", "deep")
_STEPS = (50, 100, 200, 300, 400, 500, 600, 700, 800, 900)
RGB: dict[str, tuple[int, int, int]] = {"black": (0, 0, 0), "white": (255, 255, 255)} | {
    f"{hue}-{step}": (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))
    for hue, _, *codes in _ROWS
    for step, code in zip(_STEPS, codes, strict=True)
}


@dataclass(frozen=True)
class Palette:
    """The colours of a page, by their names in the stylesheet, such as ``blue-800`` or ``white``.

    Attributes:
        ground: behind everything.
        band: behind every second section where the page has bands.
        text: of paragraphs.
        muted: of small print.
        surface: of cards and plain bars.
        line: of borders.
        accent: of coloured bars and banners.
        on_accent: of what is written on ``accent``.
        title: of the titles of sections.
        button: of filled buttons.
        on_button: of what is written on them.
    """

    ground: str
    band: str
    text: str
    muted: str
    surface: str
    line: str
    accent: str
    on_accent: str
    title: str
    button: str
    on_button: str


@lru_cache(maxsize=1024)
def palette(hue: str, depth: str, ground: str, buttons: str) -> Palette:
    """Return the colours of a page: one accent, bright to deep, on one of the grounds."""
    dark = ground in ("dark", "deep")
    step = {"bright": 400 if dark else 500, "strong": 600, "deep": 700 if dark else 800}[depth]
    accent = f"{hue}-{step}"
    on_accent = _on(hue, step)
    button_hue, button_step = {
        "same": (hue, step),
        "contrast": (CONTRASTS[hue], 500 if dark else 600),
        "ink": ("gray", 200 if dark else 900),
    }[buttons]
    button, on_button = f"{button_hue}-{button_step}", _on(button_hue, button_step)
    if ground == "dark":
        title = f"{hue}-{300 if depth == 'bright' else 200}"
        return Palette("gray-900", "gray-800", "gray-100", "gray-400", "gray-700", "gray-600", accent, on_accent, title,
                       button, on_button)  # fmt: skip
    if ground == "deep":
        base = "black" if hue == "gray" else f"{hue}-900"
        return Palette(base, f"{hue}-800", "white", f"{hue}-200", f"{hue}-700" if step != 700 else f"{hue}-800",
                       f"{hue}-600", accent, on_accent, "white", button, on_button)  # fmt: skip
    behind = {"white": "white", "grey": "gray-100", "tinted": f"{hue}-50"}[ground]
    band = {"white": f"{hue}-50", "grey": "gray-200", "tinted": f"{hue}-100"}[ground]
    title = accent if step > 500 or hue == "gray" else f"{hue}-600"
    surface = "gray-50" if ground == "white" else "white"
    return Palette(behind, band, "gray-800", "gray-600", surface, "gray-300", accent, on_accent, title, button,
                   on_button)  # fmt: skip


def _on(hue: str, step: int) -> str:
    """Return a colour that can be read on a hue's step."""
    light = step <= 400 or (hue == "yellow" and step <= 500)
    return "gray-900" if light else "white"
