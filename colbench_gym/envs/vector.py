"""The vector environments of both tracks, which ``gymnasium.make_vec`` returns."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from gymnasium.vector import AutoresetMode

from colbench_gym.envs import backend, frontend
from colbench_gym.envs.backend import BackendEnv
from colbench_gym.envs.dialogue_vector import DialogueVectorEnv
from colbench_gym.envs.frontend import FrontendEnv
from colbench_gym.envs.parts import refuse_unknown
from colbench_gym.envs.parts_backend import open_backend_parts
from colbench_gym.envs.parts_frontend import open_frontend_parts
from colbench_gym.graders import Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import Renderer
from colbench_gym.sandboxes import Sandbox
from colbench_gym.tasks import TaskSet

_OWN_KEYWORDS = ("num_envs", "autoreset_mode")


class BackendVectorEnv(DialogueVectorEnv):
    """``num_envs`` episodes of ``ColBench-Backend-v0`` that share one human, one grader and one sandbox.

    ``gymnasium.make_vec("ColBench-Backend-v0", num_envs=8)`` returns it. What it returns, and what happens when
    something fails: see :class:`~colbench_gym.envs.dialogue_vector.DialogueVectorEnv`.

    Args:
        num_envs, autoreset_mode: as for DialogueVectorEnv.
        tasks, human, sandbox, grading, reward, max_turns, prompts, render_mode: as for
            :class:`~colbench_gym.envs.backend.BackendEnv`.
    """

    single = BackendEnv

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        tasks: str | Path | TaskSet = "generated",
        human: str | HumanSimulator = "scripted",
        sandbox: str | Sandbox = "process",
        grading: str | Grader = "strict",
        reward: str = "success",
        max_turns: int = 10,
        prompts: str | Path | Mapping[str, str] | Prompts | None = None,
        render_mode: str | None = None,
        **unknown: object,
    ) -> None:
        refuse_unknown("ColBench-Backend-v0", unknown, (*_OWN_KEYWORDS, *backend.KEYWORDS))
        super().__init__(
            num_envs,
            autoreset_mode,
            render_mode,
            partial(
                open_backend_parts,
                tasks=tasks,
                human=human,
                sandbox=sandbox,
                grading=grading,
                reward=reward,
                max_turns=max_turns,
                prompts=prompts,
            ),
        )


class FrontendVectorEnv(DialogueVectorEnv):
    """``num_envs`` episodes of ``ColBench-Frontend-v0`` that share one human, one similarity and one renderer.

    ``gymnasium.make_vec("ColBench-Frontend-v0", num_envs=8)`` returns it. What it returns, and what happens when
    something fails: see :class:`~colbench_gym.envs.dialogue_vector.DialogueVectorEnv`.

    Args:
        num_envs, autoreset_mode: as for DialogueVectorEnv.
        tasks, human, similarity, max_turns, prompts, renderer, render_mode: as for
            :class:`~colbench_gym.envs.frontend.FrontendEnv`.
    """

    single = FrontendEnv

    def __init__(
        self,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        tasks: str | Path | TaskSet = "generated",
        human: str | HumanSimulator = "scripted",
        similarity: str | Grader = "layout",
        max_turns: int = 10,
        prompts: str | Path | Mapping[str, str] | Prompts | None = None,
        renderer: str | Renderer = "chromium",
        render_mode: str | None = None,
        **unknown: object,
    ) -> None:
        refuse_unknown("ColBench-Frontend-v0", unknown, (*_OWN_KEYWORDS, *frontend.KEYWORDS))
        super().__init__(
            num_envs,
            autoreset_mode,
            render_mode,
            partial(
                open_frontend_parts,
                tasks=tasks,
                human=human,
                similarity=similarity,
                max_turns=max_turns,
                prompts=prompts,
                renderer=renderer,
            ),
        )
