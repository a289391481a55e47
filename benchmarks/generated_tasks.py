"""Generate many backend tasks and check each of them in full; print how many a second.

The full check of a task, through the real sandbox: ten different calls; the reference scores 1.0 under ``strict`` (what
it gives in the sandbox is what it gives here) and ``paper``; every other alternative of every matter that the program
has loses; every alternative of a matter that the person has no preference about wins; no open decision stands in the
request, which is read back into its plan, what it tells and what it points at; every argument is used; the health check
finds nothing. Over all tasks: no two descriptions are equal, no two tasks of one composition behave alike on each
other's calls, no two tasks are the same program but for its names, and no wording of another split comes again.

    python benchmarks/generated_tasks.py [--tasks 2000] [--split test] [--difficulty default] [--processes 2]
"""

from __future__ import annotations

import ast
import contextlib
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from hashlib import blake2b

import tyro

from colbench_gym.curation.program_checks import check_tasks
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend.drafts import Draft, draft
from colbench_gym.tasks.generated_backend.matters import Arguments
from colbench_gym.tasks.generated_backend.probes import Function, compiled, near, run
from colbench_gym.tasks.generated_backend.repeats import program
from colbench_gym.tasks.generated_backend.requests import pointed_in, read_request, told_in
from colbench_gym.tasks.generated_backend.shapes.registry import source
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

CHUNK = 100  # tasks handed to a process at once; a sandbox is opened for each, the health check looks at all of them


@dataclass(frozen=True)
class Benchmark:
    """Settings of the generation.

    Attributes:
        tasks: how many are checked.
        split: one of the five.
        difficulty: easy, medium, hard, or default for a mixture.
        sandbox: where references run.
        processes: how many tasks are worked on at once.
    """

    tasks: int = 2000
    split: str = "test"
    difficulty: str = "default"
    sandbox: str = "process"
    processes: int = os.cpu_count() or 1


@dataclass(frozen=True)
class Checked:
    """Findings of the full check of one task.

    Attributes:
        task: the task itself.
        wanted: what the reference gives here for its calls.
        variants: how many other functions the request could mean.
        faults: what is wrong with it.
    """

    task: BackendTask
    wanted: list[object]
    variants: int
    faults: tuple[str, ...]


def check(benchmark: Benchmark, start: int, end: int) -> list[Checked]:
    """Generate tasks and check them in full."""
    tasks = GeneratedBackendTasks(benchmark.split, benchmark.difficulty)
    checked: list[Checked] = []
    some = [check_one(tasks.member(index), tasks.at(index)) for index in range(start, end)]
    with contextlib.closing(open_sandbox(benchmark.sandbox)) as sandbox:
        grader = UnitTestGrader(sandbox)
        findings: dict[str, list[str]] = defaultdict(list)
        for finding in check_tasks([one.task for one in some], sandbox, threads=1):
            findings[finding.task_id].append(f"{finding.task_id}: {finding.kind}: {finding.text}")
        for one in some:
            faults = (*one.faults, *strict_faults(one, grader), *findings[one.task.task_id])
            checked.append(replace(one, faults=faults))
    return checked


def strict_faults(one: Checked, grader: UnitTestGrader) -> Iterator[str]:
    """Yield what is wrong when a reference does not win under ``strict``: it gives there what it gives here."""
    ends = zip(one.wanted, grader.expected(one.task), strict=True)
    passed = [end.status == "returned" and grader.grading.matches(value, end.value) for value, end in ends]
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
    return Checked(task, wanted, variants, found)


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


def in_parallel(benchmark: Benchmark) -> Iterator[list[Checked]]:
    """Yield the findings of chunks of tasks, in order, over several processes."""
    starts = range(0, benchmark.tasks, CHUNK)
    with ProcessPoolExecutor(benchmark.processes) as pool:
        yield from pool.map(partial(check, benchmark), starts, (min(n + CHUNK, benchmark.tasks) for n in starts))


class Taken:
    """Tasks of a split so far: no two the same program but for names, or alike in behaviour or words."""

    def __init__(self) -> None:
        self._known: set[bytes] = set()
        # By composition: the function of each task, its ten calls and what it returns for them.
        self._behaviours: dict[str, list[tuple[Function, Sequence[str], list[object]]]] = defaultdict(list)

    def has(self, member: Draft) -> bool:
        """Return whether a draft is the program of a task, or asks for one in the same words."""
        return not self._known.isdisjoint(_digests(member))

    def add(self, member: Draft, calls: Sequence[str], returned: list[object]) -> bool:
        """Add a task, unless it repeats another one of its composition; return whether it was added."""
        function, arguments = compiled(member.reference), arguments_in(calls)
        group = self._behaviours[f"{member.plan.shape} {member.plan.domain.key} {member.plan.number}"]
        for other, its_calls, its_values in group:
            if values_of(other, arguments) == returned and values_of(function, arguments_in(its_calls)) == its_values:
                return False
        group.append((function, calls, returned))
        self._known |= _digests(member)
        return True


def _digests(member: Draft) -> set[bytes]:
    return {blake2b(text.encode(), digest_size=12).digest() for text in (program(member), member.description)}


def main(benchmark: Benchmark) -> int:
    """Run all measurements; 1 when a task is not as it should be."""
    began = time.perf_counter()
    checked: list[Checked] = []
    for chunk in in_parallel(benchmark):
        checked += chunk
        print(f"{len(checked)} tasks checked by themselves", file=sys.stderr, flush=True)
    rate = benchmark.tasks / (time.perf_counter() - began)
    print(f"generated and checked {benchmark.tasks} tasks in full: {rate:.0f} tasks/s")
    variants = sum(one.variants for one in checked)
    print(f"{variants} other functions compared, {variants / benchmark.tasks:.0f} a task")
    faults = [fault for one in checked for fault in one.faults]
    taken, tasks = Taken(), GeneratedBackendTasks(benchmark.split, benchmark.difficulty)
    for index, one in enumerate(checked):
        member = tasks.member(index)
        if taken.has(member) or not taken.add(member, one.task.calls, one.wanted):
            faults.append(f"{one.task.task_id} repeats a task before it")
    texts = {one.task.description.partition(" The signature")[0] for one in checked}
    for split in SPLITS:
        if split != benchmark.split:
            others = (draft(split, benchmark.difficulty, index, 0) for index in range(benchmark.tasks))
            shared = texts & {d.description.partition(" The signature")[0] for d in others if d is not None}
            faults += [f"a wording of {split} comes again: {text[:80]!r}" for text in shared]
    print("\n".join(faults[:40]) or "every check passed")
    print(f"{len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
