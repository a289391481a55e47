"""OpenAIChat and servers that are broken or mean no good: a ChatError or the right text, in bounded time and memory."""

import functools
import gzip
import json
import socket
import time
import tracemalloc
import zlib

import pytest
from support.openai_server import OpenAIServer, answer, raw, refuse, say
from support.tables import named

from colbench_gym.chat import Completion, OpenAIChat
from colbench_gym.chat.http_post import MAX_ANSWER_BYTES
from colbench_gym.errors import ChatError, UsageError

pytestmark = [pytest.mark.usefixtures("no_model_settings"), pytest.mark.slow]

ASK = [{"role": "user", "content": "What is x?"}]
DEADLINE_S = 0.4
PATIENCE_S = 10.0  # far over the deadline: a test fails here where the deadline does not hold
GOOD = json.dumps({"choices": [{"message": {"content": "Größe 5 €"}}]}, ensure_ascii=False).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"


def ask(behaviour, *, max_retries=0, timeout_s=DEADLINE_S):
    """One completion: what came back."""
    with OpenAIServer([behaviour]) as server:
        chat = OpenAIChat("m", server.url, timeout_s=timeout_s, max_retries=max_retries, backoff_s=0.0)
        try:
            return chat.complete(ASK)
        except ChatError as error:
            return error
        finally:
            chat.close()


def sending(*pieces, forever=b"", every_s=0.0):
    """Bytes as they stand, then the last ones again and again until the client is gone."""

    def behave(handler):
        handler.close_connection = True
        try:
            for piece in pieces:
                handler.wfile.write(piece)
            while forever:
                handler.wfile.write(forever)
                handler.wfile.flush()
                if every_s:
                    time.sleep(every_s)
        except OSError:
            return

    return behave


@functools.cache
def blanks():
    """Sixteen times what an answer can be, compressed a thousandfold."""
    return gzip.compress(b" " * (16 * MAX_ANSWER_BYTES), compresslevel=9)


NAMES = {
    "CHUNKED": CHUNKED, "GOOD": GOOD, "HEAD": HEAD, "MAX_ANSWER_BYTES": MAX_ANSWER_BYTES, "blanks": blanks,
    "gzip": gzip, "raw": raw, "sending": sending, "zlib": zlib,
}  # fmt: skip
DRIPS = named(__file__, "hostile_servers.txt", "DRIPS", NAMES)


@pytest.mark.parametrize("drip", DRIPS.values(), ids=DRIPS)
def test_a_drip_ends_at_the_deadline(drip):
    started = time.monotonic()
    assert f"no answer within {DEADLINE_S:g} s" in str(ask(drip))
    assert time.monotonic() - started < PATIENCE_S


def test_a_server_that_says_nothing_during_the_tls_handshake_ends_at_the_deadline():
    started = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"https://127.0.0.1:{silent.getsockname()[1]}/v1"
        chat = OpenAIChat("m", url, timeout_s=DEADLINE_S, max_retries=0)
        with pytest.raises(ChatError, match="no answer within"):
            chat.complete(ASK)
    assert time.monotonic() - started < PATIENCE_S


TOO_LARGE = named(__file__, "hostile_servers.txt", "TOO_LARGE", NAMES)


@pytest.mark.parametrize("make_body", TOO_LARGE.values(), ids=TOO_LARGE)
def test_more_than_an_answer_can_be_is_not_read(make_body):
    body = make_body()
    tracemalloc.start()
    try:
        problem = ask(body, timeout_s=PATIENCE_S)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert f"an answer of more than {MAX_ANSWER_BYTES:,} bytes" in str(problem)
    assert peak < 6 * MAX_ANSWER_BYTES


NO_ANSWER = named(__file__, "hostile_servers.txt", "NO_ANSWER", NAMES)


@pytest.mark.parametrize(("behaviour", "says"), NO_ANSWER.values(), ids=NO_ANSWER)
def test_what_cannot_be_read_is_a_chat_error(behaviour, says):
    problem = ask(behaviour, timeout_s=PATIENCE_S)
    assert isinstance(problem, ChatError)
    assert says in str(problem)
    assert len(str(problem)) < 1000


def completion(**changes):
    message = {"content": "Twice x."}
    return answer({"choices": [{"message": message}], **changes})


WRONG = named(
    __file__, "hostile_servers.txt", "WRONG", NAMES | {"answer": answer, "completion": completion, "say": say}
)


@pytest.mark.parametrize("behaviour", WRONG.values(), ids=WRONG)
def test_wrong_types_and_impossible_counts_are_chat_errors(behaviour):
    problem = ask(behaviour)
    assert isinstance(problem, ChatError)
    assert len(str(problem)) < 1000


READABLE = named(__file__, "hostile_servers.txt", "READABLE", NAMES)


@pytest.mark.parametrize("behaviour", READABLE.values(), ids=READABLE)
def test_what_can_be_read_is(behaviour):
    assert ask(behaviour) == Completion("Größe 5 €")


def test_bytes_that_are_no_text_are_replaced():
    assert ask(raw(GOOD.replace("€".encode(), b"\xff"))) == Completion("Größe 5 \ufffd")


@pytest.mark.parametrize(
    "wait", ["1e9", "-5", "nan", "inf", "Sun, 01 Jan 2090 00:00:00 GMT", "9" * 5000, "1_0", "\u0662\u0660"]
)
def test_a_wait_that_nobody_has_time_for_is_not_waited(wait):
    started = time.monotonic()
    assert "also after 2 retries" in str(ask(refuse(503, retry_after=wait), max_retries=2))
    assert time.monotonic() - started < PATIENCE_S


def test_a_refusal_of_megabytes_with_the_key_in_it_is_short_and_without_the_key(monkeypatch):
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    problem = ask(refuse(401, f"{key} " * 100_000), timeout_s=PATIENCE_S)
    assert len(str(problem)) < 1000
    assert key not in str(problem)


def test_a_redirection_is_not_followed():
    with OpenAIServer([say("stolen")]) as thief:
        problem = ask(raw(b"", 307, {"Location": f"{thief.url}/chat/completions"}))
    assert "status 307" in str(problem)
    assert thief.requests == []


def test_a_key_that_would_break_the_request_is_refused_and_not_shown(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret\r\nX-Evil: 1")
    with pytest.raises(UsageError, match="printable ASCII") as caught:
        OpenAIChat("m")
    assert "sk-secret" not in str(caught.value)
