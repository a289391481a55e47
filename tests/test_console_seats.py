"""A person at either seat: one line or many, the end of the input, control characters."""

from __future__ import annotations

import io
import os
import pty
import select
import subprocess
import sys

import pytest
from command import ROOT, arguments, environment
from rich.console import Console

from colbench_gym.console_input import ConsoleInput
from colbench_gym.episode import Episode
from colbench_gym.errors import HumanError, PolicyError
from colbench_gym.humans.console import ConsoleHuman
from colbench_gym.policies.console import ConsolePolicy
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import BackendTask

TASK = BackendTask("t-1", "Write f(x).", "def f(x): return x", ("f(1)",), ("a",), "def f(x): return x")
MESSAGES = [{"role": "system", "content": "The brief."}, {"role": "user", "content": "Write f(x)."}]


def person(typed):
    shown = io.StringIO()
    return ConsoleInput(Console(file=shown, width=100), io.StringIO(typed)), shown


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


def test_ctrl_c_passes():
    class Interrupting(io.StringIO):
        def readline(self, size=-1):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ConsolePolicy(ConsoleInput(Console(file=io.StringIO()), Interrupting())).act(MESSAGES)


TAKE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


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
