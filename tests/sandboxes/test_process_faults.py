"""Faults under the ``process`` sandbox: each program finishes right, or is an infrastructure error, never a score."""

import contextlib
import os
import resource
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from support.processes import command_of, descendants
from support.sandbox_programs import ANSWER, DOUBLE
from support.tables import program

from colbench_gym.errors import SandboxError, SandboxUnavailableError
from colbench_gym.sandboxes import CallOutcome, Limits, Program
from colbench_gym.sandboxes.local_worker import LocalWorker
from colbench_gym.sandboxes.pool import KINDS, WorkerPool
from colbench_gym.sandboxes.process import ProcessSandbox

SLOW = Program("import time\ndef slow(x):\n    time.sleep(0.5)\n    return x", ("slow(1)", "slow(2)"))
SLOW_ANSWER = (CallOutcome("returned", 1), CallOutcome("returned", 2))


@pytest.fixture
def sandbox():
    sandbox = ProcessSandbox(workers=1)
    assert sandbox.run(Program("import time", ("1",)))[0].value == 1  # starts the worker for programs with imports
    yield sandbox
    sandbox.close()


def workers():
    """The worker's processes: the first ones of its namespaces come before the programs.

    Not multiprocessing's own, which other tests of this process started: it warns when its resource tracker was killed.
    """
    return [pid for pid in descendants(os.getpid()) if b"multiprocessing" not in command_of(pid)]


def first_processes():
    """Of each worker, the one that all others end with."""
    everyone = set(workers())
    return everyone - {below for pid in everyone for below in descendants(pid)}


def end(pid):
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def kill_later(pick, times, delay_s=0.3):
    """Kill the process that ``pick`` chooses, ``times`` times; returns the thread that does it."""

    def kill():
        for _ in range(times):
            threading.Event().wait(delay_s)
            for pid in pick():
                end(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    return thread


def test_worker_killed_under_a_program(sandbox):
    killer = kill_later(first_processes, 1)
    assert sandbox.run(SLOW) == SLOW_ANSWER
    killer.join()


def test_worker_killed_while_idle(sandbox):
    for pid in workers():
        end(pid)
    assert sandbox.run(DOUBLE) == ANSWER


def test_workers_killed_again_and_again_are_an_error_and_no_score(sandbox):
    stop = threading.Event()

    def kill_all():
        while not stop.wait(0.3):
            for pid in first_processes():
                end(pid)

    killer = threading.Thread(target=kill_all)
    killer.start()
    program = Program("import time", ("time.sleep(4)",))
    with pytest.raises(SandboxError, match="3 workers failed"):
        sandbox.run(program)
    stop.set()
    killer.join()
    assert sandbox.run(DOUBLE) == ANSWER


def test_program_killed_from_outside_is_run_again(sandbox):
    before = set(workers())
    killer = kill_later(lambda: set(workers()) - before, 1)
    assert sandbox.run(SLOW) == SLOW_ANSWER
    killer.join()


def test_program_killed_again_and_again_is_killed(sandbox):
    before = set(workers())
    killer = kill_later(lambda: set(workers()) - before, 2)
    program = Program("import time", ("time.sleep(2)", "7"))
    assert sandbox.run(program) == (CallOutcome("killed"), CallOutcome("returned", 7))
    killer.join()


def test_all_attempts_at_a_program_have_one_limit(sandbox):
    """The first call that sleeps is tried again; what it took counts as well."""
    sleeping = Program("import time", ("time.sleep(60)",) * 8, limits=Limits(wall_s_per_call=2.0, total_wall_s=3.0))
    began = time.monotonic()
    assert {outcome.status for outcome in sandbox.run(sleeping)} == {"timed_out"}
    assert time.monotonic() - began < 4.5


CONNECTIONS = program(__file__, "process_faults_connections.txt")


def test_a_program_has_no_connection_to_write_to(sandbox):
    assert [outcome.value for outcome in sandbox.run(Program(CONNECTIONS, ("connections()",)))] == [[]]


def test_large_results_come_back_whole_and_the_next_program_finds_nothing_of_them(sandbox):
    many = Program("", tuple(f"'{letter}' * 900_000" for letter in "abcdefghij"))
    assert [outcome.value for outcome in sandbox.run(many)] == [letter * 900_000 for letter in "abcdefghij"]
    left = "import sys\ndef left():\n    return bytes(sys._getframe(2).f_locals['page']).count(b'aaaa')"
    assert sandbox.run(Program(left, ("left()",))) == (CallOutcome("returned", 0),)
    over = Program("", tuple("'x' * 1_000_000" for _ in range(80)), limits=Limits(total_wall_s=60.0))
    statuses = [outcome.status for outcome in sandbox.run(over)]
    assert statuses[:60] == ["returned"] * 60
    assert set(statuses[70:]) == {"unserialisable"}


def test_stopped_worker_is_replaced(sandbox):
    for pid in workers():
        os.kill(pid, signal.SIGSTOP)
    limits = Limits(total_wall_s=0.5)
    assert sandbox.run(Program(DOUBLE.source, DOUBLE.calls, limits=limits)) == ANSWER


def test_no_file_descriptors_left(sandbox):
    assert sandbox.run(DOUBLE) == ANSWER
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, hard))
    try:
        with contextlib.suppress(OSError):
            while True:
                taken.append(os.open(os.devnull, os.O_RDONLY))
        with pytest.raises(SandboxError, match="Too many open files"):
            sandbox.run(DOUBLE)
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert sandbox.run(DOUBLE) == ANSWER


