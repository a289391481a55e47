"""What ``test_landlock_alone.py`` runs in a cage, as an ordinary user."""

import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from colbench_gym.sandboxes import CallOutcome, Limits, Program
from colbench_gym.sandboxes.process import ProcessSandbox
from colbench_gym.sandboxes.worker.isolation import MAX_THREADS
from colbench_gym.sandboxes.worker.scratch import remove_all

DOUBLE = Program("import time\ndef double(x):\n    return 2 * x\n", ("double(21)",))
ANSWER = (CallOutcome("returned", 42),)
BYSTANDER = """
import os, threading
threading.stack_size(65536)
stop = threading.Event()
for _ in range(300):
    threading.Thread(target=stop.wait, daemon=True).start()
print("started", flush=True)
input()
os._exit(0)
"""
POOL = """
import threading
from concurrent.futures import ThreadPoolExecutor
def squares(threads):
    barrier = threading.Barrier(threads)
    def square(n):
        barrier.wait()
        return n * n
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(square, range(threads)))
def hold(threads):
    import time
    threading.stack_size(65536)
    for _ in range(threads):
        threading.Thread(target=time.sleep, args=(30,), daemon=True).start()
    time.sleep(3)
    return threads
"""
MESS = """
import os, time
def leave(seconds):
    began = time.monotonic()
    made = 0
    while time.monotonic() - began < seconds:
        os.mkdir("d")
        os.chdir("d")
        for name in "abcdefgh":
            os.mkdir(name)
            os.close(os.open(name + "x", os.O_CREAT))
        os.chdir("..")
        os.rename("d", str(made))
        made += 1
    return made > 0
"""


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
