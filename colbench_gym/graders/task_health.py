"""What is wrong with tasks: references that cannot be graded, tests that prove little, tasks that are there twice."""

from __future__ import annotations

import ast
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Literal

from colbench_gym import rules
from colbench_gym.errors import TaskError
from colbench_gym.graders import Grade
from colbench_gym.graders.comparison import same_value
from colbench_gym.graders.mutants import Mutant, mutants
from colbench_gym.graders.paper_rules import official_code, official_match, refused_word
from colbench_gym.graders.unit_tests import UnitTestGrader, grading_named
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox
from colbench_gym.tasks import BackendTask

FindingKind = Literal[
    "raises",
    "timed_out",
    "killed",
    "not_data",
    "missing_package",
    "slow",
    "random",
    "set_order",
    "returns_none",
    "unwinnable",
    "unwinnable_under_paper",
    "weak_tests",
    "duplicate",
]

MUTANTS = 8  # per task
MIN_MUTANTS = 3  # fewer say nothing about the tests
WEAK_SHARE = 0.5  # of the mutants; among them are always some that are no mistake at all
HASH_SEEDS = (1, 2, 3)  # two sets of two items in one order by chance: 1 in 2 per seed
SLOW_SHARE = 0.5  # of the CPU limit of a test
_MUTANT_LIMITS = Limits(cpu_s_per_call=0.25, wall_s_per_call=1.0, total_wall_s=1.0)  # one that hangs has failed

_FAILURES: dict[str, tuple[FindingKind, str]] = {
    "raised": ("raises", "the reference raises an exception on {}"),
    "timed_out": ("timed_out", "the reference times out on {}"),
    "killed": ("killed", "the reference ends its process on {}"),
    "unserialisable": ("not_data", "the reference returns something that is not plain data on {}"),
}

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong with a task.

    Attributes:
        kind: what it is.
        task_id: which task.
        text: the same in words; names tests by their numbers, shows no hidden call or value.
        source: the task set it is in, when several were checked.
    """

    kind: FindingKind
    task_id: str
    text: str
    source: str = ""


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
    doubles = _duplicates(listed)
    probe = _Probe(sandbox)

    def check(position: int) -> list[Finding]:
        source, task = listed[position]
        found = [*probe.findings(task), *doubles.get(position, ())]
        return [replace(finding, source=source) for finding in found]

    found = list(_in_threads(check, range(len(listed)), progress, threads))
    return [finding for findings in found for finding in findings]


def unwinnable(
    tasks: Iterable[BackendTask],
    sandbox: Sandbox,
    grading: str = "strict",
    progress: Progress | None = None,
    *,
    threads: int | None = None,
) -> list[Finding]:
    """The tasks that their own reference does not win, and why; at most one finding each.

    Raises:
        UnknownNameError: no such grading.
        SandboxError: the sandbox failed.
    """
    grader = UnitTestGrader(sandbox, grading)

    def check(task: BackendTask) -> list[Finding]:
        reasons = why_unwinnable(task, grader)
        kind: FindingKind = "unwinnable_under_paper" if grading == "paper" else "unwinnable"
        return [Finding(kind, task.task_id, "; ".join(reasons))] if reasons else []

    found = list(_in_threads(check, list(tasks), progress, threads))
    return [finding for findings in found for finding in findings]


def why_unwinnable(task: BackendTask, grader: UnitTestGrader) -> list[str]:
    """Why a task's own reference, as an answer, does not win under the grader; empty when it does."""
    try:
        grade = grader.grade(task, task.reference)
        if grade.success:
            return []
        wanted = grader.expected(task)
    except TaskError as e:
        return [str(e)]
    if grader.grading.name == "paper":
        return list(_paper_reasons(task, grade, wanted))
    failed = _numbers(test for test, outcome in enumerate(grade.test_outcomes, start=1) if outcome != "passed")
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
        yield reason.format(_numbers(tests))


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
        program = replace(self._strict, source=task.reference, calls=task.calls)
        outcomes = self._sandbox.run(program)
        failures = list(self._failures(task, outcomes))
        yield from failures
        if failures:
            return
        yield from self._seed_findings(task, program, outcomes)
        nothing = [test for test, outcome in enumerate(outcomes, start=1) if outcome.value is None]
        if nothing:
            yield Finding("returns_none", task.task_id, f"the reference returns None on {_numbers(nothing)}")
        reasons = why_unwinnable(task, self._paper)
        if reasons:
            yield Finding("unwinnable_under_paper", task.task_id, "; ".join(reasons))
        yield from self._weak_tests(task, program, outcomes)

    def _failures(self, task: BackendTask, outcomes: Sequence[CallOutcome]) -> Iterator[Finding]:
        tests: dict[str, list[int]] = {}
        for test, outcome in enumerate(outcomes, start=1):
            if outcome.status != "returned":
                tests.setdefault(outcome.status, []).append(test)
        for status, numbers in tests.items():
            kind, text = _FAILURES[status]
            if status == "raised":
                missing = [name for name in _imports(task.reference) if not self._can_import(name)]
                if missing:
                    names = ", ".join(missing)
                    kind, text = (
                        "missing_package",
                        f"the reference imports what the sandbox lacks ({names}), so {{}} fail",
                    )
            yield Finding(kind, task.task_id, text.format(_numbers(numbers)))

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
        limits = replace(program.limits, cpu_s_per_call=SLOW_SHARE * program.limits.cpu_s_per_call)
        reseeded = self._sandbox.run(replace(program, seed=1, limits=limits))
        slow = [test for test, outcome in enumerate(reseeded, start=1) if outcome.status == "timed_out"]
        if slow:
            yield Finding(
                "slow", task.task_id,
                f"the reference needs more than {limits.cpu_s_per_call:g} of {program.limits.cpu_s_per_call:g} seconds "
                f"of CPU time on {_numbers(slow)}",
            )  # fmt: skip
        changed = [test for test in _changed(outcomes, reseeded) if test not in slow]
        if changed:
            yield Finding("random", task.task_id, f"the reference is random or tells the time on {_numbers(changed)}")
        elif _may_hash((task.reference, *task.calls)):
            reordered = [self._sandbox.run(replace(program, hash_seed=hash_seed)) for hash_seed in HASH_SEEDS]
            moved = sorted({test for again in reordered for test in _changed(outcomes, again)})
            if moved:
                yield Finding(
                    "set_order", task.task_id,
                    f"what the reference returns depends on the order of a set or on hashes ({_numbers(moved)})",
                )  # fmt: skip

    def _weak_tests(self, task: BackendTask, program: Program, outcomes: Sequence[CallOutcome]) -> Iterator[Finding]:
        found = mutants(task.reference, MUTANTS)
        survivors = self._survivors(found, program, outcomes) if len(found) >= MIN_MUTANTS else []
        if survivors and len(survivors) >= WEAK_SHARE * len(found):
            lines = ", ".join(f"{mutant.kind} on line {mutant.line}" for mutant in survivors)
            who = "no test fails any" if len(survivors) == len(found) else f"{len(survivors)} pass every test"
            yield Finding(
                "weak_tests", task.task_id,
                f"of {len(found)} wrong versions of the reference {who} (changed: {lines})",
            )  # fmt: skip

    def _survivors(self, waiting: Sequence[Mutant], program: Program, outcomes: Sequence[CallOutcome]) -> list[Mutant]:
        """The mutants that pass every test. They run together, those behind one that hangs once more without it."""
        survivors: list[Mutant] = []
        tests = len(outcomes)
        while waiting:
            ends = self._sandbox.run(_together((program.source, *(mutant.source for mutant in waiting)), program))
            if _changed(outcomes, ends[:tests]):
                break  # the reference itself needs longer than a mutant may take, or is random
            judged = 0
            for mutant in waiting:
                judged += 1
                own = ends[judged * tests : (judged + 1) * tests]
                if any(end.status in ("timed_out", "killed") for end in own):
                    break
                if not _changed(outcomes, own):
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


