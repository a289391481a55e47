"""Student's t against scipy's, and against numbers of textbooks."""

import pytest

from colbench_gym.evaluation.statistics.student import quantile, shifted_above

FREEDOM = [1, 2, 3, 5, 9, 30, 99, 1000, 25_000, 10**7]


def test_textbook_numbers():
    assert quantile(0.975, 1) == pytest.approx(12.7062, abs=1e-4)
    assert quantile(0.975, 10) == pytest.approx(2.2281, abs=1e-4)
    assert quantile(0.975, 10**7) == pytest.approx(1.95996, abs=1e-5)
    assert quantile(0.5, 4) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("chance", [0.6, 0.9, 0.975, 0.9995])
def test_quantiles_are_those_of_scipy(chance, freedom):
    special = pytest.importorskip("scipy.special")
    assert quantile(chance, freedom) == pytest.approx(
        special.stdtrit(freedom, chance), rel=1e-9 if freedom < 10**6 else 1e-7
    )


@pytest.mark.parametrize("freedom", FREEDOM)
@pytest.mark.parametrize("shift", [0.0, 0.5, 2.8, 6.0])
def test_the_shifted_tail_is_that_of_scipy(shift, freedom):
    stats = pytest.importorskip("scipy.stats")
    t = quantile(0.975, freedom)
    assert shifted_above(t, freedom, shift) == pytest.approx(
        stats.nct.sf(t, freedom, shift) if shift else 0.025, abs=1e-4
    )
