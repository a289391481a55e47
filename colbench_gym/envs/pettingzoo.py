"""backend_v0 and frontend_v0: the PettingZoo AEC environments, in which the human's seat is played from outside too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # PettingZoo ships no types
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]  # it ships no types

from colbench_gym.dialogue import Seat
from colbench_gym.envs.base import OneEpisode, check_render_mode, draw_episode
from colbench_gym.envs.spaces import UnicodeText, action_space, observation_space, page_array
from colbench_gym.errors import UsageError
from colbench_gym.humans import Shown
from colbench_gym.rules import Track
from colbench_gym.scenario import HumanSeat, Options, check_options, open_checked

_METADATA = {"render_fps": 4, "is_parallelizable": False}  # a dialogue is one message after the other
Observation = dict[str, Any]  # Any: text, and for the human of the frontend track pictures
SEAT_OF: Mapping[str, Seat] = {"agent_0": "agent", "human_0": "human"}
NAME_OF: Mapping[Seat, str] = {seat: name for name, seat in SEAT_OF.items()}
_OF_THE_HUMAN = ("leaks", "max_questions", *(f.name for f in fields(Options) if f.name.startswith("human")))
_API_TEST_OPTION = "options"  # pettingzoo.test.api_test resets with options={"options": 1}; it means nothing


class DialogueAECEnv(OneEpisode, AECEnv[str, Observation, str]):  # type: ignore[misc]  # an untyped base
    """One dialogue after the other between two seats, both played from outside.

    The contracts are those of :class:`~colbench_gym.envs.pettingzoo.BackendAECEnv` and
    :class:`~colbench_gym.envs.pettingzoo.FrontendAECEnv`.

    Args:
        render_mode: one of ``metadata["render_modes"]``, or None.
        options: fields of the track's options but ``human``, see :mod:`colbench_gym.scenario`.
    """

    metadata: dict[str, Any]
    track: ClassVar[Track]

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:  # Any: see the options' classes
        super().__init__()
        chosen = check_options(self.track, options, self.metadata["name"], ("render_mode",), without=_OF_THE_HUMAN)
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._scenario = open_checked(replace(chosen, human=HumanSeat.OUTSIDE))
        rules = self._scenario.rules
        self.possible_agents = list(SEAT_OF)
        self.agents: list[str] = []
        self.observation_spaces = {name: observation_space(rules, seat) for name, seat in SEAT_OF.items()}
        self.action_spaces = {name: action_space(rules) for name in SEAT_OF}
        self._np_random: np.random.Generator | None = None
        self._pictures: Observation = {}  # what the human's seat is shown beside the texts

    def observation_space(self, agent: str) -> Space[Any]:  # Any: as in observation_space
        """Return what a seat observes; the same object on each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> UnicodeText:
        """Return what a seat may say; the same object on each call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; ``options={"task_id": ...}`` chooses the task.

        Raises:
            UnknownTaskError: no such task.
            UsageError: an unknown option, or the environment is closed.
            RendererError: frontend: the browser failed.
        """
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        if isinstance(options, Mapping):
            options = {name: value for name, value in options.items() if name != _API_TEST_OPTION}
        episode = draw_episode(self._open_scenario(), self._np_random, options)
        self._pictures = _pictures(episode.shown())
        self._task_episode = episode
        self._skip_agent_selection = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._printed_turns = 0
        self._update_fields(NAME_OF["agent"])

    def step(self, action: str | None) -> None:
        """Say one message in the seat whose turn it is; None once the episode is over.

        Raises:
            GraderError: the grader could not grade, or (RendererError) the browser failed. The episode is as before.
            AssetError: frontend: a page links an asset that has not been fetched. The episode is as before.
            UsageError: the message is no string or too long, or no episode is going on.
        """
        self._open_scenario()
        after = self.task_episode.fork()
        mover = self.agent_selection
        if self.agents and self.terminations[mover]:
            self._was_dead_step(action)
            return
        if not self.agents:
            raise UsageError("step() was called after the end of the episode; call reset()")
        after.say(action, SEAT_OF[mover])  # type: ignore[arg-type]  # Episode refuses None with a message
        self._pictures = _pictures(after.shown()) if SEAT_OF[mover] == "agent" else self._pictures
        self._task_episode = after
        self.rewards = dict.fromkeys(self.agents, after.reward)
        self._cumulative_rewards[mover] = 0.0
        self._accumulate_rewards()
        seat = after.episode.next_seat
        self._update_fields(mover if seat is None else NAME_OF[seat])

    def observe(self, agent: str) -> Observation:
        """Return what a seat has seen so far."""
        pictures = self._pictures if SEAT_OF[agent] == "human" else {}
        return self.task_episode.observation_for(SEAT_OF[agent]) | {
            name: array.copy() for name, array in pictures.items()
        }

    def _update_fields(self, selection: str) -> None:
        """Update PettingZoo's per-agent fields."""
        self.agent_selection = selection
        self.terminations = dict.fromkeys(self.agents, self.task_episode.over)
        self.infos = {name: self.task_episode.info_for(SEAT_OF[name]) for name in self.agents}
        self._print_turns()


