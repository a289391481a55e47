"""Strength of tests: mutants of the reference should fail some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from colbench_gym.curation.findings import Finding, changed_tests
from colbench_gym.sandboxes import CallOutcome, Limits, Program
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.mutants import Mutant, mutants

MUTANTS = 8  # per task
MIN_MUTANTS = 3  # fewer say nothing about the tests
WEAK_SHARE = 0.5  # of the mutants; among them are always some that are no mistake at all
_MUTANT_LIMITS = Limits(cpu_s_per_call=0.25, wall_s_per_call=2.0)  # for all tests; one that hangs has failed


def weak_tests(task: BackendTask, outcomes: Sequence[CallOutcome], ends: Sequence[CallOutcome]) -> Iterator[Finding]:
    """Return at most one finding: that many slightly wrong versions of the reference pass every test.

    Args:
        task: whose tests.
        outcomes: what its reference gave.
        ends: what the calls of :func:`with_versions` gave, without those of the task.
    """
    found = wrong_versions(task)
    survivors = _survivors(found, outcomes, ends)
    if survivors and len(survivors) >= WEAK_SHARE * len(found):
        lines = ", ".join(f"{mutant.kind} on line {mutant.line}" for mutant in survivors)
        who = "no test fails any" if len(survivors) == len(found) else f"{len(survivors)} pass every test"
        yield Finding(
            "weak_tests", task.task_id,
            f"of {len(found)} wrong versions of the reference {who} (changed: {lines})",
        )  # fmt: skip


def wrong_versions(task: BackendTask) -> tuple[Mutant, ...]:
    """Return slightly wrong versions of a reference; none when there are too few to tell."""
    found = mutants(task.reference, MUTANTS)
    return found if len(found) >= MIN_MUTANTS else ()


def with_versions(task: BackendTask, program: Program) -> Program:
    """Return the program of a reference with one more call for itself and for each wrong version.

    Such a call evaluates every test, in a namespace of its own. It adds names to the reference's, so that one which
    reads other names than its own is to be run without it.
    """
    sources = [task.reference, *(mutant.source for mutant in wrong_versions(task))]
    together = _TOGETHER.format(sources=sources, calls=list(task.calls))
    calls = tuple(f"_values_of_version({index})" for index in range(len(sources)))
    return replace(program, source=f"{program.source}\n{together}", calls=(*program.calls, *calls))


def alone(task: BackendTask, program: Program) -> Program:
    """Return the program of :func:`with_versions` without the reference in front of it and without its calls."""
    return with_versions(task, replace(program, source="", calls=(), limits=_MUTANT_LIMITS))


def _survivors(found: Sequence[Mutant], outcomes: Sequence[CallOutcome], ends: Sequence[CallOutcome]) -> list[Mutant]:
    """Return the mutants that pass every test; none when the reference itself does not, in what time a mutant has."""
    wanted = CallOutcome("returned", [outcome.value for outcome in outcomes])
    if not found or changed_tests([wanted], ends[:1]):
        return []
    return [mutant for mutant, end in zip(found, ends[1:], strict=True) if not changed_tests([wanted], [end])]


# Evaluates every test in every version, each version in a namespace of its own.
_TOGETHER = """\
_versions = {sources!r}
_tests = [compile(call, "<test>", "eval") for call in {calls!r}]
def _values_of_version(index):
    space = {{"__name__": "answer"}}
    exec(compile(_versions[index], "<version>", "exec", dont_inherit=True), space)
    return [eval(test, space) for test in _tests]
"""
