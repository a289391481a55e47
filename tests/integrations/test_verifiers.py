"""The bridge to verifiers: its command line on a mock server, its traces, its errors, and what they show."""

import json
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import tomllib
from support.command import ROOT, environment
from support.loopback import only_loopback  # noqa: F401
from support.mock_agents import MockAgent, first_tasks, hidden_texts
from support.openai_server import OpenAIServer, refuse

from colbench_gym.scenario import OPTIONS

pytestmark = pytest.mark.integration("verifiers")
EXAMPLE = ROOT / "examples" / "integrations" / "verifiers_eval.sh"
FRONTEND = ("--env.taskset.track", "frontend", "--env.taskset.renderer", "scripted")


def evaluate(server, folder, monkeypatch, *flags):
    """Run ``vf-eval`` in this process, as importing verifiers takes longest; return its episodes and all it wrote."""
    from verifiers.v1.cli.eval.main import main

    monkeypatch.setenv("MOCK_KEY", "k")
    command = [
        *("colbench-vf", "-m", "m", "--client.base-url", server.url, "--client.api-key-var", "MOCK_KEY"),
        *("--no-push", "--no-rich", "-o", str(folder), "--run.dir", "run", *map(str, flags)),
    ]
    monkeypatch.setattr("sys.argv", ["vf-eval"])
    main(command)
    return written(folder / "run")


def written(run):
    text = "".join(path.read_text("utf-8") for path in run.rglob("*") if path.is_file())
    return [json.loads(line) for line in (run / "traces.jsonl").read_text("utf-8").splitlines()], text


def rewards(episode):
    (trace,) = episode["traces"]
    return {name: reward["score"] for name, reward in trace["rewards"].items()}


def test_the_example_plays_groups_of_rollouts_by_the_command_line(tmp_path):
    tasks = first_tasks("backend", 4)
    with OpenAIServer(MockAgent(tasks).serve) as server:
        path = {"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "HOME": str(tmp_path)}
        done = subprocess.run(
            ["bash", str(EXAMPLE), "m", server.url, "MOCK_KEY"], cwd=tmp_path,
            env=environment(MOCK_KEY="k", **path) | {"PYTHONWARNINGS": "default"}, capture_output=True, text=True,
            timeout=200,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    (run,) = (tmp_path / "outputs").iterdir()
    episodes, _ = written(run)
    assert sorted(episode["task"]["key"] for episode in episodes) == sorted(2 * [task.task_id for task in tasks])
    for episode in episodes:
        (trace,) = episode["traces"]
        assert episode["ok"]
        assert rewards(episode) == {"success": 1.0}
        assert trace["metrics"].items() >= {"pass_rate": 1.0, "turns": 2.0, "answered": 1.0}.items()
    assert len(server.requests) == 4 * 2 * 2
    said = [message["content"] for request in server.requests for message in request.body["messages"]]
    assert " What should it return?" in said  # as the human saw it
    assert not any("OUTPUT: What" in content for content in said)


@pytest.mark.parametrize(("track", "flags"), [("backend", ()), ("frontend", FRONTEND)])
def test_nothing_hidden_is_in_what_a_run_writes(track, flags, tmp_path, monkeypatch):
    tasks = first_tasks(track, 2)
    with OpenAIServer(MockAgent(tasks, wrong=True).serve) as server:
        episodes, text = evaluate(server, tmp_path, monkeypatch, "-n", 2, *flags)
    assert [episode["ok"] for episode in episodes] == [True, True]
    assert {name for episode in episodes for name in rewards(episode)} == {
        "success" if track == "backend" else "similarity"
    }
    text += "".join(request.text for request in server.requests)
    assert not [secret for task in tasks for secret in hidden_texts(task) if secret in text]


def test_an_outage_of_the_human_is_an_error_without_a_reward(tmp_path, monkeypatch):
    with OpenAIServer(MockAgent(first_tasks("backend", 1)).serve) as server:
        human = "python:support.mock_agents:silent_human"
        (episode,), _ = evaluate(server, tmp_path, monkeypatch, "-n", 1, "--env.taskset.human", human)
    assert not episode["ok"]
    assert "the human's server is down" in episode["errors"][0]["message"]
    (trace,) = episode["traces"]
    assert (trace["ok"], trace["rewards"]) == (False, {})


def test_an_outage_of_the_model_is_an_error_without_a_reward(tmp_path, monkeypatch):
    with OpenAIServer([refuse(400, "no such model")]) as server:
        (episode,), _ = evaluate(server, tmp_path, monkeypatch, "-n", 1)
    (trace,) = episode["traces"]
    assert not episode["ok"]
    assert (trace["errors"][0]["type"], trace["rewards"]) == ("ProviderError", {})


def test_a_limit_of_the_user_ends_a_dialogue_without_an_answer(tmp_path, monkeypatch):
    with OpenAIServer(MockAgent(first_tasks("backend", 1)).serve) as server:
        (episode,), _ = evaluate(server, tmp_path, monkeypatch, "-n", 1, "--env.agent.max-turns", 1)
    (trace,) = episode["traces"]
    assert rewards(episode) == {"success": 0.0}
    assert trace["metrics"]["answered"] == 0.0


def test_all_options_of_a_scenario_are_flags():
    import verifiers.v1 as vf

    own = set(vf.taskset_config_type("colbench-vf").model_fields) - set(vf.TasksetConfig.model_fields)
    assert own - {"track"} == {option.name for options in OPTIONS.values() for option in fields(options)}


def test_the_files_for_prime_rl_and_the_hub_name_the_environment_and_its_options():
    import verifiers.v1 as vf

    folder = EXAMPLE.parent
    settings = tomllib.loads((folder / "verifiers_eval.toml").read_text("utf-8"))
    for source in settings["source"]:
        config = vf.taskset_config_type(source["env"]["taskset"]["id"])(**source["env"]["taskset"])
        assert (config.track, config.human) == ("backend", "scripted")
    manifest = tomllib.loads((folder / "verifiers_hub" / "pyproject.toml").read_text("utf-8"))
    assert manifest["project"]["name"] == settings["source"][0]["env"]["taskset"]["id"]
    assert manifest["project"]["dependencies"] == ["colbench-gym[verifiers]"]


def test_an_endless_set_asks_for_a_number():
    import verifiers.v1 as vf

    import colbench_vf

    config = vf.taskset_config_type("colbench-vf")(id="colbench-vf")
    taskset = colbench_vf.ColBenchTaskset(config)
    assert not taskset.bounded
    assert [task.data.id for task in taskset.take(2)] == [task.task_id for task in first_tasks("backend", 2)]
    taskset.shared.close()
