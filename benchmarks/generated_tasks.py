"""Generate many backend tasks and check each of them in full; print tasks per second for both.

The full check of a task, through the real sandbox: ten different calls; the reference scores 1.0 under ``strict`` (what
it gives in the sandbox is what it gives here) and ``paper``; every other alternative of every matter that the program
has loses; every alternative of a matter that the person has no preference about wins; no open decision stands in the
request, which is read back into its plan, what it tells and what it points at; every argument is used; the health check
finds nothing. Over all tasks: no two descriptions are equal, no two tasks of one composition behave alike on each
other's calls, no two tasks are the same program but for its names, and no wording of another split comes again. With
``--statistics`` the statistics of so many tasks of every split follow, backend and pages, beside those of the official
files.

    python benchmarks/generated_tasks.py [--tasks 2000] [--measured 2000] [--split test] [--difficulty default]
        [--processes 2] [--statistics 1000] [--official FILE.jsonl] [--official-pages FILE.jsonl]
"""

from __future__ import annotations

import ast
import contextlib
import os
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TypeVar

import tyro
from task_statistics import backend_columns, markdown, members_of, page_columns

from colbench_gym.curation.program_checks import check_tasks
from colbench_gym.graders.unit_tests import grading_named
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.sandboxes import CallOutcome, Program, Sandbox, open_sandbox
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend.drafts import Draft, draft
from colbench_gym.tasks.generated_backend.matters import Arguments
from colbench_gym.tasks.generated_backend.probes import Function, compiled, near, run
from colbench_gym.tasks.generated_backend.repeats import program
from colbench_gym.tasks.generated_backend.requests import pointed_in, read_request, told_in
from colbench_gym.tasks.generated_backend.shapes.registry import source
from colbench_gym.tasks.generated_backend.task_set import ATTEMPTS, GeneratedBackendTasks

CHUNK = 500  # tasks handed to a process at once; a sandbox is opened for each
FRESH = 7  # processes that give one task each
TOGETHER = 100  # tasks that the health check looks at together

T = TypeVar("T")


@dataclass(frozen=True)
class Benchmark:
    """Settings of the generation.

    Attributes:
        tasks: how many are checked.
        measured: how many of them, at most, are written and generated without a check, to say how many a second.
        split: one of the five.
        difficulty: easy, medium, hard, or default for a mixture.
        sandbox: where references run.
        processes: how many tasks are worked on at once.
        statistics: how many tasks of each split the statistics are of; none with 0.
        official: a file of official backend tasks, for the last column.
        official_pages: the same for pages.
    """

    tasks: int = 2000
    measured: int = 2000
    split: str = "test"
    difficulty: str = "default"
    sandbox: str = "process"
    processes: int = os.cpu_count() or 1
    statistics: int = 0
    official: Path | None = None
    official_pages: Path | None = None


@dataclass(frozen=True)
class Checked:
    """Findings of the full check of one task.

    Attributes:
        description: its request.
        composition: the plan without its words.
        program: the wanted function with plain names.
        task: the task itself.
        wanted: what the reference gives here for its calls.
        variants: how many other functions the request could mean.
        faults: what is wrong with it.
    """

    description: str
    composition: str
    program: str
    task: BackendTask
    wanted: list[object]
    variants: int
    faults: tuple[str, ...]


