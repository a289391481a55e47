"""Faults of backend tasks: references that cannot be graded, tests that prove little, tasks that are there twice."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from colbench_gym import rules
from colbench_gym.concurrency import Progress, map_in_threads
from colbench_gym.curation.duplicates import duplicates
from colbench_gym.curation.findings import Finding, FindingKind, changed_tests, test_numbers
from colbench_gym.curation.program_traits import called, imports, may_hash, may_vary, stands_alone
from colbench_gym.curation.test_strength import alone, weak_tests, with_versions, wrong_versions
from colbench_gym.errors import TaskError
from colbench_gym.graders import Grade, TestOutcome
from colbench_gym.graders.unit_tests import METRIC, UnitTestGrader, grading_named
from colbench_gym.graders.unit_tests.comparison import same_value
from colbench_gym.graders.unit_tests.paper_rules import official_code, official_match, refused_word
from colbench_gym.sandboxes import CallOutcome, Program, Sandbox
from colbench_gym.tasks import BackendTask

HASH_SEEDS = (1, 2, 3)  # two sets of two items in one order by chance: 1 in 2 per seed
SLOW_SHARE = 0.5  # of the CPU limit of a test
_FAILURES: dict[str, tuple[FindingKind, str]] = {
    "raised": ("raises", "the reference raises {exception} on {tests}"),
    "timed_out": ("timed_out", "the reference times out on {tests}"),
    "killed": ("killed", "the reference ends its process on {tests}"),
    "unserialisable": ("not_data", "the reference returns something that is not plain data on {tests}"),
}
_SIGNATURE = re.compile(r"\bdef\s+(\w+)\s*\(")
# Says which exception a call raises; the message is left out, which may hold hidden values.
_WHICH_EXCEPTION = """
def which_exception(reference, call):
    space = {"__name__": "reference"}
    try:
        exec(compile(reference, "reference", "exec"), space)
        eval(call, space)
    except BaseException as e:
        return type(e).__name__
"""


def check_tasks(
    tasks: Iterable[BackendTask] | Mapping[str, Iterable[BackendTask]],
    sandbox: Sandbox,
    progress: Progress | None = None,
    *,
    threads: int | None = None,
) -> list[Finding]:
    """Check tasks by running their references, slightly wrong versions of them, and both again under other seeds.

    Args:
        tasks: the tasks, or several sets of them by name: duplicates between the sets are found too.
        sandbox: where references run.
        progress: called with how many tasks are done, and of how many.
        threads: how many tasks are checked at once; two per core by default.

    Returns:
        The findings in the order of the tasks.

    Raises:
        SandboxError: the sandbox failed.
    """
    sets = tasks if isinstance(tasks, Mapping) else {"": tasks}
    listed = [(source, task) for source, members in sets.items() for task in members]
    doubles = duplicates(listed)
    probe = _Probe(sandbox)

    def check(position: int) -> list[Finding]:
        source, task = listed[position]
        found = list(probe.findings(task))
        if position in doubles:
            found.append(doubles[position])
        return [replace(finding, source=source) for finding in found]

    results = map_in_threads(check, range(len(listed)), threads=threads, name="task-health", progress=progress)
    return [finding for _, findings in results for finding in findings]


def unwinnable(
    tasks: Iterable[BackendTask], sandbox: Sandbox, grading: str = "strict", progress: Progress | None = None
) -> list[Finding]:
    """Return the tasks that their own reference does not win, and why; at most one finding each.

    Raises:
        UnknownNameError: no such grading.
        SandboxError: the sandbox failed.
    """
    grader = UnitTestGrader(sandbox, grading)

    def check(task: BackendTask) -> list[Finding]:
        reasons = why_unwinnable(task, grader)
        kind: FindingKind = "unwinnable_under_paper" if grading == "paper" else "unwinnable"
        return [Finding(kind, task.task_id, "; ".join(reasons))] if reasons else []

    results = map_in_threads(check, list(tasks), name="task-health", progress=progress)
    return [finding for _, findings in results for finding in findings]


def why_unwinnable(task: BackendTask, grader: UnitTestGrader) -> list[str]:
    """Return why a task's own reference, as an answer, does not win under the grader; empty when it does."""
    try:
        grade = grader.grade(task, task.reference)
        if grade.success:
            return []
        wanted = grader.expected(task)
    except TaskError as e:
        return [str(e)]
    if grader.grading.name == "paper":
        return list(_paper_reasons(task, grade, wanted))
    failed = test_numbers(test for test, outcome in enumerate(grade.test_outcomes, start=1) if outcome != "passed")
    return [f"the reference does not give the same values twice ({failed}), though every seed is fixed"]


