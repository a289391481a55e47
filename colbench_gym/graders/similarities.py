"""The similarities of two pages by name, and the page that they compare with."""

from __future__ import annotations

from colbench_gym.errors import TaskError, UnknownNameError, UsageError
from colbench_gym.graders import Grader
from colbench_gym.rendering import RenderedPage, Renderer
from colbench_gym.tasks import FrontendTask, Task

SIMILARITIES = ("layout", "clip", "clip:PATH_OR_NAME")


def make_similarity(spec: str, renderer: Renderer, *, missing_is_black: bool = False) -> Grader:
    """Build the grader that a spec names.

    Args:
        spec: ``layout`` (no model), ``clip`` (the paper's) or ``clip:`` with a folder or a name on the hub.
        renderer: turns pages into pictures; closed by who opened it.
        missing_is_black: clip: a page that is missing is compared as a black picture, as in the released code.

    Raises:
        UnknownNameError: no such similarity.
        UsageError: ``clip:`` without a model, or with one that is not there.
        MissingExtraError: a package that it needs is not installed.
    """
    name, colon, model = spec.partition(":")
    if spec == "layout":
        from colbench_gym.graders.layout_similarity import LayoutSimilarity

        return LayoutSimilarity(renderer)
    if name == "clip":
        from colbench_gym.graders.clip_similarity import PAPER_MODEL, ClipSimilarity

        if colon and not model:
            raise UsageError(f"the similarity {spec!r} names no model; write clip, or clip: with a folder or a name")
        return ClipSimilarity(renderer, model or PAPER_MODEL, missing_is_black=missing_is_black)
    raise UnknownNameError.among("similarity", spec, SIMILARITIES)


def wanted_page(task: Task, renderer: Renderer) -> RenderedPage:
    """Render the reference of a task.

    Raises:
        TaskError: the task is of another track, or its reference cannot be rendered.
    """
    if not isinstance(task, FrontendTask):
        raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a frontend task")
    page = renderer.render(task.reference)
    if page.status != "rendered":
        raise TaskError(
            f"the reference of task {task.task_id!r} cannot be rendered ({page.status}); leave the task out"
        )
    return page
