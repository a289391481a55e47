"""The folder of a run: what is kept whatever ends it."""

import json

import pytest

from colbench_gym import BACKEND, Dialogue, Trajectory, Turn, load_tasks
from colbench_gym.errors import ConfigurationChangedError, InputFileError, UsageError
from colbench_gym.evaluation.run_folder import RunFolder

TASKS = load_tasks("generated:validation")
CONFIGURATION = {"agent": "oracle", "n": 5}


def trajectory(index, reward=1.0, outcome="answered"):
    turns = (Turn("human", "Write f — 何."), Turn("agent", "x", output="x"))
    graded = {} if reward is None else {"success": True, "pass_rate": 1.0}
    return Trajectory(TASKS.at(index), Dialogue(turns), "x", reward, BACKEND, outcome, **graded)


def fill(path, indices, resume=False):
    with RunFolder(path, CONFIGURATION, resume) as folder:
        folder.counts = lambda: {"agent": {"calls": 1}}
        for index in indices:
            folder.add(trajectory(index))
        return folder.finished


def test_a_killed_session_is_gone_on_with(tmp_path):
    fill(tmp_path / "run", [2, 0])
    with (tmp_path / "run/unfinished.jsonl").open("a") as journal:
        journal.write('{"session": 0, "us')
    assert fill(tmp_path / "run", [1], resume=True) == {(f"validation-{n}", 0) for n in range(3)}
    with RunFolder(tmp_path / "run", CONFIGURATION, resume=True) as folder:
        folder.counts = lambda: {"agent": {"calls": 1}}
        folder.finish([(f"validation-{n}", 0) for n in range(3)], {})
    rows = [json.loads(line) for line in (tmp_path / "run/trajectories.jsonl").read_text().splitlines()]
    assert [row["colbench_gym"]["task_id"] for row in rows] == ["validation-0", "validation-1", "validation-2"]
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert len(run["sessions"]) == 3
    assert run["used"]["agent"]["calls"] == 3
    assert not (tmp_path / "run/unfinished.jsonl").exists()


def test_a_run_may_be_replaced_and_what_else_is_in_the_folder_stays(tmp_path):
    fill(tmp_path / "run", [0, 1])
    (tmp_path / "run/notes.txt").write_text("mine")
    with pytest.raises(UsageError, match="--resume, replace it by --overwrite"):
        fill(tmp_path / "run", [2])
    with RunFolder(tmp_path / "run", {"agent": "asker:1"}, overwrite=True) as folder:
        assert folder.finished == frozenset()
        folder.discard()
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["notes.txt"]


def test_a_run_in_which_nothing_ended_leaves_no_folder(tmp_path):
    with RunFolder(tmp_path / "run", CONFIGURATION) as folder:
        folder.discard()
    assert not (tmp_path / "run").exists()


def test_a_stop_while_the_journal_is_rebuilt_loses_nothing(tmp_path):
    fill(tmp_path / "run", [0, 1, 2])
    before = (tmp_path / "run/unfinished.jsonl").read_bytes()

    class Interrupted(dict):
        """Rows during whose writing Ctrl-C arrives."""

        def values(self):
            raise KeyboardInterrupt

    folder = RunFolder.__new__(RunFolder)
    folder.path, folder._sessions, folder._at = tmp_path / "run", [], {}
    with pytest.raises(KeyboardInterrupt):
        folder._open_journal(Interrupted())
    assert (tmp_path / "run/unfinished.jsonl").read_bytes() == before


def test_dialogues_that_failed_on_our_side_are_played_again(tmp_path):
    with RunFolder(tmp_path / "run", CONFIGURATION) as folder:
        folder.add(trajectory(0))
        folder.add(trajectory(1, reward=None, outcome="human_error"))
        folder.finish([("validation-0", 0), ("validation-1", 0)], {})
    with RunFolder(tmp_path / "run", CONFIGURATION, resume=True) as folder:
        assert folder.finished == {("validation-0", 0)}


def test_refusals(tmp_path):
    fill(tmp_path / "run", [0])
    with pytest.raises(UsageError, match="--resume"):
        RunFolder(tmp_path / "run", CONFIGURATION)
    with pytest.raises(ConfigurationChangedError, match="n was 5 and is now 6"):
        RunFolder(tmp_path / "run", {**CONFIGURATION, "n": 6}, resume=True)
    smaller = {**CONFIGURATION, "n": 4, "tasks_hash": "0"}  # which differs with it
    with pytest.raises(ConfigurationChangedError, match=r": n was 5 and is now 4\. .* or larger -n and --repeats"):
        RunFolder(tmp_path / "run", smaller, resume=True)
    held = RunFolder(tmp_path / "run", CONFIGURATION, resume=True)
    with held, pytest.raises(UsageError, match="another process"):
        RunFolder(tmp_path / "run", CONFIGURATION, resume=True)
    (tmp_path / "run/run.json").write_text("[]")
    with pytest.raises(InputFileError, match="is no run"):
        RunFolder(tmp_path / "run", CONFIGURATION, resume=True)
    (tmp_path / "run/run.json").unlink()
    with pytest.raises(InputFileError, match=r"no run\.json"):
        RunFolder(tmp_path / "run", CONFIGURATION, resume=True)


def test_resume_where_there_is_nothing_starts(tmp_path):
    assert fill(tmp_path / "run", [0], resume=True) == {("validation-0", 0)}


def test_the_same_tasks_under_another_path_are_the_same_run(tmp_path):
    with RunFolder(tmp_path / "run", {"tasks": "t.jsonl", "tasks_hash": "1"}):
        pass
    with RunFolder(tmp_path / "run", {"tasks": "../t.jsonl", "tasks_hash": "1"}, resume=True):
        pass
    with pytest.raises(ConfigurationChangedError, match="tasks_hash was '1' and is now '2'"):
        RunFolder(tmp_path / "run", {"tasks": "t.jsonl", "tasks_hash": "2"}, resume=True)
