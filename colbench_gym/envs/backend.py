"""ColBench-Backend-v0: the Gymnasium environment."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import gymnasium

from colbench_gym.envs.parts import RENDER_MODES, BackendParts, check_render_mode, open_parts, refuse_unknown
from colbench_gym.errors import UsageError
from colbench_gym.game import Game
from colbench_gym.graders import Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import Prompts
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import TaskSet

KEYWORDS = ("tasks", "human", "sandbox", "grading", "reward", "max_turns", "prompts", "render_mode")


class BackendEnv(gymnasium.Env[dict[str, str], str]):
    """Find out by asking which Python function a person wants, then write it (ColBench, arXiv 2503.15478).

    >>> env = gymnasium.make("ColBench-Backend-v0")
    >>> observation, info = env.reset(seed=0)
    >>> observation, reward, terminated, truncated, info = env.step("What should happen with an empty list?")
    >>> reward, terminated, info["outcome"]
    (0.0, False, 'ongoing')
    >>> env.close()

    Description
        A person asks for a Python function in vague words. They know the reference solution and answer questions about
        it; the agent sees neither the reference nor the ten hidden tests. It has ``max_turns`` messages.

    Action space
        ``UnicodeText``: one message of at most 200,000 characters. Everything before the first ``OUTPUT:`` is hidden
        thinking, as is everything from the second one on. A message with ``I WANT TO ANSWER:`` ends the episode; the
        answer is what stands between the first and the second of these markers, with or without a code fence. The
        last message is the answer whatever it says. Lone surrogates are replaced. What is no string, or longer, raises
        ``ValueError``.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})``: what the agent is told, the same in every
        episode, and the transcript so far, which begins with the person's request. (``AsyncVectorEnv`` reserves 11 MB
        of shared memory for each environment, as a dialogue may be that long; ``gymnasium.make_vec`` without a mode
        needs none.)

    Reward
        0.0 until the end, then by ``reward``: ``"success"`` 1.0 if all tests pass, else 0.0; ``"pass_rate"`` the
        fraction of tests that pass.

    Episode end
        ``terminated`` when the agent has answered or used its last message; the limit belongs to the task, so
        ``truncated`` is always False. Stepping on raises ``UsageError``.

    Failures
        A human that cannot reply raises ``HumanError`` from ``step``, a grader that cannot grade ``GraderError``;
        neither becomes a reward. The episode is then as it was before that ``step``, which may be called again.

    Info (the same keys and types at reset and step)
        ============== ======================= ===============================================================
        ``task_id``     str                     which task it is
        ``turn``        int                     messages that the agent has sent
        ``messages``    tuple of dicts of str   the observation as chat messages (``role``, ``content``)
        ``outcome``     str                     ``ongoing``, ``answered`` (by marker) or ``out_of_turns``
        ``success``     bool                    all tests passed; False until graded
        ``pass_rate``   float                   fraction of tests passed; 0.0 until graded
        ``test_outcomes`` tuple of str          ``passed``, ``wrong``, ``raised``, ``timed_out``, ``killed`` or
                                                ``unserialisable`` for each test; empty until graded
        ``leak``        dict of float           what the replies so far gave away (:mod:`colbench_gym.humans.leaks`)
        ============== ======================= ===============================================================

    Arguments
        Strings and numbers keep ``env.spec`` JSON; live objects are accepted too, stay open on ``close`` and leave the
        spec without JSON.

    Args:
        tasks: ``generated[:SPLIT]``, ``official[:SPLIT]``, the path of a JSONL file, or a TaskSet.
        human: ``scripted``, ``openai:MODEL[@BASE_URL]``, ``replay:FILE``, ``console``, or a HumanSimulator.
        sandbox: where answers run: ``process``, or a Sandbox.
        grading: ``strict``, ``paper`` (bug-compatible with the official grader), or a Grader.
        reward: ``success`` or ``pass_rate``.
        max_turns: messages of the agent; 10 is the official game, 1 the single-turn setting.
        prompts: None for our own wording, a folder with the official files, a dict with the texts ``agent`` and
            ``human``, or Prompts.
        render_mode: ``ansi`` (``render`` returns the dialogue as text), ``human`` (every message is printed as it is
            said) or None.

    Reset options
        ``{"task_id": ...}`` chooses the task, by a string or an integer; otherwise it is drawn with ``seed``. Equal
        seeds and equal actions give equal observations, rewards and infos.

    Version history
        * v0: first version.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}  # noqa: RUF012  as in gymnasium.Env

    def __init__(
        self,
        *,
        tasks: str | Path | TaskSet = "generated",
        human: str | HumanSimulator = "scripted",
        sandbox: str | Sandbox = "process",
        grading: str | Grader = "strict",
        reward: str = "success",
        max_turns: int = 10,
        prompts: str | Path | Mapping[str, str] | Prompts | None = None,
        render_mode: str | None = None,
        **unknown: object,
    ) -> None:
        refuse_unknown("ColBench-Backend-v0", unknown, KEYWORDS)
        self.render_mode = check_render_mode(render_mode)
        self._parts: BackendParts | None = open_parts(
            tasks=tasks,
            human=human,
            sandbox=sandbox,
            grading=grading,
            reward=reward,
            max_turns=max_turns,
            prompts=prompts,
        )
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
            GraderError: the grader could not grade. The episode is as it was before.
            UsageError: the message is no string or too long, or no episode is going on.
        """
        parts, game = self._open_parts(), self.game.copy()
        if game.episode.over:
            raise UsageError(f"step() was called after the end of the episode ({game.episode.outcome}); call reset()")
        game.step(action, parts.simulator, parts.grader)
        self._game = game
        self._show()
        return game.observation("agent"), game.reward(parts.reward), game.episode.over, False, game.info("agent")

    def render(self) -> str | None:
        """The dialogue as text (``ansi``); in ``human`` mode it has been printed already."""
        return self.game.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Release the sandbox and whatever else was opened. A second call does nothing."""
        if self._parts is not None:
            self._parts.close()
            self._parts, self._game = None, None

    def _open_parts(self) -> BackendParts:
        if self._parts is None:
            raise UsageError("the environment is closed; make a new one")
        return self._parts

    def _show(self) -> None:
        if self.render_mode == "human":
            sys.stdout.write(self.game.text(since_turn=self._shown_turns) + "\n\n")
            sys.stdout.flush()
            self._shown_turns = len(self.game.episode.dialogue.turns)
