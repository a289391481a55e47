"""Settings of the model at a seat: what is sent, what is left out, whose key it is, and what is refused."""

import socket
import time

import pytest
from support.openai_server import OpenAIServer, refuse, say
from support.tables import values

from colbench_gym import BackendTask, ChatError, Dialogue, Turn, UsageError, make_human, make_policy, open_scenario
from colbench_gym.chat import ChatOptions, OpenAIChat, check_server, read_json_object
from colbench_gym.rules import HUMAN_MAX_TOKENS

pytestmark = pytest.mark.usefixtures("no_model_settings")

ASK = [{"role": "user", "content": "What is x?"}]
TASK = BackendTask("1", "f", "def f(x):\n    return x", ("f(1)",), ("a",), "def f(x):\n    return x")
ASKED = Dialogue((Turn("human", "f"), Turn("agent", "What is x?")))
NO_TEMPERATURE = refuse(400, "Unsupported value: 'temperature' does not support 0", param="temperature")


def refuses_temperature(request):
    return NO_TEMPERATURE if "temperature" in request.body else say("Anything.")


def replies(script, times=1, **options):
    """Return the requests to a model human, and what it replied or raised."""
    with OpenAIServer(script) as server:
        human = make_human(f"openai:m@{server.url}", model=ChatOptions(**options) if options else None)
        said = [human.reply(TASK, ASKED) for _ in range(times)]
        human.close()
    return [request.body for request in server.requests], said


def test_an_agents_settings_are_sent_as_they_are(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-mine")
    with OpenAIServer([say("What is f?")]) as server:
        policy = make_policy(
            f"openai:m@{server.url}", temperature=0.3, max_tokens=9, extra_body={"reasoning_effort": "low"},
            api_key_var="MY_KEY",
        )  # fmt: skip
        policy.act(ASK)
        policy.close()
    (request,) = server.requests
    assert request.authorization == "Bearer sk-mine"
    assert request.body == {
        "model": "m", "messages": ASK, "temperature": 0.3, "max_tokens": 9, "reasoning_effort": "low",
    }  # fmt: skip


def test_a_human_has_the_official_sampling_and_goes_without_where_it_is_refused():
    bodies, said = replies(refuses_temperature, times=2)
    assert said == ["Anything."] * 2
    assert [body.get("temperature") for body in bodies] == [0.0, None, None]
    assert {body["max_tokens"] for body in bodies} == {HUMAN_MAX_TOKENS}


def test_a_temperature_that_was_asked_for_is_never_left_out():
    bodies, _ = replies([say("Anything.")], temperature=0.5, max_tokens=50)
    assert (bodies[0]["temperature"], bodies[0]["max_tokens"]) == (0.5, 50)
    with pytest.raises(Exception, match="temperature"):
        replies(refuses_temperature, temperature=0.5)


def test_a_server_that_takes_no_seed_is_asked_without():
    def script(request):
        return refuse(422, "extra field: seed") if "seed" in request.body else say("hm")

    with OpenAIServer(script) as server:
        policy = make_policy(f"openai:m@{server.url}")
        assert [policy.seeded(seed).act(ASK) for seed in (1, 2)] == ["hm", "hm"]
        policy.close()
    assert ["seed" in request.body for request in server.requests] == [True, False, False]


def test_a_scenario_takes_them_for_its_human():
    with (
        OpenAIServer([say("Anything.")]) as server,
        open_scenario(
            "backend",
            human=f"openai:m@{server.url}",
            human_temperature=0.7,
            human_max_tokens=60,
            human_extra_body={"top_k": 5},
        ) as scenario,
    ):
        scenario.episode(seed=0).say("What is x?")
        body = server.requests[0].body
    assert (body["temperature"], body["max_tokens"], body["top_k"]) == (0.7, 60, 5)


@pytest.mark.parametrize(("options", "says"), values(__file__, "chat_options_refused.txt", globals()))
def test_settings_that_no_model_can_have_are_refused(options, says):
    with pytest.raises(UsageError, match=says):
        ChatOptions(**options)


@pytest.mark.parametrize("text", ["{", "[1]", "reasoning_effort=low"])
def test_a_text_that_is_no_json_object_is_refused(text):
    with pytest.raises(UsageError, match=r"expected an object; write for example"):
        read_json_object(text)


def test_a_key_is_named_and_never_shown(monkeypatch):
    with pytest.raises(UsageError, match="expected one such as MY_API_KEY") as refused:
        ChatOptions(api_key_var="sk-secret-123")
    assert "secret" not in str(refused.value)
    with pytest.raises(UsageError, match="got api_key_var='NOT_THERE', but no such environment variable is set"):
        OpenAIChat("m", options=ChatOptions(api_key_var="NOT_THERE"))
    monkeypatch.setenv("MY_KEY", "sk-mine")
    with OpenAIServer([refuse(401, "sk-mine is no key")]) as server:
        chat = OpenAIChat("m", server.url, options=ChatOptions(api_key_var="MY_KEY"))
        with pytest.raises(ChatError, match="set MY_KEY to a valid key") as failed:
            chat.complete(ASK)
    assert "sk-mine" not in str(failed.value)


@pytest.mark.parametrize("setting", [{"extra_body": {"a": 1}}, {"api_key_var": "MY_KEY"}])
def test_seats_that_are_no_models_have_no_settings(setting):
    with pytest.raises(UsageError, match=f"{next(iter(setting))} for the agent 'oracle', which asks no model server"):
        make_policy("oracle", **setting)
    with pytest.raises(UsageError, match=rf"\({next(iter(setting))}\) for the human 'scripted', which is no language"):
        make_human("scripted", model=ChatOptions(**setting))
    with pytest.raises(UsageError, match="which is no language model"):
        open_scenario("backend", human_temperature=0.5)


def test_a_server_that_is_not_there_is_found_out_at_once():
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        check_server(OpenAIChat("m", f"http://127.0.0.1:{listening.getsockname()[1]}/v1"))
        gone = listening.getsockname()[1]
    started = time.monotonic()
    for host in (f"127.0.0.1:{gone}", "no-such-host.invalid"):
        with pytest.raises(ChatError, match=r"the connection failed .*check that the server runs"):
            check_server(make_policy(f"openai:m@http://{host}/v1"))
    assert time.monotonic() - started < 4
    check_server(make_policy("oracle"))
