"""Worth of talking: similarity of the designer's page after K revisions, with the scripted human, as a table.

Exit status 1 when the table is not as it should be: the oracle's page is the wanted one on every task, and similarity
strictly grows with K, each step by more than its 95 % interval over the same tasks.

    python benchmarks/designing.py [-n 200] [--split test] [--similarity layout] [--tasks FILE]
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Annotated

import tyro
from rich.console import Console
from rich.table import Table as Printed

from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.evaluation.summary import summarise
from colbench_gym.policies import make_policy
from colbench_gym.scenario import first_tasks, open_scenario
from colbench_gym.trajectory import Trajectory

ROUNDS = (0, 1, 3, 8)
PERFECT = 1.0 - 1e-6  # the sums of a similarity may miss 1 by rounding
NORMAL_95 = 1.96  # standard errors


@dataclass(frozen=True)
class Benchmark:
    """Settings of the games.

    Attributes:
        n: how many tasks.
        split: of the generated tasks: train, validation or test.
        tasks: a task file, played instead of generated tasks.
        similarity: layout, clip or clip:PATH.
        dialogues: how many at once.
    """

    n: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 200
    split: str = "test"
    tasks: str = ""
    similarity: str = "layout"
    dialogues: int = 2


def main(benchmark: Benchmark) -> int:
    """Play every row of the table; 1 when it is not as it should be."""
    printed = Printed("agent", "similarity, 95 % interval", "exactly right", "agent turns", "seconds")
    scores: dict[str, list[float]] = {}
    tasks = benchmark.tasks or f"generated:{benchmark.split}"
    with open_scenario("frontend", tasks=tasks, similarity=benchmark.similarity) as scenario:
        jobs = make_jobs(first_tasks(scenario.tasks, benchmark.n), repeats=1, seed=0)
        for agent in ("oracle", *(f"designer:{rounds}" for rounds in ROUNDS)):
            started = time.perf_counter()
            played: list[Trajectory] = []
            limits = ConcurrencyLimits(dialogues=benchmark.dialogues)
            collect(jobs, make_policy(agent), scenario, played.append, limits)
            score = {trajectory.task.task_id: trajectory.score or 0.0 for trajectory in played}
            scores[agent] = [score[job.task.task_id] for job in jobs]
            turns = fmean(sum(turn.seat == "agent" for turn in one.dialogue.turns) for one in played)
            right = sum(value >= PERFECT for value in scores[agent]) / len(jobs)
            summary = summarise(played)
            printed.add_row(
                agent,
                summary.score.percent() if summary.score else "-",
                f"{right:.1%}",
                f"{turns:.1f}",
                f"{time.perf_counter() - started:.0f}",
            )
    Console(width=100).print(f"{len(jobs)} tasks of {tasks}, similarity {benchmark.similarity}", printed)
    designers = [scores[f"designer:{rounds}"] for rounds in ROUNDS]
    kept = {"the oracle's page is the wanted one on every task": min(scores["oracle"]) >= PERFECT}
    for (fewer, more), (before, after) in zip(pairwise(ROUNDS), pairwise(designers), strict=True):
        gain, half_width = gained(before, after)
        kept[f"designer:{more} gains {gain:.4f} ± {half_width:.4f} on designer:{fewer}"] = gain > half_width
    for promise, is_kept in kept.items():
        print(f"{'yes' if is_kept else 'NO '}  {promise}")
    return 0 if all(kept.values()) else 1


def gained(before: list[float], after: list[float]) -> tuple[float, float]:
    """The mean gain over the same tasks, and half of its 95 % interval."""
    gains = [b - a for a, b in zip(before, after, strict=True)]
    return fmean(gains), NORMAL_95 * stdev(gains) / sqrt(len(gains)) if len(gains) > 1 else 0.0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
