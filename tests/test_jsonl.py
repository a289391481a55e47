"""A file takes its place whole or not at all, and nobody can make us write through a link."""

import json
import os
from pathlib import Path

import pytest

from colbench_gym.errors import InputFileError
from colbench_gym.jsonl import replacing, write_rows


def test_a_link_at_the_temporary_name_is_removed_and_not_followed(tmp_path):
    victim, out = tmp_path / "victim", tmp_path / "rows.jsonl"
    victim.write_text("mine")
    (tmp_path / "rows.jsonl.partial").symlink_to(victim)
    write_rows(out, [{"a": 1}])
    assert victim.read_text() == "mine"
    assert json.loads(out.read_text()) == {"a": 1}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rows.jsonl", "victim"]


def test_what_a_killed_process_left_is_no_obstacle(tmp_path):
    (tmp_path / "rows.jsonl.partial").write_text("half a r")
    write_rows(tmp_path / "rows.jsonl", [{"a": 1}])
    assert (tmp_path / "rows.jsonl").read_text() == '{"a": 1}\n'


def test_a_failure_leaves_what_was_there(tmp_path):
    out = tmp_path / "run.json"
    out.write_text("before")

    def fail():
        with replacing(out) as file:
            file.write("after")
            raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"):
        fail()
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


def test_a_folder_at_the_temporary_name_is_an_input_error(tmp_path):
    (tmp_path / "rows.jsonl.partial").mkdir()
    with pytest.raises(InputFileError):
        write_rows(tmp_path / "rows.jsonl", [{"a": 1}])


def test_a_pipe_is_written_to_as_it_is():
    reads, writes = os.pipe()
    with open(reads, encoding="utf-8") as pipe:
        with open(writes, "wb"):
            write_rows(Path(f"/dev/fd/{writes}"), [{"x": 1}])
        assert pipe.read() == '{"x": 1}\n'
