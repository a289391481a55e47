"""The first five minutes: what asking is worth, on generated tasks of both tracks, with nothing but this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.evaluation.summary import Summary, summarise
from colbench_gym.jsonl import read_toml
from colbench_gym.policies import make_policy
from colbench_gym.rendering import Renderer
from colbench_gym.rules import Track
from colbench_gym.scenario import first_tasks, open_scenario
from colbench_gym.trajectory import Trajectory

_DEMO = read_toml(Path(__file__).with_suffix(".toml"))
AGENTS: Mapping[Track, Mapping[str, str]] = _DEMO["agents"]
SHOWN: Mapping[Track, str] = _DEMO["shown"]


@dataclass(frozen=True)
class DemoRow:
    """One agent's line of the table."""

    agent: str
    does: str
    summary: Summary


@dataclass(frozen=True)
class DemoTable:
    """One track's table, and one dialogue of it, by one of the agents, to look at."""

    track: Track
    tasks: int
    rows: tuple[DemoRow, ...]
    shown: Trajectory
    shown_agent: str


def play_demo(
    track: Track,
    tasks: int,
    seed: int = 0,
    progress: Callable[[str, int, int], None] = lambda agent, done, total: None,
    renderer: Renderer | None = None,
) -> DemoTable:
    """Play every agent of a track on the same generated tasks with the scripted human.

    Args:
        track: what is played.
        tasks: how many, the first of the split ``test``.
        seed: of the whole demo.
        progress: called with the agent, its dialogues done and its dialogues in all.
        renderer: frontend: renders the pages; the default one when None.

    Raises:
        AssetError, RendererError, MissingExtraError: the frontend cannot be played on this machine.
    """
    played: dict[str, list[Trajectory]] = {agent: [] for agent in AGENTS[track]}
    options: dict[str, Any] = {} if renderer is None else {"renderer": renderer}  # Any: as open_scenario takes them
    with open_scenario(track, **options) as scenario:
        jobs = make_jobs(first_tasks(scenario.tasks, tasks), repeats=1, seed=seed)
        scenario.check_tasks(job.task for job in jobs)
        for agent, dialogues in played.items():

            def finished(trajectory: Trajectory, agent: str = agent, dialogues: list[Trajectory] = dialogues) -> None:
                dialogues.append(trajectory)
                progress(agent, len(dialogues), tasks)

            collect(jobs, make_policy(agent), scenario, finished, ConcurrencyLimits(dialogues=4))
    rows = tuple(DemoRow(agent, does, summarise(played[agent])) for agent, does in AGENTS[track].items())
    best = min(played[SHOWN[track]], key=lambda t: (-(t.score or 0.0), t.task.task_id))
    return DemoTable(track, tasks, rows, best, SHOWN[track])
