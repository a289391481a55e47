"""Name of the dialogue that a request belongs to, so that equal requests of different dialogues can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass
class Spent:
    """Tokens that models have read and written in one dialogue, whose turns are played one after the other."""

    dialogue: str = ""
    tokens: int = 0


_SPENT: ContextVar[Spent | None] = ContextVar("colbench_gym_dialogue", default=None)


def current_dialogue() -> str:
    """Return the name of the dialogue that this thread plays; "" when it has none."""
    return (_SPENT.get() or Spent()).dialogue


def count_tokens(count: int) -> None:
    """Add tokens to what the dialogue that this thread plays has spent."""
    (_SPENT.get() or Spent()).tokens += count


@contextmanager
def in_dialogue(name: str) -> Iterator[Spent]:
    """Name the dialogue that is played inside the block, such as ``"task 17, repeat 2"``; yields what it spends.

    With concurrent dialogues it makes a recorded run replay exactly, and gives each its own sampling seed. It holds in
    this thread; code that hands work to another one runs it in ``contextvars.copy_context()``.
    """
    spent = Spent(name)
    token = _SPENT.set(spent)
    try:
        yield spent
    finally:
        _SPENT.reset(token)
