"""Messages worded by a checkout of the released code: each one is what that code sends, role by role."""

import ast
import base64
import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from support.doubles import Closeable
from support.official_code import AGENTS, BACKEND_HUMAN, FRONTEND_HUMAN, drive, write_checkout
from support.tables import cases

from colbench_gym import BackendTask, FrontendTask, InputFileError, TaskEpisode
from colbench_gym.chat import ScriptedChat
from colbench_gym.humans.llm import LLMHuman
from colbench_gym.prompts import Captions, default_prompts
from colbench_gym.prompts.official import OFFICIAL_MODULES, load_official
from colbench_gym.rendering import RenderedPage
from colbench_gym.rules import RULES

TRACKS = ("backend", "frontend")
PAGES = ("<html><p>one</p></html>", "<html>\n<h1>zwei ü</h1></html>", '<html><img src="x.png"></html>')
TEXTS = (
    "What is it?", "", "  blanks around  ", "line\nline", "{braces} {0}", "thinking OUTPUT: Which one?", "a" * 1500,
    "OUTPUT:", "ünïcode 漢字 \u2028", "x OUTPUT: y OUTPUT: z", f"Look: {PAGES[0]}", f"Better: {PAGES[1]} or {PAGES[0]}",
    f"thought {PAGES[2]} OUTPUT: asked", f"thought OUTPUT: drawn {PAGES[2]} at last",
)  # fmt: skip
REPLIES = ("Yes.", "b" * 1200, " {again} ", "No\n\n\n\nagent:", "ß")


@pytest.fixture
def checkout(tmp_path):
    return write_checkout(tmp_path / "sweet_rl")


def scripted_dialogues(count):
    dice = random.Random(0)
    for number in range(count):
        turns = dice.randint(1, 12)
        agent = [dice.choice(TEXTS) for _ in range(turns)] + ["I WANT TO ANSWER: done"]
        hidden = dice.choice(PAGES)
        yield f"Task {number}: {{make}} it.", hidden, agent, [dice.choice(REPLIES) for _ in range(12)]


class SourceRenderer(Closeable):
    """A renderer whose pictures are the sources of the pages."""

    @property
    def versions(self):
        return {}

    def render(self, html):
        return RenderedPage("rendered", html.encode())


def played(prompts, track, description, hidden, agent, human):
    """The requests of our human, and what our agent sees before each turn."""
    chat = ScriptedChat(human)
    task = FrontendTask("t", description, hidden)
    if track == "backend":
        task = BackendTask("t", description, hidden, (), (), hidden)
    episode = TaskEpisode(
        task, RULES[track], prompts,
        human=LLMHuman(chat, prompts, RULES[track], leaks="count"), renderer=SourceRenderer(), keeps_draft=False,
    )  # fmt: skip
    seen = []
    for message in agent:
        if episode.over:
            break
        assert episode.messages[0] == {"role": "system", "content": prompts.agent}
        seen.append([{"role": m["role"], "content": m["content"]} for m in episode.messages[1:]])
        episode.speak("agent", message)
        if not episode.over:
            episode.respond()
    return chat.requests, seen


def plain(message):
    """A message with its pictures as bytes: servers read them whatever type their address names."""
    if isinstance(message["content"], str):
        return dict(message)
    parts = [
        part["text"] if part["type"] == "text" else base64.b64decode(part["image_url"]["url"].partition(",")[2])
        for part in message["content"]
    ]
    return {"role": message["role"], "content": parts}


def check_every_message(checkout, track, count, tmp_path, profile="paper"):
    prompts = load_official(checkout, track, profile)
    dialogues = list(scripted_dialogues(count))
    theirs = drive(checkout, track, prompts.human, dialogues, tmp_path)
    requests = 0
    for dialogue, expected in zip(dialogues, theirs, strict=True):
        got, seen = played(prompts, track, *dialogue)
        assert [[plain(m) for m in request] for request in got] == [
            [plain(m) for m in request["messages"]] for request in expected["requests"]
        ]
        assert seen == expected["seen"]
        assert all((r["temperature"], r["max_tokens"]) == (0, 4096) for r in expected["requests"])
        requests += len(got)
    assert requests > count  # a dialogue has more than one reply


