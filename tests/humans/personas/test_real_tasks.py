"""Personas on real tasks: each fact of the cooperative human can be got, and nothing but truth and small talk is said."""

from __future__ import annotations

from contextlib import closing

import pytest
from support.benchmark_modules import benchmark_module

from colbench_gym.humans.personas import VOICES
from colbench_gym.humans.replies import Part
from colbench_gym.humans.scripted import FunctionHuman

MOST_MISSED = 0.1  # of the facts: what is only reminded of, in short, does not count as told


@pytest.fixture(scope="module")
def benchmark():
    return benchmark_module("personas")


@pytest.fixture(scope="module")
def asked(benchmark):
    with closing(FunctionHuman()) as human:
        tasks = list(benchmark.tasks_of(20, None))
        questions = {task.task_id: benchmark.questions_for(human, task) for task in tasks}
        yield human, tasks, questions


@pytest.mark.slow
@pytest.mark.parametrize("persona", VOICES)
def test_each_fact_can_be_got_within_fourteen_turns(benchmark, asked, persona):
    human, tasks, questions = asked
    tally = benchmark.Tally()
    for task in tasks:
        benchmark.check(human, persona, task, benchmark.facts_of(human, task, questions[task.task_id]), tally)
    assert tally.facts >= 4 * len(tasks)
    assert tally.missed <= MOST_MISSED * tally.facts, tally.missed_examples[:3]
    assert tally.strange == []


@pytest.mark.slow
def test_two_personas_speak_differently(benchmark, asked):
    assert benchmark.share_alike(*asked) <= 0.1


def test_words_of_nobodys_are_found(benchmark):
    parts = [Part("The limit is 5."), Part("I want a text.")]
    assert benchmark.leftover("In plain words: The limit is 5.", parts) == ""
    assert benchmark.leftover("the limit is 5; a text", parts) == ""
    assert benchmark.leftover("Put simply: The limit is 6.", parts) == "the limit is 6"
    assert not benchmark.is_in("The limit is 5.", "The limit is 50.")


def test_a_fact_may_be_told_clause_by_clause(benchmark):
    fact = "The limit is 5; in all other cases, the result is False."
    assert benchmark.is_in(fact, "The limit is 5. It is a text. In all other cases, the result is False.")
    assert not benchmark.is_in(fact, "In all other cases, the result is False.")
