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


DRIPS = {
    "of a status line": sending(forever=b"H", every_s=0.02),
    "of headers": sending(HEAD, forever=b"X-More: 1\r\n", every_s=0.02),
    "of one header": sending(HEAD + b"X-More: ", forever=b"x", every_s=0.02),
    "of a body of known length": sending(HEAD + b"Content-Length: 9000\r\n\r\n", forever=b" ", every_s=0.02),
    "of a body of unknown length": sending(HEAD + b"\r\n", forever=b" ", every_s=0.02),
    "of chunks": sending(CHUNKED, forever=b"1\r\n \r\n", every_s=0.02),
    "of a chunk's size": sending(CHUNKED, forever=b"0", every_s=0.02),
    "of trailers": sending(CHUNKED + b"0\r\n", forever=b"X-More: 1\r\n", every_s=0.02),
    "of interim answers": sending(forever=b"HTTP/1.1 100 Continue\r\n\r\n", every_s=0.02),
}


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


@functools.cache
def blanks():
    """Sixteen times what an answer can be, compressed a thousandfold."""
    return gzip.compress(b" " * (16 * MAX_ANSWER_BYTES), compresslevel=9)


TOO_LARGE = {  # made where they are sent
    "a gzip bomb": lambda: raw(blanks(), headers={"Content-Encoding": "gzip"}),
    "a gzip bomb with an error's status": lambda: raw(blanks(), 500, {"Content-Encoding": "gzip", "Retry-After": "0"}),
    "a zlib bomb": lambda: raw(zlib.compress(b" " * (16 * MAX_ANSWER_BYTES)), headers={"Content-Encoding": "deflate"}),
    "an endless body": lambda: sending(HEAD + b"\r\n", forever=b" " * 65536),
    "endless chunks": lambda: sending(CHUNKED, forever=b"8000\r\n" + b" " * 0x8000 + b"\r\n"),
    "a body that says it is long": lambda: raw(b" " * (MAX_ANSWER_BYTES + 1)),
}


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


NO_ANSWER = {
    "no HTTP": (sending(b"SSH-2.0-OpenSSH_9.9\r\n"), "SSH-2.0"),
    "nothing": (sending(), "closed connection"),
    "more headers than anyone needs": (sending(HEAD, forever=b"X-More: 1\r\n"), "100 headers"),
    "a header without end": (sending(HEAD + b"X-More: ", forever=b"x" * 4096), "header line"),
    "a status line without end": (sending(forever=b"H" * 4096), "status line"),
    "a status that is no number": (sending(b"HTTP/1.1 OK\r\n\r\n"), "HTTP/1.1 OK"),
    "a chunk without a size": (sending(CHUNKED + b"zz\r\n{}\r\n"), "IncompleteRead"),
    "a chunk of negative size": (sending(CHUNKED + b"-5\r\n{}\r\n"), "connection failed"),
    "half of what was promised": (sending(HEAD + b"Content-Length: 1000\r\n\r\n{"), "IncompleteRead"),
    "an encoding that was not asked for": (raw(GOOD, headers={"Content-Encoding": "br"}), "'br', which was not asked for"),
    "two encodings": (raw(gzip.compress(gzip.compress(GOOD)), headers={"Content-Encoding": "gzip, gzip"}), "not asked for"),
    "text that is said to be compressed": (raw(GOOD, headers={"Content-Encoding": "gzip"}), "incorrect header check"),
    "half of a compressed text": (raw(gzip.compress(GOOD)[:30], headers={"Content-Encoding": "gzip"}), "no JSON"),
    "fewer bytes promised than sent": (sending(HEAD + b"Content-Length: 9\r\n\r\n" + GOOD), "no JSON"),
    "no content": (sending(b"HTTP/1.1 204 No Content\r\n\r\n"), "no JSON"),
    "brackets": (raw(b"[" * 1_000_000), "no JSON"),
    "a number of 5,000 digits": (raw(b'{"usage": ' + b"9" * 5000 + b"}"), "no JSON"),
    "a redirection": (raw(b"", 307, {"Location": "http://127.0.0.1:9/v1"}), "status 307"),
}  # fmt: skip


@pytest.mark.parametrize(("behaviour", "says"), NO_ANSWER.values(), ids=NO_ANSWER)
def test_what_cannot_be_read_is_a_chat_error(behaviour, says):
    problem = ask(behaviour, timeout_s=PATIENCE_S)
    assert isinstance(problem, ChatError)
    assert says in str(problem)
    assert len(str(problem)) < 1000


def completion(**changes):
    message = {"content": "Twice x."}
    return answer({"choices": [{"message": message}], **changes})


WRONG = {
    "negative tokens": completion(usage={"prompt_tokens": -1}),
    "more tokens than there can be": completion(usage={"completion_tokens": 10**18}),
    "tokens as text": completion(usage={"prompt_tokens": "7"}),
    "tokens as a truth": completion(usage={"prompt_tokens": True}),
    "tokens in pieces": completion(usage={"prompt_tokens": 1.5}),
    "endless tokens": completion(usage={"prompt_tokens": float("inf")}),
    "a list of tokens": completion(usage={"prompt_tokens": [1]}),
    "usage that is a list": completion(usage=[7, 3]),
    "choices that are an object": answer({"choices": {"0": {}}}),
    "choices that are text": answer({"choices": "yes"}),
    "a choice that is text": answer({"choices": ["yes"]}),
    "a message that is a list": answer({"choices": [{"message": ["yes"]}]}),
    "content that is an object": say({"text": "yes"}),
    "content that is a number": say(5),
    "a reason that is a page": say("", finish_reason="long " * 100_000),
}


@pytest.mark.parametrize("behaviour", WRONG.values(), ids=WRONG)
def test_wrong_types_and_impossible_counts_are_chat_errors(behaviour):
    problem = ask(behaviour)
    assert isinstance(problem, ChatError)
    assert len(str(problem)) < 1000


READABLE = {
    "UTF-8 said to be Latin-1": raw(GOOD, headers={"Content-Type": "application/json; charset=iso-8859-1"}),
    "UTF-8 said to be UTF-16": raw(GOOD, headers={"Content-Type": "application/json; charset=utf-16"}),
    "UTF-8 said to be nonsense": raw(GOOD, headers={"Content-Type": "text/plain; charset=no-such"}),
    "a byte order mark": raw(b"\xef\xbb\xbf" + GOOD),
    "gzip, unasked": raw(gzip.compress(GOOD), headers={"Content-Encoding": "gzip"}),
    "a length that is no number": sending(HEAD + b"Content-Length: many\r\n\r\n" + GOOD),
    "a negative length": sending(HEAD + b"Content-Length: -3\r\n\r\n" + GOOD),
    "usage that is null": raw(GOOD[:-1] + b', "usage": null}'),
    "tokens that are null": raw(GOOD[:-1] + b', "usage": {"prompt_tokens": null}}'),
}


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
