"""What a person is told about each test of an answer: call, wanted value, and the one that came or why none did."""

from __future__ import annotations

from dataclasses import dataclass, replace

from colbench_gym.graders import TestOutcome
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.tasks import BackendTask

MAX_VALUE_CHARS = 300
# Runs in the sandbox: the answer may do to it what it likes, which is shown to the person who wrote it.
_WHY = """
def why(source, call):
    try:
        names = {{"__name__": "answer"}}
        exec(compile(source, "answer", "exec"), names)
        eval(call, names)
    except BaseException as e:
        return (type(e).__name__ + ": " + str(e))[:{limit}]
    return ""
"""


@dataclass(frozen=True)
class ToldTest:
    """One test: its call, how it ended, and the values as Python writes them; ``reason`` where it raised."""

    call: str
    outcome: TestOutcome
    wanted: str
    got: str = ""
    reason: str = ""

    def __str__(self) -> str:
        lines = [f"{self.outcome:<10}{self.call}", f"{'':10}wanted {self.wanted}"]
        if self.outcome == "passed":
            return lines[0] + f"  is {self.wanted}"
        lines += [f"{'':10}got    {self.got}"] if self.got else []
        return "\n".join([*lines, *([f"{'':10}{self.reason}"] if self.reason else [])])


def told_tests(grader: UnitTestGrader, task: BackendTask, answer: str) -> tuple[ToldTest, ...]:
    """Run the tests of an answer once more and return what each of them came to.

    Raises:
        TaskError, SandboxError: as grading does.
    """
    graded, code = grader.grade(task, answer), grader.grading.code(answer, task.calls)
    wanted = [_shown(outcome.value) for outcome in grader.expected(task)]
    tests = tuple(zip(task.calls, graded.test_outcomes, wanted, strict=True))
    if code is None or graded.reason:
        reason = graded.reason or "the answer holds a word for which the official grader refuses it"
        return tuple(ToldTest(*test, reason=reason) for test in tests)
    source = _WHY.format(limit=MAX_VALUE_CHARS)
    asked = tuple(f"why({code!r}, {call!r})" if outcome == "raised" else "''" for call, outcome, _ in tests)
    got, why = (
        grader.run(replace(grader.grading.answer, source=source, calls=calls))
        for source, calls in ((code, task.calls), (source, asked))
    )
    return tuple(
        ToldTest(*test, _shown(came.value) if came.status == "returned" else "", str(reason.value or ""))
        for test, came, reason in zip(tests, got, why, strict=True)
    )


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= MAX_VALUE_CHARS else f"{text[:MAX_VALUE_CHARS]} ..."
