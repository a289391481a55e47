"""Doubles for tests of the frontend track: tasks, a human, a grader and a renderer that fails when it is told to."""

import hashlib
import threading

import numpy as np
from support.doubles import Closeable

from colbench_gym import FrontendTask, Grade, GraderError, HumanError, RendererError, UnknownTaskError
from colbench_gym.rendering.scripted import ScriptedRenderer

DRAFT = "<html><p>one</p></html>"
OTHER = "<html><p>two</p></html>"


class Bakeries:
    """A set of tasks whose references share nothing that a description says."""

    spec = "bakeries"

    def __init__(self, size=20):
        self.size = size

    def at(self, index):
        if not 0 <= index < self.size:
            raise UnknownTaskError(f"no task {index}")
        secret = hashlib.sha256(str(index).encode()).hexdigest()
        page = f"<html><body><h1>{secret[:16]}</h1>\n<p class='text-{secret[16:32]}'>{secret[32:]}</p></body></html>"
        return FrontendTask(f"b-{index}", f"A page for my bakery number {index}, please.", page)

    def get(self, task_id):
        number = str(task_id).removeprefix("b-")
        if not number.isdecimal():
            raise UnknownTaskError(f"no task {task_id!r}")
        return self.at(int(number))

    def sample(self, rng: np.random.Generator):
        return self.at(int(rng.integers(self.size)))


class Viewer(Closeable):
    """A human and a grader: replies and scores depend on the pictures and pages alone."""

    def reply(self, task, dialogue, shown):
        pictures = [page.png for page in (shown.page, shown.reference) if page is not None]
        return f"Of {len(pictures)} pictures {hashlib.sha256(b''.join(pictures)).hexdigest()[:8]} é"

    def grade(self, task, answer):
        score = 1.0 if answer == task.reference else len(answer) % 97 / 100
        return Grade(score, False, "letters-1")


class Flaky(Viewer):
    """A human, a grader and a renderer of which each fails as often as it is told to. Thread-safe."""

    versions = ScriptedRenderer.versions

    def __init__(self, replies=0, grades=0, pages=0):
        self.left = {HumanError: replies, GraderError: grades, RendererError: pages}
        self._lock = threading.Lock()
        self._renderer = ScriptedRenderer()

    def _fail(self, error):
        with self._lock:
            failing = self.left[error] > 0
            self.left[error] -= failing
        if failing:
            raise error("it is down")

    def reply(self, task, dialogue, shown):
        self._fail(HumanError)
        return super().reply(task, dialogue, shown)

    def grade(self, task, answer):
        self._fail(GraderError)
        return super().grade(task, answer)

    def render(self, html):
        self._fail(RendererError)
        return self._renderer.render(html)
