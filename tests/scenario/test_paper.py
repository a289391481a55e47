"""The profile of the paper: what it sets, what contradicts it, what a run made with it records and says to differ."""

from __future__ import annotations

import json

import gymnasium
import pytest
from support.command import colbench
from support.official_code import AGENTS, write_checkout
from support.openai_server import OpenAIServer, say

from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.evaluation.run import EvalConfig, evaluate
from colbench_gym.evaluation.scored_runs import read_run
from colbench_gym.rendering.assets import Assets
from colbench_gym.report.table import result_table
from colbench_gym.rules import AGENT_MAX_TOKENS, AGENT_TEMPERATURE, ENV_IDS
from colbench_gym.scenario import HumanSeat, open_scenario
from colbench_gym.scenario.paper import differences, with_profile
from colbench_gym.task_episode import TaskEpisode

pytestmark = pytest.mark.usefixtures("no_model_settings", "no_official_settings")
DRAFT = "<html><p>one</p></html>"
MODEL = "openai:m@http://127.0.0.1:1/v1"


@pytest.fixture
def no_official_settings(monkeypatch):
    for name in ("COLBENCH_OFFICIAL", "COLBENCH_PICTURES"):
        monkeypatch.delenv(name, raising=False)


def test_a_profile_sets_its_options_and_leaves_the_others():
    assert with_profile("backend", {"tasks": "x"}) == {"tasks": "x"}
    backend = with_profile("backend", {"profile": "paper", "human": MODEL, "max_turns": 1})
    assert (backend["grading"], backend["leaks"], backend["human_knows"]) == ("paper", "count", "source")
    assert with_profile("backend", backend) == backend
    assert with_profile("frontend", {"profile": "paper", "human": "scripted"}) == {
        "profile": "paper",
        "human": "scripted",
        "similarity": "clip",
    }
    assert with_profile("frontend", {"profile": "paper", "similarity": "layout"})["similarity"] == "layout"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"grading": "strict"}, "grading='strict'.*expected 'paper'"),
        ({"human": MODEL, "leaks": "refuse"}, "leaks='refuse'.*expected 'count'"),
        ({"human": MODEL, "human_knows": "claims"}, "human_knows='claims'.*expected 'source'"),
        ({"max_turns": 5}, "max_turns=5.*expected 10 or 1"),
        ({"official": "a", "prompts": "b"}, "prompts='b' beside official='a'"),
    ],
)
def test_an_option_that_contradicts_the_profile_is_refused(options, said):
    with pytest.raises(UsageError, match=said):
        open_scenario("backend", profile="paper", **options)


def test_names_are_checked_and_a_checkout_needs_a_profile():
    with pytest.raises(UnknownNameError, match=r"unknown profile 'papr'.*paper"):
        open_scenario("backend", profile="papr")
    with pytest.raises(UsageError, match="without a profile"):
        open_scenario("backend", official="folder")
    with pytest.raises(UnknownNameError, match="profil"):
        open_scenario("backend", profil="paper")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (("--temperature", 0.5), "temperature=0.5"),
        (("--max-tokens", 10), "max_tokens=10"),
        (("--max-tokens", 0), "agent: got max_tokens=0"),
        (("--human", "openai:m@http://[::1]:9/v1", "--human-temperature", 1), "human_temperature=1.0"),
        (("--grading", "strict"), "grading='strict'"),
        (("--official", "nowhere"), "nowhere: no such folder"),
    ],
)
def test_a_flag_that_contradicts_the_profile_is_refused_before_anything_is_played(flags, said, tmp_path):
    done = colbench("eval", ENV_IDS["backend"], "--profile", "paper", "-n", 1, "--out", tmp_path / "run", *flags)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_an_environment_takes_the_profile(track):
    options = {} if track == "backend" else {"renderer": "scripted", "similarity": "layout"}
    with gymnasium.make(ENV_IDS[track], profile="paper", **options) as env:
        assert json.loads(env.spec.to_json())["kwargs"]["profile"] == "paper"
        env.reset(seed=0)
        *_, terminated, truncated, info = env.step("I WANT TO ANSWER: x")
        assert (terminated, truncated, info["success"]) == (True, False, False)


def test_a_checkout_words_both_seats_and_a_variable_names_it(tmp_path, monkeypatch):
    checkout = write_checkout(tmp_path / "code")
    options = {"profile": "paper", "human": HumanSeat.OUTSIDE}
    with open_scenario("backend", official=checkout, **options) as scenario:
        assert scenario.episode(seed=0).brief("agent") == AGENTS["backend"]
        assert scenario.settings["official"] == str(checkout)
    monkeypatch.setenv("COLBENCH_OFFICIAL", str(checkout))
    with open_scenario("backend", **options) as scenario:
        assert scenario.settings["official"] == str(checkout)
    with open_scenario("backend", human=HumanSeat.OUTSIDE) as scenario:
        assert "official" not in scenario.settings
    with open_scenario("backend", prompts={"agent": "a", "human": scenario.prompts.human}, **options) as scenario:
        assert scenario.episode(seed=0).brief("agent") == "a"


