"""Wrong usages as people make them, in Python and on the command line: each message says what to do about it."""

import asyncio
import copy
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from support.command import colbench_here as in_this_process  # with no browser: quick
from support.doubles import Closeable
from support.tables import cases, named, rows

import colbench_gym
from colbench_gym import EvalConfig, UsageError, load_tasks, make_human, make_policy, open_scenario
from colbench_gym.envs.pettingzoo import backend_v0
from colbench_gym.testing import check_human

ENV_ID = "ColBench-Backend-v0"
ANSWER = "I WANT TO ANSWER: x"
ROW = cases(__file__, "row")
SERVER = "openai:m@http://127.0.0.1:9/v1"


@dataclass
class Human:
    """A human of the user's own that replies what it was given."""

    text: Any = "Hm."

    def reply(self, task, dialogue, shown):
        return self.text

    def close(self):
        pass


class WithoutClose:
    def reply(self, task, dialogue, shown):
        return "Hm."


class Async(Human):
    async def reply(self, task, dialogue, shown):
        return "Hm."


class AtItsEnd(Human):
    def reply(self, task, dialogue, shown):
        return next(iter(()))


class NumberGrader(Closeable):
    def grade(self, task, answer):
        return 0.5


def backend(**options):
    open_scenario("backend", **options)


def pages(**options):
    open_scenario("frontend", renderer="scripted", **options)


def episode(**options):
    return open_scenario("backend", **options).episode(seed=0)


def env(**options):
    made = gymnasium.make(ENV_ID, **options).unwrapped
    made.reset(seed=0)
    return made


def twice(played):
    played.say(ANSWER)
    played.say(ANSWER)


def vector():
    made = gymnasium.make_vec(ENV_ID, num_envs=2)
    made.reset(seed=0)
    return made


# What is done, what the message says (what was got; what was expected, or what to do).
IN_PYTHON = {row["name"]: row for row in rows(__file__, "wrong_usages.jsonl")}
NAMES = {"copy": copy, "Path": Path, "EvalConfig": EvalConfig, "make_human": make_human, "make_policy": make_policy}
NAMES = {**globals(), **NAMES, "backend_v0": backend_v0}  # of what people write


@pytest.mark.parametrize("name", IN_PYTHON)
def test_in_python(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError) as refused:
        eval(IN_PYTHON[name]["wrong"], NAMES)
    assert all(part in str(refused.value) for part in IN_PYTHON[name]["says"]), refused.value
    assert list(tmp_path.iterdir()) == []


def test_what_a_part_of_ones_own_returns_is_looked_at():
    with pytest.raises(
        colbench_gym.HumanError, match=r"Human, .* of type NoneType, expected str; let its reply.. return"
    ):
        episode(human=Human(None)).say("What?")
    with pytest.raises(colbench_gym.HumanError, match=r"of type coroutine, expected str; .* be no async function"):
        episode(human=Async()).say("What?")
    with pytest.raises(colbench_gym.HumanError, match=r"AtItsEnd, .* raised StopIteration, .* up to 9 questions"):
        episode(human=AtItsEnd()).say("What?")
    with pytest.raises(colbench_gym.HumanError, match="raised StopIteration"):
        asyncio.run(episode(human=AtItsEnd()).asay("What?"))
    with pytest.raises(AssertionError, match="WithoutClose has no method close"):
        check_human(WithoutClose(), [load_tasks("generated").at(0)])
    with pytest.raises(
        colbench_gym.GraderError, match="NumberGrader returned an object of type float, expected a Grade"
    ):
        episode(grading=NumberGrader()).say(ANSWER)


EVAL = ("eval", ENV_ID, "-n", "1", "--out", "run")
ON_THE_COMMAND_LINE = named(
    __file__, "wrong_usages_commands.txt", "COMMANDS", {"EVAL": EVAL, "SERVER": SERVER, "ENV_ID": ENV_ID}
)


@pytest.mark.parametrize("name", ON_THE_COMMAND_LINE)
def test_on_the_command_line(name, monkeypatch, tmp_path):
    monkeypatch.delenv("NOT_THERE", raising=False)
    arguments, *says = ON_THE_COMMAND_LINE[name]
    refused = in_this_process(*arguments, cwd=tmp_path, status=2)
    said = re.sub(r"[\s│]+", " ", refused.stdout + refused.stderr)  # a box wraps its lines
    assert all(part in said for part in says), said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seat", ["--agent", "--human"])
def test_a_server_that_is_not_there_leaves_no_folder(seat, tmp_path):
    said = in_this_process(*EVAL, seat, SERVER, cwd=tmp_path, status=1).stderr
    assert "the connection failed" in said
    assert "check that the server runs and that the address is right" in said
    assert list(tmp_path.iterdir()) == []
