"""Faults of frontend tasks: references that cannot be shown or graded, pages that are there twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from colbench_gym.action import extract_page
from colbench_gym.concurrency import Progress, map_in_threads
from colbench_gym.curation.findings import Finding
from colbench_gym.errors import AssetError
from colbench_gym.rendering import (
    MAX_HTML_BYTES,
    MAX_PAGE_HEIGHT,
    MAX_PAGE_WIDTH,
    RenderedPage,
    Renderer,
    render_reference,
)
from colbench_gym.tasks import Task


def check_pages(
    tasks: Mapping[str, Sequence[Task]], renderer: Renderer, progress: Progress | None = None
) -> list[Finding]:
    """Render every reference and say what is wrong with it.

    Args:
        tasks: sets of tasks by name; pages that two sets share are found too.
        renderer: what shows the references.
        progress: called with how many tasks are done, and of how many.

    Returns:
        The findings in the order of the tasks.

    Raises:
        RendererError: the browser failed.
    """
    listed = [(source, task) for source, members in tasks.items() for task in members]
    found: list[Finding] = []
    first: dict[str, tuple[str, Task]] = {}

    def show(entry: tuple[str, Task]) -> RenderedPage | AssetError | None:
        page = extract_page(entry[1].reference)
        try:
            return None if page is None else render_reference(renderer, page)
        except AssetError as e:
            return e

    for entry, shown in map_in_threads(show, listed, name="page-health", progress=progress):
        source, task = entry
        found += [replace(finding, source=source) for finding in _findings(task, shown)]
        if isinstance(shown, RenderedPage) and shown.png:
            earlier = first.setdefault(shown.png_sha256, entry)
            if earlier is not entry:
                found.append(replace(_duplicate(task, source, *earlier), source=source))
    return found


def _findings(task: Task, shown: RenderedPage | AssetError | None) -> Iterator[Finding]:
    if shown is None:
        yield Finding("no_page", task.task_id, "no page can be taken from the reference: no <html> and no <body>")
    elif isinstance(shown, AssetError):
        yield Finding("missing_asset", task.task_id, str(shown))
    elif shown.status == "too_large":
        size = len(task.reference.encode("utf-8", "replace"))
        yield Finding("too_large", task.task_id, f"the reference has {size} bytes; {MAX_HTML_BYTES} are the limit")
    elif shown.status != "rendered":
        words = {"timed_out": "is not done in time", "crashed": "ends the browser"}[shown.status]
        yield Finding("not_rendered", task.task_id, f"the reference {words}")
    else:
        layout = shown.layout
        if not layout.texts and not layout.elements:
            yield Finding("blank", task.task_id, "the reference shows nothing: no text, no picture, no box")
        if layout.width > MAX_PAGE_WIDTH or layout.height > MAX_PAGE_HEIGHT:
            text = (
                f"the reference is {layout.width:.0f} by {layout.height:.0f} pixels; pictures are cut at "
                f"{MAX_PAGE_WIDTH} by {MAX_PAGE_HEIGHT}"
            )
            yield Finding("too_large", task.task_id, text)


def _duplicate(task: Task, source: str, other_source: str, other: Task) -> Finding:
    where = "" if other_source == source else f" in {other_source}"
    same = " ".join(task.reference.split()) == " ".join(other.reference.split())
    what = "the reference is that" if same else "the reference looks exactly like that"
    return Finding("duplicate", task.task_id, f"{what} of task {other.task_id!r}{where}")
