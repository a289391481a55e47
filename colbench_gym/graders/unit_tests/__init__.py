"""Grade an answer by running a task's tests on it in a sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from colbench_gym import rules
from colbench_gym.concurrency import map_in_threads
from colbench_gym.errors import TaskError, UnknownNameError
from colbench_gym.graders import Grade, TestOutcome
from colbench_gym.graders.unit_tests.answer_program import answer_program
from colbench_gym.graders.unit_tests.comparison import same_value
from colbench_gym.graders.unit_tests.kept_values import KeptValues, values_folder
from colbench_gym.graders.unit_tests.paper_rules import official_code, official_match, refused_word
from colbench_gym.graders.unit_tests.reference_values import ReferenceValues, first_failure
from colbench_gym.python_code.syntax import parse_module
from colbench_gym.sandboxes import CallOutcome, Limits, Program, Sandbox, Status, containment_of
from colbench_gym.tasks import BackendTask, Task

METRIC = "pass_rate"
_OWN_PYTHON = ("namespaces", "bubblewrap", "landlock")  # containments of the process sandbox


@dataclass(frozen=True)
class Grading:
    """One way to grade: how code is found in an answer, how it runs, and when a value is the wanted one.

    Attributes:
        name: ``strict`` or ``paper``.
        version: name and number; another number where answers can score differently.
        code: the program in an answer to a task with given calls; None when it is refused without being run.
        answer: how answers run (scoping, limits, seeds); its source and calls are left out.
        reference: the same for references.
        matches: ``matches(wanted, got)`` of two values that both are data.
        ungradable: how a call of the reference may not end; the task is refused then.
    """

    name: str
    version: str
    code: Callable[[str, Sequence[str]], str | None]
    answer: Program
    reference: Program
    matches: Callable[[object, object], bool]
    ungradable: frozenset[Status]


def _paper_code(answer: str, _: Sequence[str]) -> str | None:
    return None if refused_word(answer) else official_code(answer)


_PAPER_LIMITS = Limits(
    cpu_s_per_call=rules.STRICT_WALL_S_PER_TEST,  # wall time alone decides
    wall_s_per_call=rules.PAPER_WALL_S_PER_TEST,
)
_PAPER_REFERENCE_LIMITS = Limits(cpu_s_per_call=rules.STRICT_WALL_S_PER_TEST)  # there the alarm is the answer's alone

GRADINGS: dict[str, Grading] = {
    "strict": Grading(
        name="strict",
        # 1 compared floats bit by bit, and took the first fenced block whatever it held; 2 took the next block with the
        # function where the first one with it was no program
        version="strict-3",
        code=answer_program,
        answer=Program("", ()),
        reference=Program("", (), role="reference"),
        matches=same_value,
        ungradable=frozenset({"raised", "timed_out", "killed", "unserialisable"}),
    ),
    # The official grader seeds nothing, so that a random reference and a random answer never agree: here they get
    # different seeds. A reference that raises gives None there, which no answer can match.
    "paper": Grading(
        name="paper",
        version="paper-1",
        code=_paper_code,
        answer=Program("", (), scoping="official", limits=_PAPER_LIMITS),
        reference=Program("", (), scoping="official", role="reference", seed=1, limits=_PAPER_REFERENCE_LIMITS),
        matches=official_match,
        ungradable=frozenset({"timed_out", "killed"}),
    ),
}


def grading_named(name: str) -> Grading:
    """Return the grading of that name.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in GRADINGS:
        raise UnknownNameError.among("grading", name, GRADINGS)
    return GRADINGS[name]


