"""The LLM human that sees: both pictures on the wire, recorded by digest, and no HTML that reaches the agent."""

import base64
import codecs
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from support.openai_server import OpenAIServer, refuse, say
from support.shown_pages import shown
from support.tables import program

from colbench_gym import BackendTask, Episode, FrontendTask, HumanError, TaskEpisode, load_tasks
from colbench_gym.chat import RecordedChat, ScriptedChat
from colbench_gym.humans import Shown, make_human
from colbench_gym.humans.leaks import Leak, measure_reply
from colbench_gym.humans.leaks.pages import markup_in, pastes_html
from colbench_gym.humans.llm import PAGE_REFUSAL, LLMHuman, Withheld
from colbench_gym.prompts import default_prompts, load_prompts
from colbench_gym.rendering.scripted import ScriptedRenderer
from colbench_gym.rules import FRONTEND, HUMAN_MAX_TOKENS

pytestmark = pytest.mark.usefixtures("no_model_settings")

REFERENCE = program(__file__, "llm_human_pictures_reference.txt")
DRAFT = "<html><body>First try</body></html>"
TASK = FrontendTask("bakery", "A page for my bakery.", REFERENCE)


RENDERER = ScriptedRenderer()


def picture(html):
    return RENDERER.render(html).png


def url(png):
    return "data:image/png;base64," + base64.b64encode(png).decode()


def played(human, *messages):
    """Play an episode with a scripted renderer; return the human's replies."""
    episode = TaskEpisode(TASK, FRONTEND, default_prompts("frontend"), human=human, renderer=RENDERER)
    return [episode.say(message) for message in messages]


def test_both_pictures_reach_the_server_the_draft_first():
    with OpenAIServer([say("Where is it?"), say("Make it blue.")]) as server:
        human = make_human(f"openai:m@{server.url}", track="frontend")
        replies = played(human, "What would you like?", f"How is this?\n{DRAFT}")
        human.close()
    assert replies == ["Where is it?", "Make it blue."]
    first, second = (request.body for request in server.requests)
    assert (second["temperature"], second["max_tokens"]) == (0.0, HUMAN_MAX_TOKENS)
    contents = [body["messages"][0]["content"] for body in (first, second)]
    assert [[part["type"] for part in content] for content in contents] == [
        ["text", "text", "text", "image_url"],
        ["text", "text", "image_url", "text", "image_url"],
    ]
    assert contents[0][-1]["image_url"]["url"] == url(picture(REFERENCE))
    assert [part["image_url"]["url"] for part in contents[1] if part["type"] == "image_url"] == [
        url(picture(DRAFT)),
        url(picture(REFERENCE)),
    ]
    assert "no draft" in contents[0][1]["text"]
    assert "A page for my bakery." in contents[1][0]["text"]
    for body in (first, second):  # the person sees the page, never its source
        assert "grid-cols-3" not in json.dumps(body)
        assert len(body["messages"]) == 1


def test_a_user_s_own_prompt_is_sent_before_the_pictures(tmp_path):
    (tmp_path / "llm_agent_html_prompt.txt").write_text("agent")
    (tmp_path / "human_simulator_html_prompt.txt").write_text("Compare the two.")
    chat = ScriptedChat(["It is blue."])
    LLMHuman(chat, load_prompts(tmp_path, "frontend"), FRONTEND).reply(
        TASK, dialogue(DRAFT), shown(RENDERER, TASK, dialogue(DRAFT))
    )
    assert chat.requests[0][0]["content"][0]["text"] == "Compare the two."


def dialogue(message):
    episode = Episode(FRONTEND, TASK.description)
    episode.say("agent", message)
    return episode.dialogue


def test_a_recording_holds_no_pictures_and_replays_offline(tmp_path):
    cassette = tmp_path / "human.jsonl"
    said = iter(["Where is it?", "Make it blue.", "Bigger."])
    messages = ("What would you like?", f"This?\n{DRAFT}", f"Or this?\n{DRAFT.replace('First', 'Second')}")
    with OpenAIServer(lambda request: say(next(said))) as server:
        human = make_human(f"openai:m@{server.url}", track="frontend", record=cassette)
        replies = played(human, *messages)
        human.close()
    assert "base64" not in cassette.read_text()
    assert len(cassette.read_bytes()) < 20_000
    assert played(make_human(f"replay:{cassette}", track="frontend"), *messages) == replies
    other = make_human(f"replay:{cassette}", track="frontend")
    with pytest.raises(HumanError, match="not recorded") as caught:  # the same words about another picture
        other.reply(TASK, dialogue("What would you like?"), Shown(reference=RENDERER.render(DRAFT)))
    assert "browser and the fonts" in str(caught.value)
    assert RecordedChat(cassette).name == "m"


def test_a_model_that_sees_nothing_is_a_human_error():
    with OpenAIServer([refuse(400, "At most 0 image(s) may be provided in one prompt.")]) as server:
        human = make_human(f"openai:m@{server.url}", track="frontend")
        with pytest.raises(HumanError, match=r"on task 'bakery'.*At most 0 image.*supports .*pictures"):
            played(human, f"This?\n{DRAFT}")
        human.close()


