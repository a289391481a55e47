"""The docker sandbox gives the outcomes of the process sandbox on official tasks and answers."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.jsonl import read_rows
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import load_tasks

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

EVERY = 24  # of 3,420 answers


def grade_all(sandbox_name, grading, pairs):
    with open_sandbox(sandbox_name) as sandbox, ThreadPoolExecutor(4) as pool:
        grader = UnitTestGrader(sandbox, grading=grading)
        return list(pool.map(lambda pair: grader.grade(*pair), pairs))


@pytest.mark.parametrize("grading", ["strict", "paper"])
def test_same_outcomes_as_process(official_data, grading):
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    rows = [row for _, row in read_rows(official_data / "official_grades.jsonl")][::EVERY]
    pairs = [(tasks.get(row["index"]), row["answer"]) for row in rows]
    assert grade_all("docker", grading, pairs) == grade_all("process", grading, pairs)


def test_every_reference_scores_one(official_data):
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    every = [tasks.at(index) for index in range(tasks.size)]
    grades = grade_all("docker", "strict", [(task, task.reference) for task in every])
    assert len(grades) == 205
    assert {grade.score for grade in grades} == {1.0}
