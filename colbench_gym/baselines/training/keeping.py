"""Checkpoints besides the regular ones: after so many minutes, and when the run is told to stop."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from accelerate.utils import gather_object
from transformers import TrainerCallback

from colbench_gym.baselines.training.processes import wait

_STOPS = (signal.SIGINT, signal.SIGTERM)


class KeepsState(TrainerCallback):
    """Writes a checkpoint when the last one is too old, and before a signal ends the run.

    One that comes again changes nothing: launchers pass on what the terminal has sent to their workers already. Before
    the first step of a process there is nothing to keep: signals do what they did. All processes write and stop at the
    same step, whichever of them was told.

    Args:
        minutes: the greatest age of the last checkpoint; 0 for no limit.
    """

    def __init__(self, minutes: float) -> None:
        self._seconds, self._kept = 60 * minutes, time.monotonic()
        self._told: int | None = None
        self._before: dict[int, Any] = {}  # handlers, by signal

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Give the signals back after the block; what came too late for a checkpoint is delivered then."""
        try:
            yield
        finally:
            self._give_back()
        if self._told is not None:
            signal.raise_signal(self._told)

    def on_step_end(self, _args: Any, _state: Any, control: Any, **_: Any) -> None:
        """Ask for a checkpoint where one is due."""
        if not self._before and threading.current_thread() is threading.main_thread():
            heard = [number for number in _STOPS if signal.getsignal(number) is not signal.SIG_IGN]
            self._before = {number: signal.signal(number, self._hear) for number in heard}
        late = bool(self._seconds) and time.monotonic() - self._kept > self._seconds
        control.should_save = any(gather_object([control.should_save or late or self._told is not None]))

    def on_save(self, _args: Any, state: Any, _control: Any, **_: Any) -> None:
        """Stop here if any process was told to."""
        self._kept = time.monotonic()
        told = [number for number in gather_object([self._told]) if number is not None]
        if told:
            wait()  # each process has written its part
            self._give_back()
            self._told = None
            os.write(2, f"stopped; step {state.global_step} of {state.max_steps} is kept\n".encode())
            signal.raise_signal(told[0])

    def _hear(self, number: int, _frame: object) -> None:
        if self._told is None:
            os.write(2, b"stopping after this step, whose state is kept (SIGQUIT stops at once)\n")
        self._told = number

    def _give_back(self) -> None:
        while self._before:
            signal.signal(*self._before.popitem())
