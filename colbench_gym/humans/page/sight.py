"""Views of rendered pages: of a layout only what its picture shows, as the grader counts it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from colbench_gym.graders.layout_similarity.coarse_pixels import read_png
from colbench_gym.graders.layout_similarity.seen_parts import Pixels, seen_parts
from colbench_gym.humans.page.view import View
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.layout import Element, Layout

MAX_KEPT_VIEWS = 64  # some 50 kB each; wanted pages of running dialogues are looked at once a turn

_EVERY = 3  # pixels: of an element's picture each third is looked at, in both directions
_SAME, _MOST = 6, 0.5  # of 255, and the share of pixels that differ by at most so much from the element's colour


def views(wanted: RenderedPage, got: RenderedPage | None) -> tuple[View, View | None]:
    """Return both pages as they are seen.

    A renderer without pictures, such as the scripted one, shows no text of any page; the layouts are then taken whole.
    """
    if wanted.png and (_seen(wanted).texts or not wanted.layout.texts):
        return _view(wanted), _view(got) if got is not None else None
    return View(wanted.layout), View(got.layout) if got is not None else None


@lru_cache(maxsize=MAX_KEPT_VIEWS)
def _view(page: RenderedPage) -> View:
    layout, pixels = _seen(page), read_png(page.png)
    bars = [element for element in layout.elements if element.kind in ("navigation", "box")]
    return View(layout, frozenset(bar.rect for bar in bars if _is_painted(bar, pixels)))


def _is_painted(element: Element, pixels: Pixels) -> bool:
    """Return whether most of an element's rectangle is of its own colour."""
    rect = element.rect
    left, top, right, bottom = rect.x, rect.y, rect.x + rect.width, rect.y + rect.height
    some = pixels[int(top) : int(bottom) : _EVERY, int(left) : int(right) : _EVERY].reshape(-1, 3).astype(np.int16)
    if not len(some):
        return False
    return bool((np.abs(some - np.asarray(element.color)).max(axis=1) <= _SAME).mean() >= _MOST)


@lru_cache(maxsize=MAX_KEPT_VIEWS)
def _seen(page: RenderedPage) -> Layout:
    return seen_parts(page.layout, read_png(page.png))
