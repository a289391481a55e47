"""Published set-ups (the paper's: arXiv 2503.15478): what a profile sets of one, and what keeps a run from it."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.jsonl import read_toml
from colbench_gym.rules import AGENT_MAX_TOKENS, AGENT_TEMPERATURE, HUMAN_MAX_TOKENS, HUMAN_TEMPERATURE, RULES, Track
from colbench_gym.tasks import BackendTask, Task

Json = Mapping[str, Any]  # Any: JSON
OFFICIAL_VARIABLE = "COLBENCH_OFFICIAL"
PHOTO = "id-48"  # official protocol: the one photo that every picture address is rewritten to
MODEL_HUMANS = ("openai", "replay")
_DATA = read_toml(Path(__file__).with_name("profiles.toml"))
_OFFICIAL_TASKS, _OFFICIAL_TEXTS = _DATA["official"]["tasks"], _DATA["official"]["texts"]
_PRECISION = re.compile(r"awq|gptq|gguf|fp8|int[48]|w[48]a\d|[48]-?bit|bnb|\bq\d_", re.IGNORECASE)


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
        humans: models that play the human.
        tasks: how many of the official test tasks are played, the first ones.
        brief_role: of the message with the agent's brief.
        two_starts: local models were sampled behind two beginning-of-sequence tokens.
    """

    name: str
    fixed: Mapping[Track, Mapping[str, object]]
    of_model_human: Mapping[str, object]
    chosen: Mapping[Track, Mapping[str, object]]
    max_turns: tuple[int, ...]
    temperature: float
    max_tokens: int
    humans: Mapping[Track, str]
    tasks: Mapping[Track, int]
    brief_role: str = "system"
    two_starts: bool = False


def _profile(name: str) -> Profile:
    said = dict(_DATA[name])
    turns = RULES["backend"].max_turns
    human = {"human_temperature": HUMAN_TEMPERATURE, "human_max_tokens": HUMAN_MAX_TOKENS}
    return Profile(
        name=name,
        of_model_human=said.pop("model_human") | human,
        max_turns=(turns, 1) if said.pop("single_turn") else (turns,),
        temperature=AGENT_TEMPERATURE,
        max_tokens=said.pop("max_tokens", AGENT_MAX_TOKENS),
        **said,
    )


PAPER, HAL = _profile("paper"), _profile("hal")
PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (PAPER, HAL)}


def profile_named(name: str | None) -> Profile | None:
    """Return the profile of that name; None for none.

    Raises:
        UnknownNameError: no such profile.
    """
    if name is None:
        return None
    if name not in tuple(PROFILES):  # a list, which no dict can look up, among what is given
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
    check_agrees(profile, "max_questions", given.get("max_questions"), None)
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


def texts_hash(tasks: Iterable[Task]) -> str:
    """Return a short name for what tasks say, whatever their ids: equal texts, equal hash."""
    digest = hashlib.blake2b(digest_size=8)
    for task in tasks:
        texts = [task.description, task.reference, *(task.calls if isinstance(task, BackendTask) else ())]
        digest.update(json.dumps(texts).encode("ascii") + b"\n")
    return digest.hexdigest()


def differences(track: Track, settings: Json, not_counted: int = 0, profile: Profile | None = None) -> tuple[str, ...]:
    """Return in words what differs from a published set-up in a run of ``colbench eval``.

    Args:
        track: of the run.
        settings: its configuration, as run.json has it; empty where a file says nothing of how it was played.
        not_counted: dialogues that failed on our side; the released code counts them.
        profile: the set-up; that of the run when not given, else the paper's.

    Returns:
        One clause for each difference; none where the numbers can be compared.
    """
    if not settings:
        return ("the file does not say how it was played",)
    profile = profile or PROFILES.get(str(settings.get("profile")), PAPER)
    checks = [
        *_played(track, settings, profile),
        *_sampled(settings, profile),
        *(_pages(settings) if track == "frontend" else _programs(settings)),
    ]
    checks.append((not not_counted, f"{not_counted} dialogues that failed do not count"))
    return tuple(text for holds, text in checks if not holds)


Checks = list[tuple[bool, str]]  # each condition of a comparable run, with what to say where it does not hold


def _played(track: Track, settings: Json, profile: Profile) -> Checks:
    got = _reader(settings)
    human, tasks, wanted = got("human"), got("tasks"), profile.tasks[track]
    known, size = _OFFICIAL_TEXTS.get(got("texts_hash")) or _OFFICIAL_TASKS.get(tasks) or (None, None)
    count = settings.get("n") or size
    checks = [
        (known == track, f"tasks {tasks}, not the official test tasks"),
        (count == wanted or size is None, f"the first {count} tasks, not {wanted}"),
        (not settings.get("exclude_findings"), f"without the tasks that are {got('exclude_findings')}"),
        (profile.humans[track].lower() in human.lower(), f"human {human}, not {profile.humans[track]}"),
        (not _PRECISION.search(human), f"human {human}, whose name tells another precision than the published weights"),
        (settings.get("max_turns") in profile.max_turns, f"{got('max_turns')} turns"),
        (settings.get("max_turns") != 1, "a single turn, for which no prompt was released"),
        (_worded(settings) is None, str(_worded(settings))),
    ]
    if human.startswith("openai:"):
        checks.append((got("leaks") == "count", "replies that show the reference are withheld"))
        checks.append((got("human_knows") == "source", "the human is told claims, not the source"))
        for name, official in (("temperature", HUMAN_TEMPERATURE), ("max_tokens", HUMAN_MAX_TOKENS)):
            value = settings.get(f"human_{name}", official)
            checks.append((value == official, f"human's {name} {value}, not {official}"))
    return checks


def _sampled(settings: Json, profile: Profile) -> Checks:
    got = _reader(settings)
    agent = got("agent")
    kind, served = agent.partition(":")[0], agent.startswith(("openai:", "openai-completions:"))
    here = kind in ("hf", "best_of") or (kind == "openai" and "@" in agent)
    return [
        (
            settings.get("temperature") == profile.temperature,
            f"agent's temperature {got('temperature')}, not {profile.temperature}",
        ),
        (
            settings.get("max_tokens") == profile.max_tokens,
            f"agent's messages of {settings.get('max_tokens') or 'any number of'} tokens, not of at most "
            f"{profile.max_tokens}",
        ),
        (
            not (profile.two_starts and here),
            "one beginning-of-sequence token before the agent's prompt, not two (openai-completions: sends two)",
        ),
        (
            not (served or here) or settings.get("brief_role", "system") == profile.brief_role,
            f"the agent's brief is no {profile.brief_role} message",
        ),
        (not served or not _PRECISION.search(agent), f"agent {agent}, whose name tells another precision"),
        (not served or settings.get("agent_seed") is False, "the agent's requests carry a seed"),
    ]


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
    always, without = _DATA["pages"]["always"], _DATA["pages"]["without_profile"]
    return checks + [(False, text) for text in (always if profile in PROFILES else always + without)]


def _reader(settings: Json) -> Any:  # Any: a function of a name
    return lambda name: str(settings.get(name, "unknown"))
