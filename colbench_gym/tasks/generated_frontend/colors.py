"""The colours of Tailwind 2.2.19 that generated pages use, and the colours that a choice of look makes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

HUES = ("gray", "red", "yellow", "green", "blue", "indigo", "purple", "pink")
GROUNDS = ("white", "grey", "tinted", "dark", "deep")
DEPTHS = ("bright", "strong", "deep")
CONTRASTS = {  # the hue that buttons take where they stand out from the rest
    "gray": "red",
    "red": "blue",
    "yellow": "indigo",
    "green": "yellow",
    "blue": "yellow",
    "indigo": "pink",
    "purple": "green",
    "pink": "purple",
}
_STEPS = (50, 100, 200, 300, 400, 500, 600, 700, 800, 900)
_CODES = {  # as the stylesheet has them
    "gray": "F9FAFB F3F4F6 E5E7EB D1D5DB 9CA3AF 6B7280 4B5563 374151 1F2937 111827",
    "red": "FEF2F2 FEE2E2 FECACA FCA5A5 F87171 EF4444 DC2626 B91C1C 991B1B 7F1D1D",
    "yellow": "FFFBEB FEF3C7 FDE68A FCD34D FBBF24 F59E0B D97706 B45309 92400E 78350F",
    "green": "ECFDF5 D1FAE5 A7F3D0 6EE7B7 34D399 10B981 059669 047857 065F46 064E3B",
    "blue": "EFF6FF DBEAFE BFDBFE 93C5FD 60A5FA 3B82F6 2563EB 1D4ED8 1E40AF 1E3A8A",
    "indigo": "EEF2FF E0E7FF C7D2FE A5B4FC 818CF8 6366F1 4F46E5 4338CA 3730A3 312E81",
    "purple": "F5F3FF EDE9FE DDD6FE C4B5FD A78BFA 8B5CF6 7C3AED 6D28D9 5B21B6 4C1D95",
    "pink": "FDF2F8 FCE7F3 FBCFE8 F9A8D4 F472B6 EC4899 DB2777 BE185D 9D174D 831843",
}
RGB: dict[str, tuple[int, int, int]] = {"black": (0, 0, 0), "white": (255, 255, 255)} | {
    f"{hue}-{step}": (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))
    for hue, codes in _CODES.items()
    for step, code in zip(_STEPS, codes.split(), strict=True)
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
