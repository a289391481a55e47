"""The profile of the paper: what it sets, what contradicts it, what a run made with it records and says to differ."""

import json
from dataclasses import replace

import gymnasium
import pytest
from support.command import colbench
from support.official_code import AGENTS, write_checkout, write_files
from support.openai_server import OpenAIServer, say
from support.tables import cases

from colbench_gym import EvalConfig, InputFileError, TaskEpisode, UnknownNameError, UsageError, evaluate, load_tasks
from colbench_gym.evaluation.scored_runs import read_run
from colbench_gym.rendering.assets import Assets
from colbench_gym.report.table import result_table
from colbench_gym.rules import AGENT_MAX_TOKENS, AGENT_TEMPERATURE, ENV_IDS
from colbench_gym.scenario import HumanSeat, open_scenario
from colbench_gym.scenario.paper import differences, texts_hash, with_profile

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
    scripted = {"profile": "paper", "human": "scripted"}
    assert with_profile("frontend", scripted) == {**scripted, "similarity": "clip"}
    assert with_profile("frontend", {"profile": "paper", "similarity": "layout"})["similarity"] == "layout"


@pytest.mark.parametrize(("options", "said"), cases(__file__, "an_option_that_contradicts_the_profile_is_refused"))
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
    cases(__file__, "a_flag_that_contradicts_the_profile_is_refused_before_anything_is_played", tuples=True),
)
def test_a_flag_that_contradicts_the_profile_is_refused_before_anything_is_played(flags, said, tmp_path):
    words = ("eval", ENV_IDS["backend"], "--agent", MODEL, "--profile", "paper", "-n", 1, "--out", tmp_path / "run")
    assert said in colbench(*words, *flags, status=2).stderr
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


COMPARABLE = cases(__file__, "comparable")


def test_the_differences_of_pages():
    pictures, hosts = differences("frontend", COMPARABLE)
    assert "Chromium, not of Firefox, cut at 4,096 pixels; scripts are off" in pictures
    assert "no host is reached" in hosts
    (stand_in, *_) = differences("frontend", COMPARABLE | {"photo": "stand-in"})
    assert "stand-ins for the photo id-48" in stand_in
    assert len(differences("frontend", {k: v for k, v in COMPARABLE.items() if k != "profile"})) == 6
    for count in (None, 100):
        (tasks, *_) = differences("frontend", COMPARABLE | {"n": count})
        assert tasks == f"the first {count or 10_000} tasks, not 500"
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
    assert [text.partition(" ")[0] for text in result.differences] == ["tasks", "human", "one"]
    scored = read_run(tmp_path / "run")
    assert (scored.label, scored.differences) == ("mine@4", result.differences)
    assert result_table({"m": [scored]}).methods[0].differences == {"backend": result.differences}


def test_a_copy_of_the_official_file_is_known_by_its_texts(official_data):
    tasks = load_tasks(official_data / "backend_tasks.jsonl")
    own = texts_hash(replace(tasks.at(n), task_id=f"mine-{n}") for n in range(10))
    assert own == texts_hash(map(tasks.at, range(10))) != texts_hash(map(tasks.at, range(9)))


def test_known_texts_are_the_official_tasks_however_they_are_named():
    for texts, n, expected in (
        ("6487155ab4839064", None, ()),
        ("55002a3afed4043f", None, ("the first 100 tasks, not 500",)),
        ("x", 500, ("tasks my.jsonl, not the official test tasks",)),
    ):
        settings = COMPARABLE | {"tasks": "my.jsonl", "n": n, "texts_hash": texts}
        assert differences("frontend", settings)[: len(expected)] == expected
        assert len(differences("frontend", settings)) == 2 + len(expected)
    (other, *_) = differences("backend", COMPARABLE | {"texts_hash": "6487155ab4839064"})
    assert "not the official test tasks" in other


HAL = cases(__file__, "hal")


def test_the_leaderboards_profile_sends_its_messages(tmp_path):
    checkout = write_files(write_checkout(tmp_path / "code"), HAL)
    row = cases(__file__, "row")
    (tmp_path / "tasks.jsonl").write_text(json.dumps(row) + "\n")
    with OpenAIServer([say("How?"), say("So."), say("I WANT TO ANSWER:\ndef f(x):\n    return x")]) as server:
        config = EvalConfig(
            ENV_IDS["backend"], tmp_path / "run", agent=f"openai:a@{server.url}", profile="hal", concurrency=1,
            human=f"openai:gpt-4o-2024-08-06@{server.url}", tasks=str(tmp_path / "tasks.jsonl"), official=checkout,
        )  # fmt: skip
        result = evaluate(config)
    agent, human, _ = (request.body for request in server.requests)
    assert agent["messages"] == [{"role": "user", "content": "Ask by hand."}, {"role": "user", "content": "f"}]
    assert (agent["temperature"], agent["max_tokens"], "seed" in agent) == (1.0, 16384, False)
    assert human["messages"][0] == {"role": "system", "content": 'You play "somebody".'}
    assert human["messages"][1]["content"] == (
        f"\nYou want f, know {row['ground_truth']}:\nuser:f\n\n\n\nassistant:How?\n\n\n\nagent:"
    )
    assert (human["temperature"], human["max_tokens"]) == (0, 4096)
    (difference,) = result.differences
    assert "not the official test tasks" in difference
    scored = read_run(tmp_path / "run")
    (row_of_table,) = result_table({"m": [scored]}).methods
    said = " ".join(row_of_table.differences["backend"])
    assert "not Llama-3.1-70B-Instruct" in said
    assert "16384 tokens, not of at most 1024" in said


def test_the_leaderboard_plays_a_hundred_pages_and_no_single_turn(tmp_path):
    settings = COMPARABLE | {
        "n": 100, "human": "openai:gpt-4o-2024-08-06", "max_tokens": 16384, "profile": "hal", "brief_role": "user",
    }  # fmt: skip
    assert len(differences("frontend", settings)) == 2
    assert "no user message" in " ".join(
        differences("frontend", {k: v for k, v in settings.items() if k != "brief_role"})
    )
    with pytest.raises(UsageError, match=r"max_turns=1.*expected 10"):
        open_scenario("backend", profile="hal", max_turns=1)
    with pytest.raises(InputFileError, match=r"no file named colbench\.py"):
        open_scenario("backend", profile="hal", official=write_checkout(tmp_path / "code"))


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
    assert "graded (paper" in done.stdout
    assert json.loads(graded.read_text())["pass_rate"] == 0.0
