"""A person at a local page: what reaches it, what is refused, and whole dialogues in a browser."""

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
import time

import pytest
from support.command import arguments, colbench_here, environment
from support.tables import cases, values

from colbench_gym.errors import MissingExtraError, UsageError
from colbench_gym.person import Box, Request
from colbench_gym.person import web as module
from colbench_gym.person.web import HOST, MAX_BODY_BYTES, SharedWebPerson, WebPerson
from colbench_gym.rules import BACKEND, MAX_MESSAGE_CHARS

JSON = {"Content-Type": "application/json"}


@pytest.fixture
def person(capsys):
    with WebPerson() as sitting:
        assert sitting.address in capsys.readouterr().err
        yield sitting


class Asked:
    """A request that waits for its answer in a thread."""

    def __init__(self, person, request):
        self.answers = []
        self.thread = threading.Thread(target=lambda: self.answers.append(person.ask(request)))
        self.thread.start()

    def answer(self):
        self.thread.join(20)
        (answer,) = self.answers
        return answer


def send(person, method, path, body=None, headers=None, own_origin=True):
    connection = http.client.HTTPConnection(HOST, int(person.address.split(":")[2].split("/")[0]), timeout=20)
    origin = {"Origin": person.address.rsplit("/", 2)[0]} if own_origin and method == "POST" else {}
    try:
        connection.request(method, path, body, {**origin, **(headers or {})})
        response = connection.getresponse()
        return response.status, dict(response.getheaders()), response.read()
    finally:
        connection.close()


def root(person):
    return "/" + person.address.split("/", 3)[3]


def news(person, since=-1):
    return json.loads(send(person, "GET", f"{root(person)}api/state?since={since}")[2])


def say(person, text, revision, **more):
    body = json.dumps({"text": text, "revision": revision})
    return send(person, "POST", root(person) + "api/say", body, JSON, **more)


def asked_news(person):
    for _ in range(200):
        now = news(person)
        if now["asked"]:
            return now
        time.sleep(0.02)
    raise AssertionError("nothing was asked")


def test_a_message_reaches_the_seat_and_what_was_said_stays(person):
    first = Asked(
        person, Request("your reply", (Box("task", "Héllo \x1b[1m\u202e"), Box("picture", png=b"png")), opening=True)
    )
    now = asked_news(person)
    assert now["asked"] == "your reply"
    assert now["shown"][0]["text"] == "Héllo \ufffd[1m\ufffd"
    assert send(person, "GET", root(person) + now["shown"][1]["picture"])[2] == b"png"
    assert say(person, "Ünïcode 🙂\nand a second line", now["revision"])[0] == 200
    assert first.answer() == "Ünïcode 🙂\nand a second line"
    second = Asked(person, Request("your reply", (Box("the agent says", "Next?"),)))
    now = asked_news(person)
    assert [shown["title"] for shown in now["shown"]] == ["task", "picture", "you", "the agent says"]
    say(person, "Yes.", now["revision"])
    assert second.answer() == "Yes."
    third = Asked(person, Request("your reply", (Box("task", "Another"),), opening=True))
    now = asked_news(person)
    assert [shown["title"] for shown in now["shown"]] == ["task"]
    say(person, "Yes.", now["revision"])
    assert third.answer() == "Yes."


def test_nothing_without_the_token_from_another_site_or_under_another_name(person):
    waiting = Asked(person, Request("your reply", (Box("what only you can see", "def secret(): ..."),)))
    now = asked_news(person)
    for path in (*cases(__file__, "paths_without_the_token"), root(person)[:-2] + "/"):
        status, _, body = send(person, "GET", path)
        assert (status, b"secret" in body) == (404, False), path
    for path in (*cases(__file__, "paths_of_no_file"), f"pictures/0-{'1' * 5000}.png"):
        assert send(person, "GET", root(person) + path)[0] == 404
    assert send(person, "GET", root(person) + "api/state", headers={"Host": "evil.example"})[0] == 400
    assert send(person, "GET", root(person) + "api/state", headers={"Origin": "http://evil.example"})[0] == 403
    assert say(person, "Forged", now["revision"], own_origin=False)[0] == 403
    body = json.dumps({"text": "Forged", "revision": now["revision"]})
    for origin in ("http://evil.example", "null", f"https://{HOST}"):
        assert send(person, "POST", root(person) + "api/say", body, {**JSON, "Origin": origin})[0] == 403
    assert waiting.answers == []
    say(person, "Mine", now["revision"])
    assert waiting.answer() == "Mine"


