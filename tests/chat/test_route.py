"""The way to a server: straight, past a proxy, or through a tunnel; read from the environment once a client."""

import pytest
from support.openai_server import OpenAIServer, say

from colbench_gym.chat.http_post import Route
from colbench_gym.chat.openai_chat import OpenAIChat
from colbench_gym.errors import UsageError


@pytest.fixture(autouse=True)
def no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "no_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


def test_the_way_is_straight_without_proxies():
    assert Route.to("http://models/v1/chat?a=1") == Route("models", 80, "/v1/chat?a=1", {}, None)
    assert Route.to("https://models:8443/v1") == Route("models", 8443, "/v1", {}, "models")


def test_a_proxy_is_sent_the_whole_address(monkeypatch):
    monkeypatch.setenv("http_proxy", "http://me:it%40s@between:3128")
    login = {"Proxy-Authorization": "Basic bWU6aXRAcw=="}
    assert Route.to("http://models/v1") == Route("between", 3128, "http://models/v1", login, None)


def test_a_proxy_is_asked_for_a_tunnel_to_a_server_that_speaks_tls(monkeypatch):
    monkeypatch.setenv("https_proxy", "between:3128")
    assert Route.to("https://models/v1") == Route("between", 3128, "/v1", {}, "models", ("models", 443, {}))


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
