"""The similarities of two pages by name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from numbers import Real

from colbench_gym.errors import GraderError, UnknownNameError, UsageError
from colbench_gym.graders import Grade, Grader
from colbench_gym.graders.wanted_page import wanted_page
from colbench_gym.python_code.factory import made_by
from colbench_gym.rendering import RenderedPage, Renderer
from colbench_gym.tasks import Task

SIMILARITIES = ("layout", "clip", "clip:PATH_OR_NAME", "python:MODULE:FACTORY")

ComparesPages = Callable[[RenderedPage, RenderedPage], float]


class PageComparison:
    """A Grader that renders both pages and asks a function of the user's own how alike they are.

    Args:
        renderer: turns pages into pictures and layouts; closed by who opened it.
        compare: gets the agent's page and the wanted one and returns a number from 0 to 1. Thread-safe.
        metric: name of the similarity.
    """

    def __init__(self, renderer: Renderer, compare: ComparesPages, metric: str) -> None:
        self.metric = metric
        self._renderer = renderer
        self._compare = compare

    def __repr__(self) -> str:
        return f"PageComparison({self.metric!r})"

    def grade(self, task: Task, answer: str) -> Grade:
        """Grade one page; no page, and one that cannot be rendered, scores 0.0.

        Raises:
            TaskError: the task is of another track, or its reference cannot be rendered.
            GraderError: the browser failed, or the function returned no number from 0 to 1.
            AssetError: a page links an asset that has not been fetched.
        """
        wanted = wanted_page(task, self._renderer)
        page = self._renderer.render(answer) if answer else None
        if page is None or page.status != "rendered":
            return Grade(0.0, success=False, metric=self.metric)
        score: object = self._compare(page, wanted)
        if not isinstance(score, Real) or not 0 <= float(score) <= 1:
            raise GraderError(
                f"the similarity {self.metric!r} returned {score!r} for task {task.task_id!r}, expected a number from "
                "0 to 1; correct the function"
            )
        return Grade(float(score), success=False, metric=self.metric)

    def close(self) -> None:
        """Release nothing: the renderer belongs to whoever opened it."""


def make_similarity(spec: str | ComparesPages, renderer: Renderer, *, missing_is_black: bool = False) -> Grader:
    """Build the grader that a spec names.

    Args:
        spec: ``layout`` (no model), ``clip`` (the paper's), ``clip:`` with a folder or a name on the hub, or
            ``python:MODULE:FACTORY``: a callable without arguments that returns a Grader, or a function of the agent's
            and the wanted :class:`~colbench_gym.rendering.RenderedPage` that returns a number from 0 to 1; or such a
            function itself, whose attribute ``metric``, else its name, names the similarity.
        renderer: turns pages into pictures; closed by who opened it.
        missing_is_black: clip: a page that is missing is compared as a black picture, as in the released code.

    Raises:
        UnknownNameError: no such similarity.
        UsageError: ``clip:`` without a model, or with one that is not there; a factory that gives no similarity.
        MissingExtraError: a package that it needs is not installed.
    """
    if not isinstance(spec, str):
        metric = getattr(spec, "metric", getattr(spec, "__name__", type(spec).__name__))
        return PageComparison(renderer, spec, str(metric))
    name, colon, model = spec.partition(":")
    if spec == "layout":
        from colbench_gym.graders.layout_similarity import LayoutSimilarity

        return LayoutSimilarity(renderer)
    if name == "clip":
        from colbench_gym.graders.clip_similarity import PAPER_MODEL, ClipSimilarity
        from colbench_gym.models.hub_names import check_not_missing

        if colon and not model:
            raise UsageError(f"the similarity {spec!r} names no model; write clip, or clip: with a folder or a name")
        if model:
            check_not_missing(model, f"the similarity {spec!r}", "a CLIP model (config.json, weights, a processor)")
        return ClipSimilarity(renderer, model or PAPER_MODEL, missing_is_black=missing_is_black)
    if name == "python":
        accepts = partial(_as_grader, spec=spec, renderer=renderer)
        return made_by(model, "similarity", "grade(task, answer), or a call (page, wanted page)", accepts)
    raise UnknownNameError.among("similarity", spec, SIMILARITIES)


def _as_grader(made: object, spec: str, renderer: Renderer) -> Grader | None:
    if isinstance(made, Grader):
        return made
    return PageComparison(renderer, made, str(getattr(made, "metric", spec))) if callable(made) else None
