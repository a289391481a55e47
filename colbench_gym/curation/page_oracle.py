"""Frontend tasks that nobody can win: those whose own reference, as an answer, is not like itself."""

from __future__ import annotations

from collections.abc import Iterable

from colbench_gym.action import extract_page
from colbench_gym.concurrency import Progress, map_in_threads
from colbench_gym.curation.findings import Finding
from colbench_gym.errors import TaskError
from colbench_gym.graders import Grader
from colbench_gym.tasks import Task

PERFECT = 1.0 - 1e-6  # the sums of a similarity may miss 1 by rounding


def unwinnable_pages(tasks: Iterable[Task], grader: Grader, progress: Progress | None = None) -> list[Finding]:
    """Return the tasks that their own reference does not win, and why; at most one finding each, in the tasks' order.

    Raises:
        GraderError: the grader or the browser failed.
        AssetError: a page links an asset that has not been fetched.
    """

    def why(task: Task) -> str:
        page = extract_page(task.reference)
        if page is None:
            return "no page can be taken from a message with the reference: it has neither <html> nor <body>"
        try:
            grade = grader.grade(task, page)
        except TaskError as e:
            return str(e)
        changed = "" if page == task.reference else "; as an answer it is not the same page, as the rules take it"
        return "" if grade.score >= PERFECT else f"the reference scores {grade.score:.6f} against itself{changed}"

    found: list[Finding] = []
    listed = list(tasks)
    for task, reason in map_in_threads(why, listed, name="page-oracle", progress=progress):
        if reason:
            found.append(Finding("unwinnable", task.task_id, reason))
    return found
