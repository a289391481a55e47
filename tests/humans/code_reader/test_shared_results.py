"""What the grader knows of a reference is not found out again, and changes no reply."""

from __future__ import annotations

from contextlib import closing

import pytest
from support.counting_sandbox import CountingSandbox

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.errors import TaskError
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans.code_reader import CodeReader
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import BackendTask, load_tasks

QUESTIONS = (
    "What should be returned?",
    "Is the result a list or a number?",
    "Should the result be a percentage?",
    "What happens with an empty list?",
)
FAILING = BackendTask("f", "Write f(x).", "def f(x):\n    return 1 / x", ("f(2)", "f(0)"), ("a", "b"), "")
LARGE = BackendTask("g", "Write g(n).", "def g(n):\n    return [n] * n", ("g(3)", "g(9000)"), ("a", "b"), "")


@pytest.fixture(scope="module")
def sandbox():
    with closing(open_sandbox("process")) as opened:
        yield opened


def ask(human, task, question):
    return human.reply(task, Dialogue((Turn("human", task.description), Turn("agent", question))))


@pytest.mark.parametrize("question", QUESTIONS)
def test_replies_are_the_same(sandbox, question):
    tasks = [*(load_tasks("generated").at(index) for index in range(25)), FAILING, LARGE]
    with closing(CodeReader()) as alone, closing(CodeReader(results=UnitTestGrader(sandbox).results)) as told:
        for task in tasks:
            assert ask(told, task, question) == ask(alone, task, question), task.task_id


def test_a_reference_runs_on_its_tests_once(sandbox):
    humans, graders = CountingSandbox(sandbox), CountingSandbox(sandbox)
    grader = UnitTestGrader(graders)
    human = CodeReader(humans, grader.results)
    tasks = [load_tasks("generated").at(index) for index in range(25)]
    for task in tasks:
        ask(human, task, "What should be returned, a list or a number?")
    assert len(humans.programs) < len(graders.programs)
    for task in tasks:
        grader.grade(task, task.reference)
    assert len(graders.programs) == 2 * len(tasks)  # one run of each reference, one of each answer


def test_what_cannot_be_graded_can_be_asked_about(sandbox):
    grader = UnitTestGrader(sandbox)
    with pytest.raises(TaskError):
        grader.expected(FAILING)
    with closing(CodeReader(results=grader.results)) as human:
        assert ask(human, FAILING, "What happens if x is 0?")


def test_the_papers_grading_runs_references_otherwise_and_is_not_asked(sandbox):
    assert UnitTestGrader(sandbox, "paper").results is None
    with open_scenario("backend", grading="paper") as scenario:
        episode = scenario.episode(seed=1)
        assert episode.say("What should be returned?")
