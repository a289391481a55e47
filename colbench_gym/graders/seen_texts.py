"""Which texts of a layout the picture shows: what lies below something, or is cut or masked away, counts for nothing."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from colbench_gym.rendering.layout import Layout, TextBlock

Pixels = npt.NDArray[np.uint8]  # (rows, columns, 3)

LEAST_CONTRAST = 8  # ours, of 255: between a text's colour and most of its rectangle, in the most different channel
LEAST_INK = 0.008  # ours: the share of a text's rectangle that is nearer to its colour; of real texts 0.03 and more
MAX_LOOKED_AT = 20_000  # ours: pixels of one rectangle, evenly spread; more are skipped


def seen_texts(layout: Layout, pixels: Pixels) -> Layout:
    """The layout without the texts that the picture does not show, those beyond its edge included.

    A layout is made from geometry and styles, and a page can deceive it: a text below another element, a mask, a
    filter. A text that is seen leaves pixels near its own colour, and not only those.
    """
    return replace(layout, texts=tuple(text for text in layout.texts if _is_seen(text, pixels)))


def _is_seen(text: TextBlock, pixels: Pixels) -> bool:
    rect = text.rect
    left, top = max(0, math.floor(rect.x)), max(0, math.floor(rect.y))
    there = pixels[top : math.ceil(rect.y + rect.height), left : math.ceil(rect.x + rect.width)]
    if not there.size:
        return False
    flat = there.reshape(-1, 3)
    flat = flat[:: -(-len(flat) // MAX_LOOKED_AT)].astype(np.int16)
    color = np.array(text.color, dtype=np.int16)
    contrast = np.abs(np.median(flat, axis=0) - color).max()  # letters cover less than half of their rectangle
    if contrast < LEAST_CONTRAST:
        return False
    near = np.abs(flat - color).max(axis=1) <= contrast / 2
    return bool(near.mean() >= LEAST_INK)
