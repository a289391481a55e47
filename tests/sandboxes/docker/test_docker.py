"""The docker sandbox runs programs as the process sandbox does, in containers that are closed, and leaves none behind."""

import gc
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from support.tables import program

from colbench_gym.errors import MissingExtraError, SandboxUnavailableError
from colbench_gym.sandboxes import CallOutcome, Limits, Program, open_sandbox
from colbench_gym.sandboxes.docker import DockerSandbox
from colbench_gym.sandboxes.docker import container as docker_worker
from colbench_gym.sandboxes.docker import image as docker_image
from colbench_gym.sandboxes.docker.owner import LABEL, Owner
from colbench_gym.testing import check_sandbox

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("docker_engine")]

DOUBLE = Program("def double(x):\n    return 2 * x\n", ("double(21)", "double('a')", "double(None)"))
DOUBLED = (CallOutcome("returned", 42), CallOutcome("returned", "aa"), CallOutcome("raised"))


@pytest.fixture(scope="module", params=["sockets", "streams"])
def sandbox(request, client):
    with closing(DockerSandbox(workers=2, sockets=request.param == "sockets")) as sandbox:
        yield sandbox


@pytest.fixture
def mine(client):
    """The containers of this process that a test made."""

    def listed():
        return client.api.containers(all=True, filters={"label": f"{LABEL}={Owner.this_process().to_text()}"})

    before = {container["Id"] for container in listed()}
    return lambda: [container for container in listed() if container["Id"] not in before]


def test_outcomes_are_data(sandbox):
    assert sandbox.run(DOUBLE) == DOUBLED
    assert "container" in sandbox.isolation
    assert "seccomp" in sandbox.isolation


@pytest.mark.parametrize("sockets", [True, False], ids=["sockets", "streams"])
def test_the_contract_of_a_sandbox(client, sockets):
    check_sandbox(DockerSandbox(workers=2, sockets=sockets))


def test_packages_can_be_imported(sandbox):
    program = Program(
        "import numpy, bs4\ndef f(n): return numpy.arange(n), bs4.BeautifulSoup('<p>x', 'html.parser').p.text",
        ("f(3)",),
    )
    ((array, text),) = [outcome.value for outcome in sandbox.run(program)]
    assert np.array_equal(array, [0, 1, 2])
    assert text == "x"


def test_long_answers_and_results_get_through(sandbox):
    program = Program("x = 1\n" * 30_000 + "def f(n): return 'x' * n", ("f(1_000_000)", "f(2_000_000)"))
    outcomes = sandbox.run(program)
    assert outcomes[0].value == "x" * 1_000_000
    assert outcomes[1].status == "unserialisable"


def test_limits_hold(sandbox):
    program = Program("import time\ndef loop():\n    while True: pass\n", ("loop()", "time.sleep(9)", "1"))
    limits = Limits(cpu_s_per_call=0.2, wall_s_per_call=0.5)
    outcomes = sandbox.run(Program(program.source, program.calls, limits=limits))
    assert [outcome.status for outcome in outcomes] == ["timed_out", "timed_out", "returned"]


def test_a_flood_does_not_stop_the_next_program(sandbox):
    source = "import os\ndef f():\n    for fd in range(64):\n        try:\n            os.write(fd, b'x' * 10**7)\n        except OSError: pass\n"
    outcomes = sandbox.run(Program(source, ("f()",)))
    assert outcomes == (CallOutcome("returned"),)  # the connection was closed before it ran: there is nothing to flood
    assert sandbox.run(DOUBLE) == DOUBLED


def test_memory_beyond_the_container_is_the_programs_failure(sandbox):
    limits = Limits(cpu_s_per_call=10, wall_s_per_call=10, memory_bytes=2 << 30)
    program = Program("def f(): return len(b'x' * (1 << 30))", ("f()", "1"), limits=limits)
    assert [outcome.status for outcome in sandbox.run(program)] == ["killed", "returned"]
    assert sandbox.run(DOUBLE) == DOUBLED


