"""What ``benchmarks/asking.py`` measures holds for a few tasks: asking always the same does not bring all of it out."""

from contextlib import closing

import pytest
from support.benchmark_modules import benchmark_module

from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

TASKS = GeneratedBackendTasks("test")


@pytest.mark.slow
def test_always_asking_the_same_brings_out_all_of_almost_no_task():
    asking = benchmark_module("asking")
    with closing(FunctionHuman()) as human:
        for questions in (*((question,) * asking.TURNS for question in asking.CONSTANT), asking.VAGUE):
            shares = [asking.told_share(human, TASKS, index, questions) for index in range(12)]
            assert sum(share == 1 for share in shares) <= 3, questions[0]


def test_what_was_told_is_noticed():
    class Teller:
        def reply(self, task, dialogue):
            return " ".join(sentence for decision in task.decisions for sentence in decision.says)

    class Silent:
        def reply(self, task, dialogue):
            return "I don't know."

    asking = benchmark_module("asking")
    assert asking.told_share(Silent(), TASKS, 0, ("What else?",)) == 0
    limited = [asking.told_share(Teller(), TASKS, index, ("What else?",)) for index in range(6)]
    assert max(limited) > 0
