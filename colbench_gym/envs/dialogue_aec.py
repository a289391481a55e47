"""DialogueAECEnv: what the PettingZoo environments of both tracks share; the human's seat is played from outside."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Space
from gymnasium.utils import seeding
from pettingzoo import AECEnv  # type: ignore[import-untyped]  # PettingZoo ships no types

from colbench_gym.dialogue import Seat
from colbench_gym.envs.parts import Parts, check_render_mode, page_array
from colbench_gym.envs.spaces import UnicodeText
from colbench_gym.errors import UsageError
from colbench_gym.humans import Shown
from colbench_gym.task_episode import Game

Observation = dict[str, Any]  # Any: text, and for the human of the frontend track pictures
SEAT_OF: Mapping[str, Seat] = {"agent_0": "agent", "human_0": "human"}
NAME_OF: Mapping[Seat, str] = {seat: name for name, seat in SEAT_OF.items()}
_API_TEST_OPTION = "options"  # pettingzoo.test.api_test resets with options={"options": 1}; it means nothing


class DialogueAECEnv(AECEnv[str, Observation, str]):  # type: ignore[misc]  # an untyped base
    """One dialogue after the other between two seats, both played from outside.

    The contracts are those of :class:`~colbench_gym.envs.pettingzoo.BackendAECEnv` and
    :class:`~colbench_gym.envs.pettingzoo.FrontendAECEnv`.

    Args:
        render_mode: one of ``metadata["render_modes"]``, or None.
        open_parts: opens what the environment is made of; called once.
    """

    metadata: dict[str, Any]

    def __init__(self, render_mode: str | None, open_parts: Callable[[], Parts]) -> None:
        super().__init__()
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._parts: Parts | None = open_parts()
        self.possible_agents = list(SEAT_OF)
        self.agents: list[str] = []
        self.observation_spaces = {name: self._parts.observation_space(seat) for name, seat in SEAT_OF.items()}
        self.action_spaces = {name: self._parts.action_space() for name in SEAT_OF}
        self._np_random: np.random.Generator | None = None
        self._game: Game | None = None
        self._pictures: Observation = {}  # what the human's seat is shown beside the texts
        self._shown_turns = 0

    def observation_space(self, agent: str) -> Space[Any]:  # Any: as in Parts
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
            RendererError: frontend: the browser failed.
        """
        if seed is not None or self._np_random is None:
            self._np_random, _ = seeding.np_random(seed)
        known = {name: value for name, value in (options or {}).items() if name != _API_TEST_OPTION}
        game = self._open_parts().new_game(self._np_random, known)
        self._pictures = _pictures(game.shown())
        self._game = game
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
            GraderError: the grader could not grade, or (RendererError) the browser failed. The episode is as before.
            AssetError: frontend: a page links an asset that has not been fetched. The episode is as before.
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
        if game.episode.page != self.game.episode.page:
            self._pictures = _pictures(game.shown())
        self._game = game
        self.rewards = dict.fromkeys(self.agents, game.reward(parts.reward))
        self._cumulative_rewards[mover] = 0.0
        self._accumulate_rewards()
        seat = game.episode.next_seat
        self._take_stock(mover if seat is None else NAME_OF[seat])

    def observe(self, agent: str) -> Observation:
        """What a seat has seen so far."""
        pictures = self._pictures if SEAT_OF[agent] == "human" else {}
        return self.game.observation(SEAT_OF[agent]) | {name: array.copy() for name, array in pictures.items()}

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The dialogue as text (``ansi``) or the agent's page as a picture (``rgb_array``, white before there is one).

        In ``human`` mode the dialogue has been printed already, and None is returned.
        """
        if self.render_mode == "ansi":
            return self.game.text()
        return self.observe("human_0")["page"] if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Release the sandbox or the browser, and whatever else was opened. A second call does nothing."""
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

    def _open_parts(self) -> Parts:
        if self._parts is None:
            raise UsageError("the environment is closed; make a new one")
        return self._parts


def _pictures(shown: Shown) -> Observation:
    if shown.reference is None:
        return {}
    return {"page": page_array(shown.page), "reference": page_array(shown.reference)}