def test_a_full_disk_is_the_programs_failure(sandbox):
    source = "def fill(n):\n    with open(str(n), 'wb') as file:\n        file.write(b'x' * (15 << 20))\n    return n"
    outcomes = sandbox.run(Program(source, ("fill(1)", "fill(2)")))
    assert [outcome.status for outcome in outcomes] == ["returned", "raised"]
    assert sandbox.run(Program(source, ("fill(3)",))) == (CallOutcome("returned", 3),)


def test_containers_are_closed(client, mine):
    with closing(DockerSandbox(workers=1)):
        (container,) = mine()
        detail = client.api.inspect_container(container["Id"])
        host, limits = detail["HostConfig"], {"PidsLimit": docker_worker.MAX_PROCESSES}
        limits |= dict.fromkeys(("Memory", "MemorySwap"), docker_worker.MEMORY_BYTES)
        wanted = {**json.loads(program(__file__, "closed_container.json")), **limits}
        assert {name: host[name] for name in wanted} == wanted
        assert detail["Config"]["User"] == "65534:65534"
        assert {mount["Destination"] for mount in detail["Mounts"]} <= {"/run/colbench"}
        assert "noexec" in host["Tmpfs"]["/scratch"]
        assert not [entry for entry in detail["Config"]["Env"] if "KEY" in entry or "TOKEN" in entry]


def test_references_and_answers_run_in_different_containers(client, mine):
    with closing(DockerSandbox(workers=1)) as sandbox:
        sandbox.run(DOUBLE)
        assert len(mine()) == 1
        sandbox.run(Program(DOUBLE.source, DOUBLE.calls, role="reference"))
        assert len(mine()) == 2


@pytest.mark.parametrize("sockets", [True, False], ids=["sockets", "streams"])
def test_no_process_in_a_container_can_look_into_another(client, mine, sockets):
    with closing(DockerSandbox(workers=1, sockets=sockets)) as sandbox:
        sandbox.run(DOUBLE)
        (container,) = mine()
        for row in client.api.top(container["Id"])["Processes"]:
            memory = Path(f"/proc/{row[1]}/mem")
            if not memory.exists():
                pytest.skip("the containers' processes cannot be seen from here")
            assert memory.stat().st_uid == 0, row  # the kernel's sign that it is closed to its own user


def test_close_leaves_nothing(client, mine):
    sandbox = DockerSandbox(workers=2)
    folder = sandbox._folder
    with ThreadPoolExecutor(6) as threads:
        assert list(threads.map(sandbox.run, [DOUBLE] * 6)) == [DOUBLED] * 6
    assert 1 <= len(mine()) <= 2
    sandbox.close()
    sandbox.close()
    assert mine() == []
    assert folder is None or not folder.exists()


def test_a_hundred_leases_share_one_pool(client, mine):
    leases = [open_sandbox("docker") for _ in range(100)]
    try:
        for lease in leases:
            assert lease.run(DOUBLE) == DOUBLED
        assert len(mine()) <= 2
    finally:
        for lease in leases:
            lease.close()
    assert mine() == []


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")  # of the docker package, which cannot connect
def test_no_engine_is_said(monkeypatch):
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere/docker.sock")
    with pytest.raises(SandboxUnavailableError, match="no Docker engine answers at unix:///nowhere"):
        DockerSandbox()
    gc.collect()


def test_missing_package_names_the_pip_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "docker", None)  # as if it were not installed
    with pytest.raises(MissingExtraError, match=r'pip install "colbench-gym\[docker\]"'):
        DockerSandbox()


def test_unknown_runtime_is_said(client, mine):
    with pytest.raises(SandboxUnavailableError, match="no-such-runtime"):
        DockerSandbox(workers=1, runtime="no-such-runtime")
    assert mine() == []


def test_image_name_follows_what_is_in_it():
    assert docker_image.image_name() == docker_image.image_name()
    assert docker_image.image_name().startswith(f"{docker_image.REPOSITORY}:")


def test_image_holds_no_packages_but_those_for_programs(sandbox):
    calls = ("__import__('numpy') is None", "__import__('gymnasium')", "__import__('colbench_gym')")
    assert [outcome.status for outcome in sandbox.run(Program("", calls))] == ["returned", "raised", "raised"]
