"""Scores of layout-2 for pages that are right, blank, others or ever more wrong.

Run ``python benchmarks/similarity.py --pages TASKS.jsonl``, or without a file on generated pages.

Each row has a number for the first and one for the second half of the pages.
"""

from __future__ import annotations

import argparse
import itertools
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from graded_changes import CHANGES, ORDERED, changed

from colbench_gym.graders.layout_similarity import METRIC, compare
from colbench_gym.rendering import RenderedPage, open_renderer
from colbench_gym.tasks import FrontendTask
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
from support.page_ladder import STEPS, ladder

BLANK = "<html><body></body></html>"


def references(path: Path | None, count: int) -> list[str]:
    """The wanted pages of a file, or of generated tasks."""
    if path is not None:
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        return [row["ground_truth"] for row in itertools.islice(rows, count)]
    tasks = map(GeneratedFrontendTasks("test").at, range(count))
    return [task.reference for task in tasks if isinstance(task, FrontendTask)]


def measure(pages: Sequence[str], render: Callable[[str], RenderedPage], rungs: bool) -> dict[str, str]:
    """The table's rows for these pages."""
    wanted = [render(page) for page in pages]
    blank = render(BLANK)
    oracle = [compare(page, render(html)).score for page, html in zip(wanted, pages, strict=True)]
    empty = [compare(page, blank).score for page in wanted]
    pairs = [(wanted[at], wanted[(at + step) % len(wanted)]) for step in (1, 2, 3) for at in range(len(wanted))]
    start = time.perf_counter()
    others = [compare(page, other).score for page, other in pairs]
    took_ms = (time.perf_counter() - start) / len(pairs) * 1000
    back = [compare(other, page).score for page, other in pairs]
    rows = {
        "pages": str(len(pages)),
        "the page itself, least": f"{min(oracle):.6f}",
        "a blank page, mean / most": f"{statistics.mean(empty):.3f} / {max(empty):.3f}",
        "random other pages, mean / most": f"{statistics.mean(others):.3f} / {max(others):.3f}",
        "the same both ways": f"{sum(one == two for one, two in zip(others, back, strict=True))} of {len(pairs)}",
        "ms a pair, pictures looked at before": f"{took_ms:.1f}",
    }
    if rungs:
        climbs = [
            [1.0, *(compare(page, render(rung)).score for rung in ladder(html))]
            for page, html in zip(wanted, pages, strict=True)
        ]
        falls = [[above > below for above, below in itertools.pairwise(climb)] for climb in climbs]
        rows["steps of the ladder that fall"] = f"{statistics.mean(itertools.chain(*falls)):.1%}"
        for at, step in enumerate(STEPS):
            mean = statistics.mean(climb[at + 1] for climb in climbs)
            rows[f"  after {step.__name__.replace('_', ' ')}"] = (
                f"{mean:.3f} (falls: {statistics.mean(fall[at] for fall in falls):.0%})"
            )
        rows["obviously ordered pairs, right"] = _ordered(pages, render)
    return rows


def _ordered(pages: Sequence[str], render: Callable[[str], RenderedPage]) -> str:
    """Return the share of the pairs of graded changes that are in their order; pairs that look alike are left out."""
    right = count = 0
    within = [((kind, degree), (kind, degree + 1)) for kind in CHANGES for degree in (0, 1)]
    for html in pages:
        wanted = render(html)
        shown = {(kind, degree): render(changed(html, kind, degree)) for kind in CHANGES for degree in range(3)}
        scores = {name: compare(page, wanted).score for name, page in shown.items() if page.status == "rendered"}
        for nearer, farther in (*within, *ORDERED):
            if {nearer, farther} <= scores.keys() and shown[farther].png not in (shown[nearer].png, wanted.png):
                count += 1
                right += scores[nearer] > scores[farther]
    return f"{right / max(1, count):.1%} of {count}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=Path, help="official tasks as JSONL; generated ones without it")
    parser.add_argument("-n", type=int, default=100, help="how many pages")
    parser.add_argument("--no-ladder", action="store_true")
    options = parser.parse_args()
    pages = references(options.pages, options.n)
    half = (len(pages) + 1) // 2
    renderer = open_renderer("chromium")
    try:
        halves = [measure(part, renderer.render, not options.no_ladder) for part in (pages[:half], pages[half:])]
    finally:
        renderer.close()
    print(f"{METRIC:<40} {'first half':>22} {'second half':>22}")
    for name in halves[0]:
        print(f"{name:<40} {halves[0][name]:>22} {halves[1][name]:>22}")


if __name__ == "__main__":
    main()