class UnitTestGrader:
    """Runs answers in a sandbox and compares what they return on the host (a Grader; thread-safe).

    The reference runs in other worker processes than answers do, once per task; its values never leave the host.

    Args:
        sandbox: where programs run; it stays its owner's to close.
        grading: ``strict`` (right) or ``paper`` (bug-compatible with the official grader).

    Raises:
        UnknownNameError: no such grading.
    """

    def __init__(self, sandbox: Sandbox, grading: str = "strict") -> None:
        self.grading = grading_named(grading)
        self._sandbox = sandbox
        self._references = ReferenceValues(sandbox)

    @property
    def versions(self) -> dict[str, str]:
        """Version of the grading, and containment of the programs, on which a number can depend."""
        return {"grading": self.grading.version, "containment": containment_of(self._sandbox)}

    def grade(self, task: Task, answer: str) -> Grade:
        """Grade one answer; see :class:`~colbench_gym.graders.Grader`."""
        wanted = self.expected(task)
        task = _backend(task)
        code = self.grading.code(answer, task.calls) if len(answer) <= rules.MAX_MESSAGE_CHARS else None
        tests = tuple(map(self._test_outcome, wanted, self._run(task, code)))
        passed = tests.count("passed")
        reason = _no_program(code or "") if set(tests) == {"raised"} else ""
        return Grade(passed / len(tests), passed == len(tests), METRIC, tests, reason)

    def expected(self, task: Task) -> tuple[CallOutcome, ...]:
        """Return how each test ends with the reference.

        Raises:
            TaskError: under ``strict``, a test of the reference gives no data; under ``paper``, it gives nothing.
            SandboxError: the sandbox failed.
        """
        task = _backend(task)
        outcomes = self._references.outcomes(replace(self.grading.reference, source=task.reference, calls=task.calls))
        failure = first_failure(outcomes, self.grading.ungradable)
        if failure is not None:
            raise failure.error(task.task_id)
        return outcomes

    def run(self, program: Program) -> tuple[CallOutcome, ...]:
        """Run a program in the sandbox; see :meth:`~colbench_gym.sandboxes.Sandbox.run`."""
        return self._sandbox.run(program)

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Raise what :meth:`expected` raises, unless answers to all of these tasks can be graded."""
        for _ in map_in_threads(self.expected, tasks, name="reference"):
            pass

    def use_kept_values(self) -> None:
        """Use the values of references that earlier runs left on disk, and leave new ones there.

        Only where programs run in this machine's own Python, whose version is known before one has run.
        """
        folder = values_folder()
        if folder is not None and containment_of(self._sandbox) in _OWN_PYTHON:
            self._references.on_disk = KeptValues(folder, self.grading.version)

    def close(self) -> None:
        """Forget the values of references. A second call does nothing."""
        self._references.forget()

    def __repr__(self) -> str:
        return f"UnitTestGrader({self._sandbox!r}, grading={self.grading.name!r})"

    def _run(self, task: BackendTask, code: str | None) -> tuple[CallOutcome, ...]:
        if code is None or not _compilable(code):
            return (CallOutcome("raised"),) * len(task.calls)
        return self._sandbox.run(replace(self.grading.answer, source=code, calls=task.calls))

    def _test_outcome(self, wanted: CallOutcome, got: CallOutcome) -> TestOutcome:
        if got.status != "returned":
            return got.status
        same = wanted.status == "returned" and self.grading.matches(wanted.value, got.value)
        return "passed" if same else "wrong"


def _compilable(code: str) -> bool:
    """Return whether code can be a program at all: blank text, NUL and lone surrogates never are."""
    if "\0" in code or not code.strip():
        return False
    try:
        code.encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_program(code: str) -> str:
    """Return why code cannot be run at all, "" where that is not known."""
    try:
        parse_module(code)
    except SyntaxError as e:
        return f"the answer is no program: line {e.lineno}: {e.msg}"
    except (ValueError, RecursionError, MemoryError) as e:
        return f"the answer is no program: {e}"
    return ""


def _backend(task: Task) -> BackendTask:
    if not isinstance(task, BackendTask):
        raise TaskError(
            f"task {task.task_id!r} is a {task.track} task; unit tests grade backend tasks. Grade it with the "
            f"{task.track} track's own grader"
        )
    return task
