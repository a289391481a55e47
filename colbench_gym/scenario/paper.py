"""The set-up of the paper (arXiv 2503.15478): what a profile sets of it, and what keeps a run from it, in words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.rules import (
    AGENT_MAX_TOKENS,
    AGENT_TEMPERATURE,
    HUMAN_MAX_TOKENS,
    HUMAN_TEMPERATURE,
    RULES,
    Track,
)

Json = Mapping[str, Any]  # Any: JSON
OFFICIAL_VARIABLE = "COLBENCH_OFFICIAL"
PHOTO = "id-48"  # official protocol: the one photo that every picture address is rewritten to
MODEL_HUMANS = ("openai", "replay")
# Models that play the human: arXiv 2503.15478, section 3.
HUMANS: Mapping[Track, str] = {"backend": "Llama-3.1-70B-Instruct", "frontend": "Qwen2-VL-72B-Instruct"}
_OFFICIAL_TASKS: Mapping[Track, tuple[str, ...]] = {
    "backend": ("official", "official:test"),
    "frontend": ("websight", "websight:test"),
}


@dataclass(frozen=True, kw_only=True)
class Profile:
    """A published set-up, as far as this package can have it.

    Attributes:
        name: of the profile.
        fixed: options of each track that it sets; another value contradicts it.
        of_model_human: options that it sets where a language model plays the human.
        chosen: options of each track that it sets where nothing is given; another value is a difference, and said.
        max_turns: numbers of turns that it knows.
        temperature, max_tokens: the agent's sampling.
    """

    name: str
    fixed: Mapping[Track, Mapping[str, object]]
    of_model_human: Mapping[str, object]
    chosen: Mapping[Track, Mapping[str, object]]
    max_turns: tuple[int, ...]
    temperature: float
    max_tokens: int


PAPER = Profile(
    name="paper",
    fixed={"backend": {"grading": "paper"}, "frontend": {}},
    of_model_human={
        "leaks": "count",
        "human_knows": "source",
        "human_temperature": HUMAN_TEMPERATURE,
        "human_max_tokens": HUMAN_MAX_TOKENS,
    },
    chosen={"backend": {}, "frontend": {"similarity": "clip"}},
    max_turns=(RULES["backend"].max_turns, 1),
    temperature=AGENT_TEMPERATURE,
    max_tokens=AGENT_MAX_TOKENS,
)
PROFILES: Mapping[str, Profile] = {PAPER.name: PAPER}


def profile_named(name: str | None) -> Profile | None:
    """Return the profile of that name; None for none.

    Raises:
        UnknownNameError: no such profile.
    """
    if name is None:
        return None
    if name not in PROFILES:
        raise UnknownNameError.among("profile", name, tuple(PROFILES))
    return PROFILES[name]


def with_profile(track: Track, given: Mapping[str, Any]) -> dict[str, Any]:  # Any: as open_scenario takes them
    """Return the options of a scenario with those that its profile sets.

    Raises:
        UnknownNameError: no such profile.
        UsageError: an option contradicts the profile, or needs one.
    """
    profile = profile_named(given.get("profile"))
    if profile is None:
        if given.get("official") is not None:
            raise UsageError(
                f"got official={str(given['official'])!r} without a profile, which would use it; add profile='paper' "
                "(--profile paper), or name a folder of prompts alone with prompts (--prompts)"
            )
        return dict(given)
    human = given.get("human", "")
    models = isinstance(human, str) and human.partition(":")[0] in MODEL_HUMANS
    fixed = {**profile.fixed[track], **(profile.of_model_human if models else {})}
    for name, value in fixed.items():
        check_agrees(profile, name, given.get(name, value), value)
    check_agrees(profile, "max_turns", given.get("max_turns", profile.max_turns[0]), *profile.max_turns)
    if given.get("official") is not None and given.get("prompts") is not None:
        raise UsageError(
            f"got prompts={str(given['prompts'])!r} beside official={str(given['official'])!r}, which holds the "
            "prompts; leave prompts out"
        )
    return {**profile.chosen[track], **given, **fixed}


def check_agrees(profile: Profile, name: str, got: object, *agreeing: object) -> None:
    """Refuse a value that contradicts a profile.

    Raises:
        UsageError: it is none of those that agree.
    """
    if got not in agreeing:
        expected = " or ".join(repr(value) for value in agreeing)
        raise UsageError(
            f"got {name}={got!r} with the profile {profile.name!r}, expected {expected}, which it stands for; leave "
            f"{name} out, or the profile"
        )


def official_checkout(official: str | Path | None, prompts: object) -> Path | None:
    """Return the checkout that words the messages: the one given, else the variable's where no prompts are given."""
    if official is not None:
        return Path(official)
    named = os.environ.get(OFFICIAL_VARIABLE)
    return Path(named) if named and prompts is None else None


