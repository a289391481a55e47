"""Options of a scenario: one dataclass for each track, and the one place where what was given is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from colbench_gym.chat.options import ChatOptions
from colbench_gym.errors import UnknownNameError, UsageError, check_instance
from colbench_gym.graders import Grader
from colbench_gym.graders.rewards import REWARD_KINDS, RewardFunction
from colbench_gym.graders.similarities import SIMILARITIES, ComparesPages
from colbench_gym.graders.unit_tests import GRADINGS
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import RENDERERS, Renderer
from colbench_gym.rules import Rules, Track, check_track
from colbench_gym.sandboxes import Sandbox
from colbench_gym.scenario.paper import with_profile
from colbench_gym.tasks import TaskSource


class HumanSeat(Enum):
    """Player of the human's seat that is no simulator. Not None, which is what a lost keyword value often is."""

    OUTSIDE = "the human's seat is played from outside"


Human = str | HumanSimulator | Literal[HumanSeat.OUTSIDE]
PromptSource = str | Path | Mapping[str, str] | Prompts | None
MODEL_SETTINGS = ("temperature", "max_tokens", "extra_body", "api_key_var")  # fields of ChatOptions
SANDBOXES = ("process", "docker", "unsafe")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options that both tracks have.

    Attributes:
        tasks: generated[:SPLIT], official[:SPLIT], websight[:SPLIT] or a JSONL file of tasks
        human: who is asked: scripted[:PERSONA], openai:MODEL[@BASE_URL], replay:FILE, console, web,
            python:MODULE:FACTORY
        leaks: a model human's replies that show code: refuse (ask again, then refuse; default), ask-again, count
        human_knows: backend: what a model human is told: source (default), or claims (what the scripted human would
            say)
        human_temperature: of a model human; the official 0, or none where its server refuses it
        human_max_tokens: new tokens in a reply of a model human at most; the official 4096
        human_extra_body: further fields of each request to a model human's server, as a JSON object
        human_api_key_var: name of the variable with the key of a model human's server; OPENAI_API_KEY when not
            given
        max_turns: agent turns; 1 is the single-turn setting of Table 2
        max_questions: questions that the human answers in all, however many messages they stand in; no limit
        prompts: a folder with your copy of the official prompt files; our own wording when not given
        profile: paper: the paper's set-up, as far as it can be had; hal: the Holistic Agent Leaderboard's; a flag
            that contradicts it is refused
        official: with the profile: your checkout of the released code (hal: a folder with that and the harness),
            which words every message; COLBENCH_OFFICIAL when not given
    """

    tasks: TaskSource = "generated"
    human: Human = "scripted"
    leaks: str = "refuse"
    human_knows: str = "source"
    human_temperature: float | None = None
    human_max_tokens: int | None = None
    human_extra_body: Mapping[str, Any] | None = None  # Any: JSON
    human_api_key_var: str | None = None
    max_turns: int = Rules.max_turns
    max_questions: int | None = None
    prompts: PromptSource = None
    profile: str | None = None
    official: str | Path | None = None

    @cached_property
    def human_model(self) -> ChatOptions | None:
        """Settings of a model human; None where none were given.

        Raises:
            UsageError: one of them cannot be used.
        """
        values = {name: getattr(self, f"human_{name}") for name in MODEL_SETTINGS}
        given = {name: value for name, value in values.items() if value is not None}
        return ChatOptions.of_seat("human", **given) if given else None


@dataclass(frozen=True, kw_only=True)
class BackendOptions(Options):
    """Options of a backend scenario.

    Attributes:
        sandbox: backend: where answers run: process (default), docker, unsafe
        grading: backend: strict (right; default), paper (bug-compatible with the official grader) or
            python:MODULE:FACTORY
        reward: what is paid at the end: success (0 or 1; the default of the backend), pass_rate, similarity (the
            default of the frontend), score (either of the two), python:MODULE:FACTORY
    """

    sandbox: str | Sandbox = "process"
    grading: str | Grader = "strict"
    reward: str | RewardFunction = REWARD_KINDS["backend"][0]


@dataclass(frozen=True, kw_only=True)
class FrontendOptions(Options):
    """Options of a frontend scenario.

    Attributes:
        similarity: frontend: layout (needs no model; default), clip (the paper's), clip:PATH or
            python:MODULE:FACTORY
        reward: see :class:`BackendOptions`
        renderer: frontend: what renders pages: chromium, scripted (for tests)
    """

    similarity: str | Grader | ComparesPages = "layout"
    reward: str | RewardFunction = REWARD_KINDS["frontend"][0]
    renderer: str | Renderer = "chromium"


OPTIONS: Mapping[Track, type[BackendOptions] | type[FrontendOptions]] = {
    "backend": BackendOptions,
    "frontend": FrontendOptions,
}
_NAMES = {track: tuple(option.name for option in fields(options)) for track, options in OPTIONS.items()}
# Options that take a name or a live object: the names, what an object is, and that in words.
_LIVE: Mapping[str, tuple[tuple[str, ...], Callable[[object], bool], str]] = {
    "sandbox": (SANDBOXES, lambda given: isinstance(given, Sandbox), "run(program) and close()"),
    "grading": (tuple(GRADINGS), lambda given: isinstance(given, Grader), "grade(task, answer) and close()"),
    "renderer": (RENDERERS, lambda given: isinstance(given, Renderer), "versions, render(html) and close()"),
    "similarity": (
        SIMILARITIES,
        lambda given: isinstance(given, Grader) or callable(given),
        "grade(task, answer) and close(), or a function of two rendered pages",
    ),
}


def given_options(track: Track, flags: object) -> dict[str, Any]:  # Any: as open_scenario takes them
    """Return the fields of some flags that are options of a track; None stands for the track's default.

    Raises:
        UsageError: one was given that only the other track reads.
    """
    readers = {
        name: [of for of, names in _NAMES.items() if name in names] for names in _NAMES.values() for name in names
    }
    given = {name: value for name in readers if (value := getattr(flags, name, None)) is not None}
    for name, value in given.items():
        if track not in readers[name]:
            raise UsageError(
                f"got --{name} {value} for the {track} track, but only the {readers[name][0]} track reads it; drop it"
            )
    return given


def check_options(
    track: Track,
    given: Mapping[str, Any],  # Any: see the options' classes
    kind: str = "",
    also: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
) -> BackendOptions | FrontendOptions:
    """Return the options of a track as a whole that nothing doubts any more, those that the profile sets among them.

    Args:
        track: which track's.
        given: those that differ from the defaults.
        kind: what takes them, for the error message.
        also: other keywords that ``kind`` knows, for the error message.
        without: options of the track that ``kind`` does not take.

    Raises:
        UnknownNameError: nobody reads one of them, or a name that one has is not known.
        UsageError: a value of the wrong type or out of range, or one that contradicts the profile.
    """
    check_track(track)
    _check_names(track, given, kind or f"{track} scenario", also, without)
    chosen = OPTIONS[track](**with_profile(track, given))
    for name, (names, is_live, methods) in _LIVE.items():
        value = getattr(chosen, name, "")
        check_instance(name, value)
        if not (isinstance(value, str) or is_live(value)):
            raise UsageError(
                f"got {name}={value!r}, expected one of {', '.join(map(repr, names))}, or an object with {methods}; "
                f"leave {name} out for the default"
            )
    similarity = getattr(chosen, "similarity", "layout")
    kinds = {name.partition(":")[0] for name in SIMILARITIES}
    if isinstance(similarity, str) and similarity.partition(":")[0] not in kinds:
        raise UnknownNameError.among("similarity", similarity, SIMILARITIES)
    _ = chosen.human_model  # checked as it is made
    return chosen


def _check_names(
    track: Track, given: Mapping[str, object], kind: str, also: tuple[str, ...], without: tuple[str, ...]
) -> None:
    """Raise UnknownNameError where nobody reads an option."""
    known = [name for name in _NAMES[track] if name not in without]
    for name in (name for name in given if name not in known):
        if name == "max_episode_steps":
            turns = "max_turns" if "max_turns" in known else "questions"  # of a menu
            raise UnknownNameError(
                f"got max_episode_steps={given[name]!r} for {kind}; expected {turns}, as the number of the agent's "
                f"turns belongs to the task and ends it; write {turns} instead"
            )
        raise UnknownNameError.among(f"keyword argument of {kind}", name, (*known, *also))
