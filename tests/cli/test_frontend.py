"""The commands on web pages, with a real browser: eval, resume, grade, oracle, compare, play and demo."""

import json

import pytest
from support.command import colbench_here
from support.json_lines import read_rows, write_rows

from colbench_gym.tasks import load_tasks
from colbench_gym.trajectory import read_trajectories, task_row

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("renderer")]

ENV = "ColBench-Frontend-v0"
N = 2


@pytest.fixture(scope="module")
def runs(tmp_path_factory, renderer):
    """A folder with the runs ``first`` and ``revised``."""
    folder = tmp_path_factory.mktemp("runs")
    for agent, out in (("designer:0", "first"), ("designer:3", "revised")):
        done = colbench_here("eval", ENV, "--agent", agent, "-n", N, "--concurrency", 2, "--out", out, cwd=folder)
        assert "similarity" in done.stdout
        assert "success" not in done.stdout
    return folder


def test_what_a_run_writes(runs, renderer):
    run = json.loads((runs / "revised/run.json").read_text())
    assert set(run["metrics"]) == {
        "similarity", "metric", "mean_reward", "mean_turns", "leak", "attempts", "per_dialogue", "groups",
    }  # fmt: skip
    assert run["metrics"]["metric"].startswith("layout-")
    assert run["metrics"]["similarity"]["mean"] == pytest.approx(run["metrics"]["mean_reward"])
    assert run["configuration"]["similarity"] == "layout"
    assert run["configuration"]["reward"] == "similarity"
    assert {"sandbox", "grading"} & set(run["configuration"]) == set()
    assert dict(renderer.versions).items() <= run["versions"].items()
    assert run["versions"] == run["configuration"]["versions"]
    for trajectory in read_trajectories(runs / "revised/trajectories.jsonl"):
        assert trajectory.versions == run["versions"]
        assert trajectory.similarity == trajectory.reward
        assert trajectory.metric == run["versions"]["metric"]
        assert (trajectory.pass_rate, trajectory.success) == (None, False)


def test_the_report_of_a_run_is_that_of_the_command(runs, tmp_path):
    of_eval = (runs / "revised/report.html").read_text("utf-8")
    assert "data:image/webp;base64," in of_eval
    assert len(list((runs / "revised/pages").glob("*.png"))) > N  # drafts beside the wanted pages
    colbench_here("report", "revised", "--out", tmp_path / "report.html", cwd=runs)
    assert (tmp_path / "report.html").read_text("utf-8") == of_eval


def test_stopped_and_resumed_is_byte_equal(runs, tmp_path):
    whole = (runs / "first/trajectories.jsonl").read_bytes()
    (tmp_path / "first").mkdir()
    run = json.loads((runs / "first/run.json").read_text())
    (tmp_path / "first/run.json").write_text(json.dumps({**run, "status": "interrupted"}))
    journal = [{"session": 0, "used": {}, "row": row} for row in read_rows(runs / "first/trajectories.jsonl")[1:]]
    write_rows(tmp_path / "first/unfinished.jsonl", journal)
    args = ("eval", ENV, "--agent", "designer:0", "-n", N, "--concurrency", 2, "--out", "first", "--resume")
    refused = colbench_here(*args, "--max-turns", 1, cwd=tmp_path, status=2)
    assert "max_turns" in refused.stderr
    colbench_here(*args, cwd=tmp_path)
    assert (tmp_path / "first/trajectories.jsonl").read_bytes() == whole


def test_compare(runs):
    done = colbench_here("compare", "revised", "first", "--out", "found.json", cwd=runs)
    assert "similarity (layout-" in done.stdout
    assert f"of {N} tasks" in done.stdout
    found = json.loads((runs / "found.json").read_text())
    assert found["success"] is None
    assert found["score"]["difference"]["mean"] > 0
    assert found["wins"] + found["ties"] + found["losses"] == N
    args = ("eval", "ColBench-Backend-v0", "-n", 1, "--out", "programs")
    colbench_here(*args, cwd=runs)
    refused = colbench_here("compare", "revised", "programs", cwd=runs, status=2)
    assert "frontend track" in refused.stderr


