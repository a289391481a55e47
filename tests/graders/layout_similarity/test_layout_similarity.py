"""layout-2 on official pages: a few of those that benchmarks/similarity.py measures all of."""

import itertools
import json

import pytest
from support.page_ladder import ladder

from colbench_gym.graders.layout_similarity import compare

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def pages(official_data):
    rows = map(json.loads, (official_data / "frontend_tasks.jsonl").read_text(encoding="utf-8").splitlines())
    return [row["ground_truth"] for row in itertools.islice(rows, 40, 46)]


def test_right_blank_and_other_pages(renderer, pages):
    wanted = [renderer.render(page) for page in pages]
    blank = renderer.render("<html><body></body></html>")
    others = [compare(one, two) for one, two in itertools.combinations(wanted, 2)]
    assert [compare(page, page).score for page in wanted] == [1.0] * len(pages)
    assert max(compare(page, blank).score for page in wanted) < 0.1
    assert sum(one.score for one in others) / len(others) < 0.45
    assert others == [compare(two, one) for one, two in itertools.combinations(wanted, 2)]


def test_scores_fall_as_a_page_gets_more_wrong(renderer, pages):
    climbs = []
    for page in pages[:3]:
        wanted = renderer.render(page)
        climbs.append([1.0, *(compare(wanted, renderer.render(rung)).score for rung in ladder(page))])
    falls = [above > below for climb in climbs for above, below in itertools.pairwise(climb)]
    assert sum(falls) >= 0.9 * len(falls)  # of few steps; the benchmark holds all of them to 0.95
    assert all(climb[-1] < 0.5 * climb[1] for climb in climbs)
