"""The default similarity of two pages, without a model: from texts, boxes, colours and the picture from afar."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from colbench_gym.graders import Grade
from colbench_gym.graders.layout_similarity.coarse_pixels import (
    Picture,
    coarse,
    colors_agreement,
    pixels_agreement,
    read_png,
)
from colbench_gym.graders.layout_similarity.part_matching import elements_agreement, texts_agreement
from colbench_gym.graders.layout_similarity.seen_parts import seen_parts
from colbench_gym.graders.wanted_page import wanted_page
from colbench_gym.rendering import MAX_PAGE_HEIGHT, MAX_PAGE_WIDTH, RenderedPage, Renderer
from colbench_gym.rendering.layout import Layout
from colbench_gym.tasks import Task

METRIC = "layout-2"
SHARES = {"texts": 0.4, "elements": 0.2, "pixels": 0.15, "colors": 0.25}  # ours
_DOCTYPE = re.compile(r"\ufeff?(?:\s|<!--(?:[^-]|-(?!->))*-->)*(<!doctype[^>]*>)", re.IGNORECASE)
LOOKS_DIFFERENT = 0.9999  # ours: the most that pages score which do not look the same
PAGES_KEPT = 256  # in their coarse form, some 100 kB each


@dataclass(frozen=True)
class Agreement:
    """Agreement of two pages, each part in [0, 1], None where neither page has any such thing.

    Attributes:
        texts: see :func:`~colbench_gym.graders.layout_similarity.part_matching.texts_agreement`.
        elements: see :func:`~colbench_gym.graders.layout_similarity.part_matching.elements_agreement`.
        pixels: see :func:`~colbench_gym.graders.layout_similarity.coarse_pixels.pixels_agreement`.
        colors: see :func:`~colbench_gym.graders.layout_similarity.coarse_pixels.colors_agreement`.
        same: whether the pages look the same.
    """

    texts: float | None
    elements: float | None
    pixels: float
    colors: float
    same: bool

    @property
    def score(self) -> float:
        """Return the mean by :data:`SHARES` of what there is; 1.0 for pages that look the same, less for all others."""
        if self.same:
            return 1.0
        there = {name: value for name in SHARES if (value := getattr(self, name)) is not None}
        mean = sum(SHARES[name] * value for name, value in there.items()) / sum(SHARES[name] for name in there)
        return float(min(LOOKS_DIFFERENT, max(0.0, mean)))


def compare(page: RenderedPage, other: RenderedPage) -> Agreement:
    """Compare two pages that were rendered; the order does not matter, to the last bit."""
    first, second = sorted((page, other), key=lambda rendered: (rendered.png_sha256, repr(rendered.layout)))
    (picture, layout), (other_picture, other_layout) = _looked_at(first), _looked_at(second)
    texts = texts_agreement(layout, other_layout) if layout.texts or other_layout.texts else None
    elements = elements_agreement(layout, other_layout) if layout.elements or other_layout.elements else None
    pixels, colors = pixels_agreement(picture, other_picture), colors_agreement(picture, other_picture)
    return Agreement(texts, elements, pixels, colors, _look_the_same(first, second))


def _look_the_same(first: RenderedPage, second: RenderedPage) -> bool:
    whole = all(
        page.layout.width <= MAX_PAGE_WIDTH and page.layout.height <= MAX_PAGE_HEIGHT and not page.layout.cut
        for page in (first, second)
    )
    return first.png == second.png and (whole or first.layout == second.layout)


def _modes(html: str) -> list[str]:
    """Return the page, and without its doctype if it has one: references have none, which changes heights in per cent.

    A doctype decides between the standards mode and the quirks mode of browsers, which no request speaks of; the page
    counts in the mode in which it is nearer to the wanted one.
    """
    doctype = _DOCTYPE.match(html)
    bare = html[: doctype.start(1)] + html[doctype.end(1) :] if doctype else ""
    return [page for page in (html, bare) if page]


@lru_cache(maxsize=PAGES_KEPT)
def _looked_at(page: RenderedPage) -> tuple[Picture, Layout]:
    """Return the picture from afar, and the layout without what cannot be seen."""
    pixels = read_png(page.png)
    return coarse(pixels), seen_parts(page.layout, pixels)


class LayoutSimilarity:
    """A Grader: the similarity of the agent's page to the wanted one, from both layouts and pictures.

    In the spirit of Design2Code's low-level metrics (arXiv 2403.03163, section 4): texts and elements of both pages
    are paired as well as can be; a pair counts by its words, place, size, colours, font and alignment; what has no
    partner counts against both. Our own: weights by the square root of the area, of a pair the smaller one; one Dice
    coefficient over texts and one over elements; a coarse picture in CIELAB in which white has nothing in common with
    anything; and the colours that both pages have, wherever they are. What the picture does not show counts nothing.

    The score is in [0, 1], symmetric, and 1.0 for what looks the same only. No page, and one that cannot be rendered
    through its own fault, scores 0.0.

    Args:
        renderer: turns pages into pictures and layouts; closed by who opened it.
    """

    metric = METRIC

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def __repr__(self) -> str:
        return f"LayoutSimilarity({METRIC!r})"

    def grade(self, task: Task, answer: str) -> Grade:
        """Grade one page.

        Raises:
            TaskError: the task is of another track, or its reference cannot be rendered.
            RendererError: the browser failed.
            AssetError: a page links an asset that has not been fetched.
        """
        wanted = wanted_page(task, self._renderer)
        score = max((self._score(html, wanted) for html in _modes(answer)), default=0.0)
        return Grade(score, success=False, metric=METRIC)

    def _score(self, html: str, wanted: RenderedPage) -> float:
        page = self._renderer.render(html)
        return compare(page, wanted).score if page.status == "rendered" else 0.0

    def close(self) -> None:
        """Release nothing: the renderer belongs to whoever opened it."""
