"""Generate many tasks and check each of them in full; print tasks per second for both.

The full check of a task, through the real sandbox and grader: ten different calls; the reference scores 1.0 under
``strict`` and under ``paper``; every change of a single hidden choice scores below 1.0; nothing hidden stands in the
description. Over all tasks: no two are equal, and no member of a family is in two splits.

    python benchmarks/generated_tasks.py [--tasks 20000] [--split test] [--processes 2]
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import tyro

from colbench_gym.graders.comparison import same_value
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.rules import TESTS_PER_TASK
from colbench_gym.sandboxes import Program, Sandbox, open_sandbox
from colbench_gym.tasks import SPLITS, BackendTask
from colbench_gym.tasks.generated_backend import FAMILIES, GeneratedBackendTasks, Member
from colbench_gym.tasks.grammar import Value

CHUNK = 200  # tasks handed to a process at once; a sandbox is opened for each
CHANGES_PER_PROGRAM = 200

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


def generate(split: str, start: int, end: int) -> int:
    """Generate tasks; how many."""
    tasks = GeneratedBackendTasks(split)
    return sum(len(tasks.at(index).calls) == TESTS_PER_TASK for index in range(start, end))


def check(split: str, start: int, end: int, spec: str) -> list[Checked]:
    """Generate tasks and check them in full."""
    tasks = GeneratedBackendTasks(split)
    with contextlib.closing(open_sandbox(spec)) as sandbox:
        graders = UnitTestGrader(sandbox), UnitTestGrader(sandbox, "paper")
        return [check_one(tasks.member(index), tasks.at(index), sandbox, graders) for index in range(start, end)]


def check_one(
    member: Member, task: BackendTask, sandbox: Sandbox, graders: tuple[UnitTestGrader, UnitTestGrader]
) -> Checked:
    """The full check of one task."""
    faults = []
    if len(set(task.calls)) != TESTS_PER_TASK:
        faults.append(f"{len(set(task.calls))} different calls")
    for grader in graders:
        score = grader.grade(task, task.reference).score
        if score != 1.0:
            faults.append(f"the reference scores {score} under {grader.grading.name}")
    faults += [f"{text!r} is in the description" for text in given_away(member, task)]
    wanted = [outcome.value for outcome in graders[0].expected(task)]
    changes, unseen = changes_that_win(member, task, wanted, sandbox)
    faults += [f"a change of {key} wins" for key in unseen]
    text = "\n".join((task.description, task.reference, *task.calls))
    return Checked(text, changes, tuple(f"{task.task_id}: {fault}" for fault in faults))


def given_away(member: Member, task: BackendTask) -> list[str]:
    """Hidden values and sentences that the description holds."""
    request, _, _ = task.description.partition(" The signature of the function is: ")
    tokens = set(re.findall(r"\w[\w.-]*\w|\w", request.lower()))
    values = [str(member.settings[choice.key]) for choice in member.family.choices if isinstance(choice, Value)]
    found = [value for value in values if value.lower() in tokens]
    return found + [says for d in task.decisions for says in d.says if says.lower() in request.lower()]


def changes_that_win(
    member: Member, task: BackendTask, wanted: list[object], sandbox: Sandbox
) -> tuple[int, list[str]]:
    """How many changes of a single choice there are, and the keys of those that pass every test in the sandbox.

    A change is lost as soon as one test fails. The switchable function says which test that should be; the sandbox
    runs the source text of the change on it, many changes in one program.
    """
    arguments = [call[len(member.name) :] for call in task.calls]
    given = [eval(f"(lambda *given: given){text}") for text in arguments]  # plain data that we wrote
    changes = list(member.changes())
    winning = []
    for start in range(0, len(changes), CHANGES_PER_PROGRAM):
        part = changes[start : start + CHANGES_PER_PROGRAM]
        source, calls = [], []
        for number, (_, settings) in enumerate(part):
            changed = member.family.member(settings)
            fails = next((i for i, value in enumerate(wanted) if changed(*given[i]) != value), 0)
            source.append(member.family.source(f"change_{number}", settings))
            calls.append((fails, f"change_{number}{arguments[fails]}"))
        outcomes = sandbox.run(Program("\n".join(source), tuple(call for _, call in calls)))
        for (key, _), (fails, _), outcome in zip(part, calls, outcomes, strict=True):
            if outcome.status == "returned" and same_value(wanted[fails], outcome.value):
                winning.append(key)
    return len(changes), winning


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
    started = time.perf_counter()
    generated = sum(in_parallel(generate, benchmark))
    per_second = generated / (time.perf_counter() - started)
    print(
        f"generated {generated} tasks of {benchmark.split}: {per_second:.0f} tasks/s on {benchmark.processes} processes"
    )

    started = time.perf_counter()
    texts: Counter[str] = Counter()
    faults: list[str] = []
    changes = 0
    for chunk in in_parallel(check, benchmark, benchmark.sandbox):
        for checked in chunk:
            texts[checked.text] += 1
            changes += checked.changes
            faults += checked.faults
    per_second = benchmark.tasks / (time.perf_counter() - started)
    print(f"checked {benchmark.tasks} tasks in full: {per_second:.0f} tasks/s on {benchmark.processes} processes")
    print(f"{changes} changes of a single choice graded, {changes / benchmark.tasks:.0f} a task")

    faults += [f"{count} equal tasks: {text[:80]!r}" for text, count in texts.items() if count > 1]
    owners: dict[tuple[int, int], str] = {}
    for split in SPLITS:
        tasks = GeneratedBackendTasks(split)
        for index in range(benchmark.tasks):
            member = tasks.member(index)
            if owners.setdefault((FAMILIES.index(member.family), member.number), split) != split:
                faults.append(f"{split}-{index} is in another split too")
    print("\n".join(faults[:20]) or "no two equal, no split shares a member, every check passed")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
