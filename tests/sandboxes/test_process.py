"""The ``process`` sandbox keeps its contract in every kind of isolation, for root and for an ordinary user."""

import json
import os
import socket
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest
from hostile_programs import cage
from support.command import environment
from support.doubles import Closeable
from support.processes import descendants, is_over, settled_descendants, wait_until
from support.sandbox_programs import ANSWER, DOUBLE
from support.tables import program

from colbench_gym.errors import SandboxError, SandboxUnavailableError, UnknownNameError
from colbench_gym.sandboxes import VARIABLE, CallOutcome, Program, Sandbox, containment_of, open_sandbox
from colbench_gym.sandboxes.local_worker import CONTAINED
from colbench_gym.sandboxes.process import ProcessSandbox
from colbench_gym.testing import check_sandbox

KINDS = ("root namespaces", "ordinary namespaces", "ordinary bubblewrap", "ordinary landlock", "ordinary none")
CHECK = program(__file__, "check_as_another_user.txt")
DEEP = program(__file__, "process_deep.txt")


class Checks:
    """One check per kind, all started at once: they mostly wait for programs that have to be stopped."""

    def __init__(self):
        self.results = {}
        self.threads = {kind: threading.Thread(target=self._run, args=(kind,)) for kind in KINDS}
        for thread in self.threads.values():
            thread.start()

    def _run(self, kind):
        user, isolation = kind.split()
        token = f"colbench-check-{os.getpid()}-{isolation}-{user}"
        try:
            command = [*cage.command(user, token), sys.executable, "-c", f"DEEP = {DEEP!r}{CHECK}", isolation]
            self.results[kind] = subprocess.run(command, env=cage.environment(), capture_output=True, text=True)
            cage.remove_groups(token)
        except LookupError as error:
            self.results[kind] = error

    def result(self, kind):
        self.threads[kind].join()
        if isinstance(self.results[kind], LookupError):
            pytest.skip(str(self.results[kind]))
        return self.results[kind]


@pytest.fixture(scope="module")
def checks():
    return Checks()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", KINDS)
def test_contract_is_kept(kind, checks):
    result = checks.result(kind)
    if result.stderr.startswith("unavailable:"):
        pytest.skip(result.stderr)
    assert result.stdout == "kept\n", result.stderr


@pytest.fixture(scope="module")
def sandbox():
    sandbox = ProcessSandbox(workers=2)
    yield sandbox
    sandbox.close()


def test_sandbox_is_one(sandbox):
    assert isinstance(sandbox, Sandbox)
    assert containment_of(sandbox) in CONTAINED
    assert "seccomp" in sandbox.isolation


def test_check_sandbox_tells_what_is_wrong():
    class Liar(Closeable):
        def run(self, program):
            return tuple(CallOutcome("returned", 1) for _ in program.calls)

    with pytest.raises(AssertionError) as failure:
        check_sandbox(Liar())
    for part in ("values", "modules", "failures", "stalls", "resources", "traces", "secrets", "close"):
        assert f"\n{part}: " in str(failure.value)


def test_refusal_names_what_is_missing_and_the_ways_out():
    with pytest.raises(SandboxUnavailableError) as refusal:
        ProcessSandbox(isolation="no such isolation")
    for part in ("no such isolation", 'sandbox="docker"', 'sandbox="unsafe"', VARIABLE):
        assert part in str(refusal.value)


def test_unknown_names():
    with pytest.raises(UnknownNameError, match=r"'proces'.*Did you mean 'process'"):
        open_sandbox("proces")


def test_the_variable_names_the_default_and_nothing_else(monkeypatch):
    monkeypatch.setenv(VARIABLE, "unsafe")
    with open_sandbox("process") as default, open_sandbox("unsafe") as named:
        assert default.kind == named.kind == "unsafe"
        assert default.run(DOUBLE) == named.run(DOUBLE) == ANSWER
    monkeypatch.setenv(VARIABLE, "bogus")
    with pytest.raises(UnknownNameError, match=VARIABLE):
        open_sandbox("process")
    with open_sandbox("unsafe") as named:
        assert named.kind == "unsafe"


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_hundred_leases_share_one_pool_and_the_last_one_ends_it():
    """Pools are counted and not processes: on a busy machine a worker may be starting, or one in place of another."""
    before, files = settled_descendants(os.getpid()), open_files()
    leases = [open_sandbox("process") for _ in range(100)]
    assert all(lease.run(DOUBLE) == ANSWER for lease in leases)
    (pool,) = {lease.resource() for lease in leases}
    assert set(descendants(os.getpid())) > set(before)
    for lease in leases[:-1]:
        lease.close()
        lease.close()
    assert leases[-1].resource() is pool
    assert leases[-1].run(DOUBLE) == ANSWER
    with pytest.raises(SandboxError, match="closed"):
        leases[0].run(DOUBLE)
    leases[-1].close()
    with pytest.raises(SandboxError, match="closed"):
        pool.run(DOUBLE)
    assert settled_descendants(os.getpid()) == before
    assert open_files() == files


def test_the_host_may_have_a_default_timeout():
    """For its own sockets, not for programs that take longer."""
    socket.setdefaulttimeout(0.2)
    try:
        with closing(ProcessSandbox(1)) as sandbox:
            program = Program("import time", ("time.sleep(0.6) or 5",))
            assert [outcome.value for outcome in sandbox.run(program)] == [5]
    finally:
        socket.setdefaulttimeout(None)


@pytest.mark.parametrize("written", [True, False])
def test_a_worker_keeps_its_modules_compiled_where_its_host_does(tmp_path, written):
    """Its own modules and no others: what programs import is not written."""
    done = subprocess.run(
        [sys.executable, "-c", program(__file__, "compiled.txt")], cwd=tmp_path, capture_output=True, text=True,
        env=environment(PYTHONPYCACHEPREFIX="compiled", PYTHONDONTWRITEBYTECODE="" if written else "1"),
    )  # fmt: skip
    assert done.stdout == "[True]\n", done.stderr
    assert bool(list(tmp_path.glob("compiled/**/server.*.pyc"))) is written


STARTED = program(__file__, "started_at_import.txt")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_children_of_the_host_have_workers_of_their_own(method, tmp_path):
    script = tmp_path / "started.py"
    script.write_text(STARTED)
    result = subprocess.run(
        [sys.executable, "-W", "error", script, method], env=cage.environment(), capture_output=True, text=True,
        timeout=120,
    )  # fmt: skip
    assert result.stdout.split() == ["42"] * 5, result.stderr


def test_nothing_is_left_when_the_host_forgets_to_close_or_is_killed():
    code = program(__file__, "process_code.txt")
    for kill in (False, True):
        command = [sys.executable, "-c", code.replace("{kill}", str(kill))]
        result = subprocess.run(command, env=cage.environment(), capture_output=True, text=True)
        workers = json.loads(result.stdout)
        assert workers
        assert wait_until(lambda workers=workers: all(map(is_over, workers)))
