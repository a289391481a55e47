"""ColBench-BackendMenu-v0 and ColBench-FrontendMenu-v0: the Gymnasium environments."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import gymnasium
import numpy as np
import numpy.typing as npt

from colbench_gym.envs.base import check_render_mode, read_reset_options, time_limit_of_make
from colbench_gym.envs.menu.picture import picture_of
from colbench_gym.envs.menu.play import WORDS, Play, Table, begin, entries, masks, text, transcript, vectors
from colbench_gym.envs.menu.sheets import keys_of
from colbench_gym.envs.spaces import UnicodeText
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.person import harmless
from colbench_gym.rules import MENU_IDS, Track
from colbench_gym.scenario import check_options, open_checked

OBSERVATIONS = ("vector", "text")
MAX_TEXT_CHARS = 20_000  # of an observation as text
_OWN = ("questions", "question_cost", "observation", "keep_replies", "pool")
_NOT_OF_MENU = (
    "max_turns",
    "max_questions",
    "profile",
    "official",
)  # questions are the budget, and its wording is ours
Self = TypeVar("Self", bound="MenuEnv")


class MenuEnv(gymnasium.Env[Any, np.int64]):  # Any: an array or a text
    """One episode after the other on a menu; see :class:`BackendMenuEnv` and :class:`FrontendMenuEnv`.

    Args:
        render_mode: one of ``metadata["render_modes"]``, or None.
        table: what to play at, instead of ``options``; it stays open.
        observation: ``vector`` or ``text``.
        options: as the classes list them.
    """

    track: ClassVar[Track]
    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}  # noqa: RUF012  as in gymnasium.Env

    def __init__(
        self,
        *,
        render_mode: str | None = None,
        table: Table | None = None,
        observation: str = "vector",
        **options: Any,  # Any: see the classes
    ) -> None:
        self.render_mode = check_render_mode(render_mode, self.metadata["render_modes"])
        if observation not in OBSERVATIONS:
            raise UnknownNameError.among("observation of the menu", str(observation), OBSERVATIONS)
        self.observation = observation
        if table is not None and (options or not isinstance(table, Table) or table.track != self.track):
            raise UsageError(
                f"got table={table!r:.80} with {', '.join(options) or 'no options'}, expected a Table of the "
                f"{self.track} track alone; give the options to open_table"
            )
        self._owns = table is None
        self._table: Table | None = open_table(self.track, options) if table is None else table
        self._play: Play | None = None
        self._printed = 0
        keys = len(keys_of(self.track))
        self.action_space: gymnasium.spaces.Discrete = gymnasium.spaces.Discrete(1 + keys)
        self.observation_space = (
            gymnasium.spaces.Box(0.0, 1.0, (WORDS + 3 * keys + 1,), np.float32)
            if observation == "vector"
            else UnicodeText(MAX_TEXT_CHARS)
        )

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of what the actions are about: ``answer`` first; the same in every task."""
        return ("answer", *keys_of(self.track))

    @property
    def play(self) -> Play:
        """Episode being played, hidden fields of its task included: for yardsticks and tests, not for agents.

        Raises:
            UsageError: there is none yet.
        """
        if self._play is None:
            raise UsageError("no episode has begun; call reset() first")
        return self._play

    @property
    def entries(self) -> dict[int, str]:
        """The messages that the actions say which waste nothing.

        Raises:
            UsageError: there is no episode.
        """
        return entries(self._open_table(), self.play)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions waste nothing, as sb3-contrib asks for it; ``info["action_mask"]`` is the same.

        Raises:
            UsageError: there is no episode.
        """
        mask: npt.NDArray[np.bool_] = masks(self.play.status[None])[0].astype(np.bool_)
        return mask

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:  # Any: as in gymnasium
        """Begin an episode.

        Raises:
            UnknownTaskError: no such task.
            UsageError: an unknown option, a task that is none of the grammar, or the environment is closed.
        """
        super().reset(seed=seed)
        self.begin(read_reset_options(options))
        return self.seen(), self._open_table().info(self.play)

    def begin(self, task_id: str | int | None = None) -> None:
        """Begin an episode about a task, or about one that is drawn, and observe nothing. Raises as :meth:`reset`."""
        table = self._open_table()
        card = table.draw(self.np_random) if task_id is None else table.card(table.scenario.tasks.get(task_id))
        self._printed = 0
        self.become(begin(card))

    def step(self, action: np.int64) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # Any: as in gymnasium
        """Ask or answer; returns observation, reward, terminated, False, info.

        Raises:
            HumanError, GraderError, RendererError, AssetError: as the environment of the track; the episode is as it
                was before.
            UsageError: no such action, or no episode is going on.
        """
        table = self._open_table()
        after = table.after(self.play, self._checked(action))
        self.become(after)
        return self.seen(), after.reward, after.over, False, table.info(after)

    def become(self, play: Play) -> None:
        """Go on with another state of an episode at the same table; in ``human`` mode what is new is printed."""
        self._play = play
        if self.render_mode == "human":
            said = transcript(self._open_table(), play)
            sys.stdout.write(harmless(said[self._printed :]))
            sys.stdout.flush()
            self._printed = len(said)

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Return the dialogue as text (``ansi``), or a picture of the state (``rgb_array``); None in other modes.

        Raises:
            MissingExtraError: ``rgb_array``, and Pillow is not installed.
        """
        if self.render_mode == "ansi":
            return transcript(self._open_table(), self.play)
        if self.render_mode == "rgb_array":
            return picture_of(self._open_table(), self.play)
        return None

    def fork(self: Self) -> Self:
        """Return a copy to be played on by itself, its random numbers included; ``copy.deepcopy(env)`` does the same.

        It shares the human and the grader, and works until the original is closed.

        Raises:
            UsageError: the environment is closed.
        """
        copied = type(self)(render_mode=self.render_mode, observation=self.observation, table=self._open_table())
        copied._play, copied._printed = self._play, self._printed
        copied._np_random = None if self._np_random is None else _copy(self._np_random)
        copied._np_random_seed, copied.spec = self._np_random_seed, self.spec
        return copied

    def __deepcopy__(self: Self, memo: dict[int, Any]) -> Self:  # Any: as in copy
        copied = memo[id(self)] = self.fork()
        return copied

    def __getstate__(self) -> dict[str, Any]:  # Any: its attributes
        return {**vars(self), "_play": self._play and self._play.saved(), "_owns": True}

    def __setstate__(self, state: dict[str, Any]) -> None:  # Any: its attributes
        vars(self).update(state)
        if state["_play"]:
            self._play = self._open_table().restored(state["_play"])

    def close(self) -> None:
        """Release the sandbox or the browser, and whatever else was opened. A second call does nothing."""
        if self._table is not None and self._owns:
            self._table.scenario.close()
        self._table = self._play = None

    def _open_table(self) -> Table:
        if self._table is None:
            raise UsageError("the environment is closed; make a new one")
        return self._table

    def seen(self) -> Any:  # Any: an array or a text
        """Return the observation."""
        table = self._open_table()
        if self.observation == "text":
            shown = text(table, self.play)
            head, cut = MAX_TEXT_CHARS // 4, "\n...\n"  # the request is at the start
            tail = MAX_TEXT_CHARS - head - len(cut)
            return shown if len(shown) <= MAX_TEXT_CHARS else shown[:head] + cut + shown[-tail:]
        return vectors([self.play], table.questions)[0]

    def _checked(self, action: object) -> int:
        """Return an action that the episode can take. Raises as :meth:`step`."""
        if self.play.over:
            raise UsageError("step() was called after the end of the episode (answered); call reset()")
        if not self.action_space.contains(action):
            raise UsageError(
                f"got the action {action!r}, expected an integer from 0 to {self.action_space.n - 1}; "
                "env.unwrapped.keys names them"
            )
        return int(action)  # type: ignore[call-overload, no-any-return]  # an integer, as the space contains it


