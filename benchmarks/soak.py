"""Grade for a long time while workers are killed and answers are hostile: is anything lost, is anything wrong?

    python benchmarks/soak.py --sandbox process -n 20000 --hostile-share 0.02

First a quarter of the gradings run without faults and without hostile answers, to compare with. Then a share of the
answers, drawn at random, is replaced by hostile ones (of HOSTILE), which must score 0 and disturb no honest one.

Every ``--fault-every`` gradings one fault is injected: for ``process`` a worker (any process of it) is killed, or all
of them at once; for ``docker`` a container is killed, stopped or removed, or its worker is killed. Answers are
references (which score 1.0), wrong ones, ones that exit in the middle, and now and then one that takes its time. (One
that runs for seconds would be hit by fault after fault here; after three workers it is an error, as it should be.) The
table has a row for each tenth of the run; the exit status is 1 when a grade was lost or wrong, or something is left or
grew. Open files of docker: its client keeps up to 25 connections to the engine.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from harness import counts_in_words, descendants, latency_in_words, memory_bytes, wait_for_none

from colbench_gym.errors import SandboxError
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import BackendTask, load_tasks

TASKS = 50
CLEAN_PART = 4  # a fourth of the gradings
GROWTH_MB = 50.0  # of this process, from the second tenth to the last
ROWS = 10


@dataclass(frozen=True)
class Sample:
    """State at one moment."""

    gradings: int
    seconds: float
    own_mb: float
    processes: int
    descriptors: int


def hostile_answers() -> dict[str, str]:
    """Read the hostile answers by their names; those that forge what the worker writes have the code for it."""
    blocks = Path(__file__).with_name("hostile.txt").read_text("utf-8").split("== ")[1:]
    texts = {name: text for name, _, text in (block.partition("\n") for block in blocks)}
    forge = texts.pop("forge")
    nested = {"compiler": "x = " + "(" * 5000 + ")" * 5000 + "\n"}
    return {name: forge * ("forge(" in text) + text for name, text in texts.items()} | nested


HOSTILE = hostile_answers()


class ProcessFaults:
    """Kills of workers of the ``process`` sandbox."""

    def inject(self, rng: random.Random) -> str:
        workers = descendants(os.getpid())
        if not workers:
            return "no worker to kill"
        everything = rng.random() < 0.2
        for pid in workers if everything else [rng.choice(workers)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        return "all workers killed" if everything else "worker killed"

    def count(self) -> int:
        return len(descendants(os.getpid()))


class DockerFaults:
    """Ends of containers of the ``docker`` sandbox."""

    def __init__(self) -> None:
        from colbench_gym.sandboxes.docker import connect
        from colbench_gym.sandboxes.docker.owner import LABEL, Owner

        self.api = connect().api
        self.label = f"{LABEL}={Owner.this_process().to_text()}"

    def containers(self) -> list[str]:
        return [container["Id"] for container in self.api.containers(filters={"label": self.label})]

    def inject(self, rng: random.Random) -> str:
        from docker.errors import APIError

        containers = self.containers()
        if not containers:
            return "no container to end"
        container = rng.choice(containers)
        kinds: dict[str, Callable[[], object]] = {
            "container killed": lambda: self.api.kill(container),
            "container stopped": lambda: self.api.stop(container, timeout=0),
            "container removed": lambda: self.api.remove_container(container, force=True),
            "worker killed": lambda: os.kill(int(self.api.top(container)["Processes"][1][1]), signal.SIGKILL),
        }
        kind = rng.choice(sorted(kinds))
        try:
            kinds[kind]()
        except (APIError, ProcessLookupError, IndexError):
            return "too late: it was gone already"
        return kind

    def count(self) -> int:
        from docker.errors import APIError

        total = 0
        for container in self.containers():
            with contextlib.suppress(APIError):  # gone meanwhile
                total += len(self.api.top(container)["Processes"] or ())
        return total


def answer(task: BackendTask, number: int, hostile: str) -> tuple[str, float]:
    """Return an answer of the kind that this number has, or a hostile one, and the score that it must get."""
    if hostile:
        names = {call.partition("(")[0] for call in task.calls}
        return HOSTILE[hostile] + "".join(f"\ndef {name}(*a, **k): return ...\n" for name in names), 0.0
    if number % 1000 == 999:
        return f"import time\ntime.sleep(0.3)\n{task.reference}", 1.0
    if number % 10 == 7:
        return "def nothing(): return 1\n", 0.0
    if number % 10 == 8:
        return f"{task.reference}\nimport os\nos._exit(0)\n", 0.0
    return task.reference, 1.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--sandbox", choices=("process", "docker"), default="process")
    parser.add_argument("-n", "--gradings", type=int, default=20_000)
    parser.add_argument("--fault-every", type=int, default=200)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--hostile-share", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()

    rng = random.Random(options.seed)
    task_set = load_tasks("generated")
    tasks = [task for task in (task_set.at(index) for index in range(TASKS)) if isinstance(task, BackendTask)]
    results: Counter[str] = Counter()
    faults: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    samples: list[Sample] = []
    honest_s: dict[str, list[float]] = {"clean": [], "mixed": []}
    lock = threading.Lock()
    sandbox = open_sandbox(options.sandbox)
    grader = UnitTestGrader(sandbox)
    harm: ProcessFaults | DockerFaults = DockerFaults() if options.sandbox == "docker" else ProcessFaults()
    began = time.monotonic()

    def sample(gradings: int) -> Sample:
        own = memory_bytes() / 1e6
        return Sample(gradings, time.monotonic() - began, own, harm.count(), len(list(Path("/proc/self/fd").iterdir())))

    def grade(number: int, hostile: str = "", run: str = "mixed") -> None:
        task = tasks[number % len(tasks)]
        text, right = answer(task, number, hostile)
        started = time.monotonic()
        try:
            score = grader.grade(task, text).score
            verdict = "right" if score == right else f"wrong: {score} instead of {right} {hostile}"
        except SandboxError as error:
            verdict = f"infrastructure error: {hostile} {error}"
        with lock:
            if hostile:
                tried[hostile] += 1
            else:
                honest_s[run].append(time.monotonic() - started)
            if run == "clean":
                return
            results[verdict] += 1
            done = results.total()
            fault = done % options.fault_every == 0
            measured = done % max(1, options.gradings // ROWS) == 0
        if fault:
            faults[harm.inject(rng)] += 1
        if measured:
            samples.append(sample(done))

    drawn = random.Random(options.seed)
    kinds = [
        drawn.choice(sorted(HOSTILE)) if drawn.random() < options.hostile_share else "" for _ in range(options.gradings)
    ]
    with ThreadPoolExecutor(options.threads) as pool:
        list(pool.map(lambda number: grade(number, run="clean"), range(options.gradings // CLEAN_PART)))
        list(pool.map(grade, range(options.gradings), kinds))
    grader.close()
    sandbox.close()
    wait_for_none(harm.count)
    samples.append(sample(results.total()))

    print(f"{'gradings':>9} {'seconds':>8} {'own MB':>7} {'worker processes':>17} {'open files':>11}")
    for row in samples:
        print(f"{row.gradings:9} {row.seconds:8.1f} {row.own_mb:7.1f} {row.processes:17} {row.descriptors:11}")
    print(f"faults: {counts_in_words(faults)}")
    print(f"hostile: {tried.total()}, {counts_in_words(tried)}")
    for run, seconds in honest_s.items():
        print(f"honest answers, {run} run: {latency_in_words(seconds)}")
    print(f"gradings: {counts_in_words(results)}")
    steady = samples[1:-1]
    growth = steady[-1].own_mb - steady[0].own_mb if steady else 0.0
    problems = [
        f"{options.gradings - results.total()} lost" * (results.total() != options.gradings),
        f"{results.total() - results['right']} not right" * (results["right"] != results.total()),
        f"grew by {growth:.1f} MB" * (growth > GROWTH_MB),
        f"{samples[-1].processes} processes left" * (samples[-1].processes > 0),
    ]
    print("; ".join(filter(None, problems)) or f"nothing lost, nothing wrong, nothing left; {growth:+.1f} MB")
    return 1 if any(problems) else 0


if __name__ == "__main__":
    sys.exit(main())
