"""Our isolated grading against the official way of working, in one run and as ratios.

The official way is a minimal version of our own: in one process, no isolation, for every answer and each of its tests
the reference and the answer are executed and compared under an alarm of one second. It is measured in one process and
in as many as there are cores. All ways grade the same answers (the references) in turns, several rounds of them, and
ratios are medians over rounds, so that a noisy machine disturbs all of them alike.

    python benchmarks/grading.py [--tasks FILE] [--sandbox process|docker|unsafe] [--answers N] [--rounds R]
        [--json FILE]
"""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import signal
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

import tyro
from harness import latency_in_words, print_table, take_turns, write_json

from colbench_gym import rules
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.sandboxes import Sandbox, open_sandbox
from colbench_gym.tasks import BackendTask, load_tasks

QUEUED_ANSWERS = 1000
QUEUED_THREADS = 64
CORES = os.cpu_count() or 1
WARM_UP = 30


@dataclass(frozen=True)
class Benchmark:
    """Settings of the measurement.

    Attributes:
        tasks: a task spec; the official tasks in COLBENCH_OFFICIAL_DATA where they are, else generated ones.
        sandbox: process, docker or unsafe.
        grading: strict or paper.
        answers: how many are graded per round and way.
        rounds: how often each way is measured.
        json: a file for all rounds.
    """

    tasks: str | None = None
    sandbox: str = "process"
    grading: str = "strict"
    answers: int = 600
    rounds: int = 5
    json: Path | None = None


def tasks_of(spec: str | None, count: int) -> list[BackendTask]:
    """The tasks to answer, repeated until there are enough."""
    official = Path(os.environ.get("COLBENCH_OFFICIAL_DATA", "")) / "backend_tasks.jsonl"
    found = load_tasks(spec or (official if official.is_file() else "generated"))
    distinct = [found.at(index) for index in range(min(count, found.size or count))]
    print(f"{len(distinct)} tasks of {found.spec}, {CORES} cores")
    usable = [task for task in distinct if isinstance(task, BackendTask)]
    return [usable[index % len(usable)] for index in range(count)]


def official_way(task: BackendTask) -> float:
    """Grade a task's reference as the official code does it: here, unprotected."""
    passed = 0
    for call in task.calls:
        wanted = value_of(task.reference, call)
        signal.setitimer(signal.ITIMER_REAL, rules.PAPER_WALL_S_PER_TEST)
        try:
            got = value_of(task.reference, call)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        with contextlib.suppress(ValueError):
            passed += bool(wanted is not None and wanted == got)
    return passed / len(task.calls)


def value_of(source: str, call: str) -> object:
    """Return what a call gives, None where it raises; nothing of what it prints is seen."""
    names: dict[str, object] = {}
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(source, {}, names)
            return eval(call, {}, names)
    except Exception:  # noqa: BLE001  as the official grader does
        return None


def prepare_official(folder: str) -> None:
    """Let alarms raise, and keep what references write and warn of away from here."""
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    os.chdir(folder)


def seconds(work: Callable[[], object]) -> float:
    """Return how long the work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def timed_grades(grader: UnitTestGrader, tasks: Sequence[BackendTask], threads: int) -> tuple[float, list[float]]:
    """Seconds for all answers, and for each of them from when its thread took it up."""

    def one(task: BackendTask) -> float:
        return seconds(lambda: grader.grade(task, task.reference))

    with ThreadPoolExecutor(threads) as executor:
        started = time.perf_counter()
        each = list(executor.map(one, tasks))
        return time.perf_counter() - started, each


def measure(benchmark: Benchmark, sandbox: Sandbox) -> None:
    """Measure all ways, print a table and latencies."""
    tasks = tasks_of(benchmark.tasks, benchmark.answers)
    grader = UnitTestGrader(sandbox, benchmark.grading)

    def rate(work: Callable[[], object]) -> float:
        return len(tasks) / seconds(work)

    def references_included() -> float:
        nonlocal grader
        grader = UnitTestGrader(sandbox, benchmark.grading)
        return references_known()

    def references_known() -> float:
        return len(tasks) / timed_grades(grader, tasks, 2 * CORES)[0]

    one, many = "official way, 1 process", f"official way, {CORES} processes"
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        pool = stack.enter_context(multiprocessing.get_context("fork").Pool(CORES, prepare_official, (folder,)))
        stack.callback(os.chdir, Path.cwd())
        prepare_official(folder)
        chunk = max(1, len(tasks) // (8 * CORES))
        ways = {
            one: lambda: rate(lambda: list(map(official_way, tasks))),
            many: lambda: rate(lambda: pool.map(official_way, tasks, chunk)),
            "ours, references included": references_included,
            "ours, references known": references_known,
        }
        measured = take_turns(ways, benchmark.rounds, "answers/s")
    print_table(f"All cores, {benchmark.sandbox}", list(measured.values()), [measured[one], measured[many]])
    write_json(benchmark.json, "grading", list(measured.values()), **asdict(benchmark))

    timed_grades(grader, tasks[:WARM_UP], 1)
    _, alone = timed_grades(grader, tasks, 1)
    queue = [tasks[index % len(tasks)] for index in range(QUEUED_ANSWERS)]
    took_s, queued = timed_grades(grader, queue, QUEUED_THREADS)
    print(f"latency, one answer at a time: {latency_in_words(alone)}")
    told = f"{latency_in_words(queued)}, {QUEUED_ANSWERS / took_s:.0f} answers/s"
    print(f"latency, {QUEUED_ANSWERS} answers from {QUEUED_THREADS} threads: {told}")


if __name__ == "__main__":
    chosen = tyro.cli(Benchmark, description=__doc__)
    with contextlib.closing(open_sandbox(chosen.sandbox)) as opened:
        measure(chosen, opened)
