"""Whether tests tell a right answer from slightly wrong ones: mutants of the reference should fail some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from colbench_gym.curation.findings import Finding, changed_tests
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox
from colbench_gym.tasks import BackendTask
from colbench_gym.tasks.mutants import Mutant, mutants

MUTANTS = 8  # per task
MIN_MUTANTS = 3  # fewer say nothing about the tests
WEAK_SHARE = 0.5  # of the mutants; among them are always some that are no mistake at all
_MUTANT_LIMITS = Limits(cpu_s_per_call=0.25, wall_s_per_call=2.0)  # for all tests; one that hangs has failed


def weak_tests(
    task: BackendTask, program: Program, outcomes: Sequence[CallOutcome], sandbox: Sandbox
) -> Iterator[Finding]:
    """Return at most one finding: that many slightly wrong versions of the reference pass every test.

    Args:
        task: whose tests.
        program: its reference, as a program.
        outcomes: what that gave.
        sandbox: where the wrong versions run.
    """
    found = mutants(task.reference, MUTANTS)
    survivors = _survivors(found, program, outcomes, sandbox) if len(found) >= MIN_MUTANTS else []
    if survivors and len(survivors) >= WEAK_SHARE * len(found):
        lines = ", ".join(f"{mutant.kind} on line {mutant.line}" for mutant in survivors)
        who = "no test fails any" if len(survivors) == len(found) else f"{len(survivors)} pass every test"
        yield Finding(
            "weak_tests", task.task_id,
            f"of {len(found)} wrong versions of the reference {who} (changed: {lines})",
        )  # fmt: skip


def _survivors(
    found: Sequence[Mutant], program: Program, outcomes: Sequence[CallOutcome], sandbox: Sandbox
) -> list[Mutant]:
    """Return the mutants that pass every test; none when the reference itself does not, in what time a mutant has."""
    sources = [program.source, *(mutant.source for mutant in found)]
    calls = tuple(f"values({index})" for index in range(len(sources)))
    together = _TOGETHER.format(sources=sources, calls=list(program.calls))
    own, *theirs = sandbox.run(replace(program, source=together, calls=calls, limits=_MUTANT_LIMITS))
    wanted = CallOutcome("returned", [outcome.value for outcome in outcomes])
    if changed_tests([wanted], [own]):
        return []
    return [mutant for mutant, end in zip(found, theirs, strict=True) if not changed_tests([wanted], [end])]


# One program that evaluates every test in every version, each version in a namespace of its own.
_TOGETHER = """\
sources = {sources!r}
tests = [compile(call, "<test>", "eval") for call in {calls!r}]
def values(index):
    space = {{"__name__": "answer"}}
    exec(compile(sources[index], "<mutant>", "exec", dont_inherit=True), space)
    return [eval(test, space) for test in tests]
"""
