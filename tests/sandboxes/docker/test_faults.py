"""Containers that are killed, stopped, removed or forgotten, and an engine that restarts: never a score, nothing left."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from support.command import ROOT
from support.processes import wait_until
from support.tables import program

from colbench_gym.errors import SandboxError
from colbench_gym.sandboxes import CallOutcome, Program
from colbench_gym.sandboxes.docker import DockerSandbox, ensure_image
from colbench_gym.sandboxes.docker.owner import LABEL, Owner, make_folder, reap

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

SLOW = Program("import time\ndef f(x):\n    time.sleep(0.4)\n    return x\n", ("f(1)", "f(2)"))
RIGHT = (CallOutcome("returned", 1), CallOutcome("returned", 2))
ENGINE_SCRIPT = ROOT / ".ci" / "docker-engine"
ENGINE_STATE = Path("/run/colbench-docker-engine/pid")
GONE_S = 30.0


@pytest.fixture
def opened(client):
    """Opens sandboxes, and closes them at the end of the test."""
    sandboxes = []

    def open_one(**options):
        sandboxes.append(DockerSandbox(**options))
        return sandboxes[-1]

    yield open_one
    for sandbox in sandboxes:
        sandbox.close()


def containers(client, owner=None):
    label = f"{LABEL}={owner.to_text()}" if owner else LABEL
    return [container["Id"] for container in client.api.containers(all=True, filters={"label": label})]


def owned_by(client, pid):
    found = client.api.containers(all=True, filters={"label": LABEL})
    owners = {container["Id"]: Owner.from_text(container["Labels"][LABEL]) for container in found}
    return [name for name, owner in owners.items() if owner is not None and owner.pid == pid]


@pytest.mark.parametrize("sockets", [True, False], ids=["sockets", "streams"])
@pytest.mark.parametrize("fault", ["kill", "stop", "remove_container"])
def test_a_container_that_ends_under_a_program_costs_a_retry(client, opened, fault, sockets):
    sandbox = opened(workers=2, sockets=sockets)
    owner = Owner.this_process()
    end = {"kill": {}, "stop": {"timeout": 0}, "remove_container": {"force": True}}
    with ThreadPoolExecutor(2) as threads:
        results = threads.map(sandbox.run, [SLOW, SLOW])
        assert wait_until(lambda: len(containers(client, owner)) >= 2, GONE_S)
        time.sleep(0.3)
        for container in containers(client, owner):
            getattr(client.api, fault)(container, **end[fault])
        assert list(results) == [RIGHT, RIGHT]
    sandbox.close()
    assert containers(client, owner) == []


def test_a_worker_that_is_killed_in_its_container_costs_a_retry(client, opened):
    sandbox = opened(workers=1)
    with ThreadPoolExecutor(1) as thread:
        result = thread.submit(sandbox.run, SLOW)
        time.sleep(0.3)
        for container in containers(client, Owner.this_process()):  # one for each kind of program that was started
            first, *others = ([int(cell) for cell in row[1:3]] for row in client.api.top(container)["Processes"])
            for pid, parent in others:
                if parent == first[0]:
                    os.kill(pid, signal.SIGKILL)
        assert result.result() == RIGHT
    sandbox.close()


def test_all_idle_containers_gone_is_one_fault(client, opened):
    sandbox = opened(workers=4)
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(sandbox.run, [SLOW] * 4)) == [RIGHT] * 4
    for container in containers(client, Owner.this_process()):
        client.api.remove_container(container, force=True)
    assert sandbox.run(SLOW) == RIGHT
    sandbox.close()


def test_an_image_that_is_gone_is_an_error_and_no_score(client, opened):
    sandbox = opened(workers=1)
    sandbox._engine = replace(sandbox._engine, image="colbench-gym-sandbox:none")
    for container in containers(client, Owner.this_process()):
        client.api.remove_container(container, force=True)
    with pytest.raises(SandboxError, match="3 workers failed"):
        sandbox.run(SLOW)
    sandbox.close()


def run_owner():
    """An owner of a sandbox that goes on until it is ended."""
    code = program(__file__, "docker_owner.txt")
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()
    return process


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_is_left_of_an_owner_that_is_ended(client, end):
    """Other tests may open and close containers meanwhile: only those of this owner are counted."""
    with run_owner() as process:
        started = owned_by(client, process.pid)
        process.send_signal(end)
        process.communicate()
    assert len(started) == 1
    assert wait_until(lambda: owned_by(client, process.pid) == [], GONE_S)
    DockerSandbox(workers=1).close()
    owners = [Owner.from_text(file.read_text()) for file in Path("/tmp").glob("colbench-docker-*/owner.json")]
    assert all(owner is not None and not owner.is_gone() for owner in owners)


def test_reaping_takes_what_has_no_owner_and_nothing_else(client, opened):
    alive = opened(workers=1)
    gone = replace(Owner.this_process(), pid=1 << 22, started="1")
    elsewhere = replace(Owner.this_process(), machine="another machine", pid=1 << 22)
    reaped, kept = (
        client.api.create_container(ensure_image(client), ["-c", "0"], labels={LABEL: owner.to_text()})["Id"]
        for owner in (gone, elsewhere)
    )
    folder = make_folder(gone)
    try:
        with run_owner() as other:
            neighbours = containers(client)
            reap(client)
            assert set(containers(client)) == set(neighbours) - {reaped}
            assert not folder.exists()
            assert alive.run(SLOW) == RIGHT
            other.kill()
            other.communicate()
    finally:
        alive.close()
        client.api.remove_container(kept, force=True)


def test_owners_are_told_apart():
    me = Owner.this_process()
    assert not me.is_gone()
    assert Owner.from_text(me.to_text()) == me
    assert replace(me, started="0").is_gone()
    assert replace(me, boot="of yesterday").is_gone()
    assert not replace(me, machine="another", boot="of yesterday").is_gone()
    assert not replace(me, pid_space="another", pid=1 << 22).is_gone()
    assert Owner.from_text("not ours") is None


def test_a_forked_child_leaves_the_parents_containers_alone(client, opened):
    sandbox = opened(workers=1)
    sandbox.run(SLOW)
    pid = os.fork()
    if pid == 0:
        sandbox.abandon_after_fork()
        os._exit(0)
    os.waitpid(pid, 0)
    assert sandbox.run(SLOW) == RIGHT
    sandbox.close()


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # of the docker package, which cannot connect
def test_the_engine_restarts_in_the_middle_of_a_thousand_gradings(client, opened):
    if not ENGINE_STATE.exists():
        pytest.skip("the Docker engine here was not started by .ci/docker-engine, which could restart it")
    sandbox = opened(workers=2)
    right = []
    adds = Program("def f(x):\n    return x + 1\n", ("f(1)", "f(2)"))
    restarted = threading.Event()

    def grade():
        for _ in range(500):
            right.append(sandbox.run(adds) == (CallOutcome("returned", 2), CallOutcome("returned", 3)))
        restarted.wait()
        right.append(sandbox.run(SLOW) == RIGHT)

    with ThreadPoolExecutor(2) as threads:
        graded = [threads.submit(grade) for _ in range(2)]
        subprocess.run([ENGINE_SCRIPT, "restart"], check=True, capture_output=True)
        restarted.set()
        for each in graded:
            each.result()
    assert len(right) == 1002
    assert all(right)
    sandbox.close()
    assert containers(client, Owner.this_process()) == []
    gc.collect()
