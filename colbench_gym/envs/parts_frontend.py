"""What a frontend environment is made of, opened from its keyword arguments."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal

from colbench_gym.envs.parts import Parts, Seating, open_human, read_prompts
from colbench_gym.errors import UsageError
from colbench_gym.graders import Grader
from colbench_gym.graders.similarities import SIMILARITIES, make_similarity
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import RENDERERS, Renderer, open_renderer
from colbench_gym.rules import FRONTEND
from colbench_gym.task_episode import check_reward_kind
from colbench_gym.tasks import TaskSet, load_tasks


def open_frontend_parts(
    *,
    tasks: str | Path | TaskSet,
    human: str | HumanSimulator | Literal[Seating.OUTSIDE],
    similarity: str | Grader,
    max_turns: int,
    prompts: str | Path | Mapping[str, str] | Prompts | None,
    renderer: str | Renderer,
) -> Parts:
    """Open everything, or nothing.

    Args:
        tasks, human, similarity, max_turns, prompts, renderer: as for
            :class:`~colbench_gym.envs.frontend.FrontendEnv`; ``human=Seating.OUTSIDE`` where there is no simulator.

    Raises:
        UnknownNameError: a name that is not known; the known ones are listed.
        UsageError: a value of the wrong type or out of range.
        MissingExtraError: a package that the renderer or the similarity needs is not installed.
        RendererError: no browser can be started; the message says how to get one.
    """
    if not isinstance(similarity, (str, Grader)):
        raise UsageError(_says("similarity", similarity, SIMILARITIES, "grade(task, answer) and close()"))
    if not isinstance(renderer, (str, Renderer)):
        raise UsageError(_says("renderer", renderer, RENDERERS, "versions, render(html) and close()"))
    rules = FRONTEND.with_max_turns(max_turns)
    wording = read_prompts(prompts, "frontend")
    task_set = load_tasks(tasks, track="frontend")
    reward = check_reward_kind(None, "frontend")
    with ExitStack() as opened:
        browser = opened.enter_context(closing(open_renderer(renderer))) if isinstance(renderer, str) else renderer
        simulator = open_human(human, wording, rules, opened)
        grader = similarity
        if isinstance(grader, str):
            grader = opened.enter_context(closing(make_similarity(grader, browser)))
        return Parts(task_set, simulator, grader, rules, wording, reward, browser, opened.pop_all())


def _says(keyword: str, got: object, names: tuple[str, ...], methods: str) -> str:
    known = ", ".join(map(repr, names))
    return (
        f"{keyword}={got!r} was got; expected one of {known}, or an object with {methods}; leave {keyword} out for the "
        "default"
    )
