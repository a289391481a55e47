"""What asking is worth: success of the scripted agent after K questions, with the scripted human, as a table.

Exit status 1 when the table is not as it should be: the oracle wins every task, ``asker:9`` at least 97 %, ``asker:0``
and the single-turn game at most 5 %, and success strictly grows with K.

    python benchmarks/asking.py [--tasks 2000] [--split test] [--grading strict]
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise

import tyro
from rich.console import Console
from rich.table import Table as Printed

from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.evaluation.summary import Summary, summarise
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.policies import make_policy
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import backend_task, load_tasks
from colbench_gym.trajectory import Trajectory

QUESTIONS = (0, 1, 2, 4, 9)


@dataclass(frozen=True)
class Benchmark:
    """What to play.

    Attributes:
        tasks: how many.
        split: train, validation or test.
        grading: strict or paper.
        sandbox: process, docker or unsafe.
        dialogues: how many at once.
    """

    tasks: int = 2000
    split: str = "test"
    grading: str = "strict"
    sandbox: str = "process"
    dialogues: int = 4


def main(benchmark: Benchmark) -> int:
    """Play every row of the table; 1 when it is not as it should be."""
    found = load_tasks(f"generated:{benchmark.split}")
    jobs = make_jobs([backend_task(found.at(index)) for index in range(benchmark.tasks)], repeats=1, seed=0)
    printed = Printed("agent", "agent turns", "success, 95 % interval", "tests passed", "seconds")
    success: dict[str, float] = {}
    with closing(open_sandbox(benchmark.sandbox)) as sandbox:
        grader = UnitTestGrader(sandbox, benchmark.grading)
        rows = [("oracle", BACKEND.max_turns), *((f"asker:{k}", BACKEND.max_turns) for k in QUESTIONS), ("asker:9", 1)]
        for agent, turns in rows:
            started = time.perf_counter()
            played: list[Trajectory] = []
            with open_scenario("backend", grading=grader, max_turns=turns) as scenario:
                limits = ConcurrencyLimits(dialogues=benchmark.dialogues)
                collect(jobs, make_policy(agent), scenario, played.append, limits)
            summary = summarise(played)
            success[f"{agent} {turns}"] = share(summary)
            printed.add_row(
                agent,
                str(turns),
                summary.success.percent() if summary.success else "-",
                summary.score.percent() if summary.score else "-",
                f"{time.perf_counter() - started:.0f}",
            )
            lost = Counter(t.task.description.rpartition("def ")[2] for t in played if not t.success)
            if share(summary) >= 0.5 and lost:
                print(f"{agent} lost most often on: {lost.most_common(3)}")
    Console(width=100).print(f"{benchmark.tasks} tasks of {found.spec}, {benchmark.grading} grading", printed)
    askers = [success[f"asker:{k} {BACKEND.max_turns}"] for k in QUESTIONS]
    kept = {
        "the oracle wins every task": success[f"oracle {BACKEND.max_turns}"] == 1.0,
        "asker:9 wins at least 97 %": askers[-1] >= 0.97,
        "asker:0 wins at most 5 %": askers[0] <= 0.05,
        "one turn wins at most 5 %": success["asker:9 1"] <= 0.05,
        "success strictly grows with K": all(fewer < more for fewer, more in pairwise(askers)),
    }
    for promise, is_kept in kept.items():
        print(f"{'yes' if is_kept else 'NO '}  {promise}")
    return 0 if all(kept.values()) else 1


def share(summary: Summary) -> float:
    """The share of tasks won."""
    return summary.success.mean if summary.success else 0.0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
