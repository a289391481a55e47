"""Generated tasks: always the same, all different, nothing given away, and every hidden choice is tested."""

import json

import pytest

from colbench_gym.errors import UnknownTaskError
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.tasks import SPLITS, load_tasks
from colbench_gym.tasks.generated_backend import GeneratedBackendTasks


@pytest.mark.parametrize("split", SPLITS)
def test_it_is_a_task_set(split):
    tasks = load_tasks(f"generated:{split}")
    assert (tasks.spec, tasks.size) == (f"generated:{split}", None)
    task = tasks.at(17)
    assert task.task_id == f"{split}-17"
    assert tasks.get(task.task_id) == tasks.get(17) == task
    assert len(task.calls) == len(set(task.calls)) == TESTS_PER_TASK


@pytest.mark.parametrize("wrong", ["test", "test-", "test--1", "test-01", "test-1.0", "train-1", "", -1])
def test_an_unknown_id_is_refused(wrong):
    with pytest.raises(UnknownTaskError, match="expected"):
        GeneratedBackendTasks("test").get(wrong)


def test_a_file_of_generated_tasks_gives_the_same_tasks_back(tmp_path):
    tasks = [GeneratedBackendTasks("train").at(index) for index in range(50)]
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(json.dumps(task.row) + "\n" for task in tasks))
    read = load_tasks(path)
    assert [read.at(index) for index in range(50)] == tasks
