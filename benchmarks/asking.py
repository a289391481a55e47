"""Worth of asking with the scripted human: what K questions of the scripted agent, and the same question nine times,
bring out of what was decided.

Exit status 1 when a table is not as it should be: the oracle wins every task, ``asker:9`` at least 90 %, ``asker:0``
and the single-turn game at most 5 %, and success never falls with K; asking always the same, or only vague things,
brings out all that is open of at most 15 % of the tasks.

    python benchmarks/asking.py [--tables success constant] [--tasks 2000] [--split test] [--grading strict]
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Literal

import tyro
from rich.console import Console
from rich.table import Table as Printed

from colbench_gym.dialogue import Dialogue, Turn
from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.evaluation.summary import summarise
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans import HumanSimulator
from colbench_gym.humans.scripted import FunctionHuman
from colbench_gym.policies import make_policy
from colbench_gym.rules import BACKEND
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import backend_task, load_tasks
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks
from colbench_gym.trajectory import Trajectory

QUESTIONS = (0, 1, 2, 4, 9)
MIN_ASKED, MAX_UNASKED, MAX_CONSTANT = 0.90, 0.05, 0.15

TURNS = 9
QUESTIONS_TO_ALL = json.loads(Path(__file__).with_name("questions.json").read_text("utf-8"))
CONSTANT, VAGUE = QUESTIONS_TO_ALL["constant"], QUESTIONS_TO_ALL["vague"]

Table = Literal["success", "constant"]


@dataclass(frozen=True)
class Benchmark:
    """Settings of the games.

    Attributes:
        tables: which ones to print.
        tasks: how many are played for success.
        constant_tasks: how many each agent of constant questions plays.
        split: train, validation or test.
        grading: strict or paper.
        sandbox: process, docker or unsafe.
        dialogues: how many at once.
    """

    tables: tuple[Table, ...] = ("success", "constant")
    tasks: int = 2000
    constant_tasks: int = 300
    split: str = "test"
    grading: str = "strict"
    sandbox: str = "process"
    dialogues: int = 4


def main(benchmark: Benchmark) -> int:
    """Print the tables; 1 when one is not as it should be."""
    kept: dict[str, bool] = {}
    with closing(open_sandbox(benchmark.sandbox)) as sandbox:
        grader = UnitTestGrader(sandbox, benchmark.grading)
        if "success" in benchmark.tables:
            kept |= success_table(benchmark, grader)
        if "constant" in benchmark.tables:
            kept |= constant_table(benchmark)
    for promise, is_kept in kept.items():
        print(f"{'yes' if is_kept else 'NO '}  {promise}")
    return 0 if all(kept.values()) else 1


def success_table(benchmark: Benchmark, grader: UnitTestGrader) -> dict[str, bool]:
    """Play the oracle and the scripted agent with K questions."""
    task_set = load_tasks(f"generated:{benchmark.split}")
    jobs = make_jobs([backend_task(task_set.at(index)) for index in range(benchmark.tasks)], repeats=1, seed=0)
    printed = Printed("agent", "agent turns", "success, 95 % interval", "tests passed", "seconds")
    success: dict[str, float] = {}
    rows = [("oracle", BACKEND.max_turns), *((f"asker:{k}", BACKEND.max_turns) for k in QUESTIONS), ("asker:9", 1)]
    for agent, turns in rows:
        started = time.perf_counter()
        played: list[Trajectory] = []
        with open_scenario("backend", grading=grader, max_turns=turns) as scenario:
            limits = ConcurrencyLimits(dialogues=benchmark.dialogues)
            collect(jobs, make_policy(agent), scenario, played.append, limits)
        summary = summarise(played)
        success[f"{agent} {turns}"] = summary.success.mean if summary.success else 0.0
        printed.add_row(
            agent,
            str(turns),
            summary.success.percent() if summary.success else "-",
            summary.score.percent() if summary.score else "-",
            f"{time.perf_counter() - started:.0f}",
        )
    Console(width=100).print(f"{benchmark.tasks} tasks of {task_set.spec}, {benchmark.grading} grading", printed)
    askers = [success[f"asker:{k} {BACKEND.max_turns}"] for k in QUESTIONS]
    return {
        "the oracle wins every task": success[f"oracle {BACKEND.max_turns}"] == 1.0,
        f"asker:9 wins at least {MIN_ASKED:.0%}": askers[-1] >= MIN_ASKED,
        f"asker:0 wins at most {MAX_UNASKED:.0%}": askers[0] <= MAX_UNASKED,
        f"one turn wins at most {MAX_UNASKED:.0%}": success["asker:9 1"] <= MAX_UNASKED,
        "success never falls with K": all(fewer <= more for fewer, more in pairwise(askers)),
    }


def constant_table(benchmark: Benchmark) -> dict[str, bool]:
    """Play agents that always ask the same, and one that asks nine vague questions."""
    task_set = GeneratedBackendTasks(benchmark.split)
    printed = Printed(f"{TURNS} turns of", "tasks told in full", "open matters told")
    ways = {question: (question,) * TURNS for question in CONSTANT} | {"nine different vague questions": VAGUE}
    most = 0.0
    with closing(FunctionHuman(benchmark.sandbox)) as human:
        for name, questions in ways.items():
            tasks = range(benchmark.constant_tasks)
            shares = [told_share(human, task_set, index, questions) for index in tasks]
            full = sum(share == 1 for share in shares) / len(tasks)
            most = max(most, full)
            printed.add_row(name, f"{full:.1%}", f"{mean(shares):.1%}")
    Console(width=140).print(f"{benchmark.constant_tasks} tasks of {task_set.spec}", printed)
    return {f"asking the same brings out at most {MAX_CONSTANT:.0%} of the tasks in full": most <= MAX_CONSTANT}


def told_share(human: HumanSimulator, task_set: GeneratedBackendTasks, index: int, questions: Sequence[str]) -> float:
    """Ask in one task; return the share of its open matters of which a sentence of theirs was said."""
    task, draft = task_set.at(index), task_set.member(index)
    turns = [Turn("human", task.description)]
    for question in questions:
        turns.append(Turn("agent", question))
        turns.append(Turn("human", human.reply(task, Dialogue(tuple(turns)))[: BACKEND.human_chars]))
    said = " ".join(turn.content for turn in turns[2::2])
    told = [
        any(sentence in said for sentence in matter.option(draft.settings[matter.key]).says) for matter in draft.open
    ]
    return mean(told) if told else 1.0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