def open_table(track: Track, options: dict[str, Any], also: tuple[str, ...] = ()) -> Table:  # Any: see the classes
    """Open what the keyword arguments of a menu environment name.

    Raises:
        UnknownNameError: nobody reads one of them.
        UsageError: a value of the wrong type or out of range.
    """
    known = (*also, *_OWN, "render_mode")
    given = {name: value for name, value in options.items() if name not in _OWN}
    chosen = check_options(track, given | time_limit_of_make(), MENU_IDS[track], known, _NOT_OF_MENU)
    questions, pool = options.get("questions", 5), options.get("pool", 1000)
    cost, keep = options.get("question_cost", 0.0), options.get("keep_replies", True)
    for name, number, least in (("questions", questions, 1), ("pool", pool, 0)):
        if type(number) is not int or number < least:
            raise UsageError(f"got {name}={number!r}, expected an integer of at least {least}")
    if isinstance(cost, bool) or not isinstance(cost, (int, float)) or not 0 <= cost <= sys.float_info.max:
        raise UsageError(f"got question_cost={cost!r}, expected a number of at least 0")
    if not isinstance(keep, bool):
        raise UsageError(f"got keep_replies={keep!r}, expected True or False")
    scenario = open_checked(replace(chosen, max_turns=questions + 1))
    return Table(scenario, questions, float(cost), keep, pool)


def _copy(rng: np.random.Generator) -> np.random.Generator:
    copied = np.random.Generator(type(rng.bit_generator)())
    copied.bit_generator.state = rng.bit_generator.state
    return copied
