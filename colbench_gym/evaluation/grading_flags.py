"""Flags of every command that grades answers, and the options of a scenario that they stand for."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any

from tyro.conf import arg

from colbench_gym.errors import UsageError
from colbench_gym.rules import Track
from colbench_gym.scenario import HELP, OPTIONS


@dataclass(frozen=True, kw_only=True)
class GradingFlags:
    """Flags of every command that grades; None stands for the track's default."""

    sandbox: Annotated[str | None, arg(help=HELP["sandbox"])] = None
    grading: Annotated[str | None, arg(help=HELP["grading"])] = None
    similarity: Annotated[str | None, arg(help=HELP["similarity"])] = None
    profile: Annotated[str | None, arg(help=HELP["profile"])] = None

    def grading_options(self, track: Track) -> dict[str, Any]:  # Any: as open_scenario takes them
        """Return the flags that were given, as options of a scenario.

        Raises:
            UsageError: one was given that only the other track reads.
        """
        flags = {flag.name: getattr(self, flag.name) for flag in fields(GradingFlags)}
        given = {name: value for name, value in flags.items() if value is not None}
        for name, value in given.items():
            readers = [known for known, options in OPTIONS.items() if hasattr(options, name)]
            if track not in readers:
                raise UsageError(
                    f"got --{name} {value} for the {track} track, but only the {readers[0]} track reads it; drop it"
                )
        return given
