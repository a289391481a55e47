"""What a backend environment is made of, opened from its keyword arguments."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Literal

from colbench_gym.envs.parts import Parts, Seating, open_human, read_prompts
from colbench_gym.errors import UsageError
from colbench_gym.graders import Grader
from colbench_gym.graders.unit_tests import GRADINGS, UnitTestGrader
from colbench_gym.humans import HumanSimulator
from colbench_gym.prompts import Prompts
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import Sandbox, open_sandbox
from colbench_gym.task_episode import check_reward_kind
from colbench_gym.tasks import TaskSet, load_tasks


def open_backend_parts(
    *,
    tasks: str | Path | TaskSet,
    human: str | HumanSimulator | Literal[Seating.OUTSIDE],
    sandbox: str | Sandbox,
    grading: str | Grader,
    reward: str,
    max_turns: int,
    prompts: str | Path | Mapping[str, str] | Prompts | None,
) -> Parts:
    """Open everything, or nothing.

    Args:
        tasks, human, sandbox, grading, reward, max_turns, prompts: as for
            :class:`~colbench_gym.envs.backend.BackendEnv`; ``human=Seating.OUTSIDE`` where there is no simulator.

    Raises:
        UnknownNameError: a name that is not known; the known ones are listed.
        UsageError: a value of the wrong type or out of range.
    """
    kind = check_reward_kind(str(reward), "backend")
    rules = BACKEND.with_max_turns(max_turns)
    wording = read_prompts(prompts, "backend")
    task_set = load_tasks(tasks, track="backend")
    with ExitStack() as opened:
        simulator = open_human(human, wording, rules, opened)
        grader = _grader(grading, sandbox, opened)
        return Parts(task_set, simulator, grader, rules, wording, kind, _opened=opened.pop_all())


def _grader(grading: str | Grader, sandbox: str | Sandbox, opened: ExitStack) -> Grader:
    if not isinstance(sandbox, (str, Sandbox)):
        raise UsageError(
            f"sandbox={sandbox!r} was got; expected 'process' or an object with run(program) and close(); leave "
            "sandbox out for the default"
        )
    if not isinstance(grading, str):
        if not isinstance(grading, Grader):
            known = ", ".join(map(repr, GRADINGS))
            raise UsageError(
                f"grading={grading!r} was got; expected one of {known}, or an object with grade(task, answer) and "
                "close(); leave grading out for the default"
            )
        return grading
    runner = opened.enter_context(closing(open_sandbox(sandbox))) if isinstance(sandbox, str) else sandbox
    return opened.enter_context(closing(UnitTestGrader(runner, grading=grading)))
