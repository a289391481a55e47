"""Truth of the page critic: replies to wrong pages, each sentence read back and checked, as a table.

Wanted and shown are the pages of the tasks, each with more and more random changes, other tasks' pages, and none. Exit
status 1 when one statement of one reply is not true of the two pages.

    python benchmarks/critic.py [--tasks TASKS.jsonl] [--replies 2000] [--seed 0]
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median, quantiles

import tyro
from rich.console import Console
from rich.table import Table

from colbench_gym.page_language.sentences import read_statements
from colbench_gym.rendering import open_renderer
from colbench_gym.tasks import FrontendTask, load_tasks

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from support.critic_replies import replies


@dataclass(frozen=True)
class Benchmark:
    """Settings of the check.

    Attributes:
        tasks: a file of frontend tasks besides the generated ones; none by default.
        generated: how many generated tasks.
        replies: how many.
        seed: of the changes.
    """

    tasks: Path | None = None
    generated: int = 50
    replies: int = 2000
    seed: int = 0


def main(benchmark: Benchmark) -> int:
    """Check all replies; 1 when one is not true."""
    found = load_tasks("generated", track="frontend")
    tasks = [found.at(index) for index in range(benchmark.generated)]
    if benchmark.tasks is not None:
        given = load_tasks(benchmark.tasks, track="frontend")
        tasks = [task for index in range(given.size or 0) for task in (given.at(index), *tasks[index : index + 1])]
    wanted = [task for task in tasks if isinstance(task, FrontendTask)]
    console = Console(width=140)
    kinds: Counter[str] = Counter()
    lengths, times, sentences = [], [], []
    false = 0
    with closing(open_renderer()) as renderer:
        for reply in replies(wanted, renderer, benchmark.replies, benchmark.seed):
            statements = read_statements(reply.text)
            kinds.update(statement.kind for statement in statements)
            lengths.append(len(reply.text))
            sentences.append(len(statements))
            times.append(reply.ms)
            false += bool(reply.lies)
            for lie in reply.lies:
                console.print(f"not true: {lie}", markup=False)
            if len(lengths) % 100 == 0:
                print(f"{len(lengths)} replies", file=sys.stderr)
    table = Table("", "value")
    table.add_row("replies", str(len(lengths)))
    table.add_row("with a statement that is not true", str(false))
    table.add_row("statements", f"{sum(kinds.values())} ({mean(sentences):.1f} a reply)")
    table.add_row("characters", f"median {median(lengths):.0f}, at most {max(lengths)}")
    table.add_row("ms a reply, pages rendered", f"median {median(times):.1f}, 99 % {quantiles(times, n=100)[-1]:.1f}")
    table.add_row("kinds", ", ".join(f"{kind} {many}" for kind, many in kinds.most_common()))
    console.print(table)
    return 1 if false else 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Benchmark)))
