"""Programs get the system calls that honest ones need, and none that reaches beyond them."""

import os
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from support.processes import descendants
from support.tables import program

from colbench_gym.sandboxes import CallOutcome, Program
from colbench_gym.sandboxes.process import ProcessSandbox
from colbench_gym.sandboxes.worker import file_access

DEVICES = file_access.DEVICES
SOURCE = f"DEVICES = {DEVICES!r}\n" + Path(__file__).with_name("system_calls.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def sandbox():
    with_one = ProcessSandbox(workers=1)
    yield with_one
    with_one.close()


@pytest.mark.parametrize("call", ["urgent()", "urgent_read()", "fcntl_lock(5)", "fcntl_lock(37)", "flock()"])
def test_urgent_data_and_locks_are_refused(sandbox, call):
    assert sandbox.run(Program(SOURCE, (call,))) == (CallOutcome("raised"),)


def test_sockets_and_databases_of_a_program_work(sandbox):
    outcomes = sandbox.run(Program(SOURCE, ("ordinary()", "database()")))
    assert outcomes == (CallOutcome("returned", (b"text", b"text")), CallOutcome("returned", [(3,)]))


HOLDING = SOURCE + program(__file__, "system_calls_holding.txt")


def locks_of(processes):
    """Return how many record locks the kernel says that these processes hold, by kind."""
    lines = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
    return Counter(words[3] for words in lines if words[1] == "POSIX" and int(words[4]) in processes)


def test_a_lock_that_is_answered_as_taken_is_taken(sandbox):
    """On the program's own file an exclusive one, on those that it may read shared ones; all are gone with it."""
    thread = threading.Thread(target=sandbox.run, args=(Program(HOLDING, ("hold(1)",)),))
    thread.start()
    most = Counter()
    while thread.is_alive():
        most |= locks_of(set(descendants(os.getpid())))
        thread.join(0.05)
    assert most == {"WRITE": 1, "READ": 1 + len(DEVICES)}
    assert not locks_of(set(descendants(os.getpid())))


@pytest.mark.parametrize(
    "call", ["closed()", "exclusive(os.__file__, 'rb')", *(f"exclusive({d!r}, 'wb')" for d in DEVICES)]
)
def test_a_lock_that_cannot_be_taken_is_refused(sandbox, call):
    assert sandbox.run(Program(SOURCE, (call,))) == (CallOutcome("raised"),)


def test_locks_are_no_channel_between_programs():
    """Check that a program hears the same of locks beside one that holds every lock it can get."""
    asked = Program(SOURCE, ("told_of_locks()",))
    sandbox = ProcessSandbox(workers=2)
    try:
        alone = sandbox.run(asked)
        for seconds in (1, 2, 4, 4, 4):  # on a busy machine the holder may end first
            holder = threading.Thread(target=sandbox.run, args=(Program(HOLDING, (f"hold({seconds})",)),))
            holder.start()
            while holder.is_alive() and not locks_of(set(descendants(os.getpid()))):
                time.sleep(0.01)
            beside = sandbox.run(asked)
            was_held = bool(locks_of(set(descendants(os.getpid()))))
            holder.join()
            if was_held:
                break
        assert was_held
    finally:
        sandbox.close()
    assert alone == beside
    assert alone[0].status == "returned"
