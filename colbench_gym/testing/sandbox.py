"""The contract of a Sandbox as checks that any implementation can run."""

from __future__ import annotations

import json
import math
import os
import secrets
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import resources
from pathlib import Path

from colbench_gym.errors import SandboxError
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox, Status

QUICK = Limits(cpu_s_per_call=0.4, wall_s_per_call=0.8, total_wall_s=10.0)
THREADS = 8
PLACES = (".", "/tmp", "/var/tmp", "/dev/shm")  # where programs may try to leave files

_BLOCKS = resources.files(__package__).joinpath("sandbox_programs.txt").read_text("utf-8").split("#### ")[1:]
_PROGRAMS = {name: source for name, _, source in (block.partition("\n") for block in _BLOCKS)}
HONEST, FAILING, STALLING = _PROGRAMS["honest"], _PROGRAMS["failing"], _PROGRAMS["stalling"]
LEAVING, FINDING, PRYING, GREEDY = (_PROGRAMS[name] for name in ("leaving", "finding", "prying", "greedy"))

HONEST_CALLS = {"double(21)": 42, "factorial(20)": math.factorial(20), "math.floor(2.5)": 2, "__name__": "answer"}

VALUES: tuple[object, ...] = (
    *(None, True, -3, 1 << 200, 2.5, float("inf"), 1 - 2j, "naïve \U0001f600", "\ud800", b"\x00\xff"),
    *([1, [2]], (1,), {"a": {2: (3,)}}, {1, 2}, frozenset({1}), range(3), {(1, 2): None}),
)

_TEXTS = json.loads(resources.files(__package__).joinpath("texts.json").read_text("utf-8"))
FAILURES: Mapping[str, Status] = _TEXTS["failing_calls"]


def check_sandbox(sandbox: Sandbox, *, contained: bool = True) -> None:
    """Run the contract of :class:`~colbench_gym.sandboxes.Sandbox` against ``sandbox``, and close it.

    Takes about ten seconds, most of it waiting for programs that have to be stopped.

    Args:
        sandbox: a live sandbox; it is closed at the end.
        contained: False leaves out what a sandbox for trusted programs does not promise: that files, the network,
            the environment and other processes are out of reach.

    Raises:
        AssertionError: what was promised and not kept, one line each.
    """
    problems = [
        f"{name}: {problem}" for name, found in broken_promises(sandbox, contained).items() for problem in found
    ]
    sandbox.close()
    sandbox.close()
    try:
        sandbox.run(Program("", ("1",)))
        problems.append("close: run() after close() returned; expected SandboxError")
    except SandboxError:
        pass
    assert not problems, "the sandbox breaks its contract:\n" + "\n".join(problems)


def broken_promises(sandbox: Sandbox, contained: bool = True) -> dict[str, list[str]]:
    """Return what ``sandbox`` promised and does not keep, by the part of the contract; see :func:`check_sandbox`."""
    checks = [_values, _modules, _failures, _stalls, _resources, _repeatable, _threads, _forgery]
    found = {check.__name__[1:]: list(check(sandbox)) for check in checks}
    found["traces"] = list(_traces(sandbox, PLACES if contained else PLACES[:1]))
    return {**found, "secrets": list(_secrets(sandbox))} if contained else found


def _expect(sandbox: Sandbox, program: Program, expected: list[CallOutcome]) -> Iterator[str]:
    for call, got, wanted in zip(program.calls, sandbox.run(program), expected, strict=True):
        if got.status != wanted.status or type(got.value) is not type(wanted.value) or got.value != wanted.value:
            yield f"{call[:60]} gave {got}, expected {wanted}"


def _status(sandbox: Sandbox, program: Program) -> list[str]:
    return [outcome.status for outcome in sandbox.run(program)]


def _values(sandbox: Sandbox) -> Iterator[str]:
    calls = tuple("float('inf')" if value == math.inf else repr(value) for value in VALUES)
    yield from _expect(sandbox, Program("", calls), [CallOutcome("returned", value) for value in VALUES])


def _modules(sandbox: Sandbox) -> Iterator[str]:
    program = Program(HONEST, tuple(HONEST_CALLS))
    yield from _expect(sandbox, program, [CallOutcome("returned", value) for value in HONEST_CALLS.values()])
    official = replace(program, scoping="official", calls=("double(21)", "FACTOR"))
    yield from _expect(sandbox, official, [CallOutcome("raised"), CallOutcome("returned", 2)])
    if sandbox.run(Program(HONEST, ())) != ():
        yield "a program without calls has outcomes"


def _failures(sandbox: Sandbox) -> Iterator[str]:
    wanted = [CallOutcome("returned", 1), *map(CallOutcome, FAILURES.values()), CallOutcome("returned", 2)]
    yield from _expect(sandbox, Program(FAILING, ("1", *FAILURES, "2")), wanted)
    for source in ("def f(:", "1 / 0", "raise SystemExit", "\x00", "import no_such_module"):
        if _status(sandbox, Program(source, ("1", "2"))) != ["raised", "raised"]:
            yield f"the source {source!r} does not make every call raise"


