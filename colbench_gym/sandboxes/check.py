"""Containment of each sandbox on this machine, found out by attacking it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Literal

from colbench_gym.errors import ColBenchError
from colbench_gym.sandboxes import CallOutcome, Program, Sandbox
from colbench_gym.sandboxes.local_worker import CONTAINED
from colbench_gym.sandboxes.worker.selftest import AREAS

_BREACH = re.compile(rf"(?:^|[:;]\s*)({'|'.join(AREAS)}): ")
_TRIVIAL = Program("def double(x):\n    return 2 * x\n", ("double(21)",))


@dataclass(frozen=True)
class SandboxCheck:
    """One way to run programs on this machine.

    Attributes:
        sandbox: what ``--sandbox`` takes: process, docker or unsafe.
        way: how it contains programs; ``process`` takes the first one that works.
        state: ``contained``, ``not contained`` (it runs programs, and says itself that it protects nothing), or
            ``refused`` (it does not run here, or something got through its self-test).
        contains: the areas that the self-test attacked in vain; of AREAS.
        open: the areas in which an attack got through, or that nothing protects.
        text: what the sandbox says of itself, or why it refuses.
    """

    sandbox: Literal["process", "docker", "unsafe"]
    way: str
    state: Literal["contained", "not contained", "refused"]
    contains: tuple[str, ...]
    open: tuple[str, ...]
    text: str


def check_sandboxes() -> Iterator[SandboxCheck]:
    """Start each sandbox in each of its ways, attack it, and say what held; a second or two each."""
    from colbench_gym.sandboxes.process import ProcessSandbox

    for way in CONTAINED:
        yield _check("process", way, partial(ProcessSandbox, 1, way))
    yield _check("docker", "container", _docker)
    yield _check("unsafe", "resource limits only", partial(ProcessSandbox, 1, "none"))


def _docker() -> Sandbox:
    from colbench_gym.sandboxes.docker import DockerSandbox

    return DockerSandbox(workers=1)


def _check(name: Literal["process", "docker", "unsafe"], way: str, start: Callable[[], Sandbox]) -> SandboxCheck:
    """Start it: workers attack themselves before they say that they are ready. Then run a program, which must work."""
    try:
        sandbox = start()
    except ColBenchError as error:
        got_through = tuple(dict.fromkeys(_BREACH.findall(str(error))))
        return SandboxCheck(name, way, "refused", (), got_through, str(error))
    try:
        outcomes = sandbox.run(_TRIVIAL)
        text = str(getattr(sandbox, "isolation", "") or way)
    except ColBenchError as error:
        return SandboxCheck(name, way, "refused", (), (), str(error))
    finally:
        sandbox.close()
    if outcomes != (CallOutcome("returned", 42),):
        return SandboxCheck(name, way, "refused", (), (), f"a trivial program ended as {outcomes[0].status}")
    if name == "unsafe":
        return SandboxCheck(
            name, way, "not contained", (), AREAS, "limits on time, memory and output, and nothing else"
        )
    return SandboxCheck(name, way, "contained", AREAS, (), text)
