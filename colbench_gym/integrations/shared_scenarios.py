"""Scenarios for frameworks that build an environment for every episode: opened once a process, closed at its end."""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Mapping
from typing import Any

from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.rules import RULES
from colbench_gym.scenario import Scenario, open_scenario
from colbench_gym.task_episode import TaskEpisode

_scenarios: dict[str, Scenario] = {}
_lock = threading.Lock()


def shared_scenario(options: Mapping[str, Any]) -> Scenario:  # Any: see the options' classes
    """Return the scenario of these options, the same one for equal options.

    Args:
        options: ``track`` (``backend`` without one), and what :func:`open_scenario` takes; strings and numbers only.

    Raises:
        UsageError: a value that is no string, number or None. And as :func:`open_scenario`.
    """
    options = dict(options)
    track = options.pop("track", "backend")
    if track not in RULES:
        raise UnknownNameError.among("track", str(track), RULES)
    try:
        key = json.dumps([track, options], sort_keys=True)
    except TypeError as e:
        raise UsageError(f"got options {options!r}, expected strings and numbers; name live objects by a spec") from e
    with _lock:
        if key not in _scenarios:
            scenario = open_scenario(track, **options)
            atexit.register(scenario.close)
            _scenarios[key] = scenario
        return _scenarios[key]


def episode_of_row(scenario: Scenario, row: Mapping[str, Any]) -> TaskEpisode:  # Any: as the data set has it
    """Begin the episode that a row of a data set names by ``task_id`` or ``seed``, itself or in its ``extra_info``.

    Raises:
        UsageError: it names none; the rollouts of a group would have different tasks.
        UnknownTaskError: no such task.
    """
    named = {**(row.get("extra_info") or {}), **row}
    if named.get("task_id") is not None:
        return scenario.episode(str(named["task_id"]))
    if named.get("seed") is not None:
        return scenario.episode(seed=int(named["seed"]))
    raise UsageError(
        f"got a row with {', '.join(sorted(named)) or 'nothing'}, expected task_id or seed, as the rollouts of a group "
        "have one task; make the data set with the bridge's rows"
    )
