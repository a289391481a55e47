"""The demo where there is no way to see a page, and the picture it draws where there is."""

import io

import pytest
from support.command import colbench, colbench_here
from support.doubles import Closeable

from colbench_gym import FRONTEND, Dialogue, FrontendTask, Grade, InputFileError, Trajectory, Turn
from colbench_gym.evaluation.demo_pictures import COLUMN_PX, MAX_PAGE_PX, Panel, panels, write_picture
from colbench_gym.rendering.scripted import ScriptedRenderer

RENDERER = ScriptedRenderer()
TASK = FrontendTask("7", "A page for my bakery.", "<html><h1>Rye</h1></html>")
FIRST, SECOND = "<html><p>one</p></html>", "<html><p>two</p></html>"


class Halves(Closeable):
    """A grader to whom every page is half alike."""

    def grade(self, task, answer):
        return Grade(0.5, False, "half-1")


def trajectory():
    turns = (
        Turn("human", TASK.description), Turn("agent", "What is it for?"), Turn("human", "Bread."),
        Turn("agent", f"Look: {FIRST}"), Turn("human", "Bigger “letters”, please. " * 60),
        Turn("agent", f"{SECOND} I WANT TO ANSWER:"),
    )  # fmt: skip
    return Trajectory(TASK, Dialogue(turns), SECOND, 0.5, FRONTEND, "answered", similarity=0.5, metric="half-1")


def test_without_assets_the_backend_is_played_and_the_command_named(tmp_path, monkeypatch):
    monkeypatch.setenv("COLBENCH_CACHE", str(tmp_path / "nothing"))
    done = colbench("demo", "-n", 2, cwd=tmp_path)
    assert done.stderr == ""
    assert "What asking is worth: 2 generated tasks" in done.stdout
    assert "generated pages" not in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last.startswith("The frontend track was left out: ")
    assert "colbench assets fetch" in last or "colbench-gym[render]" in last or "chromium" in last.lower()
    assert not (tmp_path / "colbench-demo").exists()


def test_where_answers_cannot_be_run_the_backend_is_left_out_in_a_line(tmp_path, monkeypatch):
    """As on macOS, where only containers would do: here without an engine."""
    monkeypatch.setenv("COLBENCH_CACHE", str(tmp_path / "nothing"))
    monkeypatch.setenv("COLBENCH_SANDBOX", "docker")
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/nobody")
    done = colbench("demo", "-n", 2, cwd=tmp_path, status=1)
    first, *_, last = done.stdout.splitlines()
    assert first.startswith("The backend track was left out: ")
    assert first.endswith("With an engine: COLBENCH_SANDBOX=docker colbench demo")
    assert last.startswith("The frontend track was left out: ")


def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_played(tmp_path):
    (tmp_path / "file").write_text("")
    refused = colbench_here("demo", "--out", "file/look", cwd=tmp_path, status=2)
    assert "is a file; name a folder" in refused.stderr


def test_panels_are_the_wanted_page_and_each_proposal():
    found = panels(trajectory(), RENDERER, Halves())
    assert [panel.title for panel in found] == [
        "wanted (hidden from the agent)", "page 1: 50.0 % alike", "page 2: 50.0 % alike",
    ]  # fmt: skip
    assert [panel.png for panel in found] == [RENDERER.render(html).png for html in (TASK.reference, FIRST, SECOND)]
    assert found[1].text.startswith('human: "Bigger')
    assert found[2].text == "the answer"


def test_the_picture_shows_them_side_by_side(tmp_path):
    image = pytest.importorskip("PIL.Image")
    shown = (*panels(trajectory(), RENDERER, Halves()), Panel("page 3", b""))
    write_picture(tmp_path / "pages.png", shown)
    with image.open(tmp_path / "pages.png") as picture:
        assert picture.width > 4 * COLUMN_PX
        assert picture.height < MAX_PAGE_PX
        colors = {color for _, color in picture.getcolors(1 << 24)}
    for panel in shown[:3]:
        with image.open(io.BytesIO(panel.png)) as page:
            assert page.convert("RGB").getpixel((0, 0)) in colors
    with pytest.raises(InputFileError, match="--out"):
        write_picture(tmp_path / "no/pages.png", shown)
