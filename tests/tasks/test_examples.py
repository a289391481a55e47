"""The examples: always the same, correct, and with every decision in a test."""

import hashlib
import json

import pytest

from colbench_gym import UnknownNameError, UnknownTaskError, load_tasks
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.sandboxes import open_sandbox

DIGESTS = {"backend": "4d2afd4c8d0c18ca4615a6c994dc0b1b", "frontend": "eddcb9c42d75fd236b55586b5fca6b07"}


def tasks(track):
    examples = load_tasks("examples", track)
    return [examples.at(index) for index in range(examples.size)]


@pytest.mark.parametrize(("track", "size"), [("backend", 5), ("frontend", 3)])
def test_it_is_a_task_set(track, size):
    examples = load_tasks("examples", track)
    assert (examples.spec, examples.size) == ("examples", size)
    assert [task.task_id for task in tasks(track)] == [
        task.task_id for task in map(load_tasks("examples:test", track).at, range(size))
    ]
    with pytest.raises(UnknownTaskError, match="no task 'nothing' in examples"):
        examples.get("nothing")
    with pytest.raises(UnknownNameError, match="split of the examples"):
        load_tasks("examples:train", track)


@pytest.mark.parametrize("track", DIGESTS)
def test_they_never_change(track):
    rows = json.dumps([task.row for task in tasks(track)])
    assert hashlib.blake2b(rows.encode(), digest_size=16).hexdigest() == DIGESTS[track]


def test_their_references_win_and_an_empty_answer_loses():
    with open_sandbox() as sandbox:
        grader = UnitTestGrader(sandbox)
        for task in tasks("backend"):
            assert len(task.calls) == TESTS_PER_TASK
            assert grader.grade(task, task.reference).success
            assert grader.grade(task, "").score == 0.0
            assert 4 <= len(task.decisions) <= 5
            assert not any(says in task.description for decision in task.decisions for says in decision.says)


def test_pages_need_nothing_from_elsewhere():
    for task in tasks("frontend"):
        assert "http" not in task.reference
        assert "src=" not in task.reference
        assert {"key", "says", "told"} == set(task.row["decisions"][0])
