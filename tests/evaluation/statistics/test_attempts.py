"""Several attempts at each task: hand-computed numbers, no bias, and intervals that cover."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.samples import sample

from colbench_gym.evaluation.statistics.attempts import best_of_k, over_tasks, pass_at_k, pass_hat_k, sizes
from colbench_gym.evaluation.statistics.intervals import count_interval

ROUNDS = sample(1000)


def test_numbers_by_hand():
    assert pass_at_k([1, 0, 0, 1], 2) == pytest.approx(5 / 6)  # one of the six pairs has two failures
    assert pass_hat_k([1, 0, 0, 1], 2) == pytest.approx(1 / 6)
    assert best_of_k([0.5, 0.0, 1.0, 0.2], 2) == pytest.approx(0.7)  # pairs: 0.2, 0.5, 1, 0.5, 1, 1
    assert pass_at_k([0, 1], 1) == pass_hat_k([0, 1], 1) == 0.5


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.data())
def test_each_is_the_mean_over_all_choices_of_k(scores, data):
    k = data.draw(st.integers(1, len(scores)))
    choices = list(itertools.combinations(scores, k))
    assert best_of_k(scores, k) == pytest.approx(sum(map(max, choices)) / len(choices))
    passed = [float(score > 0.5) for score in scores]
    choices = list(itertools.combinations(passed, k))
    assert pass_at_k(passed, k) == pytest.approx(sum(map(max, choices)) / len(choices))
    assert pass_hat_k(passed, k) == pytest.approx(sum(map(min, choices)) / len(choices))
    assert best_of_k(passed, k) == pytest.approx(pass_at_k(passed, k))


def test_tasks_with_fewer_attempts_are_left_out():
    values = {"a": [1.0, 0.0, 0.0, 1.0], "b": [1.0], "c": [0.0, 0.0]}
    found = over_tasks(values, 2, pass_at_k)
    assert (found.mean, found.tasks) == (pytest.approx(5 / 12), 2)
    assert over_tasks(values, 5, pass_at_k) is None
    assert sizes(values) == (2, 4)
    assert sizes({"a": [0.0] * 6}) == (2, 4, 6)
    assert sizes({"a": [0.0]}) == sizes({}) == ()


@pytest.mark.slow
@pytest.mark.parametrize(("estimate", "truth"), [(pass_at_k, 1 / 2), (pass_hat_k, 1 / 6)])
def test_coverage_of_the_truth_is_near_95_percent(estimate, truth):
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(ROUNDS):
        rates = rng.beta(1, 2, size=60)  # E[1 - (1 - p)^2] = 1/2, E[p^2] = 1/6
        values = {str(n): list((rng.random(4) < p).astype(float)) for n, p in enumerate(rates)}
        found = over_tasks(values, 2, estimate)
        hits += found.low <= truth <= found.high
    assert 0.93 <= hits / ROUNDS <= 0.97


def test_coverage_of_a_mean_count_is_near_95_percent():
    rng = np.random.default_rng(4)
    hits = 0
    for _ in range(ROUNDS):
        means = rng.gamma(4, 1, size=40)  # the truth is 4
        found = count_interval({str(n): list(rng.poisson(mean, 3).astype(float)) for n, mean in enumerate(means)})
        hits += found.low <= 4 <= found.high
    assert 0.93 <= hits / ROUNDS <= 0.97


def test_counts_by_hand():
    found = count_interval({"a": [2.0, 4.0], "b": [6.0, 8.0]})
    assert found.mean == 5.0
    half = 12.706204736 * 2  # Student's quantile with one degree of freedom, means 3 and 7: standard error 2
    assert (found.low, found.high) == (0.0, pytest.approx(5 + half))
    assert count_interval({"a": [3.0, 4.0]}) is None  # one task: nothing tells how others are
    assert count_interval({"a": [0.0], "b": [0.0]}).high == 0.0
    assert count_interval({}) is None