def _paper_reasons(task: BackendTask, grade: Grade, wanted: Sequence[CallOutcome]) -> Iterator[str]:
    word = refused_word(task.reference)
    if word is not None:
        yield (
            f"the reference contains {word!r}, for which the official grader refuses an answer unread; only an answer "
            "that gets by without the word can win"
        )
    elif official_code(task.reference) != task.reference:
        yield "the reference contains a code fence, at which the official grader cuts it"
    reasons: dict[str, list[int]] = {}
    for test, (end, outcome) in enumerate(zip(wanted, grade.test_outcomes, strict=True), start=1):
        reason = _paper_reason(end, outcome, refused=word is not None)
        if reason:
            reasons.setdefault(reason, []).append(test)
    for reason, tests in reasons.items():
        yield reason.format(test_numbers(tests))


def _paper_reason(wanted: CallOutcome, outcome: str, refused: bool) -> str:
    if outcome == "passed":
        return ""
    if wanted.status == "raised":
        return (
            "the reference raises under official scoping, where functions see neither helpers nor imports nor "
            "themselves, and what raises is never matched ({})"
        )
    if wanted.status == "unserialisable":
        return "the reference returns something that is equal only to itself ({})"
    if wanted.value is None:
        return "the reference returns None, which is never matched ({})"
    if not official_match(wanted.value, wanted.value):
        return "the reference returns what == never finds equal, such as NaN or an array ({})"
    if refused:
        return ""
    if outcome == "timed_out":
        return f"the reference takes longer than {rules.PAPER_WALL_S_PER_TEST:g} s ({{}})"
    if outcome == "wrong":
        return "the reference is random, and the official grader seeds nothing ({})"
    return "the reference fails as an answer ({})"


