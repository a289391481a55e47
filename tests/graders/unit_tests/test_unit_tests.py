"""Grading answers with unit tests: both semantics, hostile answers, references, threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from support.counting_sandbox import CountingSandbox
from support.tables import cases, values

from colbench_gym import BackendTask, FrontendTask, Grader, TaskError, UnknownNameError
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.graders.unit_tests.paper_rules import official_code, official_match, refused_word
from colbench_gym.rules import MAX_MESSAGE_CHARS
from colbench_gym.sandboxes import open_sandbox


def task_of(reference: str, *calls: str) -> BackendTask:
    names = tuple(f"test{number}" for number in range(1, len(calls) + 1))
    return BackendTask("t-1", "Write f.", reference, calls, names, reference)


DOUBLE = task_of("def f(x):\n    return 2 * x", "f(1)", "f('a')", "f([1])", "f(2.5)")


@pytest.fixture(scope="module")
def sandbox():
    with open_sandbox() as box:
        yield box


@pytest.fixture(scope="module", params=["strict", "paper"])
def grader(request, sandbox):
    return UnitTestGrader(sandbox, request.param)


@pytest.fixture(scope="module")
def strict(sandbox):
    return UnitTestGrader(sandbox, "strict")


@pytest.fixture(scope="module")
def paper(sandbox):
    return UnitTestGrader(sandbox, "paper")


def test_the_reference_wins_and_nothing_else_does(grader):
    assert isinstance(grader, Grader)
    grade = grader.grade(DOUBLE, DOUBLE.reference)
    assert (grade.score, grade.success, grade.metric) == (1.0, True, "pass_rate")
    assert grade.test_outcomes == ("passed",) * 4
    half = grader.grade(DOUBLE, "def f(x):\n    return x + x if x != 1 else 'one'")
    assert (half.score, half.success, half.test_outcomes) == (0.75, False, ("wrong", "passed", "passed", "passed"))


@pytest.mark.parametrize("answer", ["", "  \n\t ", "def f(x", "```python\n```", "x\0y", "\ud800", "a" * 300_000])
def test_what_is_no_program_is_raised(grader, answer):
    grade = grader.grade(DOUBLE, answer)
    assert (grade.score, grade.success) == (0.0, False)
    assert grade.test_outcomes == ("raised",) * 4


@pytest.mark.parametrize(
    "run", ["~", "`", "``` ", "```\n", "~~~\t", " ", "\n", "```python\n", "(", "a.", "1" * 50 + " "]
)
def test_long_runs_of_anything_are_graded_quickly(grader, run):
    assert grader.grade(DOUBLE, (run * MAX_MESSAGE_CHARS)[:MAX_MESSAGE_CHARS]).score == 0.0


def test_an_answer_longer_than_a_message_is_not_run(strict):
    padded = DOUBLE.reference + "\n#" + "x" * MAX_MESSAGE_CHARS
    assert strict.grade(DOUBLE, padded).test_outcomes == ("raised",) * 4


@pytest.mark.parametrize(("body", "outcome"), values(__file__, "unit_tests_how_a_test_can_end.txt", {"pytest": pytest}))
def test_how_a_test_can_end(strict, body, outcome):
    task = task_of("def f(x): return x", "f(1)")
    assert strict.grade(task, f"def f(x):\n    {body}").test_outcomes == (outcome,)


@pytest.mark.parametrize("answer", cases(__file__, "strict_takes_modules_as_they_are"))
def test_strict_takes_modules_as_they_are(strict, paper, answer):
    assert strict.grade(DOUBLE, answer).success
    assert not paper.grade(DOUBLE, answer).success


def test_an_answer_that_lies_about_equality_is_wrong(strict, paper):
    answer = "class Any:\n    def __eq__(self, other): return True\n    __hash__ = None\ndef f(x): return Any()"
    assert strict.grade(DOUBLE, answer).test_outcomes == ("unserialisable",) * 4
    assert paper.grade(DOUBLE, answer).score == 0.0


def test_none_and_nan_can_be_matched_under_strict_only(strict, paper):
    task = task_of("def f(x): return float('nan') if x else None", "f(0)", "f(1)")
    assert strict.grade(task, task.reference).success
    assert paper.grade(task, task.reference).test_outcomes == ("wrong", "wrong")


def test_randomness_and_set_order_are_alike_on_both_sides(strict, paper):
    random = task_of("import random\ndef f(n): return [random.random() for _ in range(n)]", "f(3)", "f(2)")
    assert strict.grade(random, random.reference).success
    random = task_of("def f(n):\n    import random\n    return random.random()", "f(3)")
    assert strict.grade(random, random.reference).success
    assert not paper.grade(random, random.reference).success  # the official grader seeds nothing
    late = task_of("def f(n):\n    return __import__('num' + 'py').random.random()", "f(1)", "f(2)")
    assert strict.grade(late, late.reference).success
    ordered = task_of("def f(s): return list(set(s))", "f('hello world')")
    assert strict.grade(ordered, ordered.reference).success
    assert paper.grade(ordered, ordered.reference).success


@pytest.mark.parametrize(("reference", "what"), values(__file__, "unit_tests_no_reference.txt", globals()))
def test_a_reference_without_values_is_a_task_error(strict, reference, what):
    task = task_of(reference, "f(0)", "f(1)")
    with pytest.raises(TaskError) as caught:
        strict.grade(task, "def f(x): return x")
    message = str(caught.value)
    assert what in message.replace("returned something that is not plain data", "not plain data")
    assert "'t-1'" in message
    assert "colbench tasks check" in message
    assert "f(0)" not in message
    assert "f(1)" not in message
    with pytest.raises(TaskError):
        strict.check_tasks([task])


def test_other_tracks_and_unknown_gradings_are_refused(sandbox, strict):
    with pytest.raises(TaskError, match="frontend"):
        strict.grade(FrontendTask("p", "A page.", "<html></html>"), "x")
    with pytest.raises(UnknownNameError, match="Did you mean 'strict'"):
        UnitTestGrader(sandbox, "strickt")


def test_the_reference_runs_once_and_never_with_an_answer(sandbox):
    counting = CountingSandbox(sandbox)
    grader = UnitTestGrader(counting)
    with ThreadPoolExecutor(16) as threads:
        grades = list(threads.map(lambda n: grader.grade(DOUBLE, f"def f(x): return x * {n % 3}"), range(48)))
    assert [grade.success for grade in grades] == [n % 3 == 2 for n in range(48)]
    references = [program for program in counting.programs if program.role == "reference"]
    assert len(references) == 1
    answers = [program for program in counting.programs if program.role == "answer"]
    assert len(answers) == 48
    assert not any(DOUBLE.reference in program.source for program in answers)
    same_content = task_of(DOUBLE.reference, *DOUBLE.calls)
    grader.grade(same_content, "")
    assert len(counting.programs) == 49
    grader.close()
    grader.close()
    grader.grade(same_content, "")
    assert len(counting.programs) == 50


def test_the_official_reading_of_fences_and_words():
    assert official_code("a ```python\nx = 1``` b ```python\ny``` c") == "\nx = 1"
    assert official_code("a ```x``` b") == "x"
    assert official_code("a ```x") == "x"
    assert official_code("plain") == "plain"
    assert refused_word("# do not import sys\n") == "import sys"
    assert refused_word("quit()") == "quit("
    assert refused_word("import osmosis") == "import os"
    assert refused_word("import  os") is None


@pytest.mark.slow
def test_the_official_equality():
    import numpy as np

    assert official_match(1, True)
    assert official_match(np.array([3]), 3)
    assert official_match(np.float64(0.5), 0.5)
    assert not official_match(np.array([1, 2]), np.array([1, 2]))
    assert not official_match(np.array([1, 2]), "x")
    assert not official_match([np.array([1, 2])], [np.array([1, 2])])
    assert not official_match(None, None)
    assert not official_match(float("nan"), float("nan"))
