"""What ``benchmarks/asking.py`` measures holds for a few tasks: natural frames settle, constant questions win nothing."""

from __future__ import annotations

from contextlib import closing

import pytest
from support.benchmark_modules import benchmark_module
from support.samples import sample

from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

TASKS = GeneratedBackendTasks("test")


@pytest.fixture(scope="module")
def frames():
    return benchmark_module("asking_frames")


@pytest.fixture(scope="module")
def constant():
    return benchmark_module("constant_questions")


@pytest.fixture(scope="module")
def human():
    with closing(CodeReader()) as reader:
        yield reader


def test_there_are_sixty_different_frames(frames):
    assert len(set(frames.FRAMES)) == 60


def test_every_decision_has_other_words_than_the_authors(frames):
    for index in range(sample(150)):
        for decision in TASKS.at(index).decisions:
            phrase = frames.other_words(decision)
            assert "{" not in phrase
            assert phrase not in decision.about


@pytest.mark.slow
def test_each_frame_brings_out_what_was_decided(frames, human):
    tasks = [TASKS.at(index) for index in range(4)]  # of fewer, one decision is a tenth of a frame's share
    shares = frames.measure_frames(human, tasks)
    for row in shares:
        assert row.by_author >= 0.95 * row.asked, row.frame
        assert row.by_others >= 0.5 * row.asked, row.frame
    assert sum(row.by_others for row in shares) >= 0.8 * sum(row.asked for row in shares)


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
