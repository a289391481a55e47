"""What an environment of either track is made of, and what both tracks open alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from enum import Enum
from numbers import Integral
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Space

from colbench_gym.dialogue import Seat
from colbench_gym.envs.spaces import UnicodeText
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.graders import Grader
from colbench_gym.humans import HumanSimulator, make_human
from colbench_gym.prompts import Prompts, default_prompts, load_prompts
from colbench_gym.rendering import VIEWPORT_HEIGHT, VIEWPORT_WIDTH, RenderedPage, Renderer
from colbench_gym.rendering.pictures import as_array
from colbench_gym.rules import Rules, Track
from colbench_gym.task_episode import Game, RewardKind
from colbench_gym.tasks import TaskSet

RESET_OPTIONS = ("task_id",)
PICTURE_SHAPE = (VIEWPORT_HEIGHT, VIEWPORT_WIDTH, 3)  # of what is observed and rendered: rows, columns, RGB
_BLOCK_CHARS = 64  # more than the role and the blank lines that the transcript puts around a message
_BRIEF_CHARS = 3  # a brief is the wording, the description and the hidden information: each at most a message long


class Seating(Enum):
    """Who has the human's seat, where it is no simulator. Not None, which is what a lost keyword value often is."""

    OUTSIDE = "the human's seat is played from outside"


@dataclass(frozen=True)
class Parts:
    """The parts of one environment, or of several that share them. What was opened here is closed with it."""

    tasks: TaskSet
    human: HumanSimulator | None
    grader: Grader
    rules: Rules
    prompts: Prompts
    reward: RewardKind
    renderer: Renderer | None = None
    _opened: ExitStack = field(repr=False, default_factory=ExitStack)

    @property
    def simulator(self) -> HumanSimulator:
        """The human that replies."""
        if self.human is None:
            raise UsageError("the human's seat is played from outside; there is no simulator to ask")
        return self.human

    def borrowed(self) -> Parts:
        """The same parts for an environment that must not close them."""
        return replace(self, _opened=ExitStack())

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
        return Game(task, self.rules, self.prompts, self.renderer)

    def observation_space(self, seat: Seat = "agent") -> Space[Any]:  # Any: Dict's own type does not fit Env's
        """The space of what a seat observes; a human of the frontend track is shown pictures too."""
        longest = self.rules.max_message_chars
        per_turn = longest + self.rules.human_chars + 2 * _BLOCK_CHARS
        spaces: dict[str, Space[Any]] = {
            "instructions": UnicodeText(_BRIEF_CHARS * longest),
            "dialogue": UnicodeText(longest + _BLOCK_CHARS + self.rules.max_turns * per_turn),
        }
        if seat == "human" and self.rules.track == "frontend":
            spaces |= {name: Box(0, 255, PICTURE_SHAPE, np.uint8) for name in ("page", "reference")}
        return Dict(spaces)

    def action_space(self) -> UnicodeText:
        """The space of one message."""
        return UnicodeText(self.rules.max_message_chars)

    def close(self) -> None:
        """Close what was opened for this environment; live objects that were handed in stay open."""
        self._opened.close()


def open_human(
    human: str | HumanSimulator | Literal[Seating.OUTSIDE],
    prompts: Prompts,
    rules: Rules,
    opened: ExitStack,
) -> HumanSimulator | None:
    """The human that replies, None where its seat is played from outside; what is made here closes with ``opened``."""
    if human is Seating.OUTSIDE:
        return None
    if not isinstance(human, str):
        return make_human(human)
    simulator = make_human(human, track=rules.track, prompts=prompts, rules=rules)
    opened.callback(simulator.close)
    return simulator


def read_prompts(prompts: str | Path | Mapping[str, str] | Prompts | None, track: Track) -> Prompts:
    """The wording that the keyword argument ``prompts`` stands for.

    Raises:
        UsageError: it stands for none.
        InputFileError: a file of the folder cannot be read.
    """
    if prompts is None:
        return default_prompts(track)
    if isinstance(prompts, Prompts):
        return prompts
    if isinstance(prompts, (str, Path)):
        return load_prompts(prompts, track)
    if not isinstance(prompts, Mapping) or set(prompts) != {"agent", "human"}:
        raise UsageError(
            f"prompts={prompts!r} was got; expected None, a folder with the official files, or a dict with the texts "
            "'agent' and 'human'"
        )
    return Prompts(agent=prompts["agent"], human=prompts["human"])


def page_array(page: RenderedPage | None) -> npt.NDArray[np.uint8]:
    """Return the picture of a page in :data:`PICTURE_SHAPE`; white for no page and for one without a picture."""
    return as_array(page.png if page else b"", PICTURE_SHAPE)


def refuse_unknown(kind: str, unknown: Mapping[str, object], known: tuple[str, ...]) -> None:
    """Refuse keyword arguments that nobody reads.

    Raises:
        UnknownNameError: there is one.
    """
    for name in unknown:
        raise UnknownNameError.among(f"keyword argument of {kind}", name, known)


def check_render_mode(mode: str | None, known: Sequence[str]) -> str | None:
    """The mode, if there is such a one.

    Raises:
        UnknownNameError: there is none.
    """
    if mode is not None and mode not in known:
        raise UnknownNameError.among("render mode", str(mode), known)
    return mode
