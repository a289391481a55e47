"""What a backend environment is made of, opened from its keyword arguments."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from enum import Enum
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from gymnasium.spaces import Dict, Space

from colbench_gym.envs.spaces import UnicodeText
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.game import Game, RewardKind, check_reward_kind
from colbench_gym.graders import Grader
from colbench_gym.graders.unit_tests import GRADINGS, UnitTestGrader
from colbench_gym.humans import HumanSimulator, make_human
from colbench_gym.prompts import Prompts, default_prompts, load_prompts
from colbench_gym.rules import BACKEND, Rules
from colbench_gym.sandboxes import Sandbox, open_sandbox
from colbench_gym.tasks import BackendTask, TaskSet, load_tasks

RESET_OPTIONS = ("task_id",)
RENDER_MODES = ("ansi", "human")
_BLOCK_CHARS = 64  # more than the role and the blank lines that the transcript puts around a message
_BRIEF_CHARS = 3  # a brief is the wording, the description and the hidden information: each at most a message long


class Seating(Enum):
    """Who has the human's seat, where it is no simulator. Not None, which is what a lost keyword value often is."""

    OUTSIDE = "the human's seat is played from outside"


@dataclass(frozen=True)
class BackendParts:
    """The parts of one environment, or of several that share them. What was opened here is closed with it."""

    tasks: TaskSet
    human: HumanSimulator | None
    grader: Grader
    rules: Rules
    prompts: Prompts
    reward: RewardKind
    _opened: ExitStack = field(repr=False, default_factory=ExitStack)

    @property
    def simulator(self) -> HumanSimulator:
        """The human that replies."""
        if self.human is None:
            raise UsageError("the human's seat is played from outside; there is no simulator to ask")
        return self.human

    def new_game(self, rng: np.random.Generator, options: Mapping[str, Any] | None) -> Game:
        """Start a game about the task that ``options["task_id"]`` names, else about one drawn with ``rng``."""
        chosen = dict(options or {})
        task_id = chosen.pop("task_id", None)
        for name in chosen:
            raise UnknownNameError.among("reset option", str(name), RESET_OPTIONS)
        if task_id is None:
            task = self.tasks.sample(rng)
        elif isinstance(task_id, str) or (isinstance(task_id, Integral) and not isinstance(task_id, bool)):
            task = self.tasks.get(task_id if isinstance(task_id, str) else int(task_id))
        else:
            raise UsageError(
                f"options['task_id'] is of type {type(task_id).__name__}; expected a task's id, a string or an integer"
            )
        return Game(cast("BackendTask", task), self.rules, self.prompts)  # load_tasks(track="backend") has no others

    def observation_space(self) -> Space[Any]:  # Any: Dict's own type parameter does not fit Env's
        """The space of what either seat observes."""
        longest = self.rules.max_message_chars
        per_turn = longest + self.rules.human_chars + 2 * _BLOCK_CHARS
        return Dict(
            {
                "instructions": UnicodeText(_BRIEF_CHARS * longest),
                "dialogue": UnicodeText(longest + _BLOCK_CHARS + self.rules.max_turns * per_turn),
            }
        )

    def action_space(self) -> UnicodeText:
        """The space of one message."""
        return UnicodeText(self.rules.max_message_chars)

    def close(self) -> None:
        """Close what was opened for this environment; live objects that were handed in stay open."""
        self._opened.close()


def open_parts(
    *,
    tasks: str | Path | TaskSet,
    human: str | HumanSimulator | Literal[Seating.OUTSIDE],
    sandbox: str | Sandbox,
    grading: str | Grader,
    reward: str,
    max_turns: int,
    prompts: str | Path | Mapping[str, str] | Prompts | None,
) -> BackendParts:
    """Open everything, or nothing.

    Args:
        tasks, human, sandbox, grading, reward, max_turns, prompts: as for
            :class:`~colbench_gym.envs.backend.BackendEnv`; ``human=Seating.OUTSIDE`` where there is
            no simulator.

    Raises:
        UnknownNameError: a name that is not known; the known ones are listed.
        UsageError: a value of the wrong type or out of range.
    """
    kind = check_reward_kind(reward)
    rules = BACKEND.with_max_turns(max_turns)
    wording = _prompts(prompts)
    task_set = load_tasks(tasks, track="backend")
    with ExitStack() as opened:
        simulator = _human(human, wording, rules, opened)
        grader = _grader(grading, sandbox, opened)
        return BackendParts(task_set, simulator, grader, rules, wording, kind, opened.pop_all())


def _human(
    human: str | HumanSimulator | Literal[Seating.OUTSIDE], prompts: Prompts, rules: Rules, opened: ExitStack
) -> HumanSimulator | None:
    if human is Seating.OUTSIDE:
        return None
    if not isinstance(human, str):
        return make_human(human)
    simulator = make_human(human, track="backend", prompts=prompts, rules=rules)
    close = getattr(simulator, "close", None)  # a human that holds a connection has one
    if close is not None:
        opened.callback(close)
    return simulator


def _grader(grading: str | Grader, sandbox: str | Sandbox, opened: ExitStack) -> Grader:
    if not isinstance(sandbox, (str, Sandbox)):
        raise UsageError(
            f"sandbox={sandbox!r} was got; expected 'process' or an object with run(program) and close(); leave "
            "sandbox out for the default"
        )
    if not isinstance(grading, str):
        if not isinstance(grading, Grader):
            known = ", ".join(map(repr, GRADINGS))
            raise UsageError(
                f"grading={grading!r} was got; expected one of {known}, or an object with grade(task, answer) and "
                "close(); leave grading out for the default"
            )
        return grading
    runner = opened.enter_context(closing(open_sandbox(sandbox))) if isinstance(sandbox, str) else sandbox
    return opened.enter_context(closing(UnitTestGrader(runner, grading=grading)))


def _prompts(prompts: str | Path | Mapping[str, str] | Prompts | None) -> Prompts:
    if prompts is None:
        return default_prompts("backend")
    if isinstance(prompts, Prompts):
        return prompts
    if isinstance(prompts, (str, Path)):
        return load_prompts(prompts, "backend")
    if not isinstance(prompts, Mapping) or set(prompts) != {"agent", "human"}:
        raise UsageError(
            f"prompts={prompts!r} was got; expected None, a folder with the official files, or a dict with the texts "
            "'agent' and 'human'"
        )
    return Prompts(agent=prompts["agent"], human=prompts["human"])


def refuse_unknown(kind: str, unknown: Mapping[str, object], known: tuple[str, ...]) -> None:
    """Refuse keyword arguments that nobody reads.

    Raises:
        UnknownNameError: there is one.
    """
    for name in unknown:
        raise UnknownNameError.among(f"keyword argument of {kind}", name, known)


def check_render_mode(mode: str | None) -> str | None:
    """The mode, if there is such a one.

    Raises:
        UnknownNameError: there is none.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise UnknownNameError.among("render mode", str(mode), RENDER_MODES)
    return mode
