"""Keyword arguments of ``open_scenario`` as type checkers and editors see them; the options' classes explain them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypedDict

from colbench_gym.graders import Grader
from colbench_gym.graders.rewards import RewardFunction
from colbench_gym.graders.similarities import ComparesPages
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
    human_temperature: float | None
    human_max_tokens: int | None
    human_extra_body: Mapping[str, Any] | None  # Any: JSON
    human_api_key_var: str | None
    max_turns: int
    max_questions: int | None
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

    similarity: str | Grader | ComparesPages
    renderer: str | Renderer
