"""A run sends the settings of each seat's model to its server, and writes down those that decide about numbers."""

import json

import pytest
from support.openai_server import OpenAIServer, say
from support.tables import cases

from colbench_gym import EvalConfig, evaluate

pytestmark = pytest.mark.usefixtures("no_model_settings")

ROW = cases(__file__, "row")


def test_what_is_sent_and_what_is_written_down(tmp_path, monkeypatch):
    monkeypatch.setenv("KEY_OF_THE_AGENT", "sk-agent")
    monkeypatch.setenv("KEY_OF_THE_HUMAN", "sk-human")

    def script(request):
        if request.body["model"] == "human":
            return say("Twice x.")
        asked = len(request.body["messages"]) > 2
        return say("I WANT TO ANSWER:\ndef double(x):\n    return x + x" if asked else "What is returned?")

    with OpenAIServer(script) as server:
        config = EvalConfig(
            "ColBench-Backend-v0",
            out=tmp_path / "run",
            tasks=[ROW],  # from Python
            agent=f"openai:agent@{server.url}",
            human=f"openai:human@{server.url}",
            agent_max_tokens=99,
            agent_extra_body={"top_k": 3},
            agent_api_key_var="KEY_OF_THE_AGENT",
            human_temperature=0.25,
            human_api_key_var="KEY_OF_THE_HUMAN",
        )
        result = evaluate(config)
    assert result.summary.success.mean == 1.0
    first, human, second = server.requests
    assert first.body["max_tokens"] == second.body["max_tokens"] == 99
    assert first.body["top_k"] == 3
    assert "temperature" not in first.body
    assert first.body["seed"] == second.body["seed"]  # of the dialogue
    assert (human.body["temperature"], "top_k" in human.body, "seed" in human.body) == (0.25, False, False)
    assert (first.authorization, human.authorization) == ("Bearer sk-agent", "Bearer sk-human")
    text = (tmp_path / "run" / "run.json").read_text()
    written = json.loads(text)["configuration"]
    assert (written["temperature"], written["max_tokens"], written["agent_extra_body"]) == (None, 99, {"top_k": 3})
    assert (written["human_temperature"], written["tasks"]) == (0.25, "list of 1 tasks")
    assert "KEY_OF" not in text
    assert "sk-" not in text
