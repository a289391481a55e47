"""Dialogues played at once: whose failure it was, what is kept, and what does not depend on concurrency."""

import functools
import re
import threading

import pytest
from support.doubles import Closeable

from colbench_gym import Grade, GraderError, PolicyError, TaskError, UsageError, load_tasks, open_scenario
from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, dialogue_seed, make_jobs
from colbench_gym.evaluation.summary import summarise
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.policies.asker import Asker


@functools.cache
def six_tasks_twice():
    tasks = load_tasks("generated:train")
    return make_jobs([tasks.at(index) for index in range(6)], repeats=2, seed=1)


class Fair(Closeable):
    """A grader without a sandbox: the reference passes."""

    def grade(self, task, answer):
        passed = answer.strip() == task.reference.strip()
        return Grade(float(passed), passed, "pass_rate", ("passed" if passed else "wrong",) * 10)


def play(policy=None, human=None, grader=None, jobs=None, limits=None, **more):
    played = []
    scenario = open_scenario("backend", human=human or FunctionHuman(), grading=grader or Fair(), **more)
    collect(jobs or six_tasks_twice(), policy or Asker(3), scenario, played.append, limits)
    return {(t.task.task_id, t.repeat): t for t in played}


def test_equal_whatever_the_concurrency():
    one, many = play(limits=ConcurrencyLimits(1, 1, 1, 1)), play(limits=ConcurrencyLimits(8, 2, 3, 1))
    assert one == many
    assert len(one) == len(six_tasks_twice())


def test_seeds_differ_and_do_not_depend_on_their_neighbours():
    jobs = six_tasks_twice()
    assert len({job.seed for job in jobs}) == len(jobs)
    assert jobs[3].seed == dialogue_seed(1, jobs[3].task.task_id, jobs[3].repeat)


class Failing(Closeable):
    """A human and a grader that fail for one task."""

    def reply(self, task, dialogue, shown):
        if task.task_id == "train-2":
            raise ConnectionError("line is dead")
        return FunctionHuman().reply(task, dialogue)

    def grade(self, task, answer):
        if task.task_id == "train-4":
            raise GraderError("sandbox is gone")
        return Fair().grade(task, answer)


@pytest.mark.slow
def test_our_failures_are_outcomes_without_reward():
    played = play(human=Failing(), grader=Failing())
    lost = played["train-2", 0]
    assert (lost.outcome, lost.reward, lost.pass_rate, lost.success) == ("human_error", None, None, False)
    assert re.fullmatch(r"ConnectionError: line is dead \(test_rollout\.py, line \d+\)", lost.error)
    assert played["train-4", 1].error == "GraderError: sandbox is gone"
    assert played["train-4", 1].outcome == "grader_error"
    assert played["train-4", 1].answer
    summary = summarise(played.values())
    assert (summary.counted, summary.failed) == (8, 4)
    assert summary.outcomes == {"answered": 8, "grader_error": 2, "human_error": 2}
    assert summary.score.dialogues == 8


@pytest.mark.parametrize("message", [None, 3, b"bytes", "x" * 300_000])
def test_an_agent_that_says_no_message_stops_the_run(message):
    class Odd:
        def act(self, messages):
            return message

    with pytest.raises(PolicyError, match="cannot be used"):
        play(policy=Odd())


def test_finished_dialogues_are_kept_when_the_agent_fails():
    calls = iter(range(1000))

    class Tired:
        def act(self, messages):
            if next(calls) >= 5:
                raise RuntimeError("no more")
            return "I WANT TO ANSWER: x"

    played = []
    with pytest.raises(PolicyError, match="no more"):
        collect(
            six_tasks_twice(), Tired(), open_scenario("backend", grading=Fair()), played.append, ConcurrencyLimits(3)
        )
    assert len(played) == 5


def test_a_task_that_cannot_be_graded_is_the_users_error():
    class Strict(Fair):
        def grade(self, task, answer):
            raise TaskError("its reference raises")

    with pytest.raises(TaskError):
        play(grader=Strict())


def test_limits_hold():
    lock, inside, most = threading.Lock(), [0], [0]
    gate = threading.Barrier(2, timeout=30)

    class Counting:
        def act(self, messages):
            with lock:
                inside[0] += 1
                most[0] = max(most[0], inside[0])
            gate.wait()  # passes only when two are inside at once
            with lock:
                inside[0] -= 1
            return "I WANT TO ANSWER: x"

    play(policy=Counting(), limits=ConcurrencyLimits(dialogues=8, agent=2))
    assert most[0] == 2
    with pytest.raises(UsageError, match="at least 1"):
        ConcurrencyLimits(agent=0)


def test_rewards():
    class Half(Fair):
        def grade(self, task, answer):
            return Grade(0.5, False, "pass_rate", ("passed", "wrong"))

    assert {t.reward for t in play(grader=Half()).values()} == {0.0}
    assert {t.reward for t in play(grader=Half(), reward="pass_rate").values()} == {0.5}
