"""Wrong usages as people make them, in Python and on the command line: each message says what to do about it."""

import asyncio
import copy
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from support.doubles import Closeable

import colbench_gym
from colbench_gym import EvalConfig, UsageError, load_tasks, make_human, make_policy, open_scenario
from colbench_gym.cli import main
from colbench_gym.envs.pettingzoo import backend_v0
from colbench_gym.testing import check_human

ENV_ID = "ColBench-Backend-v0"
ANSWER = "I WANT TO ANSWER: x"
ROW = {
    "problem_description": "Double it. The signature of the function is: def double(x)",
    "ground_truth": "def double(x):\n    return 2 * x",
    "test_cases": {"a": "double(1)"},
}
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
IN_PYTHON = {
    "env-unknown-keyword": (lambda: env(humans="scripted"), "'humans'", "Did you mean 'human'"),
    "env-other-track": (lambda: gymnasium.make("ColBench-Frontend-v0", sandbox="process"), "'sandbox'", "expected one of"),
    "env-time-limit": (lambda: env(max_episode_steps=5), "max_episode_steps=5", "write max_turns instead"),
    "env-render-mode": (lambda: colbench_gym.BackendEnv(render_mode="rgb_arrray"), "'rgb_arrray'", "Did you mean 'rgb_array'"),
    "env-not-reset": (lambda: gymnasium.make(ENV_ID).unwrapped.step("x"), "no episode has begun", "call reset()"),
    "env-step-number": (lambda: env().step(5), "of type int", "expected str; say the text"),
    "env-step-messages": (lambda: env().step([{"role": "user"}]), "of type list", "say the text of one message"),
    "env-reset-list": (lambda: env().reset(options=["task_id"]), "of type list", "write options={'task_id': ...}"),
    "env-reset-text": (lambda: env().reset(options="test-1"), "'test-1' of type str", "write options={'task_id': ...}"),
    "env-reset-other": (lambda: env().reset(options={"task": 1}), "'task'", "Did you mean 'task_id'"),
    "env-scenario": (lambda: env(scenario="x"), "scenario='x' of type str", "write scenario=open_scenario('backend')"),
    "env-scenario-track": (
        lambda: gymnasium.make("ColBench-Frontend-v0", scenario=open_scenario("backend")),
        "a scenario of the backend track", "or make ColBench-Backend-v0",
    ),
    "env-reset-float": (lambda: env().reset(options={"task_id": 1.0}), "of type float", "colbench tasks list"),
    "env-reset-nowhere": (lambda: env().reset(options={"task_id": "x"}), "no task 'x'", "expected an id such as"),
    "vector-one-text": (lambda: vector().step("x"), "got one string", "expected a sequence of 2 texts"),
    "vector-nothing": (lambda: vector().step(None), "actions of type NoneType", "expected a sequence of 2 texts"),
    "vector-too-few": (lambda: vector().step(["x"]), "got 1 actions", "expected a sequence of 2 texts"),
    "vector-ids": (lambda: vector().reset(options={"task_id": ["1"]}), "got 1 task ids", "one for each of the 2"),
    "vector-copy": (lambda: copy.deepcopy(vector()), "deep copy of BackendVectorEnv", "[env.fork() for env in"),
    "vector-none": (lambda: gymnasium.make_vec(ENV_ID, num_envs=0), "num_envs is 0", "at least 1"),
    "aec-human": (lambda: backend_v0.env(human="scripted"), "'human'", "expected one of"),
    "aec-reset-list": (lambda: backend_v0.raw_env().reset(options=["task_id"]), "of type list", "write options="),
    "track-wrong": (lambda: open_scenario("back"), "'back'", "Did you mean 'backend'"),
    "track-env-id": (lambda: open_scenario(ENV_ID), ENV_ID, "expected one of: backend, frontend"),
    "human-model-name": (lambda: backend(human="gpt-4o"), "'gpt-4o'", "write openai:gpt-4o"),
    "human-python": (lambda: backend(human="python:…"), "'python:…'", "write for example python:my_human:make_human"),
    "human-no-module": (lambda: backend(human="python:no_such:f"), "No module named 'no_such'", "check its name"),
    "human-no-scheme": (lambda: backend(human="openai:m@localhost:1/v1"), "without http://", "write for example"),
    "human-function": (lambda: backend(human=lambda t, d, s: ""), "of type function", "expected an object with reply"),
    "human-no-close": (lambda: backend(human=WithoutClose()), "type WithoutClose without close", "an object with reply"),
    "human-class": (lambda: backend(human=Human), "the class Human as human", "write Human()"),
    "human-none": (lambda: backend(human=None), "of type NoneType", "expected an object with reply"),
    "human-track": (lambda: make_human("scripted", track="page"), "track 'page'", "expected one of"),
    "human-temperature": (lambda: backend(human_temperature=1), "temperature", "is no language model; leave them out"),
    "human-leaks-scripted": (lambda: backend(leaks="refus"), "leaks 'refus'", "Did you mean 'refuse'"),
    "human-leaks": (lambda: backend(human=SERVER, leaks="hide"), "leaks 'hide'", "expected one of"),
    "agent-model-name": (lambda: make_policy("gpt-4o"), "'gpt-4o'", "write openai:gpt-4o"),
    "agent-function": (lambda: make_policy(lambda messages: ""), "of type function", "expected an object with act"),
    "agent-missing-folder": (lambda: make_policy("hf:./no/model"), "no folder 'no/model'", "check the path"),
    "agent-number": (lambda: make_policy("asker:x"), "'asker:x'", "write for example asker:3"),
    "agent-temperature": (lambda: make_policy(SERVER, temperature=-1), "temperature=-1", "at least 0"),
    "grading-python": (lambda: backend(grading="python:collections:deque"), "of type deque", "return such an object"),
    "grading-class": (lambda: backend(grading=NumberGrader), "the class NumberGrader", "write NumberGrader()"),
    "similarity-python": (lambda: pages(similarity="python:json:nope"), "has no 'nope'", "it has: "),
    "similarity-number": (lambda: pages(similarity=0.5), "similarity=0.5", "leave similarity out"),
    "prompts-wording": (lambda: backend(prompts="You are a …"), "'You are a …'", "give a dict: prompts={'agent'"),
    "prompts-long": (lambda: backend(prompts="You are a …" * 999), "no such folder", "give a dict: prompts={'agent'"),
    "prompts-list": (lambda: backend(prompts=["a"]), "prompts=['a']", "expected None, a folder"),
    "prompts-number": (lambda: backend(prompts={"agent": "", "human": 5}), "prompts['human'] of type int", "a string"),
    "reward-name": (lambda: backend(reward="sucess"), "'sucess'", "Did you mean 'success'"),
    "reward-arguments": (lambda: backend(reward=lambda a, b: 0.0), "reward function that cannot be", "write for example"),
    "reward-text": (lambda: episode(reward=lambda info: "1").say(ANSWER), "returned '1'", "return for example"),
    "turns-text": (lambda: backend(max_turns="10"), "max_turns is '10'", "expected an integer"),
    "profile": (lambda: backend(profile="papr"), "'papr'", "Did you mean 'paper'"),
    "tasks-names": (lambda: backend(tasks=["generated"]), "a row of type str", "expected a list of dicts"),
    "tasks-splits": (lambda: backend(tasks={"train": [ROW]}), "keys 'train'", "choose one split"),
    "tasks-one-row": (lambda: backend(tasks=ROW), "of type dict", "put one row into a list"),
    "tasks-stream": (lambda: backend(tasks=iter([ROW])), "of type list_iterator", "into a list"),
    "tasks-row": (lambda: backend(tasks=[ROW, {**ROW, "test_cases": []}]), "tasks[1]: field 'test_cases'", "a dict"),
    "tasks-other-track": (lambda: pages(tasks=[ROW]), "which a backend task has", "use the file with"),
    "tasks-folder": (lambda: load_tasks(Path()), ".: is a folder", "expected a JSONL file"),
    "tasks-schema": (lambda: load_tasks("generated-1"), "'generated-1'", "examples, generated, official"),
    "tasks-empty-dict": (lambda: backend(tasks={}), "of type dict without any key;", "put one row into a list"),
    "tasks-bytes": (lambda: backend(tasks=b"x"), "of type bytes;", "the path of a JSONL file"),
    "tasks-split": (lambda: load_tasks("generated:tset"), "'tset'", "Did you mean 'test'"),
    "rows-endless": (lambda: open_scenario("backend").rows(), "have no end", "say how many"),
    "rows-text": (lambda: open_scenario("backend").rows("3"), "n='3' of type str", "expected a number of tasks"),
    "episode-seed": (lambda: open_scenario("backend").episode(seed="1"), "seed='1'", "expected an integer"),
    "episode-dict": (lambda: episode().say({"role": "user"}), "of type dict", "say the text"),
    "episode-over": (lambda: twice(episode()), "the dialogue is over", "look at .over before"),
    "config-env": (lambda: EvalConfig("ColBench", "run").options(), "'ColBench'", "expected one of"),
    "config-human": (lambda: EvalConfig(ENV_ID, "run", human=Human()), "human=Human(", "write human='python:"),
    "config-agent": (lambda: EvalConfig(ENV_ID, "run", agent=len), "of type builtin", "write agent='python:my_module:"),
    "config-both": (lambda: EvalConfig(ENV_ID, "run", resume=True, overwrite=True), "resume and overwrite", "leave out"),
}  # fmt: skip


