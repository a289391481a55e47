"""Generate many tasks and check each of them in full; print tasks per second for both.

The full check of a task, through the real sandbox and grader: ten different calls; the reference scores 1.0; every
change of a single hidden choice scores below 1.0; nothing hidden stands in the description; and the health check finds
nothing (the reference wins under ``paper`` too). Over all tasks: no two are equal, and no member of a family is in two
splits.

    python benchmarks/generated_tasks.py [--tasks 20000] [--split test] [--processes 2]
"""

from __future__ import annotations

import contextlib
import os
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import tyro

from colbench_gym.curation.program_checks import check_tasks
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.graders.unit_tests.comparison import same_value
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.sandboxes import Program, Sandbox, open_sandbox
from colbench_gym.tasks import SPLITS, BackendTask
from colbench_gym.tasks.generated_backend.families.grammar import Value, literal
from colbench_gym.tasks.generated_backend.families.task_set import FAMILIES, FamilyTasks, Member

CHUNK = 200  # tasks handed to a process at once; a sandbox is opened for each

T = TypeVar("T")


@dataclass(frozen=True)
class Benchmark:
    """What to generate.

    Attributes:
        tasks: how many.
        split: train, validation or test.
        sandbox: where references and their changes run.
        processes: how many tasks are worked on at once.
    """

    tasks: int = 20_000
    split: str = "test"
    sandbox: str = "process"
    processes: int = os.cpu_count() or 1


@dataclass(frozen=True)
class Checked:
    """What the full check of one task found.

    Attributes:
        text: all that makes the task what it is; equal tasks have equal texts.
        changes: how many changes of a single choice were graded.
        faults: what is wrong with it; empty for a good task.
    """

    text: str
    changes: int
    faults: tuple[str, ...]


class Clock:
    """Wall time, and CPU time of all processes, since it was made."""

    def __init__(self, benchmark: Benchmark) -> None:
        self._benchmark = benchmark
        self._wall, self._cpu = time.perf_counter(), self._used()

    @staticmethod
    def _used() -> float:
        usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(each.ru_utime + each.ru_stime for each in usage)

    def speed(self) -> str:
        """Tasks per second as it was, and as it would be if nothing else ran."""
        tasks, cores = self._benchmark.tasks, self._benchmark.processes
        wall, cpu = time.perf_counter() - self._wall, self._used() - self._cpu
        idle = f"{cores * tasks / cpu:.0f} tasks/s on {cores} idle cores"
        return f"{tasks / wall:.0f} tasks/s ({1000 * cpu / tasks:.1f} ms of CPU a task, which is {idle})"


def generate(split: str, start: int, end: int) -> int:
    """Generate tasks; how many."""
    tasks = FamilyTasks(split)
    return sum(len(tasks.at(index).calls) == TESTS_PER_TASK for index in range(start, end))


def check(split: str, start: int, end: int, spec: str) -> list[Checked]:
    """Generate tasks and check them in full."""
    tasks = FamilyTasks(split)
    generated = [tasks.at(index) for index in range(start, end)]
    with contextlib.closing(open_sandbox(spec)) as sandbox:
        findings: dict[str, list[str]] = {}
        for finding in check_tasks(generated, sandbox, threads=1):
            findings.setdefault(finding.task_id, []).append(finding.text)
        return [
            check_one(tasks.member(index), task, sandbox, findings.get(task.task_id, []))
            for index, task in zip(range(start, end), generated, strict=True)
        ]


def check_one(member: Member, task: BackendTask, sandbox: Sandbox, findings: list[str]) -> Checked:
    """The full check of one task, of which the health check is done."""
    faults = list(findings)
    if len(set(task.calls)) != TESTS_PER_TASK:
        faults.append(f"{len(set(task.calls))} different calls")
    grader = UnitTestGrader(sandbox)
    score = grader.grade(task, task.reference).score
    if score != 1.0:
        faults.append(f"the reference scores {score}")
    faults += [f"{text!r} is in the description" for text in given_away(member, task)]
    wanted = [outcome.value for outcome in grader.expected(task)]
    changes, unseen = changes_that_win(member, task, wanted, sandbox)
    faults += [f"a change of {key} wins, or raises" for key in unseen]
    text = "\n".join((task.description, task.reference, *task.calls))
    return Checked(text, changes, tuple(f"{task.task_id}: {fault}" for fault in faults))


