"""SkyRL: our episodes as a text environment of SkyRL-gym, by the name ``colbench``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from colbench_gym.errors import MissingExtraError, UsageError
from colbench_gym.integrations.shared_scenarios import episode_of_row, shared_scenario
from colbench_gym.scenario import Scenario
from colbench_gym.task_episode import TaskEpisode

try:
    import skyrl_gym
    from skyrl_gym.envs.base_text_env import BaseTextEnv, BaseTextEnvStepOutput
except ImportError as e:
    raise MissingExtraError.of("skyrl-gym", "skyrl", "the bridge to SkyRL") from e

ENV_CLASS = "colbench"
Json = dict[str, Any]  # Any: rows and options as SkyRL hands them over


def register() -> None:
    """Make the environment known to ``skyrl_gym.make`` in this process. A second call does nothing."""
    if ENV_CLASS not in skyrl_gym.registry:
        skyrl_gym.register(id=ENV_CLASS, entry_point=f"{__name__}:{ColBenchTextEnv.__name__}")


def skyrl_rows(scenario: Scenario, n: int | None = None) -> list[Json]:
    """Return the first ``n`` tasks, or all, as rows of a SkyRL data set: ``prompt``, ``env_class``, ``task_id``."""
    return [{"prompt": row["prompt"], "env_class": ENV_CLASS, "task_id": row["task_id"]} for row in scenario.rows(n)]


class ColBenchTextEnv(BaseTextEnv):
    """Text environment of SkyRL-gym: one episode about the task that its row names.

    An outage of the human or the grader is raised by ``step``, which ends the training: SkyRL has no reward that does
    not count.

    Args:
        env_config: ``track`` and the options of :func:`open_scenario`, such as ``environment.skyrl_gym.colbench`` of
            SkyRL's configuration holds. All environments of a process share what equal options open.
        extras: the columns of the row, of which ``task_id`` or ``seed`` names the task.
    """

    def __init__(self, env_config: Mapping[str, Any] | None = None, extras: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self._scenario = shared_scenario(env_config or {})
        self._row = dict(extras or {})
        self._episode: TaskEpisode | None = None
        self.max_turns = self._scenario.rules.max_turns

    def init(self, prompt: list[dict[str, str]]) -> tuple[list[dict[str, str]], Json]:  # noqa: ARG002  SkyRL's
        """Begin the episode; return its brief and request, whatever the row's prompt, and the task's id.

        Raises:
            UsageError: the row names no task.
            UnknownTaskError: no such task.
        """
        self._episode = episode_of_row(self._scenario, self._row)
        self.turns = 0
        messages = [{"role": message["role"], "content": message["content"]} for message in self._episode.messages]
        return messages, {"task_id": self._episode.task.task_id}

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Send one message; return the reply as observation, or the reward at the end.

        Raises:
            HumanError, GraderError: an outage; the episode is as it was before.
            UsageError: ``init`` was not called, or the episode is over.
        """
        if self._episode is None:
            raise UsageError("got a step before init; call init(prompt) first")
        reply = self._episode.say(action)
        self.turns += 1
        return BaseTextEnvStepOutput(
            observations=[] if reply is None else [{"role": "user", "content": reply}],
            reward=self._episode.reward,
            done=self._episode.over,
            metadata={"outcome": self._episode.episode.outcome},
        )

    def get_metrics(self) -> Json:
        """Return ``success``, the score and the number of turns, which SkyRL averages."""
        if self._episode is None:
            return {}
        grade = self._episode.final_grade
        score = "pass_rate" if self._episode.task.track == "backend" else "similarity"
        success, value = (0.0, 0.0) if grade is None else (float(grade.success), float(grade.score))
        return {"success": success, score: value, "turns": self.turns}
