"""Task files: what is read, and that every broken row is named by file, line and field."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.tables import cases

from colbench_gym.errors import InputFileError, UnknownNameError, UnknownTaskError, UsageError
from colbench_gym.tasks import BackendTask, FrontendTask, load_tasks

ROW = cases(__file__, "row")


def write(tmp_path, *rows):
    path = tmp_path / "tasks.jsonl"
    path.write_text("".join(row if isinstance(row, str) else json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_a_row_is_read(tmp_path):
    tasks = load_tasks(write(tmp_path, ROW))
    assert (tasks.size, tasks.spec) == (1, str(tmp_path / "tasks.jsonl"))
    task = tasks.at(0)
    assert isinstance(task, BackendTask)
    assert (task.task_id, task.calls, task.test_names) == ("0", ("f(1)", "f(2)"), ("test_1", "test_2"))
    assert task.hidden_information == task.reference == ROW["ground_truth"]


def test_ids_are_task_id_else_index_else_position(tmp_path):
    rows = [ROW | {"task_id": "a", "index": 7}, ROW | {"index": 7}, "\n", ROW, ROW | {"task_id": 9}]
    tasks = load_tasks(write(tmp_path, *rows))
    assert [tasks.at(at).task_id for at in range(tasks.size)] == ["a", "7", "2", "9"]
    assert tasks.get(7) is tasks.get("7") is tasks.at(1)


def test_hidden_fields_are_in_no_repr(tmp_path):
    tasks = load_tasks(write(tmp_path, ROW | {"hidden_information": "SECRET", "note": "SECRET"}))
    shown = repr(tasks) + repr(tasks.at(0)) + str(tasks.at(0))
    assert "2 * x" not in shown
    assert "f(1)" not in shown
    assert "SECRET" not in shown


def test_sampling_is_seeded_and_with_replacement(tmp_path):
    tasks = load_tasks(write(tmp_path, *(ROW | {"task_id": name} for name in "abc")))
    draws = [[tasks.sample(rng).task_id for _ in range(20)] for rng in map(np.random.default_rng, (0, 0, 1))]
    assert draws[0] == draws[1] != draws[2]
    assert set(draws[0]) == {"a", "b", "c"}


def test_rows_of_the_other_track_are_refused(tmp_path):
    file = tmp_path / "t.jsonl"
    row = {"problem_description": "Write f.", "ground_truth": "def f(): return 1", "test_cases": {"a": "f()"}}
    file.write_text(json.dumps(row) + "\n")
    assert load_tasks(file, "backend").size == 1
    with pytest.raises(InputFileError, match=r"t.jsonl, line 1: .*'test_cases'.*--track backend"):
        load_tasks(file, "frontend")


def test_frontend_rows_need_two_fields(tmp_path):
    row = {"problem_description": "A page.", "ground_truth": "<html></html>"}
    task = load_tasks(write(tmp_path, row), track="frontend").at(0)
    assert isinstance(task, FrontendTask)
    assert "<html>" not in repr(task)


@pytest.mark.parametrize(("row", "added", "says"), cases(__file__, "a_broken_row_is_named"))
def test_a_broken_row_is_named(tmp_path, row, added, says):
    path = write(tmp_path, ROW, ROW | row if added else row)
    with pytest.raises(InputFileError) as caught:
        load_tasks(path)
    assert str(caught.value).startswith(f"{path}, {says}")


def test_broken_files_are_named(tmp_path):
    empty = write(tmp_path)
    with pytest.raises(InputFileError, match="no task in it"):
        load_tasks(empty)
    empty.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputFileError, match="not UTF-8 text"):
        load_tasks(empty)
    with pytest.raises(InputFileError, match="no such task file"):
        load_tasks(str(tmp_path / "missing.jsonl"))
    with pytest.raises(InputFileError, match="is a folder; expected a JSONL file of tasks"):
        load_tasks(str(tmp_path))


def test_nesting_too_deep_is_a_broken_row(tmp_path):
    with pytest.raises(InputFileError, match="line 1: no JSON"):
        load_tasks(write(tmp_path, "[" * 200_000 + "\n"))


@pytest.mark.parametrize(
    ("spec", "says"),
    [("generatd", "Did you mean 'generated'"), ("generated:tests", "Did you mean 'test'"), ("", "empty")],
)
def test_a_misspelt_spec_lists_the_known_ones(spec, says):
    with pytest.raises(UsageError, match=says):
        load_tasks(spec)


def test_a_name_a_path_and_a_task_set_are_taken(tmp_path):
    tasks = load_tasks(write(tmp_path, ROW))
    assert load_tasks(tasks) is tasks
    generated = load_tasks("generated:train")
    assert load_tasks(generated) is generated


@pytest.mark.parametrize("name", ["missing.jsonl", "missing"])
def test_a_path_to_no_file_is_named(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for path in (Path(name), tmp_path / name):
        with pytest.raises(InputFileError, match="no such task file"):
            load_tasks(path)


def test_a_wrong_id_says_which_there_are(tmp_path):
    tasks = load_tasks(write(tmp_path, ROW, ROW))
    with pytest.raises(
        UnknownTaskError, match=r"no task 'b-1' in .*tasks\.jsonl \(2 tasks, the first is '0'.*colbench tasks list"
    ):
        tasks.get("b-1")
    with pytest.raises(UnknownTaskError, match="no task at position 2"):
        tasks.at(2)


def test_official_tasks_are_on_the_hub_for_backend_only():
    with pytest.raises(UnknownNameError):
        load_tasks("official", track="frontend")
    with pytest.raises(UnknownNameError, match="test, train"):
        load_tasks("official:validation")


def test_the_official_files_are_read(official_data):
    backend = load_tasks(official_data / "backend_tasks.jsonl")
    assert backend.size == 205
    assert all(len(backend.at(at).calls) == 10 for at in range(205))
    assert load_tasks(official_data / "frontend_tasks.jsonl", track="frontend").size == 100
    with pytest.raises(InputFileError, match="field 'test_cases' is missing"):
        load_tasks(official_data / "frontend_tasks.jsonl")
