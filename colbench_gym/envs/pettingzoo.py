"""backend_v0 and frontend_v0: the PettingZoo AEC environments, in which the human's seat is played from outside too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # type: ignore[import-untyped]  # it ships no types

from colbench_gym.envs.dialogue_aec import DialogueAECEnv
from colbench_gym.envs.parts import Seating, refuse_unknown
from colbench_gym.envs.parts_backend import open_backend_parts
from colbench_gym.envs.parts_frontend import open_frontend_parts
from colbench_gym.graders import Grader
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import Renderer
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import TaskSet

BACKEND_KEYWORDS = ("tasks", "sandbox", "grading", "reward", "max_turns", "prompts", "render_mode")
FRONTEND_KEYWORDS = ("tasks", "similarity", "max_turns", "prompts", "renderer", "render_mode")
_METADATA = {"render_fps": 4, "is_parallelizable": False}  # a dialogue is one message after the other


class BackendAECEnv(DialogueAECEnv):
    """ColBench backend programming for two players (ColBench, arXiv 2503.15478).

    >>> env = backend_v0.env()
    >>> env.reset(seed=0)
    >>> env.agent_selection
    'agent_0'
    >>> env.step("What should happen with an empty list?")
    >>> env.agent_selection
    'human_0'
    >>> env.close()

    The rules, the task sets, the grading and the failures are those of ``ColBench-Backend-v0``
    (:class:`~colbench_gym.envs.backend.BackendEnv`); only the human is no simulator but a second seat.

    Seats
        ``agent_0`` moves first, then ``human_0`` and so on. ``agent_0`` has ``max_turns`` messages; its last message,
        or one with ``I WANT TO ANSWER:``, ends the episode for both.

    Action space
        ``UnicodeText`` for both; a message of ``human_0`` is cut after 400 characters.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})`` for both. The instructions of ``human_0`` hold
        the hidden reference; those of ``agent_0`` hold nothing of the task.

    Reward
        Shared: 0 until the end, then as in ``ColBench-Backend-v0`` for both.

    Info
        The keys of ``ColBench-Backend-v0``; ``messages`` are those that the seat itself has seen, its own words as
        ``assistant``.

    Args:
        tasks, sandbox, grading, reward, max_turns, prompts, render_mode: as for ``ColBench-Backend-v0``.

    Version history
        * v0: first version.
    """

    metadata = {"name": "backend_v0", "render_modes": ["ansi", "human"], **_METADATA}  # noqa: RUF012  as in AECEnv

    def __init__(
        self,
        *,
        tasks: str | Path | TaskSet = "generated",
        sandbox: str | Sandbox = "process",
        grading: str | Grader = "strict",
        reward: str = "success",
        max_turns: int = 10,
        prompts: str | Path | Mapping[str, str] | Prompts | None = None,
        render_mode: str | None = None,
        **unknown: object,
    ) -> None:
        refuse_unknown("backend_v0", unknown, BACKEND_KEYWORDS)
        super().__init__(
            render_mode,
            partial(
                open_backend_parts,
                tasks=tasks,
                human=Seating.OUTSIDE,
                sandbox=sandbox,
                grading=grading,
                reward=reward,
                max_turns=max_turns,
                prompts=prompts,
            ),
        )


class FrontendAECEnv(DialogueAECEnv):
    """ColBench frontend design for two players (ColBench, arXiv 2503.15478).

    >>> env = frontend_v0.env(renderer="scripted")  # or the default, "chromium"
    >>> env.reset(seed=0)
    >>> env.step("A first draft: <html><h1>Welcome</h1></html>")
    >>> env.agent_selection, env.observe("human_0")["page"].shape
    ('human_0', (720, 1280, 3))
    >>> env.close()

    The rules, the task sets, the grading and the failures are those of ``ColBench-Frontend-v0``
    (:class:`~colbench_gym.envs.frontend.FrontendEnv`); only the human is no simulator but a second seat.

    Seats
        ``agent_0`` moves first, then ``human_0`` and so on. ``agent_0`` has ``max_turns`` messages; its last message,
        or one with ``I WANT TO ANSWER:``, ends the episode for both.

    Action space
        ``UnicodeText`` for both; a message of ``human_0`` is cut after 1000 characters.

    Observation space
        ``Dict({"instructions": UnicodeText, "dialogue": UnicodeText})`` for both. The instructions of ``human_0`` end
        with the hidden reference as HTML; those of ``agent_0`` hold nothing of the task. ``human_0`` also has the
        pictures that it compares, ``page`` (the agent's last proposal; white before there is one, and for one that no
        browser can render) and ``reference``: ``Box(uint8, (720, 1280, 3))``, cut at the bottom and the right or
        filled up with white.

    Reward
        Shared: 0 until the end, then the similarity of the last proposal to the wanted page, for both.

    Info
        The keys of ``ColBench-Frontend-v0``; ``messages`` are those that the seat itself has seen, its own words as
        ``assistant``.

    Args:
        tasks, similarity, max_turns, prompts, renderer, render_mode: as for ``ColBench-Frontend-v0``.

    Version history
        * v0: first version.
    """

    metadata = {  # noqa: RUF012  as in AECEnv
        "name": "frontend_v0",
        "render_modes": ["ansi", "human", "rgb_array"],
        **_METADATA,
    }

    def __init__(
        self,
        *,
        tasks: str | Path | TaskSet = "generated",
        similarity: str | Grader = "layout",
        max_turns: int = 10,
        prompts: str | Path | Mapping[str, str] | Prompts | None = None,
        renderer: str | Renderer = "chromium",
        render_mode: str | None = None,
        **unknown: object,
    ) -> None:
        refuse_unknown("frontend_v0", unknown, FRONTEND_KEYWORDS)
        super().__init__(
            render_mode,
            partial(
                open_frontend_parts,
                tasks=tasks,
                human=Seating.OUTSIDE,
                similarity=similarity,
                max_turns=max_turns,
                prompts=prompts,
                renderer=renderer,
            ),
        )


class backend_v0:  # noqa: N801  PettingZoo names its environments so
    """The two ways to make :class:`BackendAECEnv`; its docstring is the contract. ``pettingzoo.make`` calls ``env``."""

    raw_env = BackendAECEnv

    @staticmethod
    def env(**kwargs: Any) -> OrderEnforcingWrapper:  # Any: the keyword arguments of raw_env
        """The environment, with PettingZoo's check that it is reset before it is used."""
        return OrderEnforcingWrapper(BackendAECEnv(**kwargs))


class frontend_v0:  # noqa: N801  PettingZoo names its environments so
    """The two ways to make :class:`FrontendAECEnv`, which holds the contract; ``pettingzoo.make`` calls ``env``."""

    raw_env = FrontendAECEnv

    @staticmethod
    def env(**kwargs: Any) -> OrderEnforcingWrapper:  # Any: the keyword arguments of raw_env
        """The environment, with PettingZoo's check that it is reset before it is used."""
        return OrderEnforcingWrapper(FrontendAECEnv(**kwargs))


__all__ = ["BackendAECEnv", "FrontendAECEnv", "backend_v0", "frontend_v0"]