class _Probe:
    """Runs what can be found out about one task; thread-safe."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._strict = grading_named("strict").reference
        self._paper = UnitTestGrader(sandbox, "paper")
        self._lock = threading.Lock()
        self._importable: dict[str, bool] = {}

    def findings(self, task: BackendTask) -> Iterator[Finding]:
        """Everything that is wrong with the task itself."""
        signed = _SIGNATURE.findall(task.description)
        named = [*signed, *re.findall(r"\w+(?=[`(])" if signed else r"\w+", task.description)]
        wanted = called(task.calls)
        if wanted and wanted.isdisjoint(named):
            yield Finding("not_named", task.task_id, "the description does not name the function that the tests call")
        program = replace(self._strict, source=task.reference, calls=task.calls)
        half = replace(program.limits, cpu_s_per_call=SLOW_SHARE * program.limits.cpu_s_per_call)
        outcomes, ends = self._both(task, replace(program, limits=half))
        slow = [test for test, outcome in enumerate(outcomes, start=1) if outcome.status == "timed_out"]
        if slow:
            outcomes = self._sandbox.run(program)
        failures = list(self._failures(task, outcomes))
        yield from failures
        if failures:
            return
        if slow:
            share = f"{half.cpu_s_per_call:g} of {program.limits.cpu_s_per_call:g} seconds of CPU time"
            text = f"the reference needs more than {share} on {test_numbers(slow)}"
            yield Finding("slow", task.task_id, text)
        yield from self._seed_findings(task, program, outcomes)
        nothing = [test for test, outcome in enumerate(outcomes, start=1) if outcome.value is None]
        if nothing:
            yield Finding("returns_none", task.task_id, f"the reference returns None on {test_numbers(nothing)}")
        reasons = self._why_unwinnable_under_paper(task, outcomes, slow=bool(slow))
        if reasons:
            yield Finding("unwinnable_under_paper", task.task_id, "; ".join(reasons))
        yield from weak_tests(task, outcomes, ends if ends else self._versions(task, program))
        if len(outcomes) > 1 and all(same_value(outcome.value, outcomes[0].value) for outcome in outcomes[1:]):
            text = "every test expects the same value, so that an answer which ignores its arguments wins"
            yield Finding("constant_answer", task.task_id, text)

    def _both(self, task: BackendTask, program: Program) -> tuple[Sequence[CallOutcome], Sequence[CallOutcome]]:
        """Return how the calls of a reference end, and those of its versions where one run can do both."""
        if not wrong_versions(task) or not stands_alone(task.reference) or may_vary((task.reference, *task.calls)):
            return self._sandbox.run(program), ()
        ends = self._sandbox.run(with_versions(task, program))
        return ends[: len(task.calls)], ends[len(task.calls) :]

    def _versions(self, task: BackendTask, program: Program) -> Sequence[CallOutcome]:
        return self._sandbox.run(alone(task, program)) if wrong_versions(task) else ()

    def _why_unwinnable_under_paper(
        self, task: BackendTask, outcomes: Sequence[CallOutcome], *, slow: bool
    ) -> list[str]:
        """Return what :func:`why_unwinnable` does, without running a reference that cannot vary as an answer, too.

        One that the official way of running it cannot change gives the outcomes that are known.
        """
        reference = task.reference
        plain = refused_word(reference) is None and official_code(reference) == reference
        if slow or not plain or may_vary((reference, *task.calls)):
            return why_unwinnable(task, self._paper)
        try:
            wanted = outcomes if stands_alone(reference) else self._paper.expected(task)
        except TaskError as e:
            return [str(e)]
        matches = [end.status == "returned" and official_match(end.value, end.value) for end in wanted]
        tests: tuple[TestOutcome, ...] = tuple("passed" if match else "wrong" for match in matches)
        grade = Grade(sum(matches) / len(matches), all(matches), METRIC, tests)
        return [] if grade.success else list(_paper_reasons(task, grade, wanted))

    def _failures(self, task: BackendTask, outcomes: Sequence[CallOutcome]) -> Iterator[Finding]:
        tests: dict[str, list[int]] = {}
        for test, outcome in enumerate(outcomes, start=1):
            if outcome.status != "returned":
                tests.setdefault(outcome.status, []).append(test)
        for status, numbers in tests.items():
            kind, text = _FAILURES[status]
            if status != "raised":
                yield Finding(kind, task.task_id, text.format(tests=test_numbers(numbers)))
            elif missing := [name for name in imports(task.reference) if not self._can_import(name)]:
                names = ", ".join(missing)
                text = f"the reference imports what the sandbox lacks ({names}), so {test_numbers(numbers)} fail"
                yield Finding("missing_package", task.task_id, text)
            else:
                for exception, raising in self._exceptions(task, numbers).items():
                    yield Finding(kind, task.task_id, text.format(exception=exception, tests=test_numbers(raising)))

    def _exceptions(self, task: BackendTask, tests: Sequence[int]) -> dict[str, list[int]]:
        """Return the names of the exceptions that a reference raises, each with its tests."""
        calls = tuple(f"which_exception({task.reference!r}, {task.calls[test - 1]!r})" for test in tests)
        outcomes = self._sandbox.run(replace(self._strict, source=_WHICH_EXCEPTION, calls=calls))
        named: dict[str, list[int]] = {}
        for test, outcome in zip(tests, outcomes, strict=True):
            name = outcome.value if isinstance(outcome.value, str) else "an exception"
            named.setdefault(name, []).append(test)
        return named

    def _can_import(self, name: str) -> bool:
        with self._lock:
            known = self._importable.get(name)
        if known is None:
            (outcome,) = self._sandbox.run(Program(f"import {name}", ("True",), role="reference"))
            known = outcome.status == "returned"
            with self._lock:
                self._importable[name] = known
        return known

    def _seed_findings(self, task: BackendTask, program: Program, outcomes: Sequence[CallOutcome]) -> Iterator[Finding]:
        sources = (task.reference, *task.calls)
        if may_vary(sources):
            changed = changed_tests(outcomes, self._sandbox.run(replace(program, seed=1)))
            if changed:
                text = f"the reference is random or tells the time on {test_numbers(changed)}"
                yield Finding("random", task.task_id, text)
                return
        if may_hash(sources):
            reordered = [self._sandbox.run(replace(program, hash_seed=hash_seed)) for hash_seed in HASH_SEEDS]
            moved = sorted({test for again in reordered for test in changed_tests(outcomes, again)})
            if moved:
                text = f"what the reference returns depends on the order of a set or on hashes ({test_numbers(moved)})"
                yield Finding("set_order", task.task_id, text)
