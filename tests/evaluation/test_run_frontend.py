"""Runs on pages without a browser: what is refused before anything is played, and what a stop leaves."""

import json

import pytest

from colbench_gym import EvalConfig, evaluate, load_tasks, make_policy, open_scenario, read_trajectories
from colbench_gym.errors import AssetError, ConfigurationChangedError, PolicyError, RendererError, TaskError
from colbench_gym.evaluation.rollout import make_jobs, play
from colbench_gym.rendering import RenderedPage
from colbench_gym.rendering.scripted import ScriptedRenderer

pytest.importorskip("PIL", reason='the layout similarity needs Pillow: pip install "colbench-gym[render]"')
ENV = "ColBench-Frontend-v0"


class Failing:
    """A renderer that does something else with pages that hold a word."""

    versions = ScriptedRenderer.versions

    def __init__(self, word, ends):
        self.word, self.ends, self.closed = word, ends, 0

    def render(self, html):
        if self.word in html:
            if isinstance(self.ends, Exception):
                raise self.ends
            return RenderedPage(self.ends)
        return ScriptedRenderer().render(html)

    def close(self):
        self.closed += 1


def config(tmp_path, **more):
    given = {"agent": "designer:1", "n": 3, "concurrency": 1} | more
    return EvalConfig(ENV, out=tmp_path / "run", **given)


@pytest.mark.slow
def test_a_run_and_its_versions(tmp_path):
    result = evaluate(config(tmp_path, repeats=2), renderer=ScriptedRenderer())
    assert (result.summary.counted, result.summary.success) == (6, None)
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["versions"]["browser"] == "scripted 1"
    assert run["versions"]["metric"] == run["metrics"]["metric"] == "layout-2"
    assert run["configuration"]["versions"] == run["versions"]
    assert {t.metric for t in read_trajectories(tmp_path / "run/trajectories.jsonl")} == {"layout-2"}


@pytest.mark.parametrize(
    ("ends", "error"), [("timed_out", TaskError), (AssetError("colbench assets fetch"), AssetError)]
)
def test_a_first_page_that_cannot_be_rendered_is_found_before_anything_is_written(tmp_path, ends, error):
    first = load_tasks("generated", "frontend").at(0)
    with pytest.raises(error, match=r"'test-0'|colbench assets fetch"):
        evaluate(config(tmp_path), renderer=Failing(first.reference, ends))
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_browser_that_fails_is_no_score_and_is_played_again(tmp_path):
    second = load_tasks("generated", "frontend").at(1)
    gone = Failing(second.reference, RendererError("the browser is gone"))
    result = evaluate(config(tmp_path), renderer=gone)
    assert (result.summary.counted, result.summary.failed) == (2, 1)
    assert gone.closed == 0  # a live renderer stays its owner's
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["coverage"]["not_counted"] == {"human_error": 1}
    mended = evaluate(config(tmp_path, resume=True), renderer=ScriptedRenderer())
    assert mended.summary.counted == 3
    whole = evaluate(EvalConfig(ENV, out=tmp_path / "whole", agent="designer:1", n=3), renderer=ScriptedRenderer())
    assert whole.summary.score == mended.summary.score
    files = [tmp_path / name / "trajectories.jsonl" for name in ("run", "whole")]
    assert files[0].read_bytes() == files[1].read_bytes()


def test_another_browser_is_another_configuration(tmp_path):
    evaluate(config(tmp_path), renderer=ScriptedRenderer())
    newer = Failing("nothing", "crashed")
    newer.versions = {**ScriptedRenderer.versions, "browser": "scripted 2"}
    with pytest.raises(ConfigurationChangedError, match=r"versions was .*scripted 1.* and is now .*scripted 2"):
        evaluate(config(tmp_path, resume=True), renderer=newer)


def test_a_failing_agent_keeps_what_was_finished(tmp_path, monkeypatch):
    (tmp_path / "agents.py").write_text(
        "def three():\n    return Agent()\nclass Agent:\n    calls = 0\n    def act(self, messages):\n"
        "        self.calls += 1\n        if self.calls > 2: raise RuntimeError('gone')\n"
        "        return '<html><p>Hello</p></html> I WANT TO ANSWER:'\n"
        "    def close(self): pass\n"
    )
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PolicyError, match="gone"):
        evaluate(config(tmp_path, agent="python:agents:three"), renderer=ScriptedRenderer())
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert (run["status"], run["coverage"]["played"]) == ("interrupted", 2)
    assert run["metrics"]["similarity"]["dialogues"] == 2


def test_one_dialogue_can_be_played():
    with open_scenario("frontend", renderer="scripted") as scenario:
        played = play(make_jobs([scenario.tasks.at(0)], 1, 0)[0], make_policy("oracle"), scenario)
    assert (played.similarity, played.metric, played.reward) == (1.0, "layout-2", 1.0)


def test_what_was_opened_is_closed_and_what_was_given_is_not():
    given = Failing("nothing", "crashed")
    with open_scenario("frontend", renderer=given) as opened:
        assert opened.renderer is given
        assert opened.settings == {"reward": "similarity", "similarity": "layout"}
    assert given.closed == 0
