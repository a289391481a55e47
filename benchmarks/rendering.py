"""Our rendering against the plain way, in one run and as ratios, and that no optimisation changes a pixel.

The plain way is what a few lines with Playwright do: a fresh context for each page, the whole stylesheet, Playwright's
own screenshot; in the same browser, with the same flags and stand-ins. All render the same pages in turns, and ratios
are medians over rounds, so that a noisy machine disturbs all of them alike. Ours also reads the layout of each page.
Goal: 5 times the pages per second of the plain way, with all cores.

    python benchmarks/rendering.py [--tasks FILE] [--pages N] [--rounds R]

Without ``--tasks`` the pages are generated ones. Exit status 1 when a pixel differs or the goal is missed.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import tyro
from harness import counts_in_words, print_table, take_turns

from colbench_gym.rendering.assets import Assets
from colbench_gym.rendering.chromium import Chromium
from colbench_gym.rendering.chromium.browser import BLINK_SETTINGS, CONTEXT, NO_NETWORK, SAME_PIXELS, SETTLE
from colbench_gym.rendering.chromium.containment import BrowserProfile, find_executable, ways
from colbench_gym.scenario import first_tasks
from colbench_gym.tasks import load_tasks

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
GOAL = 5.0
Way = Callable[[Sequence[str]], list[bytes]]  # renders some pages: their PNGs, in order
PLAIN = "plain: fresh context, whole stylesheet"


@dataclass(frozen=True)
class Benchmark:
    """Settings of the measurement.

    Attributes:
        tasks: generated[:SPLIT], official[:SPLIT] or a JSONL file of frontend tasks.
        pages: how many pages, the first of the spec.
        rounds: the pages are dealt into that many rounds.
    """

    tasks: str = "generated"
    pages: int = 100
    rounds: int = 5


class Plain:
    """Pages through Playwright's own API, one after the other, in one browser.

    Args:
        browser: of Playwright; Any because it is only there with the extra ``render``.
        assets: what pages load.
    """

    def __init__(self, browser: Any, assets: Assets) -> None:
        self._browser, self._assets, self._html = browser, assets, ""

    def _answer(self, route: Any) -> None:
        response = self._assets.response(route.request.url, self._html)
        if response is None:
            route.abort()
        else:
            route.fulfill(body=response.body, content_type=response.content_type)

    def __call__(self, pages: Sequence[str]) -> list[bytes]:
        """Render them."""
        shots = []
        for self._html in pages:
            context = self._browser.new_context(**CONTEXT)
            context.route("**/*", self._answer)
            page = context.new_page()
            page.set_content(self._html)
            page.evaluate(SETTLE)
            shots.append(page.screenshot(full_page=True))
            context.close()
        return shots


@contextlib.contextmanager
def one_browser() -> Iterator[Any]:
    """A browser as ours are started, to be driven from here."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        containment = ways()[0]
        home = BrowserProfile(find_executable(playwright.chromium.executable_path), containment)
        try:
            yield playwright.chromium.launch(
                executable_path=str(home.start),
                chromium_sandbox=containment.own_sandbox,
                env=dict(home.environment),
                args=[*NO_NETWORK, *SAME_PIXELS, BLINK_SETTINGS],
            )
        finally:
            home.remove()


def through(renderer: Chromium, threads: int) -> Way:
    """Ours, asked from so many threads."""

    def render(pages: Sequence[str]) -> list[bytes]:
        with ThreadPoolExecutor(threads) as pool:
            return [page.png for page in pool.map(renderer.render, pages)]

    return render


def pixels(png: bytes) -> str:
    """A hash of the picture itself: two encoders write different bytes for it."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        return hashlib.sha256(repr(picture.size).encode() + picture.convert("RGB").tobytes()).hexdigest()


def measure(benchmark: Benchmark) -> bool:
    """Run it and print a table; whether no pixel differs and the goal is met."""
    tasks = first_tasks(load_tasks(benchmark.tasks, "frontend"), benchmark.pages)
    pages = list(dict.fromkeys(task.reference for task in tasks))
    with contextlib.ExitStack() as stack:
        browser = stack.enter_context(one_browser())
        single = stack.enter_context(Chromium(browsers=1, cache_bytes=0))
        every = stack.enter_context(Chromium(browsers=CORES, cache_bytes=0))
        caching = stack.enter_context(Chromium(browsers=CORES))
        found: dict[str, Way] = {
            PLAIN: Plain(browser, Assets(purge=False)),
            "ours, 1 browser (reads layouts too)": through(single, 2),
            f"ours, {CORES} browsers": through(every, 2 * CORES),
            "ours, pages that were seen before": through(caching, 2 * CORES),
        }
        for way in (*found.values(), through(caching, CORES)):
            way(pages[:CORES])  # warm: browsers and indexes are there
        through(caching, 2 * CORES)(pages)
        different: Counter[str] = Counter()
        wanted: dict[str, str] = {}  # the picture of each page as the plain way, which is the first, has it

        def turn(name: str, deals: Iterator[Sequence[str]]) -> float:
            dealt = next(deals)
            start = time.perf_counter()
            shots = found[name](dealt)
            seconds = time.perf_counter() - start
            for html, seen in zip(dealt, map(pixels, shots), strict=True):
                different[name] += wanted.setdefault(html, seen) != seen
            return len(dealt) / seconds

        rounds = benchmark.rounds
        turns = {name: partial(turn, name, (pages[at::rounds] for at in range(rounds))) for name in found}
        measured = take_turns(turns, rounds, "pages/s")
    print_table(f"{len(pages)} pages, {CORES} cores", list(measured.values()), [measured[PLAIN]])
    ratio = measured[f"ours, {CORES} browsers"].ratio_to(measured[PLAIN])
    print(f"pages that differ: {counts_in_words(+different)}")
    print(f"{ratio:.1f} times the plain way with {CORES} cores; the goal is {GOAL:g}")
    return ratio >= GOAL and not +different


if __name__ == "__main__":
    sys.exit(0 if measure(tyro.cli(Benchmark, description=__doc__)) else 1)
