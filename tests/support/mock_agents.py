"""Mock models for tests of the bridges: they ask once, then answer with the reference, or wrongly."""

import json
from collections.abc import Iterable, Mapping, Sequence

from support.doubles import Closeable
from support.openai_server import Behaviour, Request, say

from colbench_gym.errors import HumanError
from colbench_gym.tasks import Task, load_tasks

QUESTION = {"backend": "What should it return?", "frontend": "Is this it? <html><body><p>draft</p></body></html>"}
WRONG = {"backend": "def f(*args):\n    return 'wrong'", "frontend": "<html><body><p>wrong</p></body></html>"}


def first_tasks(track: str, n: int) -> list[Task]:
    tasks = load_tasks("generated", track)
    return [tasks.at(index) for index in range(n)]


class MockAgent:
    """A model that knows the references of some tasks by their descriptions."""

    def __init__(self, tasks: Iterable[Task], wrong: bool = False) -> None:
        self.answers = {task.description: WRONG[task.track] if wrong else task.reference for task in tasks}
        self.questions = {task.description: QUESTION[task.track] for task in tasks}

    def reply(self, messages: Sequence[Mapping[str, str]]) -> str:
        """Return what it says after these chat messages; only ``role`` and ``content`` are read."""
        request = next(message["content"] for message in messages if message["role"] == "user")
        if messages[-1]["content"] == request:
            return "Hmm. OUTPUT: " + self.questions[request]
        return f"I WANT TO ANSWER:\n{self.answers[request]}"

    def serve(self, request: Request) -> Behaviour:
        """Answer as a server that speaks the OpenAI protocol."""
        return say(self.reply(request.body["messages"]))


class SilentHuman(Closeable):
    """A human whose server is down."""

    def reply(self, task, dialogue, shown):
        raise HumanError("the human's server is down")


def silent_human():
    """For ``human="python:support.mock_agents:silent_human"``."""
    return SilentHuman()


def hidden_texts(task: Task) -> list[str]:
    """Return what of a task may be nowhere, as it is and as it stands in JSON."""
    secrets = [task.reference, *(getattr(task, "calls", None) or ())]
    return [form for secret in secrets for form in {secret, json.dumps(secret)[1:-1]}]
