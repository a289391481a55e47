"""Tasks from a list of rows, a data set or a list of tasks: read as a file is, refused with the row's position."""

import pytest
from support.tables import values

from colbench_gym import BackendTask, TaskError, UnknownTaskError, UsageError, load_tasks

ROW = {
    "task_id": "a",
    "problem_description": "Double it. The signature of the function is: def double(x)",
    "ground_truth": "def double(x):\n    return 2 * x",
    "test_cases": {f"test{n}": f"double({n})" for n in range(10)},
}
PAGE = {"problem_description": "A page.", "ground_truth": "<html><p>Hi</p></html>"}


class Table:
    """Double of a data set, with what is used of one: a length and rows, with None where a row has no such field."""

    def __init__(self, rows):
        names = {name for row in rows for name in row}
        tests = {test for row in rows for test in row["test_cases"]}
        self.rows = [
            {name: row.get(name) for name in names} | {"test_cases": {t: row["test_cases"].get(t) for t in tests}}
            for row in rows
        ]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        return self.rows[index]


def test_a_list_is_read_as_a_file_is():
    tasks = load_tasks([ROW, {**ROW, "task_id": 7}])
    assert (tasks.spec, tasks.size) == ("list of 2 tasks", 2)
    assert tasks.at(0).calls == tuple(ROW["test_cases"].values())
    assert tasks.get(7).task_id == "7"
    assert load_tasks([PAGE], "frontend").at(0).reference == PAGE["ground_truth"]
    with pytest.raises(UnknownTaskError, match=r"no task 'b' in list of 2 tasks .*the last '7'\)$"):
        tasks.get("b")


def test_tasks_of_another_set_are_taken_as_they_are():
    generated = load_tasks("generated:train")
    tasks = load_tasks([generated.at(index) for index in range(3)])
    assert [tasks.at(index) for index in range(3)] == [generated.at(index) for index in range(3)]
    assert isinstance(tasks.get(generated.at(1).task_id), BackendTask)
    with pytest.raises(TaskError, match=r"tasks\[0\]: got a task of the backend track, expected a frontend task"):
        load_tasks([generated.at(0)], "frontend")


def test_what_a_data_set_fills_in_counts_as_missing():
    other = {"problem_description": "f", "ground_truth": "def f(): return 1", "test_cases": {"only": "f()"}}
    tasks = load_tasks(Table([{**ROW, "hidden_information": "x"}, other]))
    assert tasks.at(1).calls == ("f()",)
    assert tasks.at(1).hidden_information == other["ground_truth"]
    assert (tasks.at(0).task_id, tasks.at(1).task_id) == ("a", "1")


@pytest.mark.parametrize(("rows", "says"), values(__file__, "rows_other_things_are_refused.txt", {"ROW": ROW}))
def test_other_things_are_refused(rows, says):
    with pytest.raises(UsageError, match=says):
        load_tasks(rows)
    with pytest.raises(UsageError, match="backend task has"):
        load_tasks([ROW], "frontend")
