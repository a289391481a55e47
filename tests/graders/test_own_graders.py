"""Graders, similarities and rewards of the user's own, named as python:MODULE:FACTORY."""

import json
import sys

import pytest
from support.command import colbench_here
from support.tables import program

from colbench_gym import GraderError, UsageError, open_scenario

ANSWER = "I WANT TO ANSWER:"
PAGE = {"problem_description": "A page.", "ground_truth": "<html><p>Hello there</p></html>"}
PARTS = program(__file__, "own_graders.txt")


@pytest.fixture(autouse=True)
def parts(tmp_path, monkeypatch):
    (tmp_path / "my_graders.py").write_text(PARTS)
    monkeypatch.syspath_prepend(tmp_path)
    yield
    sys.modules.pop("my_graders", None)


def pages(similarity):
    return open_scenario("frontend", tasks=[PAGE], renderer="scripted", similarity=f"python:my_graders:{similarity}")


def test_a_grader_grades_and_is_closed_with_the_scenario():
    with open_scenario("backend", tasks="generated:train", grading="python:my_graders:Length") as scenario:
        episode = scenario.episode(seed=0)
        episode.say(f"{ANSWER} {episode.task.reference}")
        assert (episode.info["pass_rate"], episode.reward) == (1.0, 0.0)
        assert scenario.settings == {"reward": "success", "grading": "python:my_graders:Length"}
    assert len(sys.modules["my_graders"].CLOSED) == 1


@pytest.mark.parametrize(
    ("answer", "score"),
    [(PAGE["ground_truth"], 1.0), ("<html><p>Other</p></html>", 0.0), ("no page", 0.0)],
)
def test_a_similarity_may_be_a_function_of_two_pages(answer, score):
    with pages("same_words") as scenario:
        episode = scenario.episode("0")
        episode.say(f"{ANSWER} {answer}")
        assert (episode.reward, episode.info["metric"]) == (score, "words-1")
        assert scenario.versions["metric"] == "words-1"


def test_a_similarity_may_be_a_grader():
    with pages("Length") as scenario:
        episode = scenario.episode("0")
        episode.say(f"{ANSWER} {PAGE['ground_truth']}")
        assert (episode.reward, episode.info["metric"]) == (1.0, "length-1")


def test_a_similarity_may_be_a_live_function():
    def first_text(page, wanted):
        return float(page.layout.texts[0].text == wanted.layout.texts[0].text)

    with open_scenario("frontend", tasks=[PAGE], renderer="scripted", similarity=first_text) as scenario:
        episode = scenario.episode("0")
        episode.say(f"{ANSWER} {PAGE['ground_truth']}")
        assert (episode.reward, episode.info["metric"]) == (1.0, "first_text")
        assert "similarity" not in scenario.settings


def test_a_similarity_outside_its_range_is_no_score():
    with pages("twice") as scenario:
        episode = scenario.episode("0")
        with pytest.raises(GraderError, match="returned 2 for task '0', expected a number from 0 to 1"):
            episode.say(f"{ANSWER} {PAGE['ground_truth']}")
        assert not episode.over
    with pytest.raises(UsageError, match="returned an object of type NoneType"):
        pages("nothing")


def test_a_grade_outside_its_range_is_a_failure_of_the_grader():
    refused = pytest.raises(GraderError, match=r"the grader Generous gave a score of 1\.5, expected one from 0 to 1")
    with open_scenario("backend", tasks="generated:train", grading="python:my_graders:Generous") as scenario, refused:
        scenario.episode(seed=0).say(f"{ANSWER} 1")


def test_a_run_may_have_all_of_them(tmp_path):
    flags = ("--grading", "python:my_graders:Length", "--reward", "python:my_graders:hurried")
    colbench_here("eval", "ColBench-Backend-v0", "-n", 1, "--out", "run", *flags, cwd=tmp_path)
    (row,) = map(json.loads, (tmp_path / "run" / "trajectories.jsonl").read_text().splitlines())
    assert row["reward"] == pytest.approx(-0.1)
    assert (row["colbench_gym"]["pass_rate"], row["colbench_gym"]["metric"]) == (1.0, "length-1")
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["configuration"]["reward"] == "python:my_graders:hurried"