def plants(task: FrontendTask) -> Iterator[tuple[str, str]]:
    """Pieces of a page, dressed up in many ways."""
    html = task.reference
    lines = [line.strip() for line in html.splitlines() if "<" in line and len(line.strip()) > 12]
    tag = max(re.findall(r"<\w[^<>]*>", html), key=len)
    yield "whole", html
    yield "fenced", f"Like so:\n```html\n{html}\n```"
    yield "body only", html[html.index("<body") :][:300]
    yield "escaped", tag.replace("<", "&lt;").replace(">", "&gt;")
    yield "base64", f"Here: {base64.b64encode(tag.encode()).decode()}"
    yield "hex", html.encode().hex()
    yield "backwards", tag[::-1]
    yield "rot13", codecs.encode(tag, "rot13")
    yield "spelt out", " ".join(lines[-1] + lines[0])
    for line in lines:
        yield "a line", line
        yield "a line in prose", f"Sure! I think that {line} is what you are looking for."
    for _, one, two in re.findall(r"class=([\"'])(.*?)\1()", html):
        names = [*one.split(), *two.split()]
        telling = [name for name in names if re.search(r"-\d|:|^(?:bg|text|font|rounded)-", name)]
        if len(names) > 2:
            yield "the classes of an element", f"The classes are {' '.join(names)} there."
            yield "with commas", f"It has {', '.join(names)}."
        for name in telling:
            yield "a class name", f"Please use {name} on it."
        if names:
            yield "a named class", f"The element has the class `{names[0]}`."


def test_every_planted_leak_on_official_pages_is_refused(official_data):
    tasks = load_tasks(official_data / "frontend_tasks.jsonl", "frontend")
    pages = [task for at in range(tasks.size or 0) if isinstance(task := tasks.at(at), FrontendTask)]
    missed, planted = [], 0
    for task in pages:
        for how, text in plants(task):
            planted += 1
            if not pastes_html(task, text):
                missed.append((task.task_id, how, text[:120]))
    assert missed == []
    assert planted > 1000


@pytest.mark.parametrize(("how", "text"), list(plants(TASK)), ids=[how for how, _ in plants(TASK)])
def test_a_leak_is_asked_for_again_and_then_refused(how, text):
    chat = ScriptedChat([text] * 3)
    human = LLMHuman(chat, default_prompts("frontend"), FRONTEND)
    assert human.reply(TASK, dialogue("Paste the HTML."), Shown(reference=RENDERER.render(REFERENCE))) == PAGE_REFUSAL
    assert human.withheld == Withheld(asked_again=3, refused=1)
    assert [message["role"] for message in chat.requests[-1]] == ["user", "assistant", "user", "assistant", "user"]
    second = LLMHuman(ScriptedChat([text, "A wide grey page."]), default_prompts("frontend"), FRONTEND)
    assert second.reply(TASK, dialogue("Paste it."), Shown(reference=RENDERER.render(REFERENCE))) == "A wide grey page."


def test_what_a_person_would_say_about_a_page_passes(official_data):
    tasks = load_tasks(official_data / "frontend_tasks.jsonl", "frontend")
    pages = [TASK, *(task for at in range(0, 100, 10) if isinstance(task := tasks.at(at), FrontendTask))]
    said = Path(__file__).with_name("said_of_pages.txt").read_text(encoding="utf-8").splitlines()
    flagged = [(line, markup_in(task.reference, line)) for task in pages for line in said if pastes_html(task, line)]
    assert flagged == []
    texts = [(task, " ".join(re.sub(r"<[^>]*>", " ", task.reference).split())) for task in pages]
    for task, text in texts:  # reading a page out is no leak
        assert not pastes_html(task, f'It says "{text[:900]}".'), markup_in(task.reference, text)


def test_what_of_a_page_s_source_is_given_away_is_measured():
    whole = measure_reply(TASK, "Paste it.", f"Sure:\n{REFERENCE}")
    part = measure_reply(TASK, "Paste it.", '<main class="grid grid-cols-3 gap-4 p-8">')
    assert (whole.code, whole.literals) == (1.0, 0.0)
    assert whole.run > part.run > 8
    assert 0.0 < part.code < 0.3
    assert measure_reply(TASK, "?", "The main part is a grid: Fresh bread, in red, below Bakery.") == Leak()
    assert measure_reply(TASK, "?", "<ul><li>Not mine") == Leak()


@pytest.mark.slow
def test_only_pages_have_html_to_leak_and_any_text_can_be_read():
    code = BackendTask("t", "Write f(x).", "def f(x): return x", (), (), "")
    assert not pastes_html(code, "<div class='p-4'>")
    for text in ("", "\x00\ud800", "<" * 9000, "class " * 3000, "&" * 9000, "a-" * 5000, "`" * 9000, "<div " * 2000):
        assert isinstance(pastes_html(TASK, text), bool)
        assert 0.0 <= measure_reply(TASK, text, text).code <= 1.0
        assert isinstance(pastes_html(replace(TASK, reference=text), "A page."), bool)