def _changed(first: Sequence[CallOutcome], second: Sequence[CallOutcome]) -> list[int]:
    """The tests, from 1, that did not end alike."""
    return [
        test
        for test, (a, b) in enumerate(zip(first, second, strict=True), start=1)
        if a.status != b.status or not same_value(a.value, b.value)
    ]


def _parsed(source: str) -> ast.Module | None:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(source: str) -> list[str]:
    """The top-level names of the modules that a program imports anywhere."""
    tree = _parsed(source)
    names: set[str] = set()
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return sorted(names)


_HASHING_NAMES = frozenset({"set", "frozenset", "hash", "id", "object", "keys", "items", "__import__"})


def _may_hash(sources: Iterable[str]) -> bool:
    """Whether any of the programs could depend on the hash seed; no is certain, yes is a guess."""
    for source in sources:
        tree = _parsed(source)
        for node in ast.walk(tree) if tree else ():
            if isinstance(node, (ast.Set, ast.SetComp, ast.Import, ast.ImportFrom)):
                return True
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            if name in _HASHING_NAMES:
                return True
    return tree is None if sources else False


def _duplicates(listed: Sequence[tuple[str, BackendTask]]) -> dict[int, tuple[Finding, ...]]:
    """Tasks whose reference is that of an earlier one, comments and layout aside; by position in the list."""
    first: dict[bytes, int] = {}
    found: dict[int, tuple[Finding, ...]] = {}
    for position, (source, task) in enumerate(listed):
        tree = _parsed(task.reference)
        text = ast.dump(tree) if tree else task.reference
        key = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        earlier = first.setdefault(key, position)
        if earlier != position:
            other_source, other = listed[earlier]
            where = "" if other_source == source else f" in {other_source}"
            what = "reference and tests" if other.calls == task.calls else "reference"
            text = f"the {what} are those of task {other.task_id!r}{where}"
            found[position] = (Finding("duplicate", task.task_id, text.replace("reference are", "reference is")),)
    return found


def _numbers(tests: Iterable[int]) -> str:
    """Test numbers in words: ``test 3``, ``tests 1, 4-7``."""
    listed = list(tests)
    runs: list[list[int]] = []
    for test in listed:
        if runs and test == runs[-1][-1] + 1:
            runs[-1].append(test)
        else:
            runs.append([test])
    text = ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
    return f"test{'s' if len(listed) != 1 else ''} {text}"


def _in_threads(
    work: Callable[..., list[Finding]], items: Sequence[object], progress: Progress | None, threads: int | None
) -> Iterator[list[Finding]]:
    """Do the work of all items in parallel; yield in their order."""
    with ThreadPoolExecutor(threads or 2 * (os.cpu_count() or 1), thread_name_prefix="task-health") as executor:
        try:
            for done, result in enumerate(executor.map(work, items), start=1):
                if progress is not None:
                    progress(done, len(items))
                yield result
        finally:
            executor.shutdown(wait=True, cancel_futures=True)
