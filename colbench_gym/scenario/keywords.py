"""Keyword arguments of ``open_scenario`` as type checkers and editors see them; the options' classes explain them."""

from __future__ import annotations

from pathlib import Path
from typing import TypedDict

from colbench_gym.graders import Grader
from colbench_gym.graders.rewards import RewardFunction
from colbench_gym.rendering import Renderer
from colbench_gym.sandboxes import Sandbox
from colbench_gym.scenario.options import Human, PromptSource
from colbench_gym.tasks import TaskSource


class _KeywordsOfBothTracks(TypedDict, total=False):
    """Fields of :class:`~colbench_gym.scenario.options.Options`."""

    tasks: TaskSource
    human: Human
    leaks: str
    human_knows: str
    max_turns: int
    prompts: PromptSource
    profile: str | None
    official: str | Path | None
    reward: str | RewardFunction


class BackendKeywords(_KeywordsOfBothTracks, total=False):
    """Fields of :class:`~colbench_gym.scenario.options.BackendOptions`."""

    sandbox: str | Sandbox
    grading: str | Grader


class FrontendKeywords(_KeywordsOfBothTracks, total=False):
    """Fields of :class:`~colbench_gym.scenario.options.FrontendOptions`."""

    similarity: str | Grader
    renderer: str | Renderer