def test_the_server_listens_on_the_loopback_interface_only(person):
    assert person._server._socket.getsockname()[0] == HOST


def test_every_answer_forbids_running_and_framing(person):
    for path in ("", "page.js", "page.css", "icon.svg", "api/state"):
        status, headers, _ = send(person, "GET", root(person) + path)
        assert status == 200
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")


@pytest.mark.parametrize(
    ("body", "said"),
    values(
        __file__,
        "web_a_broken_message_is_refused_and_says_why.txt",
        {"MAX_BODY_BYTES": MAX_BODY_BYTES, "MAX_MESSAGE_CHARS": MAX_MESSAGE_CHARS, "json": json},
    ),
    ids=["empty", "deep", "list", "number", "bool", "blank", "long", "huge"],
)
def test_a_broken_message_is_refused_and_says_why(person, body, said):
    status, _, answer = send(person, "POST", root(person) + "api/say", body, JSON)
    assert (status, said in json.loads(answer)["error"]) == (400, True)


def test_a_message_of_another_type_is_refused(person):
    status, _, answer = send(person, "POST", root(person) + "api/say", "text=a", {"Content-Type": "text/plain"})
    assert (status, json.loads(answer)["error"]) == (400, "expected application/json")


def test_a_request_is_answered_once(person):
    waiting = Asked(person, Request("your reply"))
    revision = asked_news(person)["revision"]
    assert say(person, "first", revision - 1)[0] == 409
    assert say(person, "first", revision)[0] == 200
    assert say(person, "second", revision)[0] == 409
    assert waiting.answer() == "first"


def test_a_page_is_drawn_before_it_is_sent(person):
    request = Request("your message", preview=lambda message: Box("your page", f"drawn {message}"))
    waiting = Asked(person, request)
    revision = asked_news(person)["revision"]
    body = json.dumps({"text": "<html>", "revision": revision})
    assert json.loads(send(person, "POST", root(person) + "api/preview", body, JSON)[2])["text"] == "drawn <html>"
    say(person, "done", revision)
    assert waiting.answer() == "done"
    assert send(person, "POST", root(person) + "api/preview", body, JSON)[0] == 409


def test_close_twice_and_a_taken_port(person, capsys):
    port = int(person.address.split(":")[2].split("/")[0])
    with pytest.raises(UsageError, match=f"cannot listen on {HOST}:{port}"):
        WebPerson(port=port)
    other = WebPerson()
    other.close()
    other.close()
    with pytest.raises(ConnectionError):
        send(other, "GET", "/")


def test_one_seat_has_one_page_and_two_seats_have_two(capsys):
    with SharedWebPerson("agent") as first, SharedWebPerson("agent") as second, SharedWebPerson("human") as third:
        assert first.resource() is second.resource()
        assert first.resource().address != third.resource().address
    assert capsys.readouterr().err.count("http://127.0.0.1:") == 2


def test_a_missing_package_names_the_pip_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "starlette.applications", None)
    with pytest.raises(MissingExtraError, match=re.escape('pip install "colbench-gym[web]"')):
        WebPerson()


