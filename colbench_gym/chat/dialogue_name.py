"""Name of the dialogue that a request belongs to, so that equal requests of different dialogues can be told apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_NAME: ContextVar[str] = ContextVar("colbench_gym_dialogue", default="")


def current_dialogue() -> str:
    """Return the name of the dialogue that this thread plays; "" when it has none."""
    return _NAME.get()


@contextmanager
def in_dialogue(name: str) -> Iterator[None]:
    """Name the dialogue that is played inside the block, such as ``"task 17, repeat 2"``.

    With concurrent dialogues it makes a recorded run replay exactly, and gives each its own sampling seed. It holds in
    this thread; code that hands work to another one runs it in ``contextvars.copy_context()``.
    """
    token = _NAME.set(name)
    try:
        yield
    finally:
        _NAME.reset(token)
