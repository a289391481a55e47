"""Names of runs in a report."""

import pytest
from support.tables import cases

from colbench_gym.report.run_names import names_apart

URL = "http://localhost:8000/v1"


@pytest.mark.parametrize(("names", "apart"), cases(__file__, "what_all_share_is_left_out"))
def test_what_all_share_is_left_out(names, apart):
    assert names_apart(names) == apart
