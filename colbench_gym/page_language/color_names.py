"""Colours by the names that people give them: "dark blue", "very pale grey"."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

from colbench_gym.page_language.statements import WORDS
from colbench_gym.rendering.layout import Color

_HUES, _SHADES, _GREYS, _BRIGHT, _BRIGHTENED, _BROWN = (
    WORDS[name] for name in ("hues", "shades", "greys", "bright", "brightened", "brown")
)
_GREY_CHROMA = 0.045  # of a colour, at most, that people call grey
_VIVID = 0.235  # a colour of more chroma is no shade of its hue but the hue itself

Lab = tuple[float, float, float]


@lru_cache(maxsize=4096)
def name_of(color: Color) -> str:
    """Return its name: grey or not by its chroma, then the nearest hue, then the nearest of its shades."""
    lab = oklab(color)
    chroma = math.hypot(lab[1], lab[2])
    if chroma < _grey_limit(lab[0]):
        family: Iterable[str] = _GREYS
    else:
        degrees = math.degrees(math.atan2(lab[2], lab[1]))
        hue = min(_HUES, key=lambda hue: abs((_HUES[hue] - degrees + 180.0) % 360.0 - 180.0))
        if chroma > _VIVID:
            return str(hue)
        family = _FAMILIES[hue]
    return min(family, key=lambda name: math.dist(_LABS[name], lab))


def rgb_of(name: str) -> Color:
    """Return what a name stands for; ``name_of(rgb_of(name)) == name``.

    Raises:
        KeyError: no colour has that name.
    """
    return NAMES[name]


def distance(one: Color, other: Color) -> float:
    """Return how different two colours look: Euclidean in OKLab; black and white are 1 apart."""
    return math.dist(oklab(one), oklab(other))


@lru_cache(maxsize=4096)
def oklab(color: Color) -> Lab:
    """Return lightness 0 to 1, green to red, blue to yellow (Ottosson 2020)."""
    red, green, blue = (_linear(channel / 255) for channel in color)
    long = (0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue) ** (1 / 3)
    medium = (0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue) ** (1 / 3)
    short = (0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue) ** (1 / 3)
    return (
        0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short,
        1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short,
        0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short,
    )


def _grey_limit(lightness: float) -> float:
    """Return the most chroma of a grey; pale colours show theirs earlier."""
    return _GREY_CHROMA if lightness < 0.85 else max(0.012, _GREY_CHROMA - 0.30 * (lightness - 0.85))


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


def _gamma(channel: float) -> float:
    return 12.92 * channel if channel <= 0.0031308 else float(1.055 * channel ** (1 / 2.4) - 0.055)


def _rgb(lightness: float, chroma: float, hue: float) -> Color:
    """Return the colour of OKLCH coordinates, with as much of the chroma as a screen can show."""
    while True:
        a, b = chroma * math.cos(math.radians(hue)), chroma * math.sin(math.radians(hue))
        long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
        medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
        short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
        linear = (
            4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
            -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
            -0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short,
        )
        if all(-0.002 <= channel <= 1.002 for channel in linear):
            red, green, blue = (round(255 * min(1.0, max(0.0, _gamma(max(0.0, part))))) for part in linear)
            return red, green, blue
        chroma -= 0.002


def _shades(hue: str) -> dict[str, Color]:
    shades = {}
    for shade, (lightness, chroma) in _SHADES.items():
        brighter = lightness + _BRIGHT.get(hue, 0.0) * _BRIGHTENED.get(shade, 0.0)
        name = f"{shade} {hue}".strip()
        shades[_BROWN.get(name, name)] = _rgb(brighter, chroma, _HUES[hue])
    return shades


_FAMILIES = {hue: _shades(hue) for hue in _HUES}
NAMES: dict[str, Color] = {name: _rgb(lightness, 0.0, 0.0) for name, lightness in _GREYS.items()}
for _shade in _FAMILIES.values():
    NAMES.update(_shade)
_LABS = {name: oklab(color) for name, color in NAMES.items()}
