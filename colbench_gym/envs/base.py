"""DialogueEnv: all that the Gymnasium environments of both tracks share; they add their contracts."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import FrameType
from typing import Any, ClassVar, TypeVar

import gymnasium
import numpy as np
import numpy.typing as npt

from colbench_gym.envs.spaces import action_space, observation_space, page_array, text_array
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.person import harmless
from colbench_gym.rules import ENV_IDS, Track
from colbench_gym.scenario import Scenario, check_options, open_checked, read_task_id
from colbench_gym.task_episode import TaskEpisode

RESET_OPTIONS = ("task_id",)
Self = TypeVar("Self", bound="OneEpisode")


class OneEpisode:
    """State and methods of an environment in which one dialogue is played at a time, whoever the seats are."""

    metadata: dict[str, Any]  # Any: as in gymnasium
    render_mode: str | None
    _scenario: Scenario | None
    _task_episode: TaskEpisode | None = None
    _printed_turns = 0

    @property
    def task_episode(self) -> TaskEpisode:
        """Episode being played, hidden fields of its task included: for yardsticks and tests, not for agents.

        Raises:
            UsageError: there is none yet.
        """
        if self._task_episode is None:
            raise UsageError("no episode has begun; call reset() first")
        return self._task_episode

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the dialogue as text (``ansi``) or a picture (``rgb_array``): of the dialogue, or of the agent's page.

        The page is white before there is one. In ``human`` mode the dialogue has been printed already, and None is
        returned; so it is without a mode, with a warning.

        Raises:
            RendererError: ``rgb_array``, and the browser failed.
            MissingExtraError: ``rgb_array`` of a dialogue, and Pillow is not installed.
        """
        if self.render_mode is None:
            modes = ", ".join(map(repr, self.metadata["render_modes"]))
            text = f"render() was called without a render mode, expected one of {modes}; give it when the environment"
            warnings.warn(f"{text} is made: render_mode='ansi'", stacklevel=2)
        if self.render_mode == "ansi":
            return self.task_episode.text()
        if self.render_mode != "rgb_array":
            return None
        episode = self.task_episode
        return text_array(episode.text()) if episode.renderer is None else page_array(episode.shown_page())

    def fork(self: Self) -> Self:
        """Return a copy to be played on by itself, its random numbers included, for tree search and the like.

        ``copy.deepcopy(env)`` does the same. The copy uses the human, the sandbox and the browser of the original, and
        works until that is closed; closing the copy closes nothing.

        Raises:
            UsageError: the environment is closed.
        """
        scenario = self._open_scenario()
        copied = object.__new__(type(self))
        for name, value in vars(self).items():
            own = isinstance(value, (dict, list, gymnasium.Space, np.random.Generator))
            vars(copied)[name] = deepcopy(value) if own else value
        copied._scenario = scenario.lent()
        copied._task_episode = None if self._task_episode is None else self._task_episode.fork()
        return copied

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:  # Any: as in copy
        copied = memo[id(self)] = self.fork()
        return copied

    def __getstate__(self) -> dict[str, Any]:  # Any: its attributes
        return {**vars(self), "_task_episode": self._task_episode and self._task_episode.saved()}

    def __setstate__(self, state: dict[str, Any]) -> None:  # Any: its attributes
        vars(self).update(state)
        if saved := state["_task_episode"]:
            self._task_episode = self._open_scenario().episode_of(saved["task"])
            vars(self._task_episode).update(saved)

    def close(self) -> None:
        """Release the sandbox or the browser, and whatever else was opened. A second call does nothing."""
        if self._scenario is not None:
            self._scenario.close()
            self._scenario, self._task_episode = None, None

    def _open_scenario(self) -> Scenario:
        """Return the scenario; raise UsageError where the environment is closed."""
        if self._scenario is None:
            raise UsageError("the environment is closed; make a new one")
        return self._scenario

    def _print_turns(self) -> None:
        """Print in ``human`` mode the turns that have not been printed yet."""
        if self.render_mode == "human":
            sys.stdout.write(harmless(self.task_episode.text(since_turn=self._printed_turns)) + "\n\n")
            sys.stdout.flush()
            self._printed_turns = len(self.task_episode.episode.dialogue.turns)


