"""What ``test_landlock_alone.py`` runs in a cage, as an ordinary user."""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest
from support.tables import program

from colbench_gym.sandboxes import CallOutcome, Limits, Program
from colbench_gym.sandboxes.process import ProcessSandbox
from colbench_gym.sandboxes.worker.isolation import MAX_THREADS
from colbench_gym.sandboxes.worker.scratch import remove_all

DOUBLE = Program("import time\ndef double(x):\n    return 2 * x\n", ("double(21)",))
ANSWER = (CallOutcome("returned", 42),)
BYSTANDER = program(__file__, "caged_landlock_bystander.txt")
POOL = program(__file__, "caged_landlock_pool.txt")
MESS = program(__file__, "caged_landlock_mess.txt")


@pytest.fixture
def sandbox():
    sandbox = ProcessSandbox(workers=1, isolation="landlock")
    yield sandbox
    sandbox.close()


def test_threads_of_other_processes_of_the_user_do_not_count(sandbox):
    command = [sys.executable, "-S", "-s", "-c", BYSTANDER]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as bystander:
        assert bystander.stdout.readline() == "started\n"
        (outcome,) = sandbox.run(Program(POOL, ("squares(4)",)))
        bystander.communicate("\n")
    assert outcome == CallOutcome("returned", [n * n for n in range(4)])


def test_a_program_with_too_many_threads_is_ended_and_the_next_one_works(sandbox):
    outcomes = sandbox.run(Program(POOL, (f"hold({MAX_THREADS + 1})", "7")))
    assert outcomes == (CallOutcome("killed"), CallOutcome("returned", 7))
    assert sandbox.run(Program(POOL, ("squares(4)",))) == (CallOutcome("returned", [0, 1, 4, 9]),)


def test_a_mess_that_takes_long_to_remove_costs_a_worker_and_no_verdict(sandbox):
    limits = Limits(cpu_s_per_call=4.0, wall_s_per_call=4.0, total_wall_s=4.0)
    assert sandbox.run(Program(MESS, ("leave(2.5)",), limits=limits)) == (CallOutcome("returned", True),)
    assert sandbox.run(DOUBLE) == ANSWER
    sandbox.close()
    for thread in threading.enumerate():
        if thread.name == "scratch-removal":
            thread.join()
    assert not list(Path(tempfile.gettempdir()).glob("colbench-[a-z0-9_]*"))


def test_cleaning_stops_at_its_deadline_and_can_go_on(tmp_path):
    for number in range(20):
        (tmp_path / f"folder{number}" / "inner").mkdir(parents=True)
        (tmp_path / f"folder{number}" / "file").touch()
    assert not remove_all(str(tmp_path), time.monotonic() - 1)
    assert len(list(tmp_path.iterdir())) == 20
    assert remove_all(str(tmp_path))
    assert not list(tmp_path.iterdir())
