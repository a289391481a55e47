"""Keyed orders of places: each is taken once."""

import pytest

from colbench_gym.tasks.permutation import permuted_index


@pytest.mark.parametrize("n", [1, 2, 3, 7, 64, 1000, 1025])
def test_a_place_is_taken_once(n):
    assert sorted(permuted_index(index, n, "key") for index in range(n)) == list(range(n))
    with pytest.raises(ValueError, match="range"):
        permuted_index(n, n, "key")
