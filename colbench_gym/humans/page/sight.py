"""Views of rendered pages: of a layout only what its picture shows, as the grader counts it."""

from __future__ import annotations

from functools import lru_cache

from colbench_gym.graders.layout_similarity.coarse_pixels import read_png
from colbench_gym.graders.layout_similarity.seen_parts import seen_parts
from colbench_gym.humans.page.view import View
from colbench_gym.rendering import RenderedPage

MAX_KEPT_VIEWS = 64  # some 50 kB each; wanted pages of running dialogues are looked at once a turn


def views(wanted: RenderedPage, got: RenderedPage | None) -> tuple[View, View | None]:
    """Return both pages as they are seen.

    A renderer without pictures, such as the scripted one, shows no text of any page; the layouts are then taken whole.
    """
    if wanted.png and (_seen(wanted).layout.texts or not wanted.layout.texts):
        return _seen(wanted), _seen(got) if got is not None else None
    return View(wanted.layout), View(got.layout) if got is not None else None


@lru_cache(maxsize=MAX_KEPT_VIEWS)
def _seen(page: RenderedPage) -> View:
    return View(seen_parts(page.layout, read_png(page.png)))