@pytest.mark.parametrize("name", IN_PYTHON)
def test_in_python(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    wrong, *says = IN_PYTHON[name]
    with pytest.raises(UsageError) as refused:
        wrong()
    assert all(part in str(refused.value) for part in says), refused.value
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
ON_THE_COMMAND_LINE = {
    "no-out": (("eval", ENV_ID), "--out"),
    "extra-body": ((*EVAL, "--agent-extra-body", "low"), "expected an object", "reasoning_effort"),
    "extra-field": ((*EVAL, "--human-extra-body", '{"seed": 1}'), "'seed' in extra_body", "--seed"),
    "key-unset": ((*EVAL, "--agent", SERVER, "--agent-api-key-var", "NOT_THERE"), "NOT_THERE", "export NOT_THERE"),
    "no-model": ((*EVAL, "--agent-extra-body", '{"a": 1}'), "'oracle', which asks no model server"),
    "no-model-human": ((*EVAL, "--human-temperature", "1"), "'scripted', which is no language model"),
    "missing-folder": ((*EVAL, "--agent", "hf:no/such/model"), "no folder 'no/such/model'", "check the path"),
    "grading": ((*EVAL, "--grading", "python:no_such:f"), "No module named 'no_such'", "check its name"),
    "reward": ((*EVAL, "--reward", "python:no_such:f"), "the reward 'python:no_such:f'", "check its name"),
    "both": ((*EVAL, "--resume", "--overwrite"), "resume and overwrite", "leave out"),
    "train": (("train", "filtered-sft"), "filtered-sft", "bc"),
    "agent-track": ((*EVAL, "--agent", "designer:3"), "plays the frontend track alone", "for example asker:3"),
    "flag": ((*EVAL, "--agnt", "oracle"), "--agnt", "--agent"),
}


@pytest.mark.parametrize("name", ON_THE_COMMAND_LINE)
def test_on_the_command_line(name, monkeypatch, tmp_path, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NOT_THERE", raising=False)
    arguments, *says = ON_THE_COMMAND_LINE[name]
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    out, err = capfd.readouterr()
    said = re.sub(r"[\s│]+", " ", out + err)  # a box wraps its lines
    assert ended.value.code == 2, said
    assert all(part in said for part in says), said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("seat", ["--agent", "--human"])
def test_a_server_that_is_not_there_leaves_no_folder(seat, monkeypatch, tmp_path, capfd):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        main((*EVAL, seat, SERVER))
    said = capfd.readouterr().err
    assert ended.value.code == 1
    assert "the connection failed" in said
    assert "check that the server runs and that the address is right" in said
    assert list(tmp_path.iterdir()) == []
