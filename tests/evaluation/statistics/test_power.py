"""How many tasks a difference needs: textbook numbers, and what a simulation sees with so many."""

import numpy as np
import pytest
from support.samples import sample

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.compare_runs import compare
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.evaluation.statistics.power import power_of, tasks_needed

ROUNDS = sample(400)


def test_textbook_numbers():
    assert tasks_needed(0.5, 1.0) == 34  # Cohen's d of 0.5, paired, two-sided 5 %, power 80 %
    assert tasks_needed(0.2, 1.0) == 199
    assert tasks_needed(0.5, 1.0, power=0.95) == 54
    assert power_of(34, 0.5, 1.0) >= 0.8 > power_of(33, 0.5, 1.0)


@pytest.mark.parametrize("difference", [0, -0.1, 1, 1e-9])
def test_a_difference_that_cannot_be_seen_is_refused(difference):
    with pytest.raises(UsageError, match="expected one"):
        tasks_needed(difference, 0.5)


@pytest.mark.slow
def test_with_so_many_tasks_compare_sees_it_four_times_in_five():
    rng = np.random.default_rng(5)
    spread = (0.25 + 0.15 - 0.1**2) ** 0.5  # of the differences: A alone succeeds on 25 %, B alone on 15 %
    tasks = tasks_needed(0.1, spread)
    seen = 0
    for _ in range(ROUNDS):
        kind = rng.choice(4, size=tasks, p=[0.25, 0.15, 0.3, 0.3])
        a, b = np.isin(kind, (0, 2)).astype(float), np.isin(kind, (1, 2)).astype(float)
        seen += compare(run(a), run(b)).score.difference.low > 0
    assert 0.73 <= seen / ROUNDS <= 0.87


def run(values):
    scores = {str(n): (value,) for n, value in enumerate(values)}
    return ScoredRun("run", "backend", "pass_rate", scores, scores)
