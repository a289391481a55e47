"""The colours that generated pages choose from, all of them in Tailwind 2.2.19."""

from __future__ import annotations

from colbench_gym.tasks.generated_frontend.schema_1.page import Palette

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


RGB: dict[str, tuple[int, int, int]] = {  # the colours used, as the stylesheet has them
    name: (int(code[:2], 16), int(code[2:4], 16), int(code[4:], 16))
    for name, code in {
        "black": "000000",
        "white": "FFFFFF",
        "gray-50": "F9FAFB",
        "gray-100": "F3F4F6",
        "gray-200": "E5E7EB",
        "gray-400": "9CA3AF",
        "gray-500": "6B7280",
        "gray-700": "374151",
        "gray-800": "1F2937",
        "gray-900": "111827",
        "red-100": "FEE2E2",
        "red-200": "FECACA",
        "red-400": "F87171",
        "red-500": "EF4444",
        "red-800": "991B1B",
        "yellow-100": "FEF3C7",
        "yellow-200": "FDE68A",
        "yellow-400": "FBBF24",
        "yellow-500": "F59E0B",
        "yellow-800": "92400E",
        "green-100": "D1FAE5",
        "green-200": "A7F3D0",
        "green-400": "34D399",
        "green-500": "10B981",
        "green-800": "065F46",
        "blue-100": "DBEAFE",
        "blue-200": "BFDBFE",
        "blue-400": "60A5FA",
        "blue-500": "3B82F6",
        "blue-800": "1E40AF",
        "purple-100": "EDE9FE",
        "purple-200": "DDD6FE",
        "purple-400": "A78BFA",
        "purple-500": "8B5CF6",
        "purple-800": "5B21B6",
        "pink-100": "FCE7F3",
        "pink-200": "FBCFE8",
        "pink-400": "F472B6",
        "pink-500": "EC4899",
        "pink-800": "9D174D",
    }.items()
}
