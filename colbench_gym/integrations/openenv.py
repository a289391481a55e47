"""OpenEnv 0.10: ColBench as a server, a session for each client and one scenario for all of them.

    COLBENCH_OPENENV='{"track": "frontend"}' uvicorn colbench_gym.integrations.openenv:app --port 8000

An outage is an error response, which the client raises; the episode stays as it was, so the step can be made again.
"""

from __future__ import annotations

import base64
import json
import os
from functools import partial
from html import escape
from typing import Any

from colbench_gym.errors import MissingExtraError, UnknownNameError, UnknownTaskError, UsageError
from colbench_gym.integrations.run_scenario import RunScenario
from colbench_gym.rules import RULES, Track
from colbench_gym.task_episode import TaskEpisode
from colbench_gym.tasks import Task, TaskSet
from colbench_gym.version import __version__

try:
    from openenv.core import Action, Environment, Observation, State, create_app
    from openenv.core.env_server.types import EnvironmentMetadata
    from pydantic import Field
except ImportError as e:
    raise MissingExtraError.of("openenv", "openenv", "the bridge to OpenEnv") from e

__all__ = ["ColBenchAction", "ColBenchEnvironment", "ColBenchObservation", "ColBenchState", "make_app"]

SETTINGS = "COLBENCH_OPENENV"  # JSON: the keyword arguments of make_app for the module's `app`
MAX_SESSIONS = 64  # sessions that the server takes at once; each is a thread
PREVIEW = 100  # tasks that are listed of an endless set
_WRAPPED = "white-space: pre-wrap"


class ColBenchAction(Action):
    """One message of the agent."""

    message: str = Field(description="What the agent says: a question, or an answer with its marker")


class ColBenchObservation(Observation):
    """The dialogue as the agent sees it; nothing hidden is in it."""

    messages: list[dict[str, str]] = Field(default_factory=list, description="Chat messages that the agent has seen")
    reply: str | None = Field(default=None, description="What the human said last; None once the dialogue is over")
    info: dict[str, Any] = Field(  # Any: as the environments' info
        default_factory=dict, description="Turn, outcome, metrics and leaks, as info of the Gymnasium environments"
    )


class ColBenchState(State):
    """Task, turn and outcome of the episode."""

    task_id: str = ""
    outcome: str = ""


