"""Connections to a model server are kept, and nothing of that can be told from the answers, whatever the server does."""

import os
import resource
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from support.openai_server import OpenAIServer, say

from colbench_gym.chat import OpenAIChat
from colbench_gym.chat.http_post import KEPT_S, Client, NoAnswerError, Route
from colbench_gym.errors import ChatError

ASK = [{"role": "user", "content": "What is x?"}]


class Doors:
    """A script that notes the connection of each request and plays a behaviour for each, the last one for ever."""

    def __init__(self, *behaviours):
        self.ports, self._behaviours = [], behaviours

    def __call__(self, request):
        def behave(handler):
            at = len(self.ports)
            self.ports.append(handler.client_address[1])
            self._behaviours[min(at, len(self._behaviours) - 1)](handler)

        return behave


def ask(doors, times, **options):
    """Texts of as many calls, one after the other, and the retries they took."""
    with OpenAIServer(doors) as server, closing(OpenAIChat("m", server.url, backoff_s=0.0, **options)) as chat:
        texts = []
        for _ in range(times):
            texts.append(chat.complete(ASK).text)
            time.sleep(0.05)  # so that what the server does after an answer has arrived
        return texts, chat.usage.retries


def then(*steps):
    def behave(handler):
        for step in steps:
            step(handler)

    return behave


def hang_up(handler):
    handler.close_connection = True


def say_more(handler):
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")


def drip(handler):
    for _ in range(100):
        handler.wfile.write(b"H")
        time.sleep(0.02)


def test_calls_one_after_another_share_a_connection():
    doors = Doors(say("one"), say("two"), say("three"))
    assert ask(doors, 3) == (["one", "two", "three"], 0)
    assert len(set(doors.ports)) == 1


def test_calls_at_once_have_one_each_and_share_them_later():
    doors = Doors(say("yes"))
    with OpenAIServer(doors) as server, closing(OpenAIChat("m", server.url)) as chat, ThreadPoolExecutor(4) as pool:
        assert {each.text for each in pool.map(lambda _: chat.complete(ASK), range(40))} == {"yes"}
    assert len(set(doors.ports)) <= 4


def test_a_connection_that_the_server_has_closed_is_used_no_more():
    doors = Doors(then(say("one"), hang_up), say("two"))
    assert ask(doors, 2) == (["one", "two"], 0)
    assert len(set(doors.ports)) == 2


def test_what_a_server_says_unasked_is_no_answer():
    """Read with the answer before it is dropped; what comes after that ends the connection."""
    assert ask(Doors(then(say("one"), say_more), say("two")), 2) == (["one", "two"], 0)
    late = Doors(then(say("one"), lambda _: time.sleep(0.02), say_more), say("two"))
    assert ask(late, 2) == (["one", "two"], 0)
    assert len(set(late.ports)) == 2


def test_a_server_that_hangs_up_on_the_next_request_is_asked_anew_and_no_retry_is_counted():
    doors = Doors(say("one"), hang_up, say("two"))
    assert ask(doors, 2, max_retries=0) == (["one", "two"], 0)
    assert len(set(doors.ports)) == 2


def test_a_server_that_always_hangs_up_fails():
    with pytest.raises(ChatError, match="the connection failed"):
        ask(Doors(say("one"), hang_up), 2, max_retries=1)


def test_the_deadline_holds_on_a_kept_connection():
    began = time.monotonic()
    with pytest.raises(ChatError, match=r"no answer within 0\.4 s"):
        ask(Doors(say("one"), drip), 2, timeout_s=0.4, max_retries=0)
    assert time.monotonic() - began < 5


def test_a_connection_that_nobody_has_used_for_long_is_not_used():
    doors = Doors(say("one"))
    with OpenAIServer(doors) as server, closing(Client(Route.to(server.url), {}, kept_s=0.01)) as client:
        assert client.post(b"{}", deadline_s=9).status == 200
        time.sleep(0.05)
        assert client.post(b"{}", deadline_s=9).status == 200
    assert len(set(doors.ports)) == 2
    assert KEPT_S < 5  # what servers of models keep a connection for


def test_a_forked_child_has_connections_of_its_own():
    doors = Doors(say("one"))
    with OpenAIServer(doors) as server, closing(OpenAIChat("m", server.url)) as chat:
        chat.complete(ASK)
        child = os.fork()
        if child == 0:
            os._exit(0 if chat.complete(ASK).text == "one" else 1)
        assert os.waitpid(child, 0)[1] == 0
        chat.complete(ASK)
    assert [doors.ports.index(port) for port in doors.ports] == [0, 1, 0]


def open_files():
    return len(list(Path("/proc/self/fd").iterdir()))


def test_closing_closes_what_is_kept_and_the_watch_ends():
    files = open_files()
    ask(Doors(say("one")), 2)
    for _ in range(100):
        if "colbench-deadlines" not in {thread.name for thread in threading.enumerate()}:
            break
        time.sleep(0.05)
    assert "colbench-deadlines" not in {thread.name for thread in threading.enumerate()}
    assert open_files() <= files


def test_too_many_open_files_are_a_failed_connection():
    client, limits = Client(Route.to("http://127.0.0.1:9/v1"), {}), resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (3, limits[1]))
    try:
        with pytest.raises(NoAnswerError, match="Too many open files"):
            client.post(b"{}", deadline_s=5)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
