"""The way to a server: straight, past a proxy, or through a tunnel; read from the environment once a client."""

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from support.openai_server import OpenAIServer, say
from support.tables import values

from colbench_gym.chat.http_post import Route
from colbench_gym.chat.openai_chat import OpenAIChat
from colbench_gym.errors import ChatError, UsageError


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_the_way_is_straight_without_proxies():
    assert Route.to("http://models/v1/chat?a=1") == Route("models", 80, "/v1/chat?a=1", {"Host": "models"}, None)
    assert Route.to("https://models:8443/v1") == Route("models", 8443, "/v1", {"Host": "models:8443"}, "models")


def test_a_name_in_other_letters_is_written_as_it_is_looked_up():
    assert Route.to("http://müller.example:8000/v1").headers == {"Host": "xn--mller-kva.example:8000"}


def test_a_proxy_is_sent_the_whole_address(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://me:it%40s@between:3128")
    headers = {"Host": "models", "Proxy-Authorization": "Basic bWU6aXRAcw=="}
    assert Route.to("http://models/v1") == Route("between", 3128, "http://models/v1", headers, None)


def test_a_proxy_is_asked_for_a_tunnel_to_a_server_that_speaks_tls(monkeypatch):
    monkeypatch.setenv("https_proxy", "between:3128")
    tunnel = ("models:443", {})
    assert Route.to("https://models/v1") == Route("between", 3128, "/v1", {"Host": "models"}, "models", tunnel)


def test_no_proxy_is_asked_for_a_host_that_is_excepted(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://between:3128")
    monkeypatch.setenv("no_proxy", "models")
    assert Route.to("http://models/v1").host == "models"


@pytest.mark.parametrize("url", ["http://localhost:port/v1", "http://localhost:99999/v1"])
def test_a_base_url_without_a_proper_port_is_refused(url):
    with pytest.raises(UsageError, match="got the base URL"):
        OpenAIChat("m", url)


def test_a_client_reads_the_environment_when_it_is_built(monkeypatch):
    with OpenAIServer([say("yes")]) as server:
        chat = OpenAIChat("m", server.url, max_retries=0)
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        assert chat.complete([{"role": "user", "content": "?"}]).text == "yes"


@pytest.mark.parametrize(("says", "error"), values(__file__, "answers_of_proxies.txt", {}))
def test_a_tunnel_is_asked_for_before_the_tls_handshake(monkeypatch, says, error):
    asked = []

    def be_a_proxy():
        sock, _ = listener.accept()
        with sock:
            asked.append(sock.recv(9_999))
            sock.sendall(says)
            asked.append(sock.recv(1))

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        monkeypatch.setenv("https_proxy", f"http://me:it@127.0.0.1:{listener.getsockname()[1]}")
        proxy = pool.submit(be_a_proxy)
        with pytest.raises(ChatError, match=error):
            OpenAIChat("m", "https://models/v1", max_retries=0, timeout_s=5.0).complete([])
        proxy.result()
    request = b"CONNECT models:443 HTTP/1.1\r\nHost: models:443\r\nProxy-Authorization: Basic bWU6aXQ=\r\n\r\n"
    assert asked == [request, b"\x16" if b"200 Fine\r\n\r" in says else b""]  # a TLS handshake's first byte


def test_a_proxy_that_drips_ends_at_the_deadline(monkeypatch):
    def drip():
        sock, _ = listener.accept()
        with sock, suppress(OSError):
            for _ in range(200):
                sock.sendall(b"H")
                time.sleep(0.05)

    with socket.create_server(("127.0.0.1", 0)) as listener, ThreadPoolExecutor(1) as pool:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{listener.getsockname()[1]}")
        pool.submit(drip)
        began = time.monotonic()
        with pytest.raises(ChatError, match=r"no answer within 0\.3 s"):
            OpenAIChat("m", "https://models/v1", max_retries=0, timeout_s=0.3).complete([])
        assert time.monotonic() - began < 5.0
