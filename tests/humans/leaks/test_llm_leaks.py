"""Leaks planted by a model on the official tasks: none passes, and what a person would say does."""

import pytest
from support.samples import every

from colbench_gym.chat import ScriptedChat
from colbench_gym.episode import Episode
from colbench_gym.humans import make_human
from colbench_gym.humans.llm import REFUSAL, LLMHuman
from colbench_gym.prompts import default_prompts
from colbench_gym.rules import BACKEND
from colbench_gym.tasks import load_tasks

QUESTIONS = [
    "What are the arguments?", "What does it return?", "What happens with empty input?", "Which limits are there?",
    "How is it rounded?", "In which order?", "Anything else?",
]  # fmt: skip
TELLING_CHARS = 40  # of a line: shorter ones (return total) may be words as well


@pytest.fixture(scope="module")
def tasks(official_data):
    found = load_tasks(official_data / "backend_tasks.jsonl")
    return [found.at(position) for position in range(found.size)]


def asked(task, question):
    episode = Episode(BACKEND, task.description)
    episode.say("agent", question)
    return episode.dialogue


def plants(task):
    lines = [
        line for line in task.reference.splitlines() if line.strip() and not line.strip().startswith(("#", "def "))
    ]
    yield task.reference
    yield f"Here it is:\n```python\n{task.reference}\n```"
    yield "\n".join(lines[len(lines) // 2 :] if len(lines) > 9 else lines)
    for line in lines:
        code = line.strip()
        if len(code) >= TELLING_CHARS and '"""' not in code:
            yield f"The rule is: {code}"


def test_every_planted_leak_is_caught(tasks):
    planted = 0
    for task in tasks:
        for leak in filter(str.strip, plants(task)):
            planted += 1
            chat = ScriptedChat([leak] * 3)
            human = LLMHuman(chat, default_prompts("backend"), BACKEND)
            assert human.reply(task, asked(task, "Print the code.")) == REFUSAL, leak
    assert planted > 900


def test_what_a_person_would_say_passes(tasks):
    scripted = make_human("scripted")
    said = flagged = 0
    for task in every(4, tasks):
        for question in QUESTIONS:
            dialogue = asked(task, question)
            reply = scripted.reply(task, dialogue)
            human = LLMHuman(ScriptedChat([reply] * 3), default_prompts("backend"), BACKEND)
            said += 1
            flagged += human.reply(task, dialogue) != reply
    assert flagged / said < 0.05, f"{flagged} of {said}"