class Clock:
    """Wall and CPU time since it was made."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark
        self._wall, self._cpu = time.perf_counter(), self._used()

    @staticmethod
    def _used() -> float:
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(each.ru_utime + each.ru_stime for each in usage)

    def speed(self) -> str:
        """Return tasks per second as it was, and as it would be if nothing else ran."""
        tasks, cores = self._benchmark.tasks, self._benchmark.processes
        wall, cpu = time.perf_counter() - self._wall, self._used() - self._cpu
        idle = f"{cores * tasks / cpu:.0f} tasks/s on {cores} idle cores"
        return f"{tasks / wall:.0f} tasks/s ({1000 * cpu / tasks:.1f} ms of CPU a task, which is {idle})"


def write(split: str, difficulty: str, start: int, end: int) -> int:
    """Write requests, references and decisions without calls; return how many."""
    written = 0
    for index in range(start, end):
        drawn = next(d for attempt in range(ATTEMPTS) if (d := draft(split, difficulty, index, attempt)) is not None)
        written += bool(drawn.reference and drawn.decisions)
    return written


def generate(split: str, difficulty: str, start: int, end: int) -> int:
    """Generate whole tasks; return how many."""
    tasks = GeneratedBackendTasks(split, difficulty)
    return sum(len(tasks.at(index).calls) == TESTS_PER_TASK for index in range(start, end))


def check(split: str, difficulty: str, start: int, end: int, spec: str) -> list[Checked]:
    """Generate tasks and check them in full."""
    tasks = GeneratedBackendTasks(split, difficulty)
    checked: list[Checked] = []
    with contextlib.closing(open_sandbox(spec)) as sandbox:
        for first in range(start, end, TOGETHER):
            indices = range(first, min(first + TOGETHER, end))
            some = [check_one(tasks.member(index), tasks.at(index)) for index in indices]
            listening = Listening(sandbox)
            findings: dict[str, list[str]] = defaultdict(list)
            for finding in check_tasks([one.task for one in some], listening, threads=1):
                findings[finding.task_id].append(f"{finding.task_id}: {finding.kind}: {finding.text}")
            for one in some:
                faults = (*one.faults, *strict_faults(one, listening), *findings[one.task.task_id])
                checked.append(replace(one, faults=faults))
    return checked


class Listening:
    """A sandbox that keeps how the calls of references ended: the health check runs each of them first of all."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._ends: dict[tuple[str, ...], tuple[Program, tuple[CallOutcome, ...]]] = {}

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Run a program, and keep how its first calls ended."""
        ends = self._sandbox.run(program)
        self._ends.setdefault(program.calls[:TESTS_PER_TASK], (program, ends[:TESTS_PER_TASK]))
        return ends

    def close(self) -> None:
        """Leave the sandbox open: it is another's."""

    def ends_of(self, task: BackendTask) -> tuple[CallOutcome, ...]:
        """Return how the calls of a task ended, its reference run as ``strict`` runs it."""
        program, ends = self._ends[task.calls]
        strict = grading_named("strict").reference
        limits = replace(program.limits, cpu_s_per_call=strict.limits.cpu_s_per_call)  # half of it in the health check
        if program.source != task.reference and not program.source.startswith(f"{task.reference}\n"):
            raise ValueError(f"the calls of {task.task_id} ran with another program first")
        if replace(program, source="", calls=(), limits=limits) != strict:
            raise ValueError(f"the reference of {task.task_id} did not run as under strict: {program}")
        return ends


def strict_faults(one: Checked, listening: Listening) -> Iterator[str]:
    """Yield what is wrong when a reference does not win under ``strict``."""
    matches = grading_named("strict").matches
    ends = zip(one.wanted, listening.ends_of(one.task), strict=True)
    passed = [end.status == "returned" and matches(value, end.value) for value, end in ends]
    if not all(passed):
        yield f"{one.task.task_id}: the reference passes {sum(passed)} tests under strict"


def check_one(member: Draft, task: BackendTask) -> Checked:
    """Check one task in full, but for what runs in the sandbox: its reference under ``strict``, its health check."""
    faults = []
    if len(set(task.calls)) != TESTS_PER_TASK:
        faults.append(f"{len(set(task.calls))} different calls")
    calls = arguments_in(task.calls)
    wanted = values(calls, task.reference)
    plan = read_request(task.description)
    told = (member.plan.shape, member.plan.domain, member.plan.number, member.plan.names, member.plan.defaults)
    if plan is None or (plan.shape, plan.domain, plan.number, plan.names, plan.defaults) != told:
        faults.append("the request is not read back into its plan")
    text = task.description.partition(" The signature of the function is: ")[0]
    if told_in(text, member.matters) != {key: member.settings.get(key) for key in member.stated}:
        faults.append("the request is not read back into what it tells")
    if pointed_in(text, member.matters) != member.pointed:
        faults.append("the request is not read back into what it points at")
    names = {node.id for node in ast.walk(ast.parse(task.reference)) if isinstance(node, ast.Name)}
    faults += [f"{name} is never used" for name in member.plan.names.values() if name not in names]
    seen: dict[str, bool] = {}
    variants = 0
    for matter in member.matters:
        has = member.settings.get(matter.key)
        for option in matter.options:
            if option.code == has or (has is None and matter.off):
                continue
            other = source(member.plan, {**member.settings, matter.key: option.code})
            if other not in seen:
                seen[other] = all(map(near, values(calls, other), wanted))
            wins = seen[other]
            variants += 1
            if wins != (has is None):
                faults.append(f"{matter.key} as {option.code} {'wins' if wins else 'loses'}")
    found = tuple(f"{task.task_id}: {fault}" for fault in faults)
    return Checked(task.description, composition(member), program(member), task, wanted, variants, found)