def test_a_turn_without_a_page_shows_the_wanted_page_alone():
    options = {"renderer": "scripted", "similarity": "layout", "human": HumanSeat.OUTSIDE}
    for profile, kept in ((None, True), ("paper", False)):
        with open_scenario("frontend", **({"profile": profile} if profile else {}), **options) as scenario:
            episode: TaskEpisode = scenario.episode(seed=0)
            for message, drawn in (("What?", False), (DRAFT, True), ("And now?", kept), (DRAFT, True)):
                episode.say(message)
                assert (episode.shown().page is not None, episode.shown().reference is not None) == (drawn, True)
                episode.say("Go on.", seat="human")


def test_a_photo_of_the_user_is_no_stand_in(tmp_path, monkeypatch):
    assert not Assets().has_picture("id-48")
    (tmp_path / "any.png").write_bytes(b"x")
    monkeypatch.setenv("COLBENCH_PICTURES", str(tmp_path))
    assert not Assets().has_picture("id-48")
    (tmp_path / "id-48.jpg").write_bytes(b"x")
    assert Assets().has_picture("id-48")


COMPARABLE = {
    "tasks": "websight", "human": "openai:Qwen2-VL-72B-Instruct", "max_turns": 10, "temperature": 1.0,
    "max_tokens": 1024, "leaks": "count", "human_knows": "source", "similarity": "clip", "profile": "paper",
    "official": "code", "photo": "id-48",
}  # fmt: skip


def test_the_differences_of_pages():
    assert differences("frontend", COMPARABLE) == ("pictures of Chromium, not of Firefox",)
    (stand_in, _) = differences("frontend", COMPARABLE | {"photo": "stand-in"})
    assert "stand-ins for the photo id-48" in stand_in
    assert len(differences("frontend", {k: v for k, v in COMPARABLE.items() if k != "profile"})) == 3
    assert "7 dialogues that failed" in differences("frontend", COMPARABLE, not_counted=7)[-1]


def test_a_run_samples_as_the_paper_does_counts_leaks_and_records_what_differs(tmp_path):
    task = {
        "task_id": "t",
        "problem_description": "Write scaled(x). The signature of the function is: def scaled(x)",
        "ground_truth": "def scaled(x):\n    if x > 2:\n        return x * 3 + 1\n    return 0",
        "test_cases": {f"test{i}": f"scaled({i})" for i in range(10)},
    }
    tasks = tmp_path / "tasks.jsonl"
    tasks.write_text(json.dumps(task) + "\n")
    leak = "if x > 2:\n        return x * 3 + 1\n    return 0"
    script = [say("How?"), say(leak), say(f"I WANT TO ANSWER:\n{task['ground_truth']}")]
    with OpenAIServer(script) as server:
        config = EvalConfig(
            ENV_IDS["backend"], tmp_path / "run", agent=f"openai:a@{server.url}", human=f"openai:m@{server.url}",
            tasks=str(tasks), profile="paper", official=write_checkout(tmp_path / "code"), label="mine@4",
            concurrency=1,
        )  # fmt: skip
        result = evaluate(config)
    agent, human, _ = (request.body for request in server.requests)
    assert (agent["temperature"], agent["max_tokens"]) == (AGENT_TEMPERATURE, AGENT_MAX_TOKENS)
    assert "seed" not in agent
    assert [m["role"] for m in human["messages"]] == ["system", "user"]
    assert result.summary.success.mean == 1.0
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["used"]["human"]["passed_on"] == 1
    assert run["profile"]["name"] == "paper"
    assert run["profile"]["differences"] == list(result.differences)
    assert [text.partition(" ")[0] for text in result.differences] == ["tasks", "human"]
    scored = read_run(tmp_path / "run")
    assert (scored.label, scored.differences) == ("mine@4", result.differences)
    assert result_table({"m": [scored]}).methods[0].differences == {"backend": result.differences}


def test_a_run_without_a_profile_records_its_differences_too(tmp_path):
    evaluate(EvalConfig(ENV_IDS["backend"], tmp_path / "run", n=1))
    run = json.loads((tmp_path / "run" / "run.json").read_text())
    assert run["profile"]["name"] is None
    assert "grading strict, not paper" in run["profile"]["differences"]
    assert {"profile", "max_tokens", "official"}.isdisjoint(run["configuration"])


def test_grade_takes_the_profile(tmp_path):
    answers, graded = tmp_path / "answers.jsonl", tmp_path / "graded.jsonl"
    row = {"problem_description": "f", "ground_truth": "def f(x):\n    return x", "test_cases": {"t": "f(1)"}}
    helped = "def g(x):\n    return x\ndef f(x):\n    return g(x)"  # right, and 0 by the official grader
    answers.write_text(
        json.dumps({"task": row, "dialogue_history": [{"role": "user", "content": "f"}], "answer": helped, "reward": 0})
        + "\n"
    )
    done = colbench("grade", "--answers", answers, "--out", graded, "--profile", "paper")
    assert done.returncode == 0, done.stderr
    assert "graded (paper" in done.stdout
    assert json.loads(graded.read_text())["pass_rate"] == 0.0
