"""The first five minutes: what asking is worth, on generated tasks, with nothing but this package."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

from colbench_gym.evaluation import Summary, summarise
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans import make_human
from colbench_gym.policies import make_policy
from colbench_gym.prompts import default_prompts
from colbench_gym.rollout import Caps, Table, collect, make_jobs
from colbench_gym.rules import BACKEND, ENV_IDS
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.tasks import backend_task, load_tasks
from colbench_gym.trajectory import Trajectory

AGENTS = {
    "asker:0": "answers at once, without asking",
    "asker:3": "asks 3 questions, then answers",
    "asker:9": "asks 9 questions, then answers",
    "oracle": "is shown the hidden reference",
}


@dataclass(frozen=True)
class DemoRow:
    """One agent's line of the table."""

    agent: str
    does: str
    summary: Summary


def play_demo(
    tasks: int = 100, seed: int = 0, progress: Callable[[str, int, int], None] = lambda agent, done, total: None
) -> tuple[tuple[DemoRow, ...], Trajectory]:
    """Play every agent on the same generated tasks with the scripted human.

    Returns:
        One row an agent, and one dialogue of ``asker:3`` to look at.
    """
    chosen = load_tasks("generated:test")
    jobs = make_jobs([backend_task(chosen.at(index)) for index in range(tasks)], repeats=1, seed=seed)
    rows: list[DemoRow] = []
    shown: Trajectory | None = None
    with closing(open_sandbox("process")) as sandbox:
        for agent, does in AGENTS.items():
            table = Table(
                policy=make_policy(agent),
                human=make_human("scripted"),
                grader=UnitTestGrader(sandbox, grading="strict"),
                rules=BACKEND,
                prompts=default_prompts("backend"),
                env_id=ENV_IDS["backend"],
            )
            played: list[Trajectory] = []

            def finished(trajectory: Trajectory, agent: str = agent, played: list[Trajectory] = played) -> None:
                played.append(trajectory)
                progress(agent, len(played), tasks)

            collect(jobs, table, finished, Caps(dialogues=4))
            rows.append(DemoRow(agent, does, summarise(played)))
            if agent == "asker:3":
                shown = min(played, key=lambda t: (not t.success, t.task.task_id))
    assert shown is not None
    return tuple(rows), shown