def test_ctrl_c_ends_a_person_who_has_not_written():
    with subprocess.Popen(
        arguments("play", "--web"), env=environment(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        assert "http://127.0.0.1:" in address_line(process)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert (process.returncode, "stopped by Ctrl-C" in said) == (130, True)


@pytest.mark.parametrize(("flags", "said"), cases(__file__, "wrong_settings_say_what_to_do", tuples=True))
def test_wrong_settings_say_what_to_do(flags, said, tmp_path):
    assert said in " ".join(colbench_here("play", *flags, cwd=tmp_path, status=2).stderr.split())
    assert list(tmp_path.iterdir()) == []


def address_line(process):
    """The line with the address, or all that was said instead."""
    said = ""
    for line in process.stderr:
        said += line
        if "http://" in line:
            break
    return said


@pytest.fixture
def playing(browser):
    """Start ``colbench play --web`` and open its page in a browser."""
    processes = []

    def start(*flags, cwd):
        process = subprocess.Popen(
            arguments("play", *flags, "--web"),
            env=environment(), cwd=cwd, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        processes.append(process)
        found = re.search(r"http://\S+", address_line(process))
        page = browser.new_context().new_page()
        page.set_default_timeout(60_000)
        problems = []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto(found[0])
        page.wait_for_selector("#message:enabled")
        return process, page, problems

    yield start
    for process in processes:
        process.kill()
        process.communicate()


def send_from(page, text):
    """Send a message and wait until the page shows what came after, and asks again."""
    before = page.get_attribute("body", "data-revision")
    page.fill("#message", text)
    page.click("#send")
    page.wait_for_selector(f"body:not([data-revision='{before}'])")
    page.wait_for_selector("#send:enabled")


HOSTILE = "What of an empty list? <script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
PAGE = "Like this? <html><body><h1>Shop</h1><p>A page</p></body></html>"


@pytest.mark.sampled(2)
@pytest.mark.browser
@pytest.mark.parametrize(
    ("env_id", "first"), [("ColBench-Backend-v0", HOSTILE), ("ColBench-Frontend-v0", PAGE)], ids=["backend", "frontend"]
)
def test_the_agents_seat_in_a_browser(playing, tmp_path, env_id, first):
    process, page, problems = playing(env_id, cwd=tmp_path)
    other = page.context.browser.new_context().new_page()
    assert other.goto(page.url.rsplit("/", 2)[0] + "/guess/").status == 404
    page.fill("#message", first)
    if env_id == "ColBench-Frontend-v0":
        page.click("#look")
        page.wait_for_selector("#preview img")
        page.click("#preview button")
    page.click("#send")
    page.wait_for_selector(".box.own")
    page.wait_for_selector("#message:enabled")
    assert first in page.inner_text(".box.own p")
    page.fill("#message", "def f():\n    return 1")
    page.check("#final")
    page.press("#message", "Control+Enter")
    page.wait_for_selector("#send:text-is('Done')")
    text = page.inner_text("#dialogue")
    assert ("of 10 tests passed" if env_id == "ColBench-Backend-v0" else "Similarity to the wanted page") in text
    assert "the reference" in text
    page.click("#send")
    page.wait_for_selector("text=The end.")
    assert (page.title(), problems) == ("ColBench", [])
    out, said = process.communicate(timeout=60)
    assert (process.returncode, "reward" in out, said) == (0, True, "")


@pytest.mark.sampled(2)
@pytest.mark.browser
@pytest.mark.parametrize(
    ("env_id", "agent", "pictures"), [("ColBench-Backend-v0", "asker:2", 0), ("ColBench-Frontend-v0", "designer:1", 2)]
)
def test_the_humans_seat_in_a_browser(playing, tmp_path, env_id, agent, pictures):
    process, page, problems = playing(env_id, "--agent", agent, "--human", "console", cwd=tmp_path)
    assert page.is_visible("#private")
    assert page.locator(".box img").count() == pictures
    for _ in range(BACKEND.max_turns):
        if page.is_visible("#send:text-is('Done')"):
            break
        send_from(page, "I do not mind.")
    page.wait_for_selector("#send:text-is('Done'):enabled")
    page.click("#send")
    page.wait_for_selector("text=The end.")
    assert problems == []
    assert process.wait(60) == 0


@pytest.mark.browser
def test_a_study_has_a_folder_of_trajectories_for_each_person(playing, tmp_path):
    process, page, problems = playing("--people", "study", "-n", "2", cwd=tmp_path)
    for name in ("no/such name", "anna", "7"):
        page.wait_for_selector("label:text-is('Your name or number')")
        send_from(page, name)
        if "/" in name:
            page.wait_for_selector("text=write at most 40 letters")
            continue
        for _ in range(2):
            assert page.inner_text("#label") == "Your message"
            send_from(page, f"I WANT TO ANSWER: def by_{name}(): pass")
    page.wait_for_selector("text=All is saved.")
    assert problems == []
    process.send_signal(signal.SIGINT)
    assert process.wait(60) == 130
    for name in ("anna", "7"):
        rows = (tmp_path / "study" / name / "trajectories.jsonl").read_text("utf-8").splitlines()
        assert [f"by_{name}" in json.loads(row)["answer"] for row in rows] == [True, True]
        assert json.loads((tmp_path / "study" / name / "run.json").read_text("utf-8"))["coverage"]["planned"] == 2


def test_the_page_runs_nothing_that_it_shows():
    script = (module._PAGE / "page.js").read_text("utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function", script)
