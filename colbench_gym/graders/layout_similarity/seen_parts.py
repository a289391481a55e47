"""Parts of a layout that the picture shows: what lies below something, or is cut or masked away, does not count."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from colbench_gym.rendering.layout import Color, Element, Layout, Rect, TextBlock

Pixels = npt.NDArray[np.uint8]  # (rows, columns, 3)

LEAST_CONTRAST = 8  # ours, of 255: between a text's colour and most of its rectangle, in the most different channel
LEAST_INK = 0.008  # ours: the share of a text's rectangle that is nearer to its colour; of real texts 0.03 and more
ONE_COLOR = 0.9  # ours: the share of an element's rectangle in one colour that makes this its colour
OTHER_COLOR = 24  # ours, of 255: an element whose rectangle has a colour so far from its own lies below something
LEAST_BORDER = 0.002  # ours: the share of an element's rectangle in the colour of its border
MAX_LOOKED_AT = 20_000  # ours: pixels of one rectangle, evenly spread; more are skipped


def seen_parts(layout: Layout, pixels: Pixels) -> Layout:
    """Return the layout without what the picture does not show, what is beyond its edge included.

    A layout is made from geometry and styles, and a page can deceive it: a text below another element, a mask, a
    filter. A text that is seen leaves pixels near its own colour, and not only those; an element that is not seen is
    of one colour, and this is not its own (a picture's: the page's).
    """
    texts = tuple(text for text in layout.texts if _text_is_seen(text, pixels))
    elements = tuple(element for element in layout.elements if _element_is_seen(element, layout.background, pixels))
    return replace(
        layout,
        texts=tuple(replace(text, rect=_cut(text.rect, pixels)) for text in texts),
        elements=tuple(replace(element, rect=_cut(element.rect, pixels)) for element in elements),
    )


def _cut(rect: Rect, pixels: Pixels) -> Rect:
    """Return the part of a rectangle that is on the picture."""
    left, top = max(0.0, rect.x), max(0.0, rect.y)
    right, bottom = min(rect.x + rect.width, pixels.shape[1]), min(rect.y + rect.height, pixels.shape[0])
    if (left, top, right, bottom) == (rect.x, rect.y, rect.x + rect.width, rect.y + rect.height):
        return rect
    return Rect(left, top, max(0.0, right - left), max(0.0, bottom - top))


def _within(rect: Rect, pixels: Pixels) -> npt.NDArray[np.int16]:
    """Return pixels of a rectangle, about :data:`MAX_LOOKED_AT` at most; none beyond the edge."""  # (pixels, 3)
    left, top = max(0, math.floor(rect.x)), max(0, math.floor(rect.y))
    right, bottom = max(0, math.ceil(rect.x + rect.width)), max(0, math.ceil(rect.y + rect.height))
    flat = pixels[top:bottom, left:right].reshape(-1, 3)
    return flat[:: max(1, -(-len(flat) // MAX_LOOKED_AT))].astype(np.int16)


def _far(pixels: npt.NDArray[Any], color: npt.ArrayLike) -> npt.NDArray[np.float64]:  # Any: of whole numbers
    """Return how far colours are from one, in the most different channel."""
    return np.asarray(np.abs(pixels - np.asarray(color, dtype=float)).max(axis=-1))


def _text_is_seen(text: TextBlock, pixels: Pixels) -> bool:
    there = _within(text.rect, pixels)
    if not len(there):
        return False
    contrast = _far(np.median(there, axis=0), text.color)  # letters cover less than half of their rectangle
    if contrast < LEAST_CONTRAST:
        return False
    return bool((_far(there, text.color) <= contrast / 2).mean() >= LEAST_INK)


def _element_is_seen(element: Element, ground: Color, pixels: Pixels) -> bool:
    there = _within(element.rect, pixels)
    if not len(there):
        return False
    most = np.median(there, axis=0)
    if (_far(there, most) < LEAST_CONTRAST).mean() < ONE_COLOR:
        return True
    if element.kind == "picture":
        return bool(_far(most, ground) >= LEAST_CONTRAST)
    if element.border and (_far(there, element.border) < LEAST_CONTRAST).mean() >= LEAST_BORDER:
        return True
    return bool(_far(most, element.color) < OTHER_COLOR)
