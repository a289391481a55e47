"""Whether tests tell a right answer from slightly wrong ones: mutants of the reference should fail some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from colbench_gym.graders.findings import Finding, changed_tests
from colbench_gym.graders.mutants import Mutant, mutants
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox
from colbench_gym.tasks import BackendTask

MUTANTS = 8  # per task
MIN_MUTANTS = 3  # fewer say nothing about the tests
WEAK_SHARE = 0.5  # of the mutants; among them are always some that are no mistake at all
_MUTANT_LIMITS = Limits(cpu_s_per_call=0.25, wall_s_per_call=1.0, total_wall_s=1.0)  # one that hangs has failed


def weak_tests(
    task: BackendTask, program: Program, outcomes: Sequence[CallOutcome], sandbox: Sandbox
) -> Iterator[Finding]:
    """At most one finding: that many slightly wrong versions of the reference pass every test.

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
    waiting: Sequence[Mutant], program: Program, outcomes: Sequence[CallOutcome], sandbox: Sandbox
) -> list[Mutant]:
    """The mutants that pass every test. They run together, those behind one that hangs once more without it."""
    survivors: list[Mutant] = []
    tests = len(outcomes)
    while waiting:
        ends = sandbox.run(_together((program.source, *(mutant.source for mutant in waiting)), program))
        if changed_tests(outcomes, ends[:tests]):
            break  # the reference itself needs longer than a mutant may take, or is random
        judged = 0
        for mutant in waiting:
            judged += 1
            own = ends[judged * tests : (judged + 1) * tests]
            if any(end.status in ("timed_out", "killed") for end in own):
                break
            if not changed_tests(outcomes, own):
                survivors.append(mutant)
        waiting = waiting[judged:]
    return survivors


_TOGETHER = """\
spaces = []
for text in {texts!r}:
    space = {{"__name__": "answer"}}
    try:
        exec(compile(text, "<mutant>", "exec", dont_inherit=True), space)
    except Exception:
        space = {{}}
    spaces.append(space)
"""


def _together(sources: Sequence[str], program: Program) -> Program:
    """One program that evaluates every call in every source, each in a namespace of its own."""
    calls = tuple(f"eval({call!r}, spaces[{index}])" for index in range(len(sources)) for call in program.calls)
    return replace(program, source=_TOGETHER.format(texts=list(sources)), calls=calls, limits=_MUTANT_LIMITS)
