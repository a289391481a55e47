"""A person at either seat: one line or many, the end of the input, control characters."""

import io
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console
from support.command import ROOT, arguments, environment
from support.tables import program

from colbench_gym import BACKEND, FRONTEND, BackendTask, Episode, FrontendTask, HumanError, PolicyError, TaskEpisode
from colbench_gym.humans.console import ConsoleHuman
from colbench_gym.person import ConsoleInput
from colbench_gym.policies.console import ConsolePolicy
from colbench_gym.prompts import default_prompts
from colbench_gym.rendering import MAX_HTML_BYTES
from colbench_gym.rendering.scripted import ScriptedRenderer

TASK = BackendTask("t-1", "Write f(x).", "def f(x): return x", ("f(1)",), ("a",), "def f(x): return x")
MESSAGES = [{"role": "system", "content": "The brief."}, {"role": "user", "content": "Write f(x)."}]


def person(typed):
    shown = io.StringIO()
    return ConsoleInput(Console(file=shown, width=100), io.StringIO(typed)), shown


def test_a_title_is_shown_as_it_is():
    who, shown = person("")
    who.show("task \x1b]0;owned\x07[bold]", "text")
    assert "task \N{REPLACEMENT CHARACTER}]0;owned\N{REPLACEMENT CHARACTER}[bold]" in shown.getvalue()


def test_a_question_is_one_line_and_an_answer_many():
    who, shown = person("What is x?\n\n  \nI WANT TO ANSWER:\ndef f(x):\n\n    return x\n.\nnext\n")
    policy = ConsolePolicy(who)
    assert policy.act(MESSAGES) == "What is x?"
    later = [*MESSAGES, {"role": "assistant", "content": "What is x?"}, {"role": "user", "content": "A number."}]
    assert policy.act(later) == "I WANT TO ANSWER:\ndef f(x):\n\n    return x"
    assert policy.act(later) == "next"
    text = shown.getvalue()
    assert text.count("The brief.") == 1
    assert "A number." in text
    assert "single ." in text


def test_the_end_of_the_input_ends_a_long_message_and_then_is_an_error():
    who, _ = person("<html>\n<body>x</body>\n</html>")
    policy = ConsolePolicy(who)
    assert policy.act(MESSAGES) == "<html>\n<body>x</body>\n</html>"
    with pytest.raises(PolicyError, match="the input ended before the dialogue did; expected your next message"):
        policy.act(MESSAGES)


def test_the_human_sees_the_reference_once_and_replies_in_one_line():
    who, shown = person("A number.\nYes.\n")
    human = ConsoleHuman(who)
    episode = Episode(BACKEND, TASK.description)
    episode.say("agent", "What is x? [bold]\x1b]0;owned\x07")
    episode.say("human", human.reply(TASK, episode.dialogue))
    episode.say("agent", "Any?")
    assert human.reply(TASK, episode.dialogue) == "Yes."
    assert shown.getvalue().count("def f(x): return x") == 1
    assert "[bold]" in shown.getvalue()
    assert "\x1b" not in shown.getvalue()
    with pytest.raises(HumanError, match="the input ended on task 't-1'"):
        human.reply(TASK, episode.dialogue)


PAGE = FrontendTask("shop/1", "A shop.", "<html><body class='p-4'>Wanted</body></html>")
DRAFT = "<html><body>Mine</body></html>"


def paths(shown):
    return [Path(found) for found in re.findall(r"/\S+?\.png", shown.getvalue())]


def test_the_human_gets_the_pictures_as_files():
    shown = io.StringIO()
    who = ConsoleInput(Console(file=shown, width=250), io.StringIO("Send me one.\nMake it blue.\nNothing to see.\n"))
    human, renderer = ConsoleHuman(who), ScriptedRenderer()
    episode = TaskEpisode(PAGE, FRONTEND, default_prompts("frontend"), human=human, renderer=renderer)
    for message in ("What is it?", f"This?\n{DRAFT}", f"<html>{'ü' * (MAX_HTML_BYTES // 2)}</html>"):
        episode.say(message)
    wanted, draft = paths(shown)
    assert (wanted.name, draft.name) == ("wanted-shop_1.png", "turn-2-shop_1.png")
    assert wanted.read_bytes() == renderer.render(PAGE.reference).png
    assert draft.read_bytes() == renderer.render(DRAFT).png
    assert "p-4" not in shown.getvalue()
    assert "cannot be shown: too_large" in shown.getvalue()
    human.close()
    human.close()
    assert not draft.parent.exists()


def test_the_agent_gets_a_picture_of_the_page_that_it_sent():
    shown, renderer = io.StringIO(), ScriptedRenderer()
    policy = ConsolePolicy(ConsoleInput(Console(file=shown, width=250), io.StringIO("one\ntwo\nthree\n")), renderer)
    assert policy.act(MESSAGES) == "one"
    assert paths(shown) == []
    sent = [*MESSAGES, {"role": "assistant", "content": DRAFT}, {"role": "user", "content": "Bluer."}]
    assert policy.act(sent) == "two"
    (picture,) = paths(shown)
    assert picture.read_bytes() == renderer.render(DRAFT).png
    huge = {"role": "assistant", "content": f"<html>{'x' * MAX_HTML_BYTES}</html>"}
    assert policy.act([*sent, huge, {"role": "user", "content": "?"}]) == "three"
    assert "cannot be shown: too_large" in shown.getvalue()
    policy.close()
    assert not picture.exists()


def test_pictures_are_gone_when_the_process_ends():
    program = "from colbench_gym.person import PictureFolder as P; p = P(); print(p.save('../a b', b'png'))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    path = Path(done.stdout.strip())
    assert (path.name, path.parent.exists(), done.stderr) == ("_a_b.png", False, "")


def test_ctrl_c_passes():
    class Interrupting(io.StringIO):
        def readline(self, size=-1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ConsolePolicy(ConsoleInput(Console(file=io.StringIO()), Interrupting())).act(MESSAGES)


TAKE_TERMINAL = program(__file__, "take_terminal.txt")


def read_until(terminal, text):
    shown = b""
    while text not in shown:
        assert select.select([terminal], [], [], 60)[0], shown
        shown += os.read(terminal, 65536)
    return shown


def test_at_a_real_terminal_a_line_can_be_edited_and_ctrl_c_leaves_cleanly():
    main, other = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-c", TAKE_TERMINAL, *arguments("play", "ColBench-Backend-v0")],
        stdin=other, stdout=other, stderr=other, cwd=ROOT, env=environment(TERM="xterm"), start_new_session=True,
    )  # fmt: skip
    os.close(other)
    try:
        read_until(main, b"your message>")
        os.write(main, b"Is itt\x7f a number?\n")
        assert b"the human says" in read_until(main, b"your message>")
        rest = b""
        while b"stopped by Ctrl-C" not in rest:
            os.write(main, b"\x03")  # again where readline missed one that came just before it waited
            while select.select([main], [], [], 3)[0] and b"stopped by Ctrl-C" not in rest:
                rest += os.read(main, 65536)
        assert child.wait(60) == 130
        assert b"Traceback" not in rest
    finally:
        child.kill()
        child.wait()
        os.close(main)
