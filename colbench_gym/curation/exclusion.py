"""Leave out tasks with findings that make their results say little."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing

from colbench_gym.curation.findings import FindingKind
from colbench_gym.curation.program_checks import check_tasks
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import Task, backend_task

EXCLUDABLE: dict[str, FindingKind] = {"weak": "weak_tests", "constant": "constant_answer", "random": "random"}


def finding_kinds(names: str) -> frozenset[FindingKind]:
    """Return the kinds of findings that a list such as ``weak,constant`` names.

    Raises:
        UnknownNameError: one of them is unknown.
    """
    listed = [name.strip() for name in names.split(",") if name.strip()]
    for name in listed:
        if name not in EXCLUDABLE:
            raise UnknownNameError.among("kind of finding", name, EXCLUDABLE)
    return frozenset(EXCLUDABLE[name] for name in listed)


def without_findings(tasks: Iterable[Task], names: str, sandbox: str = "process") -> tuple[Task, ...]:
    """Return the backend tasks that have none of the named findings; all tasks when nothing is named.

    Args:
        tasks: the tasks.
        names: keys of :data:`EXCLUDABLE`, separated by commas.
        sandbox: where their references run.

    Raises:
        UnknownNameError: a name is unknown.
        UsageError: one of the tasks is a page.
        SandboxError: the sandbox failed.
    """
    kinds, listed = finding_kinds(names), tuple(tasks)
    if not kinds:
        return listed
    if any(task.track == "frontend" for task in listed):
        raise UsageError(
            f"got --exclude-findings {names} for the frontend track, but only the backend track reads it; drop it"
        )
    with closing(open_sandbox(sandbox)) as opened:
        findings = check_tasks(map(backend_task, listed), opened)
    found = {finding.task_id for finding in findings if finding.kind in kinds}
    return tuple(task for task in listed if task.task_id not in found)