def given_away(member: Member, task: BackendTask) -> list[str]:
    """Hidden values and sentences that the description holds."""
    request, _, _ = task.description.partition(" The signature of the function is: ")
    tokens = set(re.findall(r"\w[\w.-]*\w|\w", request.lower()))
    values = [str(member.settings[choice.key]) for choice in member.family.choices if isinstance(choice, Value)]
    found = [value for value in values if value.lower() in tokens]
    return found + [says for d in task.decisions for says in d.says if says.lower() in request.lower()]


class _Parameter:
    """Stands for a value that the function gets as one more argument."""

    def __repr__(self) -> str:
        return "changed_value"


def changes_that_win(
    member: Member, task: BackendTask, wanted: list[object], sandbox: Sandbox
) -> tuple[int, list[str]]:
    """How many changes of a single choice there are, and the keys of those that lose no test in the sandbox, or raise.

    A change is lost as soon as one test fails. The switchable function says which test that should be; the sandbox
    runs the source text of the change on it, all changes of a task in one program. Changes that differ in a literal
    only share a function that gets the literal as an argument.
    """
    family, arguments = member.family, [call[len(member.name) + 1 : -1] for call in task.calls]
    given = [eval(f"({text},)") for text in arguments]  # plain data that we wrote
    source: dict[str, str] = {}
    calls, keys, failing = [], [], []
    for key, settings in member.changes():
        changed = family.member(settings)
        fails = next((i for i, value in enumerate(wanted) if changed(*given[i]) != value), 0)
        choice = next(choice for choice in family.choices if choice.key == key)
        shared = isinstance(choice, Value)
        name = f"change_{key}" if shared else f"change_{key}_{settings[key]}"
        if name not in source:
            text = family.source(name, {**settings, key: _Parameter()} if shared else settings)
            source[name] = text.replace(f"({family.parameters}):", f"({family.parameters}, changed_value):", 1)
        calls.append(f"{name}({arguments[fails]}, {literal(settings[key])})")
        keys.append(key)
        failing.append(fails)
    outcomes = sandbox.run(Program("\n".join(source.values()), tuple(calls)))
    ends = zip(keys, failing, outcomes, strict=True)
    return len(calls), [key for key, i, end in ends if end.status != "returned" or same_value(wanted[i], end.value)]


def in_parallel(work: Callable[..., T], benchmark: Benchmark, *more: str) -> Iterator[T]:
    """Results of chunks of tasks, in order, over several processes."""
    starts = range(0, benchmark.tasks, CHUNK)
    with ProcessPoolExecutor(benchmark.processes) as pool:
        jobs = [
            pool.submit(work, benchmark.split, start, min(start + CHUNK, benchmark.tasks), *more) for start in starts
        ]
        for job in jobs:
            yield job.result()


def main(benchmark: Benchmark) -> int:
    """Run both measurements; 1 when a task is not as it should be."""
    print(f"{len(FAMILIES)} families, {sum(f.size * f.surfaces for f in FAMILIES):,} distinct tasks")
    clock = Clock(benchmark)
    generated = sum(in_parallel(generate, benchmark))
    print(f"generated {generated} tasks of {benchmark.split}: {clock.speed()}")

    clock = Clock(benchmark)
    texts: Counter[str] = Counter()
    faults: list[str] = []
    changes = 0
    for chunk in in_parallel(check, benchmark, benchmark.sandbox):
        for checked in chunk:
            texts[checked.text] += 1
            changes += checked.changes
            faults += checked.faults
    print(f"checked {benchmark.tasks} tasks in full: {clock.speed()}")
    print(f"{changes} changes of a single choice graded, {changes / benchmark.tasks:.0f} a task")

    faults += [f"{count} equal tasks: {text[:80]!r}" for text, count in texts.items() if count > 1]
    owners: dict[tuple[int, int], str] = {}
    for split in SPLITS:
        tasks = FamilyTasks(split)
        for index in range(benchmark.tasks):
            member = tasks.member(index)
            if owners.setdefault((FAMILIES.index(member.family), member.number), split) != split:
                faults.append(f"{split}-{index} is in another split too")
    print("\n".join(faults[:20]) or "no two equal, no split shares a member, every check passed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