@pytest.mark.slow
@pytest.mark.parametrize("track", TRACKS)
def test_every_message_is_the_one_that_the_checkout_sends(checkout, track, tmp_path):
    check_every_message(checkout, track, 30, tmp_path)


if os.environ.get("COLBENCH_OFFICIAL"):  # an own checkout of the released code: only whoever has one can run this

    @pytest.mark.parametrize("track", TRACKS)
    def test_every_message_is_the_official_one(track, tmp_path):
        check_every_message(Path(os.environ["COLBENCH_OFFICIAL"]), track, 100, tmp_path)

    @pytest.mark.parametrize("track", TRACKS)
    def test_every_message_is_the_leaderboards_one(track, tmp_path):
        checkout = Path(os.environ["COLBENCH_OFFICIAL"])
        modules = list(checkout.rglob("hal/benchmarks/colbench.py"))
        if not modules:
            pytest.skip("the folder holds no checkout of the leaderboard's harness")
        check_every_message(checkout, track, 100, tmp_path, "hal")
        named = {
            node.targets[0].id: node.value.value
            for node in ast.parse(modules[0].read_text()).body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        }
        words = load_official(checkout, track, "hal")
        assert words.human == named["CODE_USER_PROMPT" if track == "backend" else "HTML_USER_PROMPT"]
        assert (
            words.agent
            == next(checkout.rglob(f"{'code' if track == 'backend' else 'html'}_agent_prompt.txt")).read_text()
        )


def test_what_is_read_of_a_checkout(checkout):
    backend, frontend = (load_official(checkout, track) for track in TRACKS)
    assert (backend.agent, frontend.agent) == (AGENTS["backend"], AGENTS["frontend"])
    assert (backend.human, frontend.human) == (BACKEND_HUMAN, FRONTEND_HUMAN)
    assert backend.human_system == 'You play "somebody".'
    assert frontend.human_system == ""
    assert frontend.captions == Captions('What was "drawn":', "Nothing was drawn.", "What is wanted:")
    assert backend.content() != frontend.content()


def test_the_content_of_a_wording_has_what_differs_from_ours_only():
    ours = default_prompts("backend")
    assert ours.content() == {"agent": ours.agent, "human": ours.human, "human_cue": ""}
    assert replace(ours, human_system="x").content() == {**ours.content(), "human_system": "x"}


def test_a_module_that_python_cannot_parse_is_read_as_text(checkout):
    module = checkout / "sweet_rl" / "environments" / OFFICIAL_MODULES["frontend"]
    module.write_text(module.read_text() + "\n  def badly_indented(self):\n return {'text': 'x'}\n")
    assert load_official(checkout, "frontend").captions.draft == 'What was "drawn":'


def test_a_checkout_without_a_caption_for_no_draft(checkout):
    module = checkout / "sweet_rl" / "environments" / OFFICIAL_MODULES["frontend"]
    text = module.read_text()
    start, end = text.index("    else:"), text.index('    parts.append({"type": "text", "text": "What is wanted')
    module.write_text(text[:start] + text[end:])
    prompts = load_official(checkout, "frontend")
    assert prompts.captions.no_draft == ""
    (request,), _ = played(prompts, "frontend", "x", PAGES[0], ["?"], ["y"])
    assert plain(request[0])["content"] == [FRONTEND_HUMAN, "What is wanted:", PAGES[0].encode()]


@pytest.mark.parametrize(("name", "change", "said"), cases(__file__, "what_is_no_checkout_is_refused_with_what_to_do"))
def test_what_is_no_checkout_is_refused_with_what_to_do(checkout, name, change, said):
    path = checkout / name
    if change is None:
        path.unlink()
    else:
        path.parent.mkdir(exist_ok=True)
        path.write_text(change)
    with pytest.raises(InputFileError, match=said) as refused:
        load_official(checkout, "backend")
    assert "checkout" in str(refused.value)


def test_other_captions_are_refused(checkout):
    module = checkout / "sweet_rl" / "environments" / OFFICIAL_MODULES["frontend"]
    module.write_text(module.read_text().replace('"text": "What is wanted:"', '"text": wanted'))
    with pytest.raises(InputFileError, match="got 2 captions"):
        load_official(checkout, "frontend")
    with pytest.raises(InputFileError, match="no such folder"):
        load_official(checkout / "nowhere", "frontend")