class ColBenchEnvironment(Environment[ColBenchAction, ColBenchObservation, ColBenchState]):
    """One session: a dialogue at a time, all sessions on one scenario."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, shared: RunScenario) -> None:
        super().__init__()
        self._shared = shared
        self._episode: TaskEpisode | None = None
        self._episode_id: str | None = None

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task_id: str | None = None,
        split: str | None = None,
        index: int | None = None,
    ) -> ColBenchObservation:
        """Begin a dialogue.

        Args:
            seed: of the draw of the task, where none is named.
            episode_id: name of the episode, shown in its state.
            task_id: which task.
            split: with ``index``: one of :meth:`list_splits`.
            index: position of the task in the split.
        """
        tasks = self._tasks(split)
        if index is not None:
            task_id = tasks.at(index).task_id
        self._episode = self._shared.open().episode(task_id=task_id, seed=seed)
        self._episode_id = episode_id
        return _observation(self._episode, self._episode.messages[-1]["content"], None)

    def step(self, action: ColBenchAction, timeout_s: float | None = None) -> ColBenchObservation:  # noqa: ARG002
        """Say one message. It returns when the human has replied or the answer is graded, whatever ``timeout_s`` is."""
        episode = self._playing()
        reply = episode.say(action.message)
        return _observation(episode, reply, episode.reward)

    @property
    def state(self) -> ColBenchState:
        """Task, turn and outcome of the episode; empty before the first reset."""
        if self._episode is None:
            return ColBenchState()
        info = self._episode.info
        return ColBenchState(
            episode_id=self._episode_id, step_count=info["turn"], task_id=info["task_id"], outcome=info["outcome"]
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """Return the name, description and version."""
        track = self._shared.track
        built = "a Python function" if track == "backend" else "a web page"
        return EnvironmentMetadata(
            name=f"colbench-{track}",
            description=f"ColBench: build {built} together with a simulated human, in {RULES[track].max_turns} turns",
            version=__version__,
        )

    def list_splits(self) -> list[str]:
        """Return the one split that the server plays."""
        return [self._shared.open().tasks.spec]

    def num_tasks(self, split: str) -> int:
        """Return the number of tasks; an endless set has none, and the server says that it is not supported."""
        size = self._tasks(split).size
        if size is None:
            raise NotImplementedError
        return size

    def list_tasks(self, split: str) -> list[dict[str, Any]]:  # Any: JSON
        """Return the tasks; of an endless set the first :data:`PREVIEW`."""
        tasks = self._tasks(split)
        return [_listed(tasks.at(index), index) for index in range(PREVIEW if tasks.size is None else tasks.size)]

    def get_task(self, split: str, index: int) -> dict[str, Any]:  # Any: JSON
        """Return one task. Raises IndexError, which the server expects, for a position that is not there."""
        try:
            return _listed(self._tasks(split).at(index), index)
        except UnknownTaskError as e:
            raise IndexError(str(e)) from e

    def render_web(self, observation: dict[str, Any]) -> str:  # Any: JSON
        """Draw the dialogue, and on the frontend track the picture of the agent's page, for the server's ``/web``."""
        said = "".join(
            f"<dt><b>{escape(message['role'])}</b></dt><dd style='{_WRAPPED}'>{escape(message['content'])}</dd>"
            for message in observation.get("messages", [])
            if message["role"] != "system"
        )
        info = {name: value for name, value in observation.get("info", {}).items() if name != "leak"}
        state = ", ".join(f"{name} {value}" for name, value in {**info, "reward": observation.get("reward")}.items())
        return f"<dl>{said}</dl><p>{escape(state)}</p>{self._picture()}"

    def close(self) -> None:
        """Forget the episode; the scenario is closed when the server stops."""
        self._episode = None

    def _picture(self) -> str:
        page = None if self._episode is None else self._episode.shown_page()
        if page is None or not page.png:
            return ""
        address = f"data:image/png;base64,{base64.b64encode(page.png).decode()}"
        return f'<img alt="the page" style="max-width: 100%" src="{address}">'

    def _playing(self) -> TaskEpisode:
        if self._episode is None:
            raise UsageError(
                "got a step before the first reset of this session; reset it first, and keep one connection for an "
                "episode: plain POST requests have no session"
            )
        return self._episode

    def _tasks(self, split: str | None) -> TaskSet:
        tasks = self._shared.open().tasks
        if split not in (None, tasks.spec):
            raise UnknownNameError.among("split", str(split), [tasks.spec])
        return tasks


def make_app(track: Track = "backend", max_sessions: int = MAX_SESSIONS, **options: Any) -> Any:  # Any: FastAPI
    """Return the server; it opens the scenario at the first reset and closes it when the server stops.

    Args:
        track: ``backend`` or ``frontend``.
        max_sessions: clients at once.
        options: fields of the track's options, as for :func:`~colbench_gym.scenario.open_scenario`.
    """
    shared = RunScenario(track, **options)
    app = create_app(
        partial(ColBenchEnvironment, shared),
        ColBenchAction,
        ColBenchObservation,
        env_name=f"colbench-{track}",
        max_concurrent_envs=max_sessions,
        state_cls=ColBenchState,
    )
    app.router.on_shutdown.append(shared.close)
    return app


def __getattr__(name: str) -> Any:  # Any: FastAPI
    """Make ``app`` when a server asks for it, by the settings in the environment."""
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return make_app(**json.loads(os.environ.get(SETTINGS, "{}")))


def _observation(episode: TaskEpisode, reply: str | None, reward: float | None) -> ColBenchObservation:
    info = {name: value for name, value in episode.info.items() if name != "messages"}
    messages = [{"role": message["role"], "content": message["content"]} for message in episode.messages]
    return ColBenchObservation(messages=messages, reply=reply, info=info, reward=reward, done=episode.over)


def _listed(task: Task, index: int) -> dict[str, Any]:  # Any: JSON
    return {"id": task.task_id, "index": index, "description": task.description}
