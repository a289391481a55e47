"""``colbench play`` shows at its end what was hidden, and its flags reach the models of both seats."""

import pytest
from support.command import colbench, colbench_here
from support.openai_server import OpenAIServer, say

from colbench_gym.tasks import load_tasks

pytestmark = pytest.mark.usefixtures("no_model_settings")


def test_the_reference_and_the_failed_tests_are_shown_at_the_end(tmp_path):
    task = load_tasks("generated").at(0)
    done = colbench_here("play", "--agent", "asker:0", cwd=tmp_path)
    before, shown = done.stdout.split("reward", maxsplit=1)
    assert task.reference.strip() in shown
    assert task.reference.strip() not in before
    for call in task.calls:
        assert any(f"{outcome:<10}{call}" in shown for outcome in ("passed", "wrong", "raised"))
    assert "wanted " in shown


def test_a_person_reads_a_brief_for_people(tmp_path):
    done = colbench("play", cwd=tmp_path, input="Hm?\nI WANT TO ANSWER: x\n.\n")
    brief = " ".join(done.stderr.replace("│", " ").split())
    assert "Somebody needs a Python function" in brief
    assert "OUTPUT:" not in brief
    assert "the answer is no program" in done.stdout or "NameError: name 'x' is not defined" in done.stdout


def test_each_seat_has_its_own_settings(tmp_path):
    asks = iter(["What is x?", "I WANT TO ANSWER: x"])
    with OpenAIServer(lambda r: say("Hm.") if r.body["model"] == "human" else say(next(asks))) as server:
        colbench_here(
            "play", "--agent", f"openai:agent@{server.url}", "--human", f"openai:human@{server.url}",
            "--agent-max-tokens", 9, "--agent-extra-body", '{"top_k": 3}', "--human-temperature", 0.5, cwd=tmp_path,
        )  # fmt: skip
    agent, human, _ = (request.body for request in server.requests)
    assert (agent["max_tokens"], agent["top_k"], "temperature" in agent) == (9, 3, False)
    assert (human["temperature"], "top_k" in human) == (0.5, False)


def test_help_has_no_none_and_says_how_commands_end(tmp_path):
    for command in ((), ("eval",), ("play",), ("train", "bc")):
        done = colbench_here(*command, "--help", cwd=tmp_path)
        assert "{None}" not in done.stdout
        assert command or "130 stopped by Ctrl-C" in done.stdout


@pytest.mark.parametrize("name", ["filtered-bc", "filtered_bc", "bc"])
def test_a_method_is_trained_by_either_name(name, tmp_path):
    assert "filtered behaviour cloning" in colbench_here("train", name, "--help", cwd=tmp_path).stdout
