"""Tasks with findings are left out on request."""

import pytest

from colbench_gym import BackendTask, UnknownNameError
from colbench_gym.curation.exclusion import finding_kinds, without_findings

NAMES = tuple(f"test{number}" for number in range(1, 11))


def task(task_id, reference):
    calls = tuple(f"f({number})" for number in range(10))
    return BackendTask(
        task_id, f"Task {task_id}. The signature of the function is: def f(x)", reference, calls, NAMES, ""
    )


SAME = task("same", "def f(x):\n    return 'yes'\n")
DIFFERENT = task("different", "def f(x):\n    return x * 2 + 1\n")


def test_a_task_that_a_constant_answer_wins_is_left_out():
    assert without_findings([SAME, DIFFERENT], "constant") == (DIFFERENT,)


def test_nothing_is_left_out_when_nothing_is_named():
    assert without_findings([SAME, DIFFERENT], "") == (SAME, DIFFERENT)


def test_an_unknown_kind_names_the_known_ones():
    assert finding_kinds("weak, random") == {"weak_tests", "random"}
    with pytest.raises(UnknownNameError, match="constant"):
        finding_kinds("constnat")