def _stalls(sandbox: Sandbox) -> Iterator[str]:
    program = Program(STALLING, ("1", "loop()", "sleep()", "big_integer()", "2"), limits=QUICK)
    began = time.monotonic()
    statuses = _status(sandbox, program)
    if statuses != ["returned", "timed_out", "timed_out", "timed_out", "returned"]:
        yield f"calls that stall gave {statuses}"
    short = replace(program, calls=("sleep()",) * 10, limits=replace(QUICK, total_wall_s=2.0))
    if _status(sandbox, short) != ["timed_out"] * 10:
        yield "ten sleeping calls did not all time out"
    if time.monotonic() - began > 30:
        yield f"stopping stalls took {time.monotonic() - began:.0f} s; the limits add up to less than 10"


def _resources(sandbox: Sandbox) -> Iterator[str]:
    calls = ("bytearray(10 ** 10)", "print('x' * 10 ** 7)", "sum([0] * 10 ** 6)", "list_of_lists()", "deep(0)", "3")
    statuses = _status(sandbox, Program(GREEDY, calls, limits=QUICK))
    if [status == "returned" for status in statuses] != [False, True, True, False, False, True]:
        yield f"memory, output and recursion bombs gave {statuses}"


def _repeatable(sandbox: Sandbox) -> Iterator[str]:
    calls = ("random.random()", "random.random()", "list({'a', 'b', 'c', 'd', 'e'})", "hash('a')")
    program = Program("import random", calls)
    first, second = sandbox.run(program), sandbox.run(replace(program, role="reference"))
    if first != second or first[0] != first[1]:
        yield f"randomness differs between calls or programs: {first}, {second}"


def _threads(sandbox: Sandbox) -> Iterator[str]:
    def run(number: int) -> bool:
        outcomes = sandbox.run(Program(f"N = {number}", ("N", "N + 1")))
        return [outcome.value for outcome in outcomes] == [number, number + 1]

    with ThreadPoolExecutor(THREADS) as threads:
        right = sum(threads.map(run, range(5 * THREADS)))
    if right != 5 * THREADS:
        yield f"{5 * THREADS - right} of {5 * THREADS} programs got another one's outcomes"


def _forgery(sandbox: Sandbox) -> Iterator[str]:
    for outcome in sandbox.run(Program(PRYING, ("forge()",) * 3)):
        if not isinstance(outcome, CallOutcome):
            yield f"garbage on its descriptors gave {outcome!r}"
    yield from _expect(sandbox, Program(HONEST, ("double(2)",)), [CallOutcome("returned", 4)])


def _traces(sandbox: Sandbox, places: tuple[str, ...]) -> Iterator[str]:
    for stay in (False, True):
        token = secrets.token_hex(8)
        program = Program(f"{LEAVING}\nstay = {stay}\n", (f"leave({token!r}, {places})",), limits=QUICK)
        halves = f"found({token[:8]!r}, {token[8:]!r})"  # or the call itself would be found
        with ThreadPoolExecutor(THREADS) as threads:  # all its workers
            list(threads.map(sandbox.run, [program, replace(program, role="reference")] * (os.cpu_count() or 1)))
            found = list(threads.map(sandbox.run, [Program(FINDING, (halves,))] * (os.cpu_count() or 1)))
        for (outcome,) in found:
            if outcome != CallOutcome("returned", []):
                yield f"programs that {'timed out' if stay else 'ended'} left traces: {outcome}"


def _secrets(sandbox: Sandbox) -> Iterator[str]:
    canary = secrets.token_hex(16)
    with (
        tempfile.NamedTemporaryFile("w", suffix=".canary") as file,
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        file.write(canary)
        file.flush()
        Path(file.name).chmod(0o644)
        abstract.bind("\0" + canary)
        abstract.listen(16)
        knocks: list[str] = []
        for listener, name in ((server, "the network"), (abstract, "an abstract socket")):
            threading.Thread(target=_listen, args=(listener, name, knocks), daemon=True).start()
        files = (file.name, str(Path(__file__)), "/etc/passwd", "/proc/1/environ")
        reached = (f"connect({server.getsockname()[1]})", f"knock({canary!r})", "parent_dies()")
        calls = (*(f"read({name!r})" for name in files), *reached)
        for call, outcome in zip(calls, sandbox.run(Program(PRYING, calls)), strict=True):
            if outcome.status == "returned":
                yield f"{call} got through"
        yield from (f"it reached {name}" for name in knocks)
    (outcome,) = sandbox.run(Program(PRYING, ("variables()",)))
    seen = outcome.value if isinstance(outcome.value, dict) else {}
    shared = {name for name, value in os.environ.items() if len(value) > 3 and seen.get(name) == value}
    yield from (f"the variable {name} is visible" for name in shared - {"LANG", "TZ"})
    yield from _expect(sandbox, Program(HONEST, ("double(2)",)), [CallOutcome("returned", 4)])


def _listen(listener: socket.socket, name: str, knocks: list[str]) -> None:
    try:
        listener.accept()[0].close()
        knocks.append(name)
    except OSError:
        pass  # closed, and nobody came
