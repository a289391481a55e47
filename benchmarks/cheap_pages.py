"""Search for pages that score much for little: 90 made from a few parts, and 10 found by an optimiser.

    python benchmarks/cheap_pages.py --pages TASKS.jsonl [-n N]

A cheap page knows the request and nothing else, and is made of a ground, a bar, a row of boxes and some words or a
picture. The optimiser climbs by the mean score on pages of the first half, five times from the best made ones and five
times from random ones; all scores reported are means over the second half. The goal: none is above the mean of the
designer's first draft, which is honest work from the same request, minus 0.05. Exit status 1 when one is.

Some 1,500 pages are rendered for 16 tasks, two at a time: a few minutes on two idle cores.
"""

from __future__ import annotations

import argparse
import functools
import itertools
import random
import statistics
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path

from colbench_gym.action import extract_page
from colbench_gym.graders.layout_similarity import METRIC, LayoutSimilarity
from colbench_gym.policies.designer import Designer
from colbench_gym.rendering import open_renderer
from colbench_gym.tasks import FrontendTask, load_tasks

MARGIN = 0.05
CLIMBS = 10  # half of them from the best made pages
STEPS = 10  # of a climb
SEARCHED_ON = 4  # pages of the first half, or each step would take a minute
AT_ONCE = 2  # pages rendered
COLORS = ("#ffffff", "#f3f4f6", "#e5e7eb", "#1f2937", "#3b82f6", "#2563eb", "#10b981", "#fbbf24")
WORDS = ("", "request", "request apart", "name", "name stretched", "menu")


@dataclass(frozen=True)
class Cheap:
    """A cheap page as numbers."""

    ground: str = "#ffffff"
    bar: str = "#3b82f6"
    bar_px: int = 64
    boxes: int = 0
    box: str = "#f3f4f6"
    footer_px: int = 0
    words: str = ""
    font_px: int = 24
    picture_px: int = 0

    def html(self, request: str) -> str:
        """Return the page for a task."""
        box = f"<div style='flex:1;height:200px;margin:16px;background:{self.box}'></div>"
        return (
            f"<body style='margin:0;font-family:sans-serif;background:{self.ground}'>"
            f"<div style='background:{self.bar};color:white;height:{self.bar_px}px'>{self._said(request)}</div>"
            f"<div style='display:flex'>{box * self.boxes}</div>"
            + (
                f"<img src='https://picsum.photos/id/48/{self.picture_px}/{self.picture_px}'>"
                if self.picture_px
                else ""
            )
            + f"<div style='background:#1f2937;height:{self.footer_px}px'></div></body>"
        )

    def _said(self, request: str) -> str:
        name = " ".join(word for word in request.split()[1:] if word[:1].isupper())[:40] or "Welcome"
        spread = "letter-spacing:40px;word-spacing:200px" if self.words.endswith("stretched") else ""
        said = {"": "", "menu": "Home About Services Contact", "name": name, "name stretched": name}
        words = said.get(self.words, request)
        parts = words.split() if self.words == "request apart" else [words] if words else []
        return "".join(
            f"<p style='margin:8px;font-size:{self.font_px}px;{spread}'>{escape(part)}</p>" for part in parts
        )


def first_draft(request: str) -> str:
    """Return the page with which the designer answers at once."""
    return extract_page(Designer(0).act([{"role": "user", "content": request}])) or ""


def made() -> list[Cheap]:
    """Return 90 pages."""
    grounds = ("#ffffff", "#f3f4f6", "#1f2937")
    shapes = (Cheap(bar_px=0), Cheap(), Cheap(bar_px=300), Cheap(boxes=3, footer_px=80), Cheap(picture_px=400))
    return [replace(shape, ground=g, words=w) for g, shape, w in itertools.product(grounds, shapes, WORDS)]


def neighbour(page: Cheap, rng: random.Random) -> Cheap:
    """Return the page with two numbers changed."""
    for _ in range(2):
        name, choices = rng.choice((
            ("ground", COLORS), ("bar", COLORS), ("bar_px", (0, 40, 64, 120, 300, 700)), ("boxes", (0, 1, 2, 3, 4)),
            ("box", COLORS), ("footer_px", (0, 40, 80, 200)), ("words", WORDS), ("font_px", (14, 18, 24, 36, 60)),
            ("picture_px", (0, 150, 300, 600)),
        ))  # fmt: skip
        page = replace(page, **{name: rng.choice(choices)})
    return page


def climb(seed: int, start: Cheap, mean: Callable[[Cheap], float]) -> Cheap:
    """Return the best page of one climb."""
    rng = random.Random(seed)
    best, score = start, mean(start)
    for _ in range(STEPS):
        tried = neighbour(best, rng)
        if (tried_score := mean(tried)) > score:
            best, score = tried, tried_score
    return best


def starts() -> list[Cheap]:
    """Return random pages to climb from."""
    return random.Random(0).sample(made(), CLIMBS)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pages", type=Path, help="official tasks as JSONL; generated ones without it")
    parser.add_argument("-n", type=int, default=16, help="how many pages")
    options = parser.parse_args()
    spec = load_tasks(str(options.pages or "generated"), track="frontend")
    tasks = [task for task in map(spec.at, range(options.n)) if isinstance(task, FrontendTask)]
    half = len(tasks) // 2
    searched_on, held = tasks[: min(half, SEARCHED_ON)], tasks[half:]
    renderer = open_renderer("chromium")
    grader = LayoutSimilarity(renderer)
    pool = ThreadPoolExecutor(AT_ONCE)

    @functools.cache
    def score(task: FrontendTask, html: str) -> float:
        return grader.grade(task, html).score

    def mean(of: Sequence[FrontendTask], html: Callable[[str], str]) -> float:
        return statistics.mean(pool.map(lambda task: score(task, html(task.description)), of))

    try:
        honest = mean(held, first_draft)
        print(f"{METRIC}: the designer's first draft {honest:.3f} on {len(held)} pages", flush=True)
        scores = [(mean(held, page.html), "made", page) for page in made()]
        print(f"best made: {max(scores, key=lambda scored: scored[0])}", flush=True)
        search = functools.partial(mean, searched_on)
        best = sorted(made(), key=lambda page: -search(page.html))[: CLIMBS // 2]
        for seed, start in enumerate([*best, *starts()[CLIMBS // 2 :]]):
            page = climb(seed, start, lambda page: search(page.html))
            scores.append((mean(held, page.html), "searched for", page))
            print(f"climb {seed}: {scores[-1]}", flush=True)
    finally:
        pool.shutdown()
        renderer.close()
    for value, kind, page in sorted(scores, key=lambda scored: -scored[0])[:10]:
        print(f"{value:.3f} {kind}: {page}")
    above = sum(value > honest - MARGIN for value, _, _ in scores)
    print(f"{above} of {len(scores)} cheap pages are above {honest:.3f} - {MARGIN}")
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