class DialogueEnv(OneEpisode, gymnasium.Env[dict[str, str], str]):
    """One dialogue after the other with a simulated human.

    The contracts are those of :class:`~colbench_gym.envs.backend.BackendEnv` and
    :class:`~colbench_gym.envs.frontend.FrontendEnv`.

    Args:
        render_mode: one of ``metadata["render_modes"]``, or None.
        scenario: what to play with, instead of ``options``; it stays open.
        options: fields of the track's options, see :mod:`colbench_gym.scenario`.
    """

    track: ClassVar[Track]

    def __init__(
        self, *, render_mode: str | None = None, scenario: Scenario | None = None, **options: Any
    ) -> None:  # Any: see the options' classes
        chosen = check_options(self.track, options | time_limit_of_make(), ENV_IDS[self.track], ("render_mode",))
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        if scenario is not None and options:
            raise UsageError(f"got a scenario and {', '.join(options)}, expected either; open the scenario with them")
        write = f"write scenario=open_scenario({self.track!r})"
        if scenario is not None and not isinstance(scenario, Scenario):
            got = f"scenario={scenario!r} of type {type(scenario).__name__}"
            raise UsageError(f"got {got}, expected a Scenario; {write}")
        if scenario is not None and (track := scenario.rules.track) != self.track:
            raise UsageError(
                f"got a scenario of the {track} track for {ENV_IDS[self.track]}, expected one of the {self.track} "
                f"track; {write}, or make {ENV_IDS[track]}"
            )
        self._scenario = open_checked(chosen) if scenario is None else scenario.lent()
        self.observation_space = observation_space(self._scenario.rules)
        self.action_space = action_space(self._scenario.rules)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Begin an episode; see the class for ``options``.

        Raises:
            UnknownTaskError: no such task.
            UsageError: an unknown option, or the environment is closed.
        """
        super().reset(seed=seed)
        self._task_episode = draw_episode(self._open_scenario(), self.np_random, options)
        self._printed_turns = 0
        self._print_turns()
        return self._task_episode.observation_for("agent"), {**self._task_episode.info}

    def step(self, action: str) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
        """Send one message; returns observation, reward, terminated, False, info.

        Raises:
            HumanError: the human could not reply. The episode is as it was before.
            GraderError: the grader could not grade, or (RendererError) the browser failed, while the human looked or
                afterwards. The episode is as it was before.
            AssetError: a page links an asset that has not been fetched. The episode is as it was before.
            UsageError: the message is no string or too long, or no episode is going on.
        """
        self._open_scenario()
        episode = self.task_episode
        if episode.over:
            raise UsageError(
                f"step() was called after the end of the episode ({episode.episode.outcome}); call reset()"
            )
        episode.say(action)
        self._print_turns()
        return episode.observation_for("agent"), episode.reward, episode.over, False, {**episode.info}


def draw_episode(
    scenario: Scenario, rng: np.random.Generator, options: Mapping[str, Any] | None
) -> TaskEpisode:  # Any: as in gymnasium
    """Begin an episode about the task that ``options["task_id"]`` names, else about one drawn with ``rng``.

    Raises:
        UnknownTaskError: no such task.
        UsageError: an unknown option, or an id that is none.
    """
    task_id = read_reset_options(options)
    return scenario.episode_of(scenario.tasks.sample(rng)) if task_id is None else scenario.episode(task_id)


def read_reset_options(options: object) -> str | int | None:
    """Return the id of the task that the options of ``reset`` name, or None for a drawn one.

    Raises:
        UsageError: an unknown option, options that are no dict, or an id that is none.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise UsageError(
            f"got options={options!r} of type {type(options).__name__}, expected a dict; write "
            "options={'task_id': ...} to choose the task"
        )
    for name in options:
        if name not in RESET_OPTIONS:
            raise UnknownNameError.among("reset option", str(name), RESET_OPTIONS)
    task_id = options.get("task_id")
    return None if task_id is None else read_task_id(task_id)


def check_render_mode(mode: str | None, known: Sequence[str]) -> str | None:
    """Return ``mode`` if it is supported.

    Raises:
        UnknownNameError: otherwise.
    """
    if mode is not None and mode not in known:
        raise UnknownNameError.among("render mode", str(mode), known)
    return mode


def time_limit_of_make() -> dict[str, Any]:  # Any: what the caller gave
    """Return ``max_episode_steps`` where ``gymnasium.make`` was given it; it is not handed on to the environment.

    The wrapper that ``make`` would add truncates episodes, which the agent's number of turns must end.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None and frame.f_code is not gymnasium.make.__code__:
        frame = frame.f_back
    steps = None if frame is None else frame.f_locals.get("max_episode_steps")
    return {} if steps is None or steps == -1 else {"max_episode_steps": steps}  # -1: no wrapper
