"""Programs get the system calls that honest ones need, and none that reaches beyond them."""

from __future__ import annotations

import fcntl
import os
import struct

import pytest

from colbench_gym.sandboxes import CallOutcome, Program
from colbench_gym.sandboxes.process import ProcessSandbox

SOURCE = """
import fcntl, os, socket, sqlite3, struct

def urgent():
    ours, theirs = socket.socketpair()
    return ours.send(b"u", socket.MSG_OOB)

def urgent_read():
    ours, theirs = socket.socketpair()
    return theirs.recv(1, socket.MSG_OOB | socket.MSG_DONTWAIT)

def ordinary():
    ours, theirs = socket.socketpair()
    ours.send(b"text")
    return theirs.recv(4, socket.MSG_PEEK), theirs.recv(4)

def fcntl_lock(command):
    with open(os.__file__) as file:
        return fcntl.fcntl(file, command, struct.pack("hhqqi", fcntl.F_RDLCK, 0, 0, 0, 0))

def flock():
    with open(os.__file__) as file:
        fcntl.flock(file, fcntl.LOCK_SH)

def hold():
    import time
    file = open(os.__file__)
    fcntl.lockf(file, fcntl.LOCK_SH)
    time.sleep(1)

def database():
    with sqlite3.connect("scores.db") as connection:
        connection.execute("create table scores (name text, points integer)")
        connection.executemany("insert into scores values (?, ?)", [("a", 1), ("b", 2)])
    with sqlite3.connect("scores.db") as connection:
        return connection.execute("select sum(points) from scores").fetchall()
"""


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


def test_no_lock_is_taken_on_a_file_that_others_use(sandbox):
    import threading

    program = Program(SOURCE, ("hold()",))
    thread = threading.Thread(target=sandbox.run, args=(program,))
    thread.start()
    with open(os.__file__, "rb+") if os.access(os.__file__, os.W_OK) else open(os.__file__, "rb") as file:
        wanted = struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0)
        held = []
        while thread.is_alive():
            held.append(struct.unpack("hhqqi", fcntl.fcntl(file, fcntl.F_GETLK, wanted))[0] != fcntl.F_UNLCK)
            thread.join(0.05)
    assert held
    assert not any(held)
