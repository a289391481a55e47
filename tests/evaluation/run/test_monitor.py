"""What is seen of a run that goes on."""

import json
import os
import socket
import subprocess
import sys
import time

import pytest
from support.command import colbench_here
from support.tables import program

from colbench_gym.errors import InputFileError
from colbench_gym.evaluation.run.monitor import Monitor, duration, seconds_left, silent_for_s, state_line
from colbench_gym.evaluation.run_folder import LOG_FILE

RUN = json.loads(program(__file__, "monitored_run.json"))


def test_one_line_says_it_all():
    assert state_line(RUN) == (
        "dialogues 42 of 100 done (10 by earlier sessions); under way 8 (waiting for agent 6, sandbox 1); "
        "success 50.0 % [25.0, 75.0]; failed on our side 2; models 12,345 tokens in 67 requests; cost 0.125; "
        "time 2 min 05 s; time left about 1 h 02 min"
    )


def test_dialogues_under_way_count_half():
    assert seconds_left(done=10, running=4, rest=20, seconds=60.0) == 90.0
    assert seconds_left(done=0, running=4, rest=20, seconds=60.0) is None
    assert seconds_left(done=3, running=0, rest=0, seconds=60.0) == 0.0


def silent(now, **progress):
    return silent_for_s({**RUN, "progress": {**RUN["progress"], **progress}}, now)


def test_a_run_that_is_silent_for_long_is_taken_for_dead():
    assert silent(1031.0) is None
    assert silent(1100.0) == 100.0
    assert silent(1100.0, next_after_s=90.0) is None  # it said so
    assert silent_for_s({**RUN, "status": "finished"}, now=1100.0) is None


def test_the_process_says_how_long_to_wait_for_a_run():
    here = {"host": socket.gethostname(), "pid": os.getpid()}
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert silent(1100.0, **here) is None  # it is busy, or stopped
    assert silent(9000.0, **here) == 8000.0  # another process has its number by now
    assert silent(1006.0, **here | {"pid": ended.pid}) is None
    assert silent(1010.0, **here | {"pid": ended.pid}) == 10.0
    assert silent(1010.0, host="another machine", pid=ended.pid) is None


def test_the_file_says_truly_when_it_is_written_next(tmp_path):
    began, waits = [], []

    def write(progress):
        began.append(time.time())
        waits.append(progress["next_after_s"])
        time.sleep(0.05 if len(began) == 1 else 0)  # writing it first imports much
        return RUN

    with Monitor(write, tmp_path, refresh_s=0.01):
        deadline = time.monotonic() + 30
        while len(began) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert began[1] - began[0] < 2.0  # as written, not 50 times what the first writing took
    assert waits[0] == 0.01
    assert waits[1] >= 2.5


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (59.6, "1 min 00 s"), (7300, "2 h 01 min")])
def test_durations(seconds, words):
    assert duration(seconds) == words


def test_the_monitor_writes_at_once_and_again_and_ends(tmp_path):
    written = []

    def write(progress):
        written.append(progress)
        return {**RUN, "progress": {**RUN["progress"], **progress}}

    with Monitor(write, tmp_path, refresh_s=0.01):
        deadline = time.monotonic() + 20
        while len(written) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    count = len(written)
    assert count >= 3
    assert len((tmp_path / LOG_FILE).read_text().splitlines()) == 1
    assert "42 of 100 done" in (tmp_path / LOG_FILE).read_text()


def test_a_disk_that_is_full_does_not_end_the_monitor(tmp_path):
    tries = []

    def write(progress):
        tries.append(progress)
        raise InputFileError("no room")

    with Monitor(write, tmp_path, refresh_s=0.01):
        deadline = time.monotonic() + 20
        while len(tries) < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert len(tries) >= 2


def test_watch_prints_the_state_once(tmp_path):
    (tmp_path / "run.json").write_text(json.dumps(RUN))
    done = colbench_here("watch", ".", "--once", cwd=tmp_path, status=1)
    lines = done.stdout.splitlines()
    assert lines[0] == "ColBench-Backend-v0: openai:m with the human scripted on generated"
    assert "dialogues: 42 of 100 done (10 by earlier sessions)" in lines
    assert "go on with --resume" in lines[-1]  # nobody has refreshed it since 1970


def test_watch_ends_with_a_run_that_has_ended(tmp_path):
    (tmp_path / "run.json").write_text(
        json.dumps({**RUN, "status": "interrupted", "stopped": "enough", "progress": {}})
    )
    done = colbench_here("watch", ".", cwd=tmp_path)
    assert "interrupted: enough" in done.stdout


def test_watch_refuses_what_is_no_run(tmp_path):
    assert "expected a folder of colbench eval" in colbench_here("watch", ".", cwd=tmp_path, status=2).stderr
    (tmp_path / "run.json").write_text("[]")
    assert "is no run" in colbench_here("watch", ".", cwd=tmp_path, status=2).stderr