class BackendAECEnv(DialogueAECEnv):
    """ColBench backend programming for two players (ColBench, arXiv 2503.15478).

    >>> env = backend_v0.env()
    >>> env.reset(seed=0)
    >>> env.agent_selection
    'agent_0'
    >>> env.step("What should happen with an empty list?")
    >>> env.agent_selection
    'human_0'
    >>> env.close()

    The rules, the task sets, the grading and the failures are those of ``ColBench-Backend-v0``
    (:class:`~colbench_gym.envs.backend.BackendEnv`); only the human is no simulator but a second seat.

    Seats
        ``agent_0`` moves first, then ``human_0`` and so on. ``agent_0`` has ``max_turns`` messages; its last message,
        or one with ``I WANT TO ANSWER:``, ends the episode for both.

    Action space
        ``UnicodeText`` for both; a message of ``human_0`` is cut after 400 characters.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})`` for both. The instructions of ``human_0`` hold
        the hidden reference; those of ``agent_0`` hold nothing of the task.

    Reward
        Shared: 0 until the end, then as in ``ColBench-Backend-v0`` for both.

    Info
        The keys of ``ColBench-Backend-v0``; ``messages`` are those that the seat itself has seen, its own words as
        ``assistant``.

    Args:
        tasks, sandbox, grading, reward, max_turns, prompts, profile, official, render_mode: as for
            ``ColBench-Backend-v0``.

    Version history
        * v0: first version.
    """

    track = "backend"
    metadata = {"name": "backend_v0", "render_modes": ["ansi", "human", "rgb_array"], **_METADATA}  # noqa: RUF012  as in AECEnv


class FrontendAECEnv(DialogueAECEnv):
    """ColBench frontend design for two players (ColBench, arXiv 2503.15478).

    >>> env = frontend_v0.env(renderer="scripted")  # or the default, "chromium"
    >>> env.reset(seed=0)
    >>> env.step("A first draft: <html><h1>Welcome</h1></html>")
    >>> env.agent_selection, env.observe("human_0")["page"].shape
    ('human_0', (720, 1280, 3))
    >>> env.close()

    The rules, the task sets, the grading and the failures are those of ``ColBench-Frontend-v0``
    (:class:`~colbench_gym.envs.frontend.FrontendEnv`); only the human is no simulator but a second seat.

    Seats
        ``agent_0`` moves first, then ``human_0`` and so on. ``agent_0`` has ``max_turns`` messages; its last message,
        or one with ``I WANT TO ANSWER:``, ends the episode for both.

    Action space
        ``UnicodeText`` for both; a message of ``human_0`` is cut after 1000 characters.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})`` for both. The instructions of ``human_0`` end
        with the hidden reference as HTML; those of ``agent_0`` hold nothing of the task. ``human_0`` also has the
        pictures that it compares, ``page`` (the agent's last proposal; white before there is one, and for one that no
        browser can render) and ``reference``: ``Box(uint8, (720, 1280, 3))``, cut at the bottom and the right or
        filled up with white.

    Reward
        Shared: 0 until the end, then the similarity of the last proposal to the wanted page, for both.

    Info
        The keys of ``ColBench-Frontend-v0``; ``messages`` are those that the seat itself has seen, its own words as
        ``assistant``.

    Args:
        tasks, similarity, reward, max_turns, prompts, profile, official, renderer, render_mode: as for
            ``ColBench-Frontend-v0``.

    Version history
        * v0: first version.
    """

    track = "frontend"
    metadata = {  # noqa: RUF012  as in AECEnv
        "name": "frontend_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        **_METADATA,
    }


def _pictures(shown: Shown) -> Observation:
    if shown.reference is None:
        return {}
    return {"page": page_array(shown.page), "reference": page_array(shown.reference)}


class _Makers:
    raw_env: ClassVar[type[DialogueAECEnv]]

    @classmethod
    def env(cls, **kwargs: Any) -> OrderEnforcingWrapper:  # Any: the keyword arguments of raw_env
        """Return the environment, with PettingZoo's check that it is reset before it is used."""
        return OrderEnforcingWrapper(cls.raw_env(**kwargs))


class backend_v0(_Makers):  # noqa: N801  PettingZoo names its environments so
    """Ways to make :class:`BackendAECEnv`, which holds the contract."""

    raw_env = BackendAECEnv


class frontend_v0(_Makers):  # noqa: N801  PettingZoo names its environments so
    """Ways to make :class:`FrontendAECEnv`, which holds the contract."""

    raw_env = FrontendAECEnv


make_backend, make_frontend = backend_v0.env, frontend_v0.env  # what ``pettingzoo.make`` calls

__all__ = ["BackendAECEnv", "FrontendAECEnv", "backend_v0", "frontend_v0"]
