"""The ending that a person at the page sees, and who sits where."""

import pytest

from colbench_gym import BACKEND, FRONTEND, BackendTask, Dialogue, FrontendTask, Trajectory, Turn, open_scenario
from colbench_gym.errors import UsageError
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.report.web_play import ending, seated

TASK = BackendTask("a", "Write f.", "def f(x):\n    return x", ("f(1)", "f(2)"), ("t1", "t2"), "hidden")
SITE = FrontendTask("p", "A page.", "<html><body>Wanted</body></html>")
DRAFT = "<html><body>Mine</body></html>"


def texts(boxes):
    return {box.title: box.text for box in boxes}


def test_the_ending_of_a_function_has_each_test_and_the_reference():
    dialogue = Dialogue((Turn("human", "Write f."), Turn("agent", "I WANT TO ANSWER: x")))
    graded = Trajectory(TASK, dialogue, "x", 0.0, BACKEND, "answered", pass_rate=0.5, test_outcomes=("passed", "wrong"))
    shown = texts(ending(graded))
    assert shown["how it ended"] == "An answer was given.\n1 of 2 tests passed."
    assert [line.split() for line in shown["tests"].splitlines()] == [["passed", "f(1)"], ["wrong", "f(2)"]]
    assert shown["the reference"] == TASK.reference


def test_the_ending_tells_what_was_wanted_and_what_came():
    graded = Trajectory(
        TASK, Dialogue(()), "def f(x):\n    return 1", 0.0, BACKEND, "answered", test_outcomes=("passed", "wrong")
    )
    with open_scenario("backend") as scenario:
        shown = texts(ending(graded, grader=scenario.grader))["tests"]
    assert shown.splitlines() == ["passed    f(1)  is 1", "wrong     f(2)", "          wanted 2", "          got    1"]


def test_an_outage_is_said_and_is_no_grade():
    failed = Trajectory(TASK, Dialogue(()), "", None, BACKEND, "grader_error", error="the sandbox is gone")
    assert texts(ending(failed))["how it ended"] == "the sandbox is gone\nIt was not graded."


def test_the_ending_of_a_page_has_both_pictures():
    turns = (Turn("human", "A page."), Turn("agent", f"So? {DRAFT}"), Turn("human", "Yes."), Turn("agent", "Done."))
    graded = Trajectory(SITE, Dialogue(turns), DRAFT, 0.25, FRONTEND, "answered", similarity=0.25, metric="layout-2")
    renderer = ScriptedRenderer()
    boxes = ending(graded, renderer)
    assert texts(boxes)["how it ended"] == "An answer was given.\nSimilarity to the wanted page: 25.0 % (layout-2)."
    pictures = {box.title: box.png for box in boxes if box.png}
    assert pictures == {
        "the graded page": renderer.render(DRAFT).png,
        "the wanted page": renderer.render(SITE.reference).png,
    }


def test_one_person_sits_at_the_seat_that_is_a_persons():
    assert seated("console", "scripted") == ("web", "scripted", "agent")
    assert seated("asker:3", "console") == ("asker:3", "web", "human")
    assert seated("web", "scripted") == ("web", "scripted", "agent")
    with pytest.raises(UsageError, match="nobody would sit at the page"):
        seated("oracle", "scripted")
    with pytest.raises(UsageError, match="a person at both seats"):
        seated("console", "web")
