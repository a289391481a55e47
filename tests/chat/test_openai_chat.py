"""OpenAIChat against a real server: what is retried, what fails at once, what is counted and what is never shown."""

import logging
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from support.openai_server import EMPTY, MALFORMED, OpenAIServer, answer, cut, raw, refuse, say
from support.tables import cases

from colbench_gym.chat import ChatModel, Completion, OpenAIChat, Sampling, open_chat, png_part
from colbench_gym.errors import ChatError, UnknownNameError, UsageError

pytestmark = pytest.mark.usefixtures("no_model_settings")

KEY = "sk-very-secret-0123456789"
ASK = [{"role": "user", "content": "What is x?"}]


def talk(script, *, max_retries=3, timeout_s=5.0, hangs=0, **parameters):
    """One completion from a server with that script: what came back, and what the server and the meter saw."""
    with OpenAIServer(script) as server:
        if hangs:
            server._script = [server.hang] * hangs + list(script)
        chat = OpenAIChat("m", server.url, timeout_s=timeout_s, max_retries=max_retries, backoff_s=0.001)
        try:
            result = chat.complete(ASK, Sampling(**parameters))
        except ChatError as e:
            result = e
        finally:
            chat.close()
            chat.close()
        return result, server.requests, chat.usage


def test_a_plain_answer_its_tokens_and_what_was_sent():
    result, requests, usage = talk([say("Twice x.")], temperature=0.5, max_tokens=9, seed=3)
    assert result == Completion("Twice x.", 7, 3)
    assert (usage.calls, usage.prompt_tokens, usage.completion_tokens, usage.retries) == (1, 7, 3, 0)
    assert requests[0].path == "/v1/chat/completions"
    assert requests[0].body == {"model": "m", "messages": ASK, "temperature": 0.5, "max_tokens": 9, "seed": 3}


def test_a_base_url_with_the_path_of_the_call_is_cut_off_kindly():
    with OpenAIServer([say("ok")]) as server:
        chat = OpenAIChat("m", server.url + "/chat/completions/")
        assert chat.complete(ASK).text == "ok"
        chat.close()
    assert server.requests[0].path == "/v1/chat/completions"


def test_defaults_leave_temperature_limit_and_seed_to_the_server():
    _, requests, _ = talk([say("ok")])
    assert requests[0].body == {"model": "m", "messages": ASK}


TRANSIENT = {
    "429 with Retry-After": refuse(429), "500": refuse(500), "503": refuse(503), "malformed JSON": MALFORMED,
    "no JSON at all": raw(b"<html>gateway</html>"),
    "an error with status 200": answer({"error": {"message": "overloaded"}}), "no choices": answer({"choices": []}),
    "a list": answer([1]), "empty content": EMPTY, "blank content": say(" \n"), "null content": say(None),
    "content that is no string": say(["x"]), "cut connection": cut,
}  # fmt: skip


@pytest.mark.parametrize("fault", TRANSIENT.values(), ids=TRANSIENT)
def test_a_transient_fault_is_retried_and_counted(fault):
    result, requests, usage = talk([fault, say("Twice x.")])
    assert result == Completion("Twice x.", 7, 3)
    assert len(requests) == 2
    assert (usage.calls, usage.retries) == (1, 1)


@pytest.mark.parametrize(
    "name", [name for name in TRANSIENT if name != "cut connection"]
)  # the client's own wait between dropped connections is long
def test_a_fault_that_lasts_fails_after_bounded_retries(name):
    result, requests, usage = talk([TRANSIENT[name]], max_retries=2)
    assert isinstance(result, ChatError)
    assert "also after 2 retries" in str(result)
    assert "model 'm' at http://127.0.0.1:" in str(result)
    assert len(requests) == 3
    assert usage.retries == 2


def test_different_faults_share_one_budget():
    script = [refuse(500), MALFORMED, refuse(429), EMPTY, say("late")]
    result, requests, usage = talk(script, max_retries=4)
    assert result.text == "late"
    assert (len(requests), usage.retries) == (5, 4)
    result, requests, _ = talk(script, max_retries=3)
    assert isinstance(result, ChatError)
    assert len(requests) == 4


def test_a_hang_ends_at_the_time_out_and_is_retried():
    result, requests, usage = talk([say("back")], hangs=1, timeout_s=0.2, max_retries=1)
    assert result.text == "back"
    assert (len(requests), usage.retries) == (2, 1)


def test_a_lasting_hang_names_the_time_out():
    result, _, _ = talk([say("never")], hangs=9, timeout_s=0.1, max_retries=0)
    assert "no answer within 0.1 s" in str(result)
    assert "COLBENCH_CHAT_TIMEOUT_S" in str(result)


def test_no_server_at_all():
    with OpenAIServer([EMPTY]) as server:
        url = server.url
    chat = OpenAIChat("m", url, max_retries=0)
    with pytest.raises(ChatError, match="the connection failed") as caught:
        chat.complete(ASK)
    chat.close()
    assert url in str(caught.value)


