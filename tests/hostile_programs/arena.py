"""Run the corpus against one sandbox, inside the cage: one line of JSON per attack on standard output.

``python -m hostile_programs.arena process root`` from the tests folder runs it by hand.
"""

import fnmatch
import io
import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from colbench_gym import BackendTask, SandboxError
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox

from . import ATTACKS, cage
from .attack import Attack
from .canaries import Canaries

LIMITS = Limits(cpu_s_per_call=0.2, wall_s_per_call=1.5, total_wall_s=3.0)
SHORT = replace(LIMITS, wall_s_per_call=0.4, total_wall_s=1.0)
BOUND_S = 60.0  # for one attack with all its parts; generous, as other things run on the machine
SETTLE_S = 5.0  # for what an attack left to be gone
TESTS = 10
MAX_SHOWN = 20_000  # values looked at

# The reference, and the honest answer too. No program can guess its values.
HONEST = """
import hashlib
SECRET = "@SECRET@ @REFERENCE@"
def solve(n):
    return hashlib.sha256(f"{SECRET}{n}".encode()).hexdigest()
"""


@dataclass(frozen=True)
class Result:
    """Outcome of one attack: ``problems`` is empty when it failed as it must; ``gain`` is what it boasted of."""

    id: str
    problems: tuple[str, ...]
    gain: str
    said: str
    seconds: float


class Watched:
    """A sandbox that keeps the outcomes of answers and runs them under the corpus's own limits."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.limits = LIMITS
        self.outcomes: list[CallOutcome] = []

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Run it, and keep what an answer returned."""
        if program.role == "reference":
            return self.sandbox.run(program)
        outcomes = self.sandbox.run(replace(program, limits=self.limits))
        self.outcomes += outcomes
        return outcomes

    def close(self) -> None:
        """Close the sandbox."""
        self.sandbox.close()


def open_sandboxes(kind: str) -> tuple[Sandbox, Sandbox]:
    """The sandbox under attack, with one worker, and one of somebody else on the same machine.

    ``process:landlock`` is ``process`` by one of its ways of containing programs.
    """
    if kind == "docker":
        from colbench_gym.sandboxes.docker import DockerSandbox

        return DockerSandbox(workers=1), DockerSandbox(workers=1)
    from colbench_gym.sandboxes.process import ProcessSandbox

    isolation = "none" if kind == "unsafe" else kind.partition(":")[2] or "strongest"
    return ProcessSandbox(workers=1, isolation=isolation), ProcessSandbox(workers=1, isolation=isolation)


class Arena:
    """The sandboxes, the graders and the canaries of one run."""

    def __init__(self, kind: str, canaries: Canaries) -> None:
        self.kind = kind
        self.canaries = canaries
        sandbox, self.beside = open_sandboxes(kind)
        self.watched = Watched(sandbox)
        self.grader = UnitTestGrader(self.watched)
        honest = HONEST.replace("@SECRET@", secrets.token_hex(8)).replace("@REFERENCE@", canaries.all["reference"])
        self.honest = honest
        self.task = BackendTask(
            task_id="corpus", description="", reference=honest, calls=tuple(f"solve({n})" for n in range(TESTS)),
            test_names=tuple(str(n) for n in range(TESTS)), hidden_information=honest,
        )  # fmt: skip
        self.few = {
            n: replace(self.task, calls=self.task.calls[:n], test_names=self.task.test_names[:n]) for n in range(1, 10)
        }
        self.few = {n: replace(task, task_id=f"corpus-{n}") for n, task in self.few.items()}
        for answer in (honest, "import numpy\n" + honest):
            self._honest(answer)
        self.beside.run(Program(honest, self.task.calls))
        self.calm = len(self.processes())

    def processes(self) -> list[str]:
        """The processes beside this one: in the cage, or in the containers."""
        if self.kind == "docker":
            return processes_in_containers()
        pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        return [_describe(pid) for pid in pids if pid != os.getpid()]

    def run(self, attack: Attack) -> Result:
        """Let one attack have its turn, and look at what is different afterwards."""
        began = time.monotonic()
        parts = attack.programs(self.canaries.places)
        self.watched.limits = SHORT if attack.short else LIMITS
        self.watched.outcomes.clear()
        problems: list[str] = []
        task = self.few.get(attack.calls, self.task)
        if "before" in parts:
            self._grade(task, parts["before"])
            self.watched.outcomes.clear()
        bystander = self._start_beside(parts["beside"]) if "beside" in parts else None
        scores = []
        for part in ("source", "then"):
            try:
                scores += [self._grade(task, parts[part])] if part in parts else []
            except SandboxError as error:
                problems.append(f"{part}: {error}")
        if bystander is not None:
            bystander.join()
        outcomes = list(self.watched.outcomes)
        try:
            self._honest(self.honest)
        except (AssertionError, SandboxError) as error:
            problems.append(str(error))
        if (seconds := time.monotonic() - began) > BOUND_S:
            problems.append(f"took {seconds:.0f} s")
        gain = self._gain(outcomes, scores)
        if gain:
            problems.append(f"succeeded: {gain}")
        problems += self.canaries.harm_done()
        if len(left := self._left_over()) > self.calm:
            problems.append(f"{len(left) - self.calm} processes are left: {left}")
            self.calm = len(left)
        return Result(attack.id, tuple(problems), gain, _said(outcomes), time.monotonic() - began)

    def _gain(self, outcomes: list[CallOutcome], scores: list[float]) -> str:
        text = _text_in([outcome.value for outcome in outcomes])
        seen = self.canaries.seen_in(text)
        if seen:
            return f"saw the canaries of {seen}"
        if "ESCAPED" in text:
            return text[text.index("ESCAPED") :][:300]
        return f"scored {scores}" if any(scores) else ""

    def _grade(self, task: BackendTask, answer: str) -> float:
        return self.grader.grade(task, answer).score

    def _honest(self, answer: str) -> None:
        self.watched.limits = Limits()
        grade = self.grader.grade(self.task, answer)
        assert grade.score == 1.0, f"the honest answer after it got {grade.score}: {grade.test_outcomes}"

    def _start_beside(self, source: str) -> threading.Thread:
        program = Program(source, self.task.calls[:2], limits=LIMITS)
        thread = threading.Thread(target=self.beside.run, args=(program,), daemon=True)
        thread.start()
        time.sleep(0.1)
        return thread

    def _left_over(self) -> list[str]:
        deadline = time.monotonic() + SETTLE_S
        while len(left := self.processes()) > self.calm and time.monotonic() < deadline:
            time.sleep(0.02)
        return left

    def close(self) -> None:
        """Close both sandboxes."""
        self.grader.close()
        self.watched.close()
        self.beside.close()


