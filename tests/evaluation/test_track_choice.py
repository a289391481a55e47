"""Which track a file is of."""

import pytest
from support.command import colbench_here as in_this_process  # with no browser: quick
from support.json_lines import write_rows
from support.tables import cases

from colbench_gym.errors import InputFileError
from colbench_gym.evaluation.track_choice import choose_track

CODE = cases(__file__, "code")
PAGE = {"problem_description": "A page.", "ground_truth": "<html></html>"}


@pytest.mark.parametrize(("rows", "track"), cases(__file__, "the_rows_tell"))
def test_the_rows_tell(tmp_path, rows, track):
    assert choose_track("auto", str(write_rows(tmp_path / "tasks.jsonl", rows))) == track
    held = [{"answer": "x", "task": row} for row in rows]
    assert choose_track("auto", None, write_rows(tmp_path / "answers.jsonl", held)) == track
    assert choose_track("frontend", None, tmp_path / "not read") == "frontend"


def test_names_are_backend_tasks(tmp_path):
    assert choose_track("auto", "generated:train") == "backend"
    assert choose_track("auto", None, write_rows(tmp_path / "a.jsonl", [{"index": 1, "answer": "x"}])) == "backend"
    with pytest.raises(InputFileError, match="cannot be read"):
        choose_track("auto", None, tmp_path / "none.jsonl")


def test_where_one_row_has_tests_every_row_must(tmp_path):
    tasks = write_rows(tmp_path / "tasks.jsonl", [CODE, PAGE])
    refused = in_this_process("oracle", "--tasks", tasks, cwd=tmp_path, status=2)
    assert "line 2: field 'test_cases' is missing" in refused.stderr
