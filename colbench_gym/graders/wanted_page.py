"""The page that all similarities compare with."""

from __future__ import annotations

from colbench_gym.errors import TaskError
from colbench_gym.rendering import RenderedPage, Renderer, render_reference
from colbench_gym.tasks import FrontendTask, Task


def wanted_page(task: Task, renderer: Renderer) -> RenderedPage:
    """Render the reference of a task.

    Raises:
        TaskError: the task is of another track, or its reference cannot be rendered.
    """
    if not isinstance(task, FrontendTask):
        raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a frontend task")
    page = render_reference(renderer, task.reference)
    if page.status != "rendered":
        raise TaskError(
            f"the reference of task {task.task_id!r} cannot be rendered ({page.status}); leave the task out"
        )
    return page
