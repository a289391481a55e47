"""Many episodes on a menu at once, fast enough for learners that take millions of steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from colbench_gym.envs.menu.env import open_table
from colbench_gym.envs.menu.play import Play, masks, score_name, vectors
from colbench_gym.envs.menu.tracks import BackendMenuEnv, FrontendMenuEnv
from colbench_gym.envs.vector import DialogueVectorEnv, Flags
from colbench_gym.errors import UsageError


class MenuVectorEnv(DialogueVectorEnv):
    """``num_envs`` episodes on a menu that share one human, one grader and what is kept of replies and grades.

    Observations, rewards and infos equal those of ``SyncVectorEnv`` for equal seeds and actions. Replies and grades
    that are not kept yet are waited for all at once. When one fails, ``step`` raises its failure after the others have
    come, and all episodes are as they were before.

    Args:
        num_envs: how many episodes.
        autoreset_mode: as in :class:`~colbench_gym.envs.vector.DialogueVectorEnv`.
        render_mode: one of those of the single environment, or None.
        observation: ``vector`` or ``text``.
        options: as for one environment.
    """

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        observation: str = "vector",
        **options: Any,  # Any: see the single environment
    ) -> None:
        self._read_modes(num_envs, autoreset_mode, render_mode)
        self._table = open_table(self.single.track, options, ("num_envs", "autoreset_mode"))
        self._scenario = self._table.scenario
        one = {"render_mode": render_mode, "observation": observation, "table": self._table}
        try:
            self._play_in([self.single(**one) for _ in range(num_envs)])
        except UsageError:
            self._scenario.close()
            raise
        self._as_vectors = observation == "vector"

    def step(
        self, actions: Sequence[int] | npt.NDArray[np.integer[Any]]
    ) -> tuple[Any, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]:  # Any: as in gymnasium
        """Take one action in every episode; an episode that is due for a reset ignores its own.

        Raises:
            HumanError, GraderError: see the class; no episode has moved.
            UsageError: the actions are not one for each episode, or an episode needs a reset first.
        """
        taken = self._taken(actions)
        ended = self._ended.tolist()
        after = self._after(taken, ended)
        infos: dict[str, Any] = {}
        rewards = np.array([play.reward for play in after])
        terminations = np.array([play.over for play in after])
        for index, (env, play) in enumerate(zip(self.envs, after, strict=True)):
            if ended[index]:
                rewards[index], terminations[index] = 0.0, False
                env.begin()
                continue
            env.become(play)
            if play.over and self.autoreset_mode is AutoresetMode.SAME_STEP:
                final = {"final_obs": env.seen(), "final_info": self._table.info(play)}
                infos = self._add_info(infos, final, index)
                env.begin()
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._ended = terminations.copy()
        truncations = np.zeros(self.num_envs, dtype=np.bool_)
        return self._batch(), rewards, terminations, truncations, infos | self._infos()

    def _after(self, actions: Sequence[int], ended: Sequence[bool]) -> list[Play]:
        """Return the episodes after their actions; those that have ended as they are."""
        table, plays = self._table, [env.play for env in self.envs]
        waits = [not ended[i] and not table.keeps(play, actions[i]) for i, play in enumerate(plays)]
        running = {i: self._pool.submit(table.after, plays[i], actions[i]) for i, slow in enumerate(waits) if slow}
        after = [play if ended[i] or waits[i] else table.after(play, actions[i]) for i, play in enumerate(plays)]
        failures = [failure for future in running.values() if (failure := future.exception()) is not None]
        if failures:
            raise failures[0]
        for i, future in running.items():
            after[i] = future.result()
        return after

    def _taken(self, actions: Sequence[int] | npt.NDArray[np.integer[Any]]) -> list[int]:
        """Return the actions as integers, if every episode can take its own."""
        self._check_open()
        if not self._observations:
            raise UsageError("no episode has begun; call reset() first")
        most = len(self._table.keys)
        try:
            numbers = np.asarray(actions)
        except ValueError:  # lists of several lengths
            numbers = np.empty(0)
        fits = numbers.shape == (self.num_envs,) and np.issubdtype(numbers.dtype, np.integer)
        if not (fits and numbers.min() >= 0 and numbers.max() <= most):
            raise UsageError(
                f"got the actions {actions!r:.200}, expected {self.num_envs} integers from 0 to {most}, one for each "
                "episode"
            )
        if self.autoreset_mode is AutoresetMode.DISABLED and self._ended.any():
            index = int(np.flatnonzero(self._ended)[0])
            raise UsageError(f"episode {index} is over; call reset with options={{'reset_mask': ...}} first")
        taken: list[int] = numbers.tolist()
        return taken

    def _infos(self) -> dict[str, Any]:  # Any: arrays of several types
        """Return the infos of all episodes, as ``SyncVectorEnv`` puts them together."""
        plays = [env.play for env in self.envs]
        texts = np.empty((2, self.num_envs), dtype=object)
        texts[0] = [play.card.task.task_id for play in plays]
        texts[1] = [play.outcome for play in plays]
        grades = [play.grade for play in plays]
        infos = {
            "task_id": texts[0],
            "turn": np.array([play.turn for play in plays]),
            "outcome": texts[1],
            "success": np.array([grade is not None and grade.success for grade in grades]),
            score_name(self._table): np.array([0.0 if grade is None else float(grade.score) for grade in grades]),
            "action_mask": masks(np.array([play.status for play in plays])),
        }
        return infos | {f"_{name}": np.ones(self.num_envs, dtype=np.bool_) for name in infos}

    def _batch(self) -> Any:  # Any: an array or texts
        if self._as_vectors:
            return vectors([env.play for env in self.envs], self._table.questions)
        return tuple(env.seen() for env in self.envs)


class BackendMenuVectorEnv(MenuVectorEnv):
    """``num_envs`` episodes of ``ColBench-BackendMenu-v0``; ``gymnasium.make_vec`` returns it."""

    single = BackendMenuEnv


class FrontendMenuVectorEnv(MenuVectorEnv):
    """``num_envs`` episodes of ``ColBench-FrontendMenu-v0``; ``gymnasium.make_vec`` returns it."""

    single = FrontendMenuEnv
