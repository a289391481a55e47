"""A set of runs, agents by tracks by humans, from one TOML file: their settings, and the one budget that they share."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from colbench_gym.chat import model_name
from colbench_gym.errors import InputFileError, UnknownNameError
from colbench_gym.evaluation.grading_flags import ModelFlags
from colbench_gym.evaluation.run.budget import LIMITS, amounts
from colbench_gym.evaluation.run.settings import EvalConfig
from colbench_gym.evaluation.run_folder import RUN_FILE, read_run_file
from colbench_gym.jsonl import read_toml
from colbench_gym.policies import is_model, only_track
from colbench_gym.rules import ENV_IDS, Track

Json = dict[str, Any]  # Any: TOML of the user
_OF_SET = ("agents", "tracks", "humans")
_FLAGS = {flag.name for flag in fields(EvalConfig)} - {"env_id", "out", "agent", "human", "resume", "overwrite"}
_OF_MODELS = {flag.name for flag in fields(ModelFlags)}  # of all runs: of those in which a model plays that seat
_SHORT = {"temperature": "agent_temperature", "max_tokens": "agent_max_tokens"}  # as on the command line
_DEFAULTS = {"agent": None, "human": "scripted"}


@dataclass(frozen=True)
class RunOfSet:
    """One run: the name of its agent (and human, where there are several), its track and its settings."""

    name: str
    track: Track
    config: EvalConfig


def read_set(file: Path, out: Path) -> tuple[RunOfSet, ...]:
    """Read a set of runs.

    Args:
        file: TOML: ``agents``, a list of specs or a table of names, whose values are specs or tables with ``agent`` and
            flags of ``colbench eval``; ``tracks`` and ``humans``, lists likewise; any flag for all runs; a table
            ``[backend]`` or ``[frontend]`` with flags for that track. A scripted agent of one track plays that alone.
        out: the folder that gets a folder for each run.

    Raises:
        InputFileError: the file cannot be read, or holds what no run has.
        UsageError: a setting cannot be used.
    """
    content = read_toml(file)
    tracks = content.pop("tracks", ["backend"])
    of_track = {track: content.pop(track, {}) for track in ENV_IDS}
    agents, humans = (_seats(file, content, f"{seat}s", default) for seat, default in _DEFAULTS.items())
    for track in tracks if isinstance(tracks, list) else [tracks]:
        if not isinstance(tracks, list) or track not in tuple(ENV_IDS):
            raise InputFileError(f"{file}: tracks: {UnknownNameError.among('track', str(track), ENV_IDS)}")
        if not isinstance(of_track[track], dict):
            raise InputFileError(f"{file}: {track} is {of_track[track]!r}; expected a table [{track}] of flags")
    runs: list[RunOfSet] = []
    for (agent, of_agent), track, (human, of_human) in itertools.product(agents.items(), tracks, humans.items()):
        if only_track(of_agent["agent"]) not in (None, track):
            continue  # a scripted agent of the other track
        name = agent if len(humans) == 1 else f"{agent}, {human}"
        folder = re.sub(r"[^\w.-]+", "-", f"{name} {track}").strip("-")
        more = ({**of_human, "human": None}, {**of_agent, "agent": None})
        seats = {"agent": of_agent["agent"], "human": of_human["human"]}
        models = {f"{seat}_": is_model(spec) for seat, spec in seats.items()}
        shared = _flags(file, content | of_track[track])
        flags = {name: value for name, value in shared.items() if name not in _OF_MODELS or models[name[:6]]}
        flags |= _flags(file, {name: value for of in more for name, value in of.items() if value is not None})
        runs.append(RunOfSet(name, track, EvalConfig(ENV_IDS[track], out / folder, **seats, **flags)))
    if not runs or len({run.config.out for run in runs}) < len(runs):
        problem = "two runs would share a folder; give agents or humans names that differ" if runs else "nobody plays"
        raise InputFileError(f"{file}: {problem}; expected agents that play one of the tracks")
    return tuple(runs)


def _seats(file: Path, content: Json, key: str, default: str | None) -> dict[str, Json]:
    """Return the flags of each agent or human, by its name."""
    given, seat = content.pop(key, [default] if default else None), key[:-1]
    if isinstance(given, list) and given and all(isinstance(spec, str) for spec in given):
        given = {spec: spec for spec in given}
    tables = given.items() if isinstance(given, dict) else ()
    named = {name: {seat: of} if isinstance(of, str) else of for name, of in tables}
    if not named or not all(isinstance(of, dict) and isinstance(of.get(seat), str) for of in named.values()):
        raise InputFileError(
            f"{file}: got {key} = {json.dumps(given, default=str)[:200]}; expected a list of specs, or a table such as "
            f"[{key}] NAME = 'SPEC', or [{key}.NAME] with {seat} = 'SPEC' and flags of colbench eval"
        )
    return named


def _flags(file: Path, given: Mapping[str, Any]) -> Json:  # Any: TOML
    """Return flags as arguments of EvalConfig, their types checked; paths are taken from the file's folder."""
    hints, flags = get_type_hints(EvalConfig), {}
    for key, value in given.items():
        name = key.replace("-", "_")
        name = _SHORT.get(name, name)
        if name not in _FLAGS:
            raise InputFileError(f"{file}: {UnknownNameError.among('setting', key, (*_FLAGS, *_OF_SET, *ENV_IDS))}")
        hint = hints[name]
        union = get_origin(hint) in (Union, type(int | None))
        kinds = tuple(get_origin(kind) or kind for kind in (get_args(hint) if union else (hint,)))
        if Path in kinds and isinstance(value, str):
            value = file.parent / value
        fits = isinstance(value, (*kinds, *((int,) if float in kinds else ())))
        if not fits or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds if kind is not type(None))
            raise InputFileError(f"{file}: {key} is {value!r} of type {type(value).__name__}, expected {names}")
        flags[name] = value
    return flags


def within_budget(run: RunOfSet, runs: Sequence[RunOfSet]) -> tuple[RunOfSet, str]:
    """Return a run whose limits are what the other runs have left of the set's, and which limit is spent ("" if none).

    Raises:
        InputFileError: the file of another run is broken.
    """
    spent = [_spent(other.config.out) for other in runs if other.config.out != run.config.out]
    uses_model = any(model_name(spec) for spec in (run.config.agent, run.config.human))
    left: Json = dict.fromkeys(LIMITS)
    for name, limit in run.config.budget_limits().items():
        if not (uses_model or name == "max_minutes"):
            continue
        used = math.fsum(of[name] for of in spent)
        if used >= limit:
            unit = name.split("_")[-1]
            return run, f"the budget {name.replace('_', '-')} = {limit:g} is spent ({used:g} {unit} used)"
        left[name] = limit - used if isinstance(limit, float) else limit - math.ceil(used)
    return replace(run, config=replace(run.config, **left)), ""


def _spent(folder: Path) -> dict[str, float]:
    run = read_run_file(folder) if (folder / RUN_FILE).is_file() else {}
    return amounts(run.get("used", {}), run.get("cost", {}).get("total", 0.0))
