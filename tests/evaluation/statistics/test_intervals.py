"""Intervals and summaries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.samples import sample

from colbench_gym.evaluation.statistics.intervals import interval, similarity_interval

ROUNDS = sample(1000)


def test_one_value_a_task_is_wilsons_interval():
    from scipy.stats import binomtest, norm, t

    found = interval({str(n): [float(n < 130)] for n in range(400)})
    wilson = binomtest(130, 400).proportion_ci(method="wilson")
    stretch = t.ppf(0.975, 399) / norm.ppf(0.975) * math.sqrt(400 / 399)
    assert found.mean == 130 / 400
    assert found.high - found.low == pytest.approx((wilson.high - wilson.low) * stretch, rel=2e-3)


def test_clusters_widen_it_and_fractions_narrow_it():
    same = {str(n): [float(n % 2)] * 5 for n in range(40)}
    apart = {str(n): [0.0, 1.0] * 5 for n in range(40)}
    single = interval({str(n): [float(n % 2)] for n in range(40)})
    clustered, free = interval(same), interval(apart)
    assert (clustered.low, clustered.high) == pytest.approx((single.low, single.high))
    assert free.high - free.low < clustered.high - clustered.low
    fractions = interval({str(n): [0.4 + 0.2 * (n % 2)] for n in range(40)})
    assert fractions.high - fractions.low < 0.5 * (single.high - single.low)


def test_all_equal_does_not_collapse():
    found = interval({str(n): [1.0] for n in range(205)})
    assert found.mean == found.high == 1.0
    assert 0.97 < found.low < 0.99


def test_no_value_and_one_task():
    assert interval({}) is None
    assert interval({"a": []}) is None
    assert (interval({"a": [1.0, 0.0]}).low, interval({"a": [1.0]}).high) == (0.0, 1.0)


@pytest.mark.slow
def test_coverage_of_the_truth_is_near_95_percent():
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(ROUNDS):
        rates = rng.beta(1, 2, size=60)  # the truth is 1/3; four dialogues a task
        found = interval({str(n): list((rng.random(4) < p).astype(float)) for n, p in enumerate(rates)})
        hits += found.low <= 1 / 3 <= found.high
    assert 0.93 <= hits / ROUNDS <= 0.97


@given(st.dictionaries(st.text(max_size=3), st.lists(st.floats(0, 1), max_size=4), max_size=8))
def test_it_is_ordered_and_within_the_unit_interval(values):
    found = interval(values)
    if found is not None:
        assert 0 <= found.low <= found.mean <= found.high <= 1


def test_ten_perfect_pages_are_nearly_certain_and_not_a_point():
    found = similarity_interval({str(n): [1.0] for n in range(10)})
    assert (found.mean, found.high) == (1.0, 1.0)
    assert 0.97 < found.low < 1.0
    assert similarity_interval({"a": [1.0, 0.9]}).low == 0.0
    assert similarity_interval({}) is None


def test_coverage_of_a_mean_similarity_is_near_95_percent():
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(ROUNDS):
        pages = rng.beta(6, 3, size=25)
        found = similarity_interval({str(n): list(rng.normal(p, 0.05, 3).clip(0, 1)) for n, p in enumerate(pages)})
        hits += found.low <= 2 / 3 <= found.high
    assert 0.93 <= hits / ROUNDS <= 0.97


def test_similarities_are_clustered_by_task():
    repeated = similarity_interval({str(n): [n / 20] * 5 for n in range(20)})
    once = similarity_interval({str(n): [n / 20] for n in range(20)})
    assert (repeated.low, repeated.high) == pytest.approx((once.low, once.high))
    assert (repeated.dialogues, repeated.tasks) == (100, 20)
