"""Groups of tasks: what rows say, what generated tasks know."""

from dataclasses import replace

import pytest

from colbench_gym.evaluation.statistics.groups import groups_of
from colbench_gym.tasks import FrontendTask, load_tasks


@pytest.mark.parametrize(
    ("spec", "split", "difficulty"),
    [("generated:test", "test", "default"), ("generated:test_domains:hard", "test_domains", "hard")],
)
def test_generated_tasks_know_theirs(spec, split, difficulty):
    groups = groups_of(load_tasks(spec).at(0))
    assert (groups["split"], groups["difficulty"]) == (split, difficulty)


def test_decisions_that_are_told_are_not_open():
    task = load_tasks("generated:test").at(0)
    says = [decision["says"] for decision in task.row["decisions"] if decision["says"]]
    told = replace(task, description=" ".join([task.description, *(texts[0] for texts in says)]))
    assert groups_of(told)["open decisions"] == "0 to 2"
    assert groups_of(task)["open decisions"] != "0 to 2"
    page = FrontendTask(
        "test-3", "A page.", "<html>", {"decisions": [{"says": ["red"], "told": n < 2} for n in range(9)]}
    )
    assert groups_of(page)["open decisions"] == "5 to 9"


def test_other_tasks_are_in_the_groups_that_their_rows_name():
    task = FrontendTask("7", "A page.", "<html>", {"family": "blog", "difficulty": 2, "other": "x", "domain": ["no"]})
    assert groups_of(task) == {"family": "blog", "difficulty": "2"}
