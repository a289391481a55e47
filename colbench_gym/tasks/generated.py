"""Splits, difficulties, positions and ids of endless task sets."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from colbench_gym.errors import UnknownNameError, UnknownTaskError
from colbench_gym.tasks import Task

if TYPE_CHECKING:
    import numpy as np

SPLITS = ("train", "validation", "test", "test_compositions", "test_domains")
DIFFICULTIES = ("easy", "medium", "hard", "default")
SAMPLED = 10**7  # positions that ``sample`` draws from

T = TypeVar("T", bound=Task)


@dataclass(frozen=True)
class EndlessTasks(ABC, Generic[T]):
    """The generated tasks of one split (a :class:`~colbench_gym.tasks.TaskSet` without end).

    Attributes:
        split: ``train``, ``validation`` and ``test`` share domains and compositions, but no request;
            ``test_compositions`` has compositions, ``test_domains`` domains that none of these has.
        difficulty: how much is left open: ``easy``, ``medium`` or ``hard``; ``default`` mixes them. Functions
            have ``habits`` too: what is open hangs on the trade and the kind of matter, which nothing tells.
    """

    difficulties: ClassVar[tuple[str, ...]] = DIFFICULTIES
    split: str
    difficulty: str = "default"

    def __post_init__(self) -> None:
        if self.split not in SPLITS:
            raise UnknownNameError.among("split of generated", self.split, SPLITS)
        if self.difficulty not in self.difficulties:
            raise UnknownNameError.among("difficulty", self.difficulty, self.difficulties)

    @property
    def spec(self) -> str:
        """Spec that loads it."""
        return f"generated:{self.split}" + (f":{self.difficulty}" if self.difficulty != "default" else "")

    @property
    def size(self) -> None:
        """None: there is no end to them."""

    @property
    def prefix(self) -> str:
        """First part of every id."""
        return self.split + (f"-{self.difficulty}" if self.difficulty != "default" else "")

    @abstractmethod
    def at(self, index: int) -> T:
        """Return the task at a position, from 0.

        Raises:
            UnknownTaskError: no such position.
        """

    def get(self, task_id: str | int) -> T:
        """Return the task with an id such as ``test-17``, or at a position given as an integer.

        Raises:
            UnknownTaskError: no such id.
        """
        if isinstance(task_id, int):
            return self.at(task_id)
        prefix, _, index = task_id.rpartition("-")
        if prefix != self.prefix or not index.isascii() or not index.isdigit() or str(int(index)) != index:
            raise UnknownTaskError(
                f"no task {task_id!r} in {self.spec}; expected an id such as '{self.prefix}-0' or '{self.prefix}-17'"
            )
        return self.at(int(index))

    def sample(self, rng: np.random.Generator) -> T:
        """Return one task, drawn with replacement from the first :data:`SAMPLED` positions."""
        return self.at(int(rng.integers(SAMPLED)))

    def position(self, index: int) -> int:
        """Return a valid position.

        Raises:
            UnknownTaskError: it is not an integer from 0.
        """
        if isinstance(index, bool) or not isinstance(index, int) or index < 0:
            raise UnknownTaskError(f"no task at position {index!r} in {self.spec}; expected an integer from 0")
        return index
