"""Reward of a graded episode: paid by a name, or by a function of the episode's info."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from numbers import Real
from typing import Literal, TypedDict

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.graders import Grade
from colbench_gym.python_code.factory import made_by
from colbench_gym.rules import Track

RewardKind = Literal["success", "pass_rate", "similarity", "score"]
REWARD_KINDS: Mapping[Track, tuple[RewardKind, ...]] = {  # the first of each track is its default
    "backend": ("success", "pass_rate", "score"),
    "frontend": ("similarity", "score"),
}


class _InfoOfBothTracks(TypedDict):
    """Keys that the info of both tracks has."""

    task_id: str
    turn: int
    messages: tuple[ChatMessage, ...]
    outcome: str
    success: bool
    test_outcomes: tuple[str, ...]
    leak: dict[str, float]


class Info(_InfoOfBothTracks, total=False):
    """Info of an episode: always the same keys and types, as the environments' docstrings list them.

    Attributes:
        task_id: which task it is.
        turn: messages that the agent has sent.
        messages: what the seat has seen, as chat messages.
        outcome: ``ongoing``, ``answered`` or ``out_of_turns``.
        success: backend: all tests passed; False until graded.
        test_outcomes: backend: how each test ended; empty until graded.
        leak: what the replies so far gave away.
        pass_rate: backend: fraction of tests passed; 0.0 until graded.
        similarity: frontend: similarity to the wanted page; 0.0 until graded.
        metric: frontend: name and version of the similarity; "" until graded.
    """

    pass_rate: float
    similarity: float
    metric: str


RewardFunction = Callable[[Info], float]
Reward = RewardKind | RewardFunction


def read_reward(reward: str | RewardFunction | None, track: Track = "backend") -> Reward:
    """Return the reward that a name or a function stands for, or the track's default for None.

    Args:
        reward: ``success`` or ``pass_rate`` (backend), ``similarity`` (frontend), ``score`` (the pass rate or the
            similarity), a function that is called with the :class:`Info` of each graded episode and returns what is
            paid, or ``python:MODULE:FACTORY``, a callable without arguments that returns such a function.
        track: whose reward.

    Raises:
        UnknownNameError: the track has none of that name.
        UsageError: it is neither a name nor a function, or no such function could be made.
    """
    if reward is None:
        return REWARD_KINDS[track][0]
    for known in REWARD_KINDS[track]:
        if reward == known:
            return known
    expected = f"{', '.join(REWARD_KINDS[track])}, python:MODULE:FACTORY"
    if isinstance(reward, str):
        name, _, target = reward.partition(":")
        if name == "python":
            return made_by(target, "reward", "a call with one argument, the info of a graded episode", _as_function)
        raise UnknownNameError.among(f"{track} reward", reward, expected.split(", "))
    if not callable(reward):
        raise UsageError(
            f"got reward={reward!r}, expected one of {expected}, or a function of the info; leave reward out for the "
            "default"
        )
    try:
        inspect.signature(reward).bind({})
    except TypeError as e:
        raise UsageError(
            f"got a reward function that cannot be called with the info alone ({e}), expected one with one argument; "
            "write for example lambda info: float(info['success'])"
        ) from e
    except ValueError:
        pass  # no signature to be had (a builtin)
    return reward


def _as_function(made: object) -> RewardFunction | None:
    return made if callable(made) else None


def paid_for(grade: Grade, reward: Reward, info: Info) -> float:
    """Return the reward that a grade earns.

    Raises:
        UsageError: the function returned no finite number.
    """
    if reward == "success":
        return float(grade.success)
    if not callable(reward):
        return grade.score
    paid: object = reward(info)
    if not isinstance(paid, Real) or not math.isfinite(paid):
        raise UsageError(
            f"the reward function returned {paid!r}, expected a finite number; return for example "
            "float(info['success'])"
        )
    return float(paid)


def name_of(reward: str | RewardFunction | None, track: Track) -> str:
    """Return the name that a run's settings keep of a reward."""
    if reward is None:
        return REWARD_KINDS[track][0]
    return reward if isinstance(reward, str) else str(getattr(reward, "__qualname__", type(reward).__qualname__))
