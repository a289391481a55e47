"""The vector environments, which ``gymnasium.make_vec`` returns: replies, rendering and grading overlap in threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from colbench_gym.envs.backend import BackendEnv
from colbench_gym.envs.base import check_render_mode, read_reset_options
from colbench_gym.envs.frontend import FrontendEnv
from colbench_gym.episode import check_message
from colbench_gym.errors import InfrastructureError, UnknownNameError, UsageError
from colbench_gym.rules import ENV_IDS
from colbench_gym.scenario import check_options, open_checked

Flags = npt.NDArray[np.bool_]
Observations = dict[str, tuple[str, ...]]
_AUTORESET_MODES = tuple(mode.value for mode in AutoresetMode)


@dataclass(frozen=True)
class _Step:
    """Return value of one sub-environment; ``final`` is the end of an episode that was reset in the same step."""

    observation: dict[str, str]
    reward: float
    terminated: bool
    info: dict[str, Any]
    final: tuple[dict[str, str], dict[str, Any]] | None = None


class DialogueVectorEnv(VectorEnv[Any, Any, npt.NDArray[Any]]):  # Any: texts here, arrays on a menu
    """``num_envs`` episodes that share one human, one grader and one sandbox or renderer.

    Observations, rewards and infos equal those of ``SyncVectorEnv`` and ``AsyncVectorEnv`` for equal seeds and actions,
    in every autoreset mode; but all episodes wait for their human and their grader at once, in one thread each.

    Actions are a sequence of ``num_envs`` texts; observations a dict of tuples of texts.

    Failures
        When humans, graders or browsers fail, ``step`` first lets the other episodes finish and then raises the failure
        of the first (``HumanError`` or ``GraderError``), which says how many failed. Nothing is lost: the results of
        the others are kept, and ``step`` with the same actions tries only the failed episodes again and returns
        everything. With other actions it raises ``UsageError``; ``reset`` gives the step up.

    Args:
        num_envs: how many episodes.
        autoreset_mode: ``NextStep``, ``SameStep`` or ``Disabled`` (then reset with ``options={"reset_mask": ...}``), or
            an ``AutoresetMode``.
        render_mode: one of those of ``single``, or None.
        options: as for one environment.
    """

    single: ClassVar[Any]  # the environment of one episode: a DialogueEnv or a MenuEnv
    closed = True  # until everything is open: older versions of VectorEnv close what was never opened

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Any,  # Any: see the options' classes
    ) -> None:
        track = self.single.track
        chosen = check_options(track, options, ENV_IDS[track], ("num_envs", "autoreset_mode", "render_mode"))
        self._read_modes(num_envs, autoreset_mode, render_mode)
        self._scenario = open_checked(chosen)
        self._play_in([self.single(render_mode=render_mode, scenario=self._scenario) for _ in range(num_envs)])

    def _read_modes(self, num_envs: int, autoreset_mode: str | AutoresetMode, render_mode: str | None) -> None:
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise UsageError(f"num_envs is {num_envs!r}; expected an integer of at least 1")
        self.num_envs = num_envs
        self.autoreset_mode = _autoreset_mode(autoreset_mode)
        self.render_mode = check_render_mode(render_mode, self.single.metadata["render_modes"])

    def _play_in(self, envs: list[Any]) -> None:  # Any: one environment each, of self.single
        self.envs = envs
        self.metadata = {**self.single.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._observations: list[Any] = []  # Any: as an environment observes
        self._ended = np.zeros(self.num_envs, dtype=np.bool_)
        self._pool = ThreadPoolExecutor(self.num_envs, thread_name_prefix="colbench-episode")
        self._running: dict[int, Future[_Step]] = {}
        self._running_actions: tuple[str, ...] = ()
        self.closed = False

    @property  # type: ignore[misc]  # read-only, as in SyncVectorEnv
    def np_random(self) -> tuple[np.random.Generator, ...]:  # type: ignore[override]  # one each, as in SyncVectorEnv
        """Random number generators of the episodes."""
        return tuple(env.np_random for env in self.envs)

    @property
    def np_random_seed(self) -> tuple[int, ...]:  # type: ignore[override]  # one each, as in SyncVectorEnv
        """Seeds of the episodes."""
        return tuple(env.np_random_seed for env in self.envs)

    def __deepcopy__(self, memo: dict[int, Any]) -> Any:  # Any: as in copy
        """Refuse: its threads cannot be copied.

        Raises:
            UsageError: always; it says how to copy the episodes.
        """
        raise UsageError(
            f"got a deep copy of {type(self).__name__}, expected one of a single episode, as threads cannot be copied; "
            "copy its episodes: [env.fork() for env in envs.unwrapped.envs]"
        )

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin new episodes.

        Args:
            seed: an int seeds the episodes with ``seed, seed + 1, ...``; a sequence has one for each.
            options: as for one environment; ``task_id`` is one for all, or a sequence with one for each episode (None
                draws it); ``reset_mask`` is a bool array that picks the episodes to reset.

        Raises:
            UsageError: a wrong number of seeds or tasks, a mask of the wrong kind, an option that is not known, or the
                environment is closed.
            UnknownTaskError: no such task; no episode is reset then.
        """
        self._check_open()
        self._give_up_step()
        seeds = self._seeds(seed)
        task_ids, mask = self._read_options(options)
        infos: dict[str, Any] = {}
        observations = list(self._observations) or [{} for _ in self.envs]
        for index, env in enumerate(self.envs):
            if mask[index]:
                observations[index], info = env.reset(seed=seeds[index], options={"task_id": task_ids[index]})
                infos = self._add_info(infos, info, index)
        self._observations = observations
        self._ended = self._ended & ~mask
        return self._batch(), infos

    def step(self, actions: Any) -> tuple[Any, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]:
        """Send one message in every episode; an episode that is due for a reset ignores its own.

        Raises:
            HumanError, GraderError: see the class; call again with the same actions.
            UsageError: the actions are not one text for each episode, or an episode needs a reset first.
        """
        steps = self._finish(self._checked(actions))
        infos: dict[str, Any] = {}
        for index, done in enumerate(steps):
            if done.final is not None:
                infos = self._add_info(infos, {"final_obs": done.final[0], "final_info": done.final[1]}, index)
            infos = self._add_info(infos, done.info, index)
        self._observations = [done.observation for done in steps]
        terminations = np.array([done.terminated for done in steps], dtype=np.bool_)
        if self.autoreset_mode is not AutoresetMode.SAME_STEP:
            self._ended = terminations.copy()
        rewards = np.array([done.reward for done in steps], dtype=np.float64)
        return self._batch(), rewards, terminations, np.zeros(self.num_envs, dtype=np.bool_), infos

    def render(self) -> tuple[Any, ...] | None:  # Any: text, picture or None
        """Return what each episode renders."""
        return tuple(env.render() for env in self.envs)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ARG002  the signature is VectorEnv's
        """End the threads and close what was opened; called by ``close``, whose arguments are not needed here."""
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._scenario.close()

    def _finish(self, actions: tuple[str, ...]) -> list[_Step]:
        """Run what has not run yet of this step; keep what ran if anything failed."""
        for index, action in enumerate(actions):
            if index not in self._running:
                self._running[index] = self._pool.submit(self._step_one, index, action)
        self._running_actions = actions
        wait(self._running.values())
        failures = {
            index: e for index, future in sorted(self._running.items()) if (e := future.exception()) is not None
        }
        if failures:
            for index in failures:
                del self._running[index]
            raise _first(failures, self.num_envs)
        steps = [self._running[index].result() for index in range(self.num_envs)]
        self._running.clear()
        return steps

    def _step_one(self, index: int, action: str) -> _Step:
        env = self.envs[index]
        if self._ended[index]:  # only under NextStep: _checked refuses it under Disabled
            observation, info = env.reset()
            return _Step(observation, 0.0, False, info)
        observation, reward, terminated, _, info = env.step(action)
        if terminated and self.autoreset_mode is AutoresetMode.SAME_STEP:
            fresh, fresh_info = env.reset()
            return _Step(fresh, reward, True, fresh_info, final=(observation, info))
        return _Step(observation, reward, terminated, info)

    def _give_up_step(self) -> None:
        wait(self._running.values())
        self._running.clear()

    def _checked(self, actions: Sequence[str]) -> tuple[str, ...]:
        """Return the actions, if every episode can take its own; so that a bad one moves no episode."""
        self._check_open()
        if not self._observations:
            raise UsageError("no episode has begun; call reset() first")
        count = len(actions) if isinstance(actions, Sized) else None
        if isinstance(actions, str) or count != self.num_envs:
            got = f"{count} actions" if count is not None else f"actions of type {type(actions).__name__}"
            got = "one string" if isinstance(actions, str) else got
            raise UsageError(f"got {got}, expected a sequence of {self.num_envs} texts, one for each episode")
        texts = tuple(actions)
        for index, text in enumerate(texts):
            if not self._ended[index]:
                check_message(text, self._scenario.rules)
            elif self.autoreset_mode is AutoresetMode.DISABLED:
                raise UsageError(f"episode {index} is over; call reset with options={{'reset_mask': ...}} first")
        if self._running and texts != self._running_actions:
            raise UsageError(
                "got other actions after step() failed half-way; call it again with the same actions, or reset()"
            )
        return texts

    def _check_open(self) -> None:
        if self.closed:
            raise UsageError("the environment is closed; make a new one")

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, int):
            return [seed + index for index in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise UsageError(f"got {len(seed)} seeds, expected one for each of the {self.num_envs} episodes")
        return list(seed)

    def _read_options(self, options: object) -> tuple[list[str | int | None], Flags]:
        """Return the task of each episode, None for a drawn one, and which episodes are reset."""
        if isinstance(options, Mapping):
            given = options.get("task_id")
            mask = self._mask(options.get("reset_mask"))
            one_each: list[object] | None = list(given) if isinstance(given, (list, tuple, np.ndarray)) else None
            ids = [given] * self.num_envs if one_each is None else one_each
            if len(ids) != self.num_envs:
                raise UsageError(
                    f"got {len(ids)} task ids, expected one for each of the {self.num_envs} episodes (None draws it), "
                    "or a single one for all"
                )
            rest = {name: value for name, value in options.items() if name not in ("task_id", "reset_mask")}
            task_ids = [read_reset_options({**rest, "task_id": task_id}) for task_id in ids]
            for index, task_id in enumerate(task_ids):
                if task_id is not None and mask[index]:
                    self._scenario.tasks.get(task_id)
            return task_ids, mask
        read_reset_options(options)
        return [None] * self.num_envs, self._mask(None)

    def _mask(self, mask: object) -> Flags:
        if mask is None:
            return np.ones(self.num_envs, dtype=np.bool_)
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise UsageError(f"options['reset_mask'] is {mask!r}; expected a bool array of shape ({self.num_envs},)")
        if not mask.any():
            raise UsageError("options['reset_mask'] picks no episode; set at least one entry")
        if not self._observations and not mask.all():
            raise UsageError("options['reset_mask'] leaves out episodes that have not begun; reset all of them first")
        return mask

    def _batch(self) -> Any:  # Any: Observations; arrays on a menu
        return {name: tuple(observation[name] for observation in self._observations) for name in self._observations[0]}


def _autoreset_mode(mode: str | AutoresetMode) -> AutoresetMode:
    if isinstance(mode, AutoresetMode):
        return mode
    if mode not in _AUTORESET_MODES:
        raise UnknownNameError.among("autoreset mode", str(mode), _AUTORESET_MODES)
    return AutoresetMode(mode)


def _first(failures: Mapping[int, BaseException], num_envs: int) -> BaseException:
    """Return the failure of the first episode; one of ours says which it was and how many failed."""
    index, failure = min(failures.items())
    if not isinstance(failure, InfrastructureError):
        return failure
    message = f"episode {index} ({len(failures)} of {num_envs} failed; step() with the same actions tries them again)"
    numbered = type(failure)(f"{message}: {failure}")
    numbered.__cause__ = failure
    return numbered


class BackendVectorEnv(DialogueVectorEnv):
    """``num_envs`` episodes of ``ColBench-Backend-v0`` that share one human, one grader and one sandbox.

    ``gymnasium.make_vec("ColBench-Backend-v0", num_envs=8)`` returns it. What it returns, and what happens when
    something fails: see :class:`DialogueVectorEnv`; its options are those of
    :class:`~colbench_gym.envs.backend.BackendEnv`.
    """

    single = BackendEnv


class FrontendVectorEnv(DialogueVectorEnv):
    """``num_envs`` episodes of ``ColBench-Frontend-v0`` that share one human, one similarity and one renderer.

    ``gymnasium.make_vec("ColBench-Frontend-v0", num_envs=8)`` returns it. What it returns, and what happens when
    something fails: see :class:`DialogueVectorEnv`; its options are those of
    :class:`~colbench_gym.envs.frontend.FrontendEnv`.
    """

    single = FrontendEnv
