"""DialogueEnv: all that the Gymnasium environments of both tracks share; they add their keyword arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from colbench_gym.envs.parts import Parts, check_render_mode, page_array
from colbench_gym.errors import UsageError
from colbench_gym.task_episode import Game


class DialogueEnv(gymnasium.Env[dict[str, str], str]):
    """One dialogue after the other with a simulated human.

    The contracts are those of :class:`~colbench_gym.envs.backend.BackendEnv` and
    :class:`~colbench_gym.envs.frontend.FrontendEnv`.

    Args:
        render_mode: one of ``metadata["render_modes"]``, or None.
        open_parts: opens what the environment is made of, and what it closes; called once.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}  # noqa: RUF012  as in gymnasium.Env

    def __init__(self, render_mode: str | None, open_parts: Callable[[], Parts]) -> None:
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        self._parts: Parts | None = open_parts()
        self.observation_space = self._parts.observation_space()
        self.action_space = self._parts.action_space()
        self._game: Game | None = None
        self._shown_turns = 0

    @property
    def game(self) -> Game:
        """The game being played, hidden fields of its task included: for yardsticks and tests, not for agents.

        Raises:
            UsageError: there is none yet.
        """
        if self._game is None:
            raise UsageError("no episode has begun; call reset() first")
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, str], dict[str, Any]]:
        """Begin an episode; see the class for ``options``.

        Raises:
            UnknownTaskError: no such task.
            UsageError: an unknown option, or the environment is closed.
        """
        super().reset(seed=seed)
        self._game = self._open_parts().new_game(self.np_random, options)
        self._shown_turns = 0
        self._show()
        return self._game.observation("agent"), self._game.info("agent")

    def step(self, action: str) -> tuple[dict[str, str], float, bool, bool, dict[str, Any]]:
        """Send one message; returns observation, reward, terminated, False, info.

        Raises:
            HumanError: the human could not reply. The episode is as it was before.
            GraderError: the grader could not grade, or (RendererError) the browser failed, while the human looked or
                afterwards. The episode is as it was before.
            AssetError: a page links an asset that has not been fetched. The episode is as it was before.
            UsageError: the message is no string or too long, or no episode is going on.
        """
        parts, game = self._open_parts(), self.game.copy()
        if game.episode.over:
            raise UsageError(f"step() was called after the end of the episode ({game.episode.outcome}); call reset()")
        game.step(action, parts.simulator, parts.grader)
        self._game = game
        self._show()
        return game.observation("agent"), game.reward(parts.reward), game.episode.over, False, game.info("agent")

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The dialogue as text (``ansi``) or the agent's page as a picture (``rgb_array``, white before there is one).

        In ``human`` mode the dialogue has been printed already, and None is returned.

        Raises:
            RendererError: ``rgb_array``, and the browser failed.
        """
        if self.render_mode == "ansi":
            return self.game.text()
        return page_array(self.game.shown_page()) if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Release the sandbox or the browser, and whatever else was opened. A second call does nothing."""
        if self._parts is not None:
            self._parts.close()
            self._parts, self._game = None, None

    def _open_parts(self) -> Parts:
        if self._parts is None:
            raise UsageError("the environment is closed; make a new one")
        return self._parts

    def _show(self) -> None:
        if self.render_mode == "human":
            sys.stdout.write(self.game.text(since_turn=self._shown_turns) + "\n\n")
            sys.stdout.flush()
            self._shown_turns = len(self.game.episode.dialogue.turns)