@pytest.mark.parametrize(
    ("status", "advice"), [(400, "supports"), (401, "OPENAI_API_KEY"), (403, "key"), (404, "/v1"), (422, "supports")]
)
def test_a_lasting_refusal_fails_at_once(status, advice):
    result, requests, usage = talk([refuse(status, "you shall not")])
    assert isinstance(result, ChatError)
    assert f"status {status}" in str(result)
    assert "you shall not" in str(result)
    assert advice in str(result).rsplit(";", 1)[1]
    assert len(requests) == 1
    assert usage.retries == 0


def test_a_server_that_only_takes_the_new_name_of_the_limit():
    complaint = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."

    def script(request):
        if "max_tokens" in request.body:
            return refuse(400, complaint, param="max_tokens", code="unsupported_parameter")
        return say("fine")

    result, requests, _ = talk(script, max_tokens=5)
    assert result.text == "fine"
    assert requests[1].body["max_completion_tokens"] == 5


def test_the_key_is_sent_and_never_shown(monkeypatch, caplog):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with caplog.at_level(logging.DEBUG), OpenAIServer([refuse(401, f"Incorrect key: {KEY}")]) as server:
        chat = OpenAIChat("m", server.url)
        with pytest.raises(ChatError) as caught:
            chat.complete(ASK)
        chat.close()
    assert server.requests[0].authorization == f"Bearer {KEY}"
    assert KEY not in f"{caught.value} {chat!r} {vars(caught.value)}"
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("colbench")]
    assert KEY not in " ".join(ours)


def test_a_lone_surrogate_in_an_answer_is_replaced():
    result, _, _ = talk([raw(b'{"choices": [{"message": {"content": "a\\ud800b"}}]}')])
    assert result == Completion("a?b")


def test_pictures_travel_as_parts():
    with OpenAIServer([say("a page")]) as server:
        chat = OpenAIChat("m", server.url)
        parts = [{"type": "text", "text": "Compare."}, png_part(b"\x89PNG")]
        chat.complete([{"role": "user", "content": parts}])
        chat.close()
    sent = server.requests[0].body["messages"][0]["content"]
    assert sent[1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}


def test_many_threads_share_one_client_and_one_meter():
    def script(request):
        at = int(request.text)
        return (
            refuse(429) if at % 3 == 0 and sum(r.text == request.text for r in server.requests) == 1 else say(f"{at}")
        )

    with OpenAIServer(script) as server:
        chat = OpenAIChat("m", server.url)
        with ThreadPoolExecutor(8) as pool:
            texts = list(pool.map(lambda i: chat.complete([{"role": "user", "content": str(i)}]).text, range(30)))
        chat.close()
    assert texts == [str(i) for i in range(30)]
    assert (chat.usage.calls, chat.usage.retries, chat.usage.prompt_tokens) == (30, 10, 210)


def test_the_server_comes_from_the_spec_or_the_environment(monkeypatch):
    named = open_chat("openai:org/model@v2@http://localhost:8000/v1")
    assert isinstance(named, ChatModel)
    assert repr(named) == "OpenAIChat('org/model@v2', 'http://localhost:8000/v1')"
    named.close()
    open_chat("openai:m@https://host.invalid/v1?api-version=2024-10-21").close()
    monkeypatch.setenv("OPENAI_BASE_URL", "https://example.invalid/v1?token=abc")
    found = open_chat("openai:m")
    assert repr(found) == "OpenAIChat('m', 'https://example.invalid/v1')"
    found.close()


@pytest.mark.parametrize(("spec", "says"), cases(__file__, "a_broken_spec_says_what_was_expected"))
def test_a_broken_spec_says_what_was_expected(spec, says):
    with pytest.raises(UsageError, match=says) as caught:
        open_chat(spec, seat="human")
    assert "pass@" not in str(caught.value)


def test_an_unknown_kind_lists_the_known_ones():
    with pytest.raises(UnknownNameError, match="unknown human 'opnai:m'; expected one of: openai:MODEL"):
        open_chat("opnai:m", seat="human")


@pytest.mark.parametrize("value", ["soon", "-1", "nan", "inf"])
def test_a_variable_that_is_no_number(monkeypatch, value):
    monkeypatch.setenv("COLBENCH_CHAT_TIMEOUT_S", value)
    with pytest.raises(UsageError, match="COLBENCH_CHAT_TIMEOUT_S"):
        OpenAIChat("m", "http://localhost:1/v1")


def test_variables_set_time_out_and_retries(monkeypatch):
    monkeypatch.setenv("COLBENCH_CHAT_RETRIES", "1")
    with OpenAIServer([refuse(500)]) as server:
        chat = OpenAIChat("m", server.url)
        with pytest.raises(ChatError, match="after 1 retries"):
            chat.complete(ASK)
        chat.close()
    assert len(server.requests) == 2


def test_no_package_is_needed(monkeypatch):
    monkeypatch.setitem(sys.modules, "openai", None)  # as if it were not installed
    result, _, _ = talk([say("Twice x.")])
    assert result.text == "Twice x."
