"""The bridge to Inspect AI: its command line on a mock server, its scores, its errors, and what its logs show."""

import json
import math
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import ROOT, environment
from support.frontend_seats import Viewer
from support.loopback import only_loopback  # noqa: F401
from support.mock_agents import MockAgent, SilentHuman, first_tasks, hidden_texts
from support.openai_server import OpenAIServer

from colbench_gym.concurrency import leases
from colbench_gym.errors import UnknownNameError

pytestmark = pytest.mark.integration("inspect")
EXAMPLE = (ROOT / "examples" / "integrations" / "inspect_eval").with_suffix(".py")
FRONTEND = {"renderer": "scripted", "similarity": Viewer(), "human": Viewer()}


def model(agent):
    """Inspect's own mock model; with ``usage`` it looks for no tokenizer."""
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    def reply(messages, tools, tool_choice, config):
        output = ModelOutput.from_content("mock", agent.reply([{"role": m.role, "content": m.text} for m in messages]))
        output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
        return output

    return get_model("mockllm/mock", custom_outputs=reply)


def evaluate(task, agent, folder, **more):
    from inspect_ai import eval

    (log,) = eval(task, model=model(agent), log_dir=str(folder), log_format="json", display="none", **more)
    return log


def metrics(log):
    return {score.name: {name: metric.value for name, metric in score.metrics.items()} for score in log.results.scores}


def test_the_command_line_finds_the_tasks_by_the_entry_point(tmp_path):
    tasks = first_tasks("backend", 2)
    with OpenAIServer(MockAgent(tasks).serve) as server:
        command = [
            *(str(Path(sys.executable).with_name("inspect")), "eval", "colbench_gym/backend"),
            *("--model", "openai-api/mock/m", "-T", "n=2", "--epochs", "2", "--display", "plain"),
            *("--log-dir", str(tmp_path), "--log-format", "json"),
        ]
        more = {"MOCK_API_KEY": "k", "MOCK_BASE_URL": server.url, "PYTHONWARNINGS": "default"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment(**more), capture_output=True, text=True, timeout=120
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "hooks enabled" not in done.stdout
    assert len(server.requests) == 2 * 2 * 2  # a question and an answer in each of two epochs of two samples
    (path,) = tmp_path.glob("*.json")
    log = json.loads(path.read_text("utf-8"))
    assert log["eval"]["task"] == "colbench_gym/backend"
    assert log["status"] == "success"
    scores = {score["name"]: score["metrics"]["mean"]["value"] for score in log["results"]["scores"]}
    assert scores == {"reward": 1.0, "success": 1.0, "pass_rate": 1.0, "turns": 2.0, "tokens": 20.0}


@pytest.mark.parametrize("track", ["backend", "frontend"])
def test_the_log_holds_the_dialogue_and_nothing_hidden(track, tmp_path):
    from inspect_ai.log import EvalLog

    from colbench_gym.integrations import inspect_ai

    tasks = first_tasks(track, 3)
    task = getattr(inspect_ai, track)(n=3, **(FRONTEND if track == "frontend" else {}))
    log = evaluate(task, MockAgent(tasks, wrong=True), tmp_path)
    assert isinstance(log, EvalLog)
    assert [sample.id for sample in log.samples] == [task.task_id for task in tasks]
    for sample, played in zip(log.samples, tasks, strict=True):
        assert sample.input == played.description  # the request alone; the brief stands in its messages
        assert sample.target
        assert sample.metadata["open decisions"]
        assert "run" in sample.metadata["leak"]
        assert sample.scores["grade"].value["tokens"] == 4  # two messages, two each
        assert [message.role for message in sample.messages] == ["system", "user", "assistant", "user", "assistant"]
        assert sample.messages[2].text.startswith((" What", " Is"))  # as the human saw it, without its thinking
    (path,) = tmp_path.glob("*.json")
    text = path.read_text("utf-8")
    assert not [secret for task in tasks for secret in hidden_texts(task) if secret in text]
    assert metrics(log)["reward"]["mean"] < 1.0


def test_an_outage_is_an_error_of_its_sample_and_no_score(tmp_path):
    from colbench_gym.integrations.inspect_ai import backend

    agent = MockAgent(first_tasks("backend", 2))
    log = evaluate(backend(n=2, human=SilentHuman()), agent, tmp_path, fail_on_error=False)
    assert [("HumanError" in sample.error.traceback, sample.scores) for sample in log.samples] == [(True, {})] * 2
    assert log.results is None  # there is no mean of nothing
    log = evaluate(backend(n=2, human=SilentHuman()), agent, tmp_path)
    assert log.status == "error"
    log = evaluate(backend(n=2, human=SilentHuman()), agent, tmp_path, fail_on_error=False, score_on_error=True)
    assert [math.isnan(sample.scores["grade"].as_float()) for sample in log.samples] == [True] * 2


def test_a_sample_that_a_limit_stops_has_no_score(tmp_path):
    from colbench_gym.integrations.inspect_ai import backend

    log = evaluate(backend(n=1), MockAgent(first_tasks("backend", 1)), tmp_path, message_limit=3)
    (sample,) = log.samples
    assert sample.limit.type == "message"
    assert math.isnan(sample.scores["grade"].as_float())


def test_the_scenario_is_closed_after_a_run_and_opened_for_the_next(tmp_path):
    from colbench_gym.integrations.inspect_ai import backend

    task, agent = backend(n=1), MockAgent(first_tasks("backend", 1))
    for _ in range(2):
        log = evaluate(task, agent, tmp_path)
        assert metrics(log)["reward"]["mean"] == 1.0
        assert not any(shared._open for shared in leases._everything)


def test_options_are_those_of_the_scenario(tmp_path):
    from colbench_gym.integrations.inspect_ai import backend

    log = evaluate(backend(n=1, max_turns=1, reward="pass_rate"), MockAgent(first_tasks("backend", 1)), tmp_path)
    assert metrics(log)["turns"]["mean"] == 1.0
    assert log.eval.task_args["reward"] == "pass_rate"
    assert log.eval.metadata["grading"].startswith("strict")
    with pytest.raises(UnknownNameError, match="grading"):
        backend(gradin="strict")


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    with OpenAIServer(MockAgent(first_tasks("backend", 4)).serve) as server:
        for name, value in {"MOCK_API_KEY": "k", "MOCK_BASE_URL": server.url, "INSPECT_DISPLAY": "none"}.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr("sys.argv", ["inspect_eval.py", "openai-api/mock/m"])
        monkeypatch.chdir(tmp_path)
        runpy.run_path(str(EXAMPLE))
    assert capsys.readouterr().out.splitlines()[-1] == "reward 1.00"
    assert len(server.requests) == 4 * 2 * 2
