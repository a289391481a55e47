"""``colbench tasks``: list, check, generate and synthesize tasks."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from typing import Annotated

from rich.markup import escape
from tyro.conf import OmitSubcommandPrefixes, Positional, arg, subcommand

from colbench_gym.cli_tables import _print, _table, print_note, progress_bar
from colbench_gym.tasks import BackendTask, load_tasks

Count = Annotated[int | None, arg(aliases=["-n"], metavar="N")]


def _first(spec: str, n: int | None) -> tuple[BackendTask, ...]:
    from colbench_gym.run import first_tasks

    return first_tasks(load_tasks(spec), n)


@dataclass(frozen=True)
class List:
    """List tasks: id and description. References and tests stay hidden.

    Attributes:
        spec: generated[:SPLIT], official[:SPLIT] or a JSONL file.
        n: how many, the first of the spec; all of them when not given.
    """

    spec: Positional[str]
    n: Count = None

    def run(self) -> int:
        """Do it; the exit status."""
        table = _table("task", "description")
        for task in _first(self.spec, self.n):
            table.add_row(escape(task.task_id), escape(" ".join(task.description.split())))
        _print(table)
        return 0


@dataclass(frozen=True)
class Check:
    """Find tasks that cannot be played or graded fairly, and say why.

    Attributes:
        specs: generated[:SPLIT], official[:SPLIT] or JSONL files; tasks that two of them share are found too.
        n: how many of each, the first of the spec; all of them when not given.
        sandbox: where references run: process, docker, unsafe.
    """

    specs: Positional[tuple[str, ...]]
    n: Count = None
    sandbox: str = "process"

    def run(self) -> int:
        """Do it; the exit status is 0 whatever is found: findings are data."""
        from colbench_gym.graders.task_health import check_tasks
        from colbench_gym.sandboxes import open_sandbox

        named = {spec: _first(spec, self.n) for spec in self.specs}
        with closing(open_sandbox(self.sandbox)) as sandbox, progress_bar("tasks") as progress:
            findings = check_tasks(named, sandbox, progress)
        total = sum(map(len, named.values()))
        if findings:
            table = _table("task", "kind", "what was found")
            for finding in findings:
                table.add_row(escape(finding.task_id), finding.kind, escape(finding.text))
            _print(table)
        touched = len({finding.task_id for finding in findings})
        print_note(f"{total} tasks checked, {len(findings)} findings on {touched} of them")
        return 0


TasksAction = (
    Annotated[List, subcommand("list", prefix_name=False)] | Annotated[Check, subcommand("check", prefix_name=False)]
)


@dataclass(frozen=True)
class TasksCommand:
    """List, check, generate and synthesize tasks."""

    action: OmitSubcommandPrefixes[TasksAction]

    def run(self) -> int:
        """Do it; the exit status."""
        return self.action.run()