def differences(track: Track, settings: Json, not_counted: int = 0) -> tuple[str, ...]:
    """Return in words what differs from the paper's set-up in a run of ``colbench eval``.

    Args:
        track: of the run.
        settings: its configuration, as run.json has it; empty where a file says nothing of how it was played.
        not_counted: dialogues that failed on our side; the released code counts them.

    Returns:
        One clause for each difference; none where the numbers can be compared.
    """
    if not settings:
        return ("the file does not say how it was played",)
    checks = [*_played(track, settings), *(_pages(settings) if track == "frontend" else _programs(settings))]
    checks.append((not not_counted, f"{not_counted} dialogues that failed do not count"))
    return tuple(text for holds, text in checks if not holds)


Checks = list[tuple[bool, str]]  # each condition of a comparable run, with what to say where it does not hold


def _played(track: Track, settings: Json) -> Checks:
    got = _reader(settings)
    human, tasks = got("human"), got("tasks")
    checks = [
        (tasks in _OFFICIAL_TASKS[track], f"tasks {tasks}, not the official test tasks"),
        (settings.get("n") is None, f"the first {got('n')} tasks only"),
        (not settings.get("exclude_findings"), f"without the tasks that are {got('exclude_findings')}"),
        (HUMANS[track].lower() in human.lower(), f"human {human}, not {HUMANS[track]}"),
        (settings.get("max_turns") in PAPER.max_turns, f"{got('max_turns')} turns"),
        (
            settings.get("temperature") == PAPER.temperature,
            f"agent's temperature {got('temperature')}, not {PAPER.temperature}",
        ),
        (
            settings.get("max_tokens") == PAPER.max_tokens,
            f"agent's messages of {settings.get('max_tokens') or 'any number of'} tokens, not of at most "
            f"{PAPER.max_tokens}",
        ),
        (_worded(settings) is None, str(_worded(settings))),
    ]
    if human.startswith("openai:"):
        checks.append((got("leaks") == "count", "replies that show the reference are withheld"))
        checks.append((got("human_knows") == "source", "the human is told claims, not the source"))
        for name, official in (("temperature", HUMAN_TEMPERATURE), ("max_tokens", HUMAN_MAX_TOKENS)):
            value = settings.get(f"human_{name}", official)
            checks.append((value == official, f"human's {name} {value}, not {official}"))
    return checks


def _worded(settings: Json) -> str | None:
    """Return what differs in the wording of the seats; None where it is the official one."""
    if settings.get("official") is not None:
        return None
    if settings.get("prompts") is None:
        return "our wording of both seats, not the official prompts (no --official)"
    return "official prompts without the rest of the human's messages (no --official)"


def _programs(settings: Json) -> Checks:
    grading = _reader(settings)("grading")
    return [(grading == "paper", f"grading {grading}, not paper")]


def _pages(settings: Json) -> Checks:
    similarity, profile = _reader(settings)("similarity"), settings.get("profile")
    checks = [
        (similarity == "clip", f"similarity {similarity}, not clip"),
        (settings.get("photo") == PHOTO, f"drawn stand-ins for the photo {PHOTO} (no such file in COLBENCH_PICTURES)"),
    ]
    if profile == PAPER.name:
        return [*checks, (False, "pictures of Chromium, not of Firefox")]
    return [
        *checks,
        (False, "pictures of Chromium, 1280 wide, not of Firefox, 1366 wide"),
        (False, "a missing page scores 0, not as a black picture"),
        (False, "a turn without a page shows the last one again"),
    ]


def _reader(settings: Json) -> Any:  # Any: a function of a name
    return lambda name: str(settings.get(name, "unknown"))