FILLING = program(__file__, "filling.txt")


@pytest.mark.parametrize("call", ["fill()", "many()", "deep()"])
def test_full_disk_is_the_programs_own(sandbox, call):
    (filled,) = sandbox.run(Program(FILLING, (call,)))
    assert filled.status == "returned"
    assert 0 < filled.value < 1100
    written = sandbox.run(Program("import os", ("os.listdir('.')", "open('a', 'w').write('text')")))
    assert written == (CallOutcome("returned", []), CallOutcome("returned", 4))


def test_close_under_running_programs_ends_them():
    others = set(descendants(os.getpid()))
    sandbox = ProcessSandbox(workers=2)
    before = set(descendants(os.getpid())) - others
    with ThreadPoolExecutor(6) as threads:
        futures = [threads.submit(sandbox.run, SLOW) for _ in range(6)]
        threading.Event().wait(0.3)
        sandbox.close()
        for future in futures:
            with pytest.raises(SandboxError):
                future.result()
    assert not before & set(descendants(os.getpid()))


def test_many_threads_and_a_worker_killed_now_and_then():
    others = set(descendants(os.getpid()))
    sandbox = ProcessSandbox()
    stop = threading.Event()

    def kill_some():
        while not stop.wait(0.4):
            for pid in workers()[:2]:
                end(pid)

    killer = threading.Thread(target=kill_some)
    killer.start()
    with ThreadPoolExecutor(64) as threads:
        outcomes = list(threads.map(lambda n: sandbox.run(Program(f"N = {n}", ("N",)))[0].value, range(600)))
    stop.set()
    killer.join()
    assert outcomes == list(range(600))
    sandbox.close()
    assert not set(descendants(os.getpid())) - others


def test_workers_of_kinds_that_nobody_needs_any_more_are_ended():
    others = first_processes()  # of sandboxes that other tests left open
    with contextlib.closing(ProcessSandbox(workers=1)) as sandbox:
        for seed in range(KINDS + 4):
            assert sandbox.run(replace(DOUBLE, hash_seed=seed)) == ANSWER
        assert len(first_processes() - others) == KINDS


@pytest.mark.parametrize("refusals", [1, 3])
def test_a_refusal_after_others_started_is_a_failure_of_one_worker(refusals):
    left = [None] + [SandboxUnavailableError("out of memory")] * refusals

    def start(kind):
        if left and (error := left.pop(0)):
            raise error
        return LocalWorker("none", kind)

    with contextlib.closing(WorkerPool(start, 1)) as pool:
        other = replace(DOUBLE, hash_seed=1)
        if refusals == 1:
            assert pool.run(other) == ANSWER
        else:
            with pytest.raises(SandboxError, match=r"3 workers failed.*out of memory"):
                pool.run(other)
