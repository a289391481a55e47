"""Card of the generated tasks, beside the official ones: two tables, what can be guessed, twelve whole tasks.

With ``--card docs/tasks.md`` the same is written as Markdown. The official file is optional and never copied from.

    python benchmarks/task_card.py [--tasks 1000] [--official FILE.jsonl] [--official-pages FILE.jsonl]
        [--card docs/tasks.md]
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import tyro
from task_guessing import WAYS, guessed, guesses, habits
from task_statistics import backend_columns, markdown, members_of, page_columns

from colbench_gym.evaluation.rollout import ConcurrencyLimits, collect, make_jobs
from colbench_gym.evaluation.summary import summarise
from colbench_gym.policies import make_policy
from colbench_gym.scenario import open_scenario
from colbench_gym.tasks import load_tasks
from colbench_gym.tasks.generated import SPLITS
from colbench_gym.tasks.generated_backend.drafts import OPEN
from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks
from colbench_gym.trajectory import Trajectory

QUESTIONS = (0, 1, 2, 3, 9)
HABITS = """
Tasks of the level `habits`: who asks five questions, as on the menu and in the small Table 2, and how many tasks that
wins where answers are true and nobody learns while asking. The public ceiling knows the habits, and how often a kind is
open with and without one; the best constant order knows what is open in the tasks that it plays. `asker:K` wins none
above, as nothing is pointed at: it asks what no program can do without, and about rounding, and answers.
""".strip()


@dataclass(frozen=True)
class Benchmark:
    """Settings of the card.

    Attributes:
        tasks: how many of each split.
        learnt: how many of train the classifier and the memorising agent know.
        official: a file of official backend tasks, for the last column.
        official_pages: the same for pages.
        levels: how many tasks of each level the scripted agent plays with each number of questions; none with 0.
        card: the Markdown file to write.
    """

    tasks: int = 1000
    learnt: int = 2000
    official: Path | None = None
    official_pages: Path | None = None
    levels: int = 0
    card: Path | None = None


def levels(number: int) -> list[str]:
    """Return a table of what the scripted agent wins by level and number of questions."""
    lines = [f"Success of `asker:K` on the first {number} tasks of test, by level and number of questions:", ""]
    lines += ["| level | open matters | " + " | ".join(map(str, QUESTIONS)) + " |", "|---" * (len(QUESTIONS) + 2) + "|"]
    for level, (low, high) in OPEN.items():
        tasks, shares = load_tasks(f"generated:test:{level}"), []
        for questions in QUESTIONS:
            ended: list[Trajectory] = []
            jobs = make_jobs([tasks.at(index) for index in range(number)], 1, seed=0)
            with open_scenario("backend", tasks=tasks) as scenario:
                collect(jobs, make_policy(f"asker:{questions}"), scenario, ended.append, ConcurrencyLimits(dialogues=2))
            success = summarise(ended).success
            shares.append(f"{success.mean:.0%}" if success else "-")
        lines.append(f"| {level} | {low if low == high else f'{low} to {high}'} | {' | '.join(shares)} |")
    return [*lines, ""]


def report(benchmark: Benchmark) -> str:
    """Return the card."""
    files = (("--official", benchmark.official), ("--official-pages", benchmark.official_pages))
    official = "".join(f" {name} FILE" for name, path in files if path is not None)
    played = f" --levels {benchmark.levels}" if benchmark.levels else ""
    options = f"--tasks {benchmark.tasks} --learnt {benchmark.learnt}{official}{played}"
    lines = ["# Generated tasks", "", f"Made by `python benchmarks/task_card.py {options} --card docs/tasks.md`.", ""]
    train = members_of("train", max(benchmark.learnt, benchmark.tasks))
    members = {split: members_of(split, benchmark.tasks) for split in SPLITS if split != "train"}
    columns = backend_columns({"train": train[: benchmark.tasks], **members}, benchmark.official)
    lines += ["## Backend", "", *markdown(columns), ""]
    counts = dict(sorted(Counter(len(member.open) for member in members["test"]).items()))
    lines += [f"Open matters a task of test: {counts}.", ""]
    lines += ["\n\n".join(guesses(train[: benchmark.learnt], members["test"], members["test_domains"])), ""]
    lines += levels(benchmark.levels) if benchmark.levels else []
    with_habits = (members_of("train", benchmark.learnt, "habits"), members_of("test", benchmark.tasks, "habits"))
    lines += ["### Habits", "", *HABITS.splitlines(), ""]
    lines += [*habits(*with_habits, members_of("test_domains", benchmark.tasks, "habits"), 5), ""]
    lines += ["\n\n".join(guessed(*with_habits, WAYS[:1])), ""]
    lines += ["## Pages", "", *markdown(page_columns(benchmark.tasks, benchmark.official_pages)), ""]
    lines += ["## Twelve tasks", ""]
    for index in range(12):
        task, member = GeneratedBackendTasks("train").at(index), GeneratedBackendTasks("train").member(index)
        code = f"```python\n{task.reference.rstrip()}\n```"
        lines += [f"### {task.task_id}", "", task.description, "", code, "", "Open:"]
        lines += [f"- {matter.option(member.settings[matter.key]).says[0]}" for matter in member.open]
        lines += ["", "First calls:", "```python", *task.calls[:2], "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def main(benchmark: Benchmark) -> int:
    """Print the card, or write it."""
    text = report(benchmark)
    if benchmark.card is None:
        print(text)
    else:
        benchmark.card.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark, description=__doc__)))