def test_grade_html_answers(tmp_path):
    tasks = load_tasks("generated:validation", "frontend")
    chosen = [tasks.at(0), tasks.at(1)]
    write_rows(tmp_path / "tasks.jsonl", [task_row(task) for task in chosen])
    answers = [
        {"note": 1, "task_id": chosen[0].task_id, "answer": f"Here it is:\n{chosen[0].reference}\nGood?"},
        {"note": 2, "task_id": chosen[1].task_id, "answer": "<html><body></body></html>"},
        {"note": 3, "task_id": chosen[1].task_id, "answer": "no page"},
    ]
    write_rows(tmp_path / "answers.jsonl", answers)
    args = ("grade", "--tasks", "tasks.jsonl", "--answers", "answers.jsonl", "--out", "graded.jsonl")
    done = colbench_here(*args, cwd=tmp_path)
    assert done.stdout.startswith("3 answers graded (layout): similarity ")
    graded = read_rows(tmp_path / "graded.jsonl")
    names = ["note", "task_id", "answer", "reward", "success", "similarity", "metric", "outcome", "test_outcomes"]
    assert [list(row) for row in graded] == [names] * 3
    assert graded[0]["similarity"] == pytest.approx(1.0, abs=1e-6)
    assert graded[1]["similarity"] < 0.1
    assert graded[2]["similarity"] == 0.0
    assert {row["metric"] for row in graded} == {graded[0]["metric"]}
    assert [row["reward"] for row in graded] == [row["similarity"] for row in graded]


def test_grade_gives_trajectories_the_same_grade(runs, tmp_path):
    played = runs / "revised/trajectories.jsonl"
    colbench_here("grade", "--answers", played, "--out", "graded.jsonl", cwd=tmp_path)
    before = [t.similarity for t in read_trajectories(played)]
    assert [row["similarity"] for row in read_rows(tmp_path / "graded.jsonl")] == pytest.approx(before, abs=1e-9)
    again = colbench_here("compare", "graded.jsonl", played, cwd=tmp_path)
    assert f"0 wins, {N} ties" in again.stdout, again.stderr


def test_oracle_names_what_nobody_can_win(tmp_path):
    done = colbench_here("oracle", "--tasks", "generated", "--track", "frontend", "-n", 3, cwd=tmp_path)
    assert done.stdout == "layout: 3 of 3 references succeed\n"
    fine = task_row(load_tasks("generated", "frontend").at(0))
    fragment = {"task_id": "fragment", "problem_description": "x", "ground_truth": "<p>no page</p>"}
    write_rows(tmp_path / "tasks.jsonl", [fine, fragment])
    done = colbench_here("oracle", "--tasks", "tasks.jsonl", cwd=tmp_path)
    assert "layout: 1 of 2 references succeed" in done.stdout
    assert "fragment  no page can be taken" in done.stdout


def test_play_shows_the_dialogue_and_the_similarity(tmp_path):
    done = colbench_here("play", ENV, "--agent", "oracle", cwd=tmp_path)
    assert "answered: similarity 100.0 % (layout-" in done.stdout


def test_demo_prints_both_tables_and_draws_a_picture(tmp_path):
    from PIL import Image

    done = colbench_here("demo", "-n", 2, "--pages", 1, "--out", "look", cwd=tmp_path)
    assert "What asking is worth: 2 generated tasks, scripted human" in done.stdout
    assert "What asking is worth: 1 generated pages, scripted human" in done.stdout
    assert done.stdout.endswith("look/pages.png\n")
    with Image.open(tmp_path / "look/pages.png") as picture:
        width, height = picture.size
        colors = picture.getcolors(1 << 24)
    assert width > 2 * 480
    assert height > 200
    assert len(colors) > 50
    assert [p.name for p in (tmp_path / "look").iterdir()] == ["pages.png"]