def composition(member: Draft) -> str:
    """Return the plan of a task without its words."""
    return f"{member.plan.shape} {member.plan.domain.key} {member.plan.number}"


def arguments_in(calls: Sequence[str]) -> list[Arguments]:
    """Return the arguments of calls."""
    tuples = ", ".join(f"({call[call.index('(') + 1 : -1]},)" for call in calls)
    return list(eval(f"[{tuples}]"))  # plain data that we wrote


def values_of(function: Function, calls: Sequence[Arguments]) -> list[object]:
    """Return what a function gives for some calls."""
    return [run(function, arguments) for arguments in calls]


def values(calls: Sequence[Arguments], text: str) -> list[object]:
    """Return what a function of the grammar gives for some calls."""
    return values_of(compiled(text), calls)


def first_task() -> float:
    """Return the CPU seconds that a fresh process takes to import the package and give the first task; the median."""
    code = "import colbench_gym; colbench_gym.load_tasks('generated').at(0)"
    times = []
    for _ in range(FRESH):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return median(times)


def in_parallel(work: Callable[..., T], benchmark: Benchmark, *more: str) -> Iterator[T]:
    """Yield the results of chunks of tasks, in order, over several processes."""
    with ProcessPoolExecutor(benchmark.processes) as pool:
        jobs = [
            pool.submit(work, benchmark.split, benchmark.difficulty, start, min(start + CHUNK, benchmark.tasks), *more)
            for start in range(0, benchmark.tasks, CHUNK)
        ]
        for job in jobs:
            yield job.result()


def alike_in(checked: list[Checked]) -> Iterator[str]:
    """Yield tasks that are one program, and tasks of one composition that behave alike on each other's calls."""
    groups: dict[str, list[Checked]] = defaultdict(list)
    programs: dict[str, str] = {}
    for one in checked:
        groups[one.composition].append(one)
        first = programs.setdefault(one.program, one.task.task_id)
        if first != one.task.task_id:
            yield f"{first} and {one.task.task_id} are the same program"
    for group in groups.values():
        functions = [compiled(one.task.reference) for one in group]
        arguments = [arguments_in(one.task.calls) for one in group]
        for place, one in enumerate(group):
            for other in range(place):
                here = values_of(functions[other], arguments[place]) == one.wanted
                if here and values_of(functions[place], arguments[other]) == group[other].wanted:
                    yield f"{group[other].task.task_id} and {one.task.task_id} behave alike"


def main(benchmark: Benchmark) -> int:
    """Run all measurements; 1 when a task is not as it should be."""
    print(f"the first task of a fresh process takes {first_task():.2f} s of CPU, Python's own start included")
    for work, name in ((write, "wrote"), (generate, "generated")):
        some = replace(benchmark, tasks=min(benchmark.measured, benchmark.tasks))
        clock = Clock(some)
        number = sum(in_parallel(work, some))
        print(f"{name} {number} tasks of {benchmark.split} ({benchmark.difficulty}): {clock.speed()}")
    clock = Clock(benchmark)
    checked: list[Checked] = []
    for chunk in in_parallel(check, benchmark, benchmark.sandbox):
        checked += chunk
        found = [fault for one in chunk for fault in one.faults]
        print(*found, f"{len(checked)} tasks checked by themselves", sep="\n", file=sys.stderr, flush=True)
    print(f"checked {benchmark.tasks} tasks in full: {clock.speed()}")
    variants = sum(one.variants for one in checked)
    print(f"{variants} other functions compared, {variants / benchmark.tasks:.0f} a task")
    faults = [fault for one in checked for fault in one.faults]
    faults += [f"{n} equal: {text[:80]!r}" for text, n in Counter(one.description for one in checked).items() if n > 1]
    faults += alike_in(checked)
    texts = {one.description.partition(" The signature")[0] for one in checked}
    for split in SPLITS:
        if split != benchmark.split:
            others = (draft(split, benchmark.difficulty, index, 0) for index in range(benchmark.tasks))
            shared = texts & {d.description.partition(" The signature")[0] for d in others if d is not None}
            faults += [f"a wording of {split} comes again: {text[:80]!r}" for text in shared]
    if benchmark.statistics:
        members = {split: members_of(split, benchmark.statistics) for split in SPLITS}
        print("\n".join(markdown(backend_columns(members, benchmark.official))))
        print("\n".join(markdown(page_columns(benchmark.statistics, benchmark.official_pages))))
    print("\n".join(faults[:40]) or "every check passed")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
