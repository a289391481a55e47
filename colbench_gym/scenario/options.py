"""Options of a scenario: one dataclass for each track, whose fields carry their defaults and their help."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from typing import Any, Literal, cast

from colbench_gym.errors import UnknownNameError
from colbench_gym.graders import Grader
from colbench_gym.graders.rewards import REWARD_KINDS, RewardFunction
from colbench_gym.graders.similarities import ComparesPages
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import Renderer
from colbench_gym.rules import Rules, Track
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import TaskSource


class HumanSeat(Enum):
    """Player of the human's seat that is no simulator. Not None, which is what a lost keyword value often is."""

    OUTSIDE = "the human's seat is played from outside"


Human = str | HumanSimulator | Literal[HumanSeat.OUTSIDE]
PromptSource = str | Path | Mapping[str, str] | Prompts | None
MODEL_SETTINGS = ("temperature", "max_tokens", "extra_body", "api_key_var")  # fields of ChatOptions
_REWARD_HELP = (
    "what is paid at the end: success (0 or 1; the default of the backend), pass_rate, similarity (the default of the "
    "frontend), score (either of the two), python:MODULE:FACTORY"
)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options that both tracks have; each field carries its default and its help."""

    tasks: TaskSource = field(
        default="generated",
        metadata={"help": "generated[:SPLIT], official[:SPLIT], websight[:SPLIT] or a JSONL file of tasks"},
    )
    human: Human = field(
        default="scripted",
        metadata={
            "help": "who is asked: scripted[:PERSONA], openai:MODEL[@BASE_URL], replay:FILE, console, web, "
            "python:MODULE:FACTORY"
        },
    )
    leaks: str = field(
        default="refuse",
        metadata={
            "help": "a model human's replies that show code: refuse (ask again, then refuse; default), ask-again, count"
        },
    )
    human_knows: str = field(
        default="source",
        metadata={
            "help": "backend: what a model human is told: source (default), or claims (what the scripted human would "
            "say)"
        },
    )
    human_temperature: float | None = field(
        default=None, metadata={"help": "of a model human; the official 0, or none where its server refuses it"}
    )
    human_max_tokens: int | None = field(
        default=None, metadata={"help": "new tokens in a reply of a model human at most; the official 4096"}
    )
    human_extra_body: Mapping[str, Any] | None = field(  # Any: JSON
        default=None, metadata={"help": "further fields of each request to a model human's server, as a JSON object"}
    )
    human_api_key_var: str | None = field(
        default=None,
        metadata={"help": "name of the variable with the key of a model human's server; OPENAI_API_KEY when not given"},
    )
    max_turns: int = field(
        default=Rules.max_turns, metadata={"help": "agent turns; 1 is the single-turn setting of Table 2"}
    )
    max_questions: int | None = field(
        default=None,
        metadata={"help": "questions that the human answers in all, however many messages they stand in; no limit"},
    )
    prompts: PromptSource = field(
        default=None,
        metadata={"help": "a folder with your copy of the official prompt files; our own wording when not given"},
    )
    profile: str | None = field(
        default=None,
        metadata={
            "help": "paper: the paper's set-up, as far as it can be had; hal: the Holistic Agent Leaderboard's; a flag "
            "that contradicts it is refused"
        },
    )
    official: str | Path | None = field(
        default=None,
        metadata={
            "help": "with the profile: your checkout of the released code (hal: a folder with that and the harness), "
            "which words every message; COLBENCH_OFFICIAL when not given"
        },
    )


@dataclass(frozen=True, kw_only=True)
class BackendOptions(Options):
    """Options of a backend scenario."""

    sandbox: str | Sandbox = field(
        default="process", metadata={"help": "backend: where answers run: process (default), docker, unsafe"}
    )
    grading: str | Grader = field(
        default="strict",
        metadata={
            "help": "backend: strict (right; default), paper (bug-compatible with the official grader) or "
            "python:MODULE:FACTORY"
        },
    )
    reward: str | RewardFunction = field(default=REWARD_KINDS["backend"][0], metadata={"help": _REWARD_HELP})


@dataclass(frozen=True, kw_only=True)
class FrontendOptions(Options):
    """Options of a frontend scenario."""

    similarity: str | Grader | ComparesPages = field(
        default="layout",
        metadata={
            "help": "frontend: layout (needs no model; default), clip (the paper's), clip:PATH or python:MODULE:FACTORY"
        },
    )
    reward: str | RewardFunction = field(default=REWARD_KINDS["frontend"][0], metadata={"help": _REWARD_HELP})
    renderer: str | Renderer = field(
        default="chromium", metadata={"help": "frontend: what renders pages: chromium, scripted (for tests)"}
    )


OPTIONS: Mapping[Track, type[BackendOptions] | type[FrontendOptions]] = {
    "backend": BackendOptions,
    "frontend": FrontendOptions,
}
HELP: Mapping[str, str] = {
    option.name: option.metadata["help"] for options in OPTIONS.values() for option in fields(options)
}


def read_options(
    track: Track,
    given: Mapping[str, object],
    kind: str,
    also: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
) -> BackendOptions | FrontendOptions:
    """Return the options of a track.

    Args:
        track: which track's.
        given: those that differ from the defaults.
        kind: what takes them, for the error message.
        also: other keywords that ``kind`` knows, for the error message.
        without: options of the track that ``kind`` does not take.

    Raises:
        UnknownNameError: nobody reads one of them.
    """
    known = [option.name for option in fields(OPTIONS[track]) if option.name not in without]
    for name in given:
        if name == "max_episode_steps":
            raise UnknownNameError(
                f"got max_episode_steps={given[name]!r} for {kind}; expected max_turns, as the number of the agent's "
                "turns belongs to the task and ends it; write max_turns instead"
            )
        if name not in known:
            raise UnknownNameError.among(f"keyword argument of {kind}", name, (*known, *also))
    return OPTIONS[track](**cast("Any", given))  # Any: each value is checked where it is used
