"""A scenario that all samples of a run share: opened once, closed at the run's end, opened again for the next run."""

from __future__ import annotations

import threading
from typing import Any

from colbench_gym.rules import Track
from colbench_gym.scenario import Scenario, open_scenario


class RunScenario:
    """Scenario that is opened by its first user. Thread-safe.

    Args:
        track: ``backend`` or ``frontend``.
        options: fields of the track's options; those that are None are left at their defaults.
    """

    def __init__(self, track: Track, **options: Any) -> None:  # Any: as open_scenario
        self.track = track
        self.name = f"{track} scenario"
        self._options = {option: value for option, value in options.items() if value is not None}
        self._lock = threading.Lock()
        self._opened: Scenario | None = None

    def open(self) -> Scenario:
        """Return the scenario, opened if need be. Raises as :func:`open_scenario`."""
        with self._lock:
            if self._opened is None:
                self._opened = open_scenario(self.track, **self._options)
            return self._opened

    def close(self) -> None:
        """Close the scenario if it is open."""
        with self._lock:
            opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()
