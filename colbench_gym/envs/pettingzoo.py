"""backend_v0: the PettingZoo AEC environment, in which the human's seat is played from outside too."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from gymnasium.spaces import Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # PettingZoo ships no types
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]

from colbench_gym.dialogue import Seat
from colbench_gym.envs.parts import RENDER_MODES, BackendParts, Seating, check_render_mode, open_parts, refuse_unknown
from colbench_gym.envs.spaces import UnicodeText
from colbench_gym.errors import UsageError
from colbench_gym.game import Game
from colbench_gym.graders import Grader
from colbench_gym.prompts import Prompts
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import TaskSet

SEAT_OF: Mapping[str, Seat] = {"agent_0": "agent", "human_0": "human"}
NAME_OF: Mapping[Seat, str] = {seat: name for name, seat in SEAT_OF.items()}
KEYWORDS = ("tasks", "sandbox", "grading", "reward", "max_turns", "prompts", "render_mode")
_API_TEST_OPTION = "options"  # pettingzoo.test.api_test resets with options={"options": 1}; it means nothing


class BackendAECEnv(AECEnv[str, dict[str, str], str]):  # type: ignore[misc]  # an untyped base
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
        tasks, sandbox, grading, reward, max_turns, prompts, render_mode: as for ``ColBench-Backend-v0``.

    Version history
        * v0: first version.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  as in AECEnv
        "name": "backend_v0",
        "render_modes": list(RENDER_MODES),
        "render_fps": 4,
        "is_parallelizable": False,  # a dialogue is one message after the other
    }

    def __init__(
        self,
        *,
        tasks: str | Path | TaskSet = "generated",
        sandbox: str | Sandbox = "process",
        grading: str | Grader = "strict",
        reward: str = "success",
        max_turns: int = 10,
        prompts: str | Path | Mapping[str, str] | Prompts | None = None,
        render_mode: str | None = None,
        **unknown: object,
    ) -> None:
        super().__init__()
        refuse_unknown("backend_v0", unknown, KEYWORDS)
        self.render_mode = check_render_mode(render_mode)
        self._parts: BackendParts | None = open_parts(
            tasks=tasks,
            human=Seating.OUTSIDE,
            sandbox=sandbox,
            grading=grading,
            reward=reward,
            max_turns=max_turns,
            prompts=prompts,
        )
        self.possible_agents = list(SEAT_OF)
        self.agents: list[str] = []
        self.observation_spaces = {name: self._parts.observation_space() for name in SEAT_OF}
        self.action_spaces = {name: self._parts.action_space() for name in SEAT_OF}
        self._np_random: np.random.Generator | None = None
        self._game: Game | None = None
        self._shown_turns = 0

    def observation_space(self, agent: str) -> Space[Any]:  # Any: as in BackendParts
        """What a seat observes; the same object on each call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> UnicodeText:
        """What a seat may say; the same object on each call."""
        return self.action_spaces[agent]

    @property
    def game(self) -> Game:
        """The game being played, hidden fields of its task included.

        Raises:
            UsageError: there is none yet.
        """
        if self._game is None:
            raise UsageError("no episode has begun; call reset() first")
        return self._game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; ``options={"task_id": ...}`` chooses the task.

        Raises:
            UnknownTaskError: no such task.
            UsageError: an unknown option, or the environment is closed.
        """
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        known = {name: value for name, value in (options or {}).items() if name != _API_TEST_OPTION}
        self._game = self._open_parts().new_game(self._np_random, known)
        self._skip_agent_selection = None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.truncations = dict.fromkeys(self.agents, False)
        self._shown_turns = 0
        self._take_stock(NAME_OF["agent"])

    def step(self, action: str | None) -> None:
        """The move of the seat whose turn it is; None once the episode is over.

        Raises:
            GraderError: the grader could not grade. The episode is as it was before.
            UsageError: the message is no string or too long, or no episode is going on.
        """
        parts = self._open_parts()
        game = self.game.copy()
        mover = self.agent_selection
        if self.agents and self.terminations[mover]:
            self._was_dead_step(action)
            return
        if not self.agents:
            raise UsageError("step() was called after the end of the episode; call reset()")
        game.say(SEAT_OF[mover], action)  # type: ignore[arg-type]  # Episode refuses None with a message
        if game.episode.over:
            game.judge(parts.grader)
        self._game = game
        self.rewards = dict.fromkeys(self.agents, game.reward(parts.reward))
        self._cumulative_rewards[mover] = 0.0
        self._accumulate_rewards()
        seat = game.episode.next_seat
        self._take_stock(mover if seat is None else NAME_OF[seat])

    def observe(self, agent: str) -> dict[str, str]:
        """What a seat has seen so far."""
        return self.game.observation(SEAT_OF[agent])

    def render(self) -> str | None:
        """The dialogue as text (``ansi``); in ``human`` mode it has been printed already."""
        return self.game.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release the sandbox and whatever else was opened. A second call does nothing."""
        if self._parts is not None:
            self._parts.close()
            self._parts, self._game = None, None

    def _take_stock(self, selection: str) -> None:
        """Bring PettingZoo's books in line with the game."""
        self.agent_selection = selection
        self.terminations = dict.fromkeys(self.agents, self.game.episode.over)
        self.infos = {name: self.game.info(SEAT_OF[name]) for name in self.agents}
        if self.render_mode == "human":
            sys.stdout.write(self.game.text(since_turn=self._shown_turns) + "\n\n")
            sys.stdout.flush()
            self._shown_turns = len(self.game.episode.dialogue.turns)

    def _open_parts(self) -> BackendParts:
        if self._parts is None:
            raise UsageError("the environment is closed; make a new one")
        return self._parts


class backend_v0:  # noqa: N801  PettingZoo names its environments so
    """The two ways to make :class:`BackendAECEnv`; its docstring is the contract. ``pettingzoo.make`` calls ``env``."""

    raw_env = BackendAECEnv

    @staticmethod
    def env(**kwargs: Any) -> OrderEnforcingWrapper[str, dict[str, str], str]:  # Any: the keyword arguments of raw_env
        """The environment, with PettingZoo's check that it is reset before it is used."""
        return OrderEnforcingWrapper(BackendAECEnv(**kwargs))


__all__ = ["BackendAECEnv", "backend_v0"]
