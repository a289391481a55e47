"""What ``benchmarks/asking.py`` measures holds for a few tasks: constant questions win nothing."""

from __future__ import annotations

from contextlib import closing

import pytest
from support.benchmark_modules import benchmark_module

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

TASKS = GeneratedBackendTasks("test")


@pytest.fixture(scope="module")
def constant():
    return benchmark_module("constant_questions")


@pytest.fixture(scope="module")
def human():
    with closing(FunctionHuman()) as reader:
        yield reader


@pytest.mark.slow
def test_always_asking_the_same_wins_almost_nothing(constant, human):
    with closing(open_sandbox("process")) as sandbox:
        grader = UnitTestGrader(sandbox)
        for questions in (*((question,) * constant.TURNS for question in constant.CONSTANT), constant.VAGUE):
            won = constant.play("", questions, human, grader, TASKS, 12)
            assert won.wins <= 0.25 * won.tasks, questions[0]


def test_a_perfect_reader_who_was_told_everything_wins(constant):
    with closing(open_sandbox("process")) as sandbox:
        grader = UnitTestGrader(sandbox)
        for index in range(6):
            draft = TASKS.member(index)
            told = [sentence for decision in draft.decisions for sentence in decision.says]
            answer = constant.source(draft.plan, constant.read(draft, told))
            assert grader.grade(TASKS.at(index), answer).success
