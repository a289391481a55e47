"""``colbench tasks`` on pages: list, generate, and what ``check`` finds; the oracle's message holds the reference."""

import json
from typing import ClassVar

import pytest
from support.command import colbench
from support.doubles import Closeable

from colbench_gym import FRONTEND, AssetError, FrontendTask, load_tasks, make_policy
from colbench_gym.action import extract_page, parse_action
from colbench_gym.curation.page_checks import check_pages
from colbench_gym.rendering import MAX_HTML_BYTES, RenderedPage
from colbench_gym.rendering.layout import EMPTY
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

BLANK = "<html><body></body></html>"


def task(name, reference):
    return FrontendTask(name, "A page.", reference)


def kinds(tasks, renderer=None):
    sets = tasks if isinstance(tasks, dict) else {"a": tasks}
    return [(one.source, one.task_id, one.kind) for one in check_pages(sets, renderer or ScriptedRenderer())]


def test_sound_pages_have_no_findings():
    tasks = GeneratedFrontendTasks("test")
    assert kinds([tasks.at(index) for index in range(20)]) == []


def test_each_kind_of_fault_is_found():
    page = "<html><body><h1>{}</h1></body></html>"
    tasks = [
        task("good", page.format("One")), task("blank", BLANK), task("prose", "Just build it."),
        task("huge", page.format("x" * MAX_HTML_BYTES)), task("again", page.format("One")),
    ]  # fmt: skip
    found = {"blank": "blank", "prose": "no_page", "huge": "too_large", "again": "duplicate"}
    assert kinds(tasks) == [("a", name, kind) for name, kind in found.items()]
    assert kinds({"a": tasks[:1], "b": [task("other", page.format("One"))]}) == [("b", "other", "duplicate")]


class Scripted(Closeable):
    """A renderer with one answer."""

    versions: ClassVar = {}

    def __init__(self, answer):
        self.answer = answer

    def render(self, html):
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (AssetError("no stylesheet; colbench assets fetch"), "missing_asset"),
        (RenderedPage("timed_out"), "not_rendered"),
        (RenderedPage("crashed"), "not_rendered"),
        (RenderedPage("rendered", b"png", EMPTY), "blank"),
    ],
)
def test_what_the_renderer_says_becomes_a_finding(answer, kind):
    assert kinds([task("one", BLANK)], Scripted(answer)) == [("a", "one", kind)]


def test_pages_are_generated_and_listed(tmp_path):
    path = tmp_path / "pages.jsonl"
    colbench("tasks", "generate", "--track", "frontend", "--split", "validation", "-n", "3", "--out", str(path))
    tasks = load_tasks(path, "frontend")
    assert [tasks.at(i) for i in range(3)] == [GeneratedFrontendTasks("validation").at(i) for i in range(3)]
    assert all(
        {"problem_description", "ground_truth"} <= row.keys() for row in map(json.loads, path.read_text().splitlines())
    )
    for spec in ([str(path)], ["generated:validation", "--track", "frontend", "-n", "3"]):
        shown = " ".join(colbench("tasks", "list", *spec).stdout.split())
        assert "validation-2" in shown
        assert "<html>" not in shown


@pytest.mark.browser
def test_check_shows_the_references(tmp_path, renderer):
    path = tmp_path / "pages.jsonl"
    rows = [dict(GeneratedFrontendTasks("test").at(index).row) for index in range(3)]
    rows += [{"task_id": "blank", "problem_description": "A page.", "ground_truth": BLANK}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = colbench("tasks", "check", str(path))
    assert "4 tasks checked, 1 findings on 1 of them" in " ".join((done.stdout + done.stderr).split())


def test_the_oracle_answers_with_the_reference():
    tasks = GeneratedFrontendTasks("test")
    for index in range(10):
        wanted = tasks.at(index)
        action = parse_action(make_policy("oracle").for_task(wanted).act([]), FRONTEND)
        assert action.answer is not None
        assert extract_page(action.speech) == wanted.reference
