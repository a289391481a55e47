"""What a person is told about each test."""

from contextlib import closing

from support.tables import program

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.graders.unit_tests.told_tests import told_tests
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import BackendTask

CALLS = ("f(1)", "f('a')", "f([])", "f(None)")
TASK = BackendTask("a", "Write f.", "def f(x):\n    return [x, 1]", CALLS, ("1", "2", "3", "4"), "")
ANSWER = program(__file__, "told_tests_answer.txt")


def told(answer, grading="strict"):
    with closing(open_sandbox("process")) as sandbox:
        return told_tests(UnitTestGrader(sandbox, grading), TASK, answer)


def test_each_test_has_its_call_what_was_wanted_and_what_came():
    passed, raised, wrong, other = told(ANSWER)
    assert str(passed) == "passed    f(1)  is [1, 1]"
    assert str(raised).splitlines() == [
        "raised    f('a')",
        "          wanted ['a', 1]",
        "          ValueError: no {text} here",
    ]
    assert str(wrong).splitlines() == ["wrong     f([])", "          wanted [[], 1]", "          got    7"]
    assert other.reason == "KeyError: 'missing'"


def test_an_answer_that_is_no_program_says_why():
    for answer in ("def f(x) return", "I cannot do it."):
        assert {test.outcome for test in told(answer)} == {"raised"}
        assert all(test.reason for test in told(answer))
    assert "NameError" in told("def g(x): return x")[0].reason
    assert "refuses" in told("import os\ndef f(x): return [x, 1]", "paper")[0].reason
