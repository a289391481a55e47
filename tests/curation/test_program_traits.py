"""What the syntax of a program says: no is certain."""

import pytest
from support.tables import cases

from colbench_gym.curation.program_traits import may_hash, may_vary, stands_alone


@pytest.mark.parametrize(("source", "varies", "hashes"), cases(__file__, "what_may_change_a_result"))
def test_what_may_change_a_result(source, varies, hashes):
    assert (may_vary([source]), may_hash([source])) == (varies, hashes)


@pytest.mark.parametrize(("source", "alone"), cases(__file__, "what_nothing_around_a_function_can_change"))
def test_what_nothing_around_a_function_can_change(source, alone):
    assert stands_alone(source) == alone
