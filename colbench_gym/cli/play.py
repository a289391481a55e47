"""``colbench play``: one dialogue at the terminal or at a page, or a study with people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED, print_error
from colbench_gym.cli.tables import Count, print_box, print_dialogue
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grading_flags import GradingFlags, ModelFlags
from colbench_gym.evaluation.rollout import make_jobs
from colbench_gym.evaluation.rollout import play as play_job
from colbench_gym.evaluation.run import EvalConfig, open_seats
from colbench_gym.report.web_play import ending, play_once, play_study
from colbench_gym.scenario import Options
from colbench_gym.trajectory import Trajectory


def play(
    models: ModelFlags,
    grading: GradingFlags,
    env_id: Annotated[Positional[str], arg(metavar="ENV_ID")] = "ColBench-Backend-v0",
    agent: str = "console",
    human: str = str(Options.human),
    leaks: str | None = None,
    human_knows: str | None = None,
    tasks: str = str(Options.tasks),
    task_id: str | None = None,
    web: FlagCreatePairsOff[bool] = False,
    people: Path | None = None,
    n: Count = 1,
) -> int:
    """Run ``colbench play``."""
    config = EvalConfig(
        **vars(models) | vars(grading), env_id=env_id, agent=agent, human=human, leaks=leaks, human_knows=human_knows,
        tasks=tasks, n=n, out=people or Path(),
    )  # fmt: skip
    if people is not None:
        if not web:
            raise UsageError("got --people without --web; people sit at the page: add --web")
        if task_id is not None:
            raise UsageError("got --task-id with --people; people play the first -n tasks of --tasks: drop --task-id")
        play_study(config)
        return DONE
    if web:
        trajectory = play_once(config, task_id)
        print_dialogue(trajectory, ending_only=True)
    else:
        trajectory = _at_terminal(config, task_id)
    if trajectory.error:
        print_error(f"{trajectory.outcome}: {trajectory.error}")
    return FAILED if trajectory.error else DONE


def _at_terminal(config: EvalConfig, task_id: str | None) -> Trajectory:
    with open_seats(config) as (scenario, policy):
        task = scenario.tasks.at(0) if task_id is None else scenario.tasks.get(task_id)
        trajectory = play_job(make_jobs([task], repeats=1, seed=0)[0], policy, scenario)
        told = ending(trajectory, grader=scenario.grader)
    print_dialogue(trajectory, ending_only=config.agent == "console")
    for box in told[1:]:
        print_box(box)
    return trajectory