def _said(outcomes: list[CallOutcome]) -> str:
    """Return the outcome of an attack's first call."""
    if not outcomes:
        return ""
    return _text_in(outcomes[0].value)[:300] if outcomes[0].status == "returned" else outcomes[0].status


def _text_in(value: object) -> str:
    """Return what can be read in a value; of a large one the beginning, as showing it would take minutes."""
    pieces: list[str] = []
    waiting = [value]
    while waiting and len(pieces) < MAX_SHOWN:
        node = waiting.pop()
        if isinstance(node, (list, tuple, set, frozenset, deque)):
            waiting += [*node][:MAX_SHOWN][::-1]
        elif isinstance(node, dict):
            waiting += [part for item in [*node.items()][:MAX_SHOWN] for part in item][::-1]
        elif isinstance(node, np.ndarray):
            waiting.append(node.reshape(-1)[:10].tolist())
        elif isinstance(node, int):
            pieces.append(hex(node) if node.bit_length() > 10_000 else str(node))
        else:
            pieces.append(node if isinstance(node, str) else repr(node))
    return " ".join(pieces)[:1_000_000]


def processes_in_containers() -> list[str]:
    """The processes in the containers of this process."""
    from colbench_gym.sandboxes.docker import connect
    from colbench_gym.sandboxes.docker.owner import LABEL, Owner

    client = connect()
    try:
        mine = client.api.containers(filters={"label": f"{LABEL}={Owner.this_process().to_text()}"})
        return [" ".join(row) for container in mine for row in client.api.top(container["Id"])["Processes"]]
    finally:
        client.close()


def _describe(pid: int) -> str:
    try:
        with open(f"/proc/{pid}/stat") as stat, open(f"/proc/{pid}/cmdline") as command:
            state, parent = stat.read().rpartition(")")[2].split()[:2]
            return f"{pid} {state} of {parent}: {command.read()[:60]!r}"
    except OSError:
        return str(pid)


def fight(kind: str, patterns: list[str]) -> Iterator[Result]:
    """Run every attack whose id matches one of the patterns."""
    with Canaries() as canaries:
        arena = Arena(kind, canaries)
        try:
            control = Attack(
                "control", "Does nothing.", 'def attack():\n    return f"harmless {len(pids())}"', family="arena"
            )
            yield arena.run(control)
            for attack in ATTACKS:
                if any(fnmatch.fnmatch(attack.id, pattern) for pattern in patterns):
                    yield arena.run(attack)
        finally:
            arena.close()


def run_caged(kind: str, user: str, patterns: list[str]) -> tuple[dict[str, Result], str]:
    """Run the corpus in the cage: the results by attack, and what ended the arena if it did not come to its end.

    Raises:
        LookupError: this machine cannot build the cage for that user.
    """
    token = f"colbench-arena-{secrets.token_hex(4)}"
    caged = [] if kind == "docker" else cage.command(user, token)  # a container is such a cage itself
    words = [*caged, sys.executable, "-m", "hostile_programs.arena", "--caged", kind, *patterns]
    results: dict[str, Result] = {}
    errors: list[str] = []
    with subprocess.Popen(
        words, env=cage.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        reader = threading.Thread(target=lambda stream: errors.append(stream.read()), args=(process.stderr,))
        reader.start()
        for line in process.stdout:
            row = json.loads(line)
            results[row["id"]] = Result(**row | {"problems": tuple(row["problems"])})
        reader.join()
        status = process.wait()
    cage.remove_groups(token)
    return results, f"exit status {status}: {errors[0][-2000:]}" if status else ""


def main(words: list[str]) -> int:
    """Run by hand, or inside the cage."""
    if words[0] == "--caged":
        for result in fight(words[1], words[2:] or ["*"]):
            print(json.dumps(vars(result)), flush=True)
        return 0
    assert isinstance(sys.stdout, io.TextIOWrapper)
    sys.stdout.reconfigure(errors="backslashreplace")  # answers return lone surrogates
    results, problem = run_caged(words[0], words[1], words[2:] or ["*"])
    for result in sorted(results.values(), key=lambda r: -r.seconds):
        state = "SUCCEEDED" if result.gain else "PROBLEM" if result.problems else "ok"
        print(f"{state:9} {result.seconds:5.1f} s  {result.id:45} {'; '.join(result.problems) or result.said}"[:220])
    print(problem or f"{len(results)} attacks, {sum(bool(r.problems) for r in results.values())} with problems")
    return 1 if problem else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
