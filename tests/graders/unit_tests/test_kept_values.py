"""Values of references on disk: the same ones come back, and nothing else counts."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import numpy as np
import pytest
from support.doubles import Closeable
from support.tables import values

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.graders.unit_tests.comparison import same_value
from colbench_gym.graders.unit_tests.kept_values import KeptValues
from colbench_gym.sandboxes import CallOutcome, Program
from colbench_gym.sandboxes.values import TypeName
from colbench_gym.tasks import BackendTask

PROGRAM = Program("def f(n):\n    return n", ("f(1)", "f(2)"), role="reference")
OUTCOMES = (CallOutcome("returned", 1), CallOutcome("raised"))


@pytest.fixture
def kept(tmp_path):
    return KeptValues(tmp_path / "values", "strict-3")


def files(tmp_path):
    return [path for path in (tmp_path / "values").rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    "value",
    values(
        __file__,
        "kept_values_values_come_back_as_they_were.txt",
        {"Decimal": Decimal, "date": date, "np": np, "timedelta": timedelta},
    ),
    ids=repr,
)
def test_values_come_back_as_they_were(kept, value):
    kept.put(PROGRAM, (CallOutcome("returned", value), CallOutcome("raised")))
    first, second = kept.get(PROGRAM)
    assert type(first.value) is type(value)
    assert same_value(value, first.value)
    assert second == CallOutcome("raised")


@pytest.mark.parametrize(
    "other", values(__file__, "kept_values_another_program_has_none.txt", {"PROGRAM": PROGRAM, "replace": replace})
)
def test_another_program_has_none(kept, other):
    kept.put(PROGRAM, OUTCOMES)
    assert kept.get(PROGRAM) == OUTCOMES
    assert kept.get(other) is None


def test_another_grading_has_none(kept, tmp_path):
    kept.put(PROGRAM, OUTCOMES)
    assert KeptValues(tmp_path / "values", "strict-4").get(PROGRAM) is None


@pytest.mark.parametrize(
    ("source", "outcomes"),
    values(
        __file__,
        "kept_values_what_may_be_another_value_next_time_is_not_kept.txt",
        {"CallOutcome": CallOutcome, "OUTCOMES": OUTCOMES, "PROGRAM": PROGRAM, "TypeName": TypeName},
    ),
)
def test_what_may_be_another_value_next_time_is_not_kept(kept, tmp_path, source, outcomes):
    kept.put(replace(PROGRAM, source=source), outcomes)
    assert kept.get(replace(PROGRAM, source=source)) is None
    assert not (tmp_path / "values").exists()


@pytest.mark.parametrize(
    "broken",
    values(__file__, "kept_values_a_broken_file_counts_as_none.txt", {"json": json}),
)
def test_a_broken_file_counts_as_none_and_is_written_anew(kept, tmp_path, broken):
    kept.put(PROGRAM, OUTCOMES)
    (file,) = files(tmp_path)
    file.write_text(broken(file.read_text()))
    assert kept.get(PROGRAM) is None
    kept.put(PROGRAM, OUTCOMES)
    assert kept.get(PROGRAM) == OUTCOMES


def test_a_folder_that_cannot_be_written_is_no_error(tmp_path):
    (tmp_path / "values").write_text("a file")
    kept = KeptValues(tmp_path / "values", "strict-3")
    kept.put(PROGRAM, OUTCOMES)
    assert kept.get(PROGRAM) is None


def test_many_writers_at_once_leave_one_whole_file(kept, tmp_path):
    with ThreadPoolExecutor(8) as threads:
        for _ in range(8):
            threads.submit(kept.put, PROGRAM, OUTCOMES)
    assert len(files(tmp_path)) == 1
    assert kept.get(PROGRAM) == OUTCOMES


class Counting(Closeable):
    """A sandbox in which every call returns 1."""

    containment = "namespaces"

    def __init__(self):
        self.roles = []

    def run(self, program):
        self.roles.append(program.role)
        return (CallOutcome("returned", 1),) * len(program.calls)


def test_the_next_grader_runs_no_reference(monkeypatch, tmp_path):
    monkeypatch.setenv("COLBENCH_REFERENCE_VALUES", str(tmp_path / "values"))
    task = BackendTask("a", "Write f.", "def f():\n    return 1", ("f()",), ("t1",), "")
    grades = []
    for containment, references in (("namespaces", 1), ("namespaces", 0), ("docker", 1)):
        sandbox = Counting()
        sandbox.containment = containment
        grader = UnitTestGrader(sandbox)
        grader.use_kept_values()
        grades.append(grader.grade(task, "def f():\n    return 1"))
        assert sandbox.roles.count("reference") == references
    assert grades[0] == grades[1] == grades[2]
    assert grades[0].success


def test_it_can_be_switched_off(monkeypatch, tmp_path):
    monkeypatch.setenv("COLBENCH_REFERENCE_VALUES", "off")
    grader = UnitTestGrader(Counting())
    grader.use_kept_values()
    assert grader.expected(BackendTask("a", "Write f.", "def f():\n    return 1", ("f()",), ("t1",), ""))
    assert list(tmp_path.iterdir()) == []
