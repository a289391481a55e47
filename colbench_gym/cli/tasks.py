"""``colbench tasks``: list, check, generate and synthesize tasks."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import JsonFlag, print_error, print_note, print_rows, progress_bar, to_json
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.track_choice import TrackChoice, choose_track
from colbench_gym.rules import Track
from colbench_gym.scenario import BackendOptions, first_tasks
from colbench_gym.tasks import Task, backend_task, load_tasks

if TYPE_CHECKING:
    from colbench_gym.curation.findings import Finding

Count = Annotated[int | None, arg(aliases=["-n"], metavar="N")]


@dataclass(frozen=True)
class ListTasks:
    """Command ``colbench tasks list``."""

    spec: Annotated[Positional[str], arg(metavar="SPEC")]
    n: Count = None
    track: TrackChoice = "auto"

    def run(self) -> int:
        """Run the command; return the exit status."""
        tasks = first_tasks(load_tasks(self.spec, choose_track(self.track, self.spec)), self.n)
        print_rows(("task", "description"), ((task.task_id, " ".join(task.description.split())) for task in tasks))
        return 0


@dataclass(frozen=True)
class CheckTasks(JsonFlag):
    """Command ``colbench tasks check``."""

    specs: Annotated[Positional[tuple[str, ...]], arg(metavar="SPEC [SPEC ...]")]
    n: Count = None
    track: TrackChoice = "auto"
    sandbox: str = str(BackendOptions.sandbox)

    def run(self) -> int:
        """Run the command; the exit status is 0 whatever is found: findings are data."""
        if not self.specs:
            raise UsageError(
                "got no tasks to check, expected at least one SPEC: a JSONL file, or a name such as generated; write "
                "for example: colbench tasks check tasks.jsonl"
            )
        track = choose_track(self.track, self.specs[0])
        named = {spec: first_tasks(load_tasks(spec, track), self.n) for spec in self.specs}
        findings = self._pages(named) if track == "frontend" else self._programs(named)
        total = sum(map(len, named.values()))
        if self.json:
            print_note(to_json({"tasks": total, "findings": findings}))
            return 0
        if findings:
            print_rows(("task", "kind", "what was found"), ((of.task_id, of.kind, of.text) for of in findings))
        touched = len({finding.task_id for finding in findings})
        print_note(f"{total} tasks checked, {len(findings)} findings on {touched} of them")
        return 0

    def _programs(self, named: dict[str, tuple[Task, ...]]) -> list[Finding]:
        from colbench_gym.curation.program_checks import check_tasks
        from colbench_gym.sandboxes import open_sandbox

        sets = {spec: tuple(map(backend_task, tasks)) for spec, tasks in named.items()}
        with closing(open_sandbox(self.sandbox)) as sandbox, progress_bar("tasks") as progress:
            return check_tasks(sets, sandbox, progress)

    def _pages(self, named: dict[str, tuple[Task, ...]]) -> list[Finding]:
        from colbench_gym.curation.page_checks import check_pages
        from colbench_gym.rendering import open_renderer

        with closing(open_renderer()) as renderer, progress_bar("tasks") as progress:
            return check_pages(named, renderer, progress)


@dataclass(frozen=True)
class Generate:
    """Command ``colbench tasks generate``."""

    out: Path
    n: Annotated[int, arg(aliases=["-n"], metavar="N")]
    split: str = "train"
    start: int = 0
    track: Track = "backend"

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.evaluation.grade_files import check_writable
        from colbench_gym.jsonl import write_rows
        from colbench_gym.trajectory import task_row

        if self.n < 1 or self.start < 0:
            raise UsageError(f"n is {self.n} and start {self.start}; expected at least 1 task from position 0 or later")
        tasks = load_tasks(f"generated:{self.split}", self.track)
        check_writable(self.out)
        write_rows(self.out, (task_row(tasks.at(at)) for at in range(self.start, self.start + self.n)))
        print_note(f"{self.n} tasks written to {self.out}")
        return 0


@dataclass(frozen=True)
class Synthesize:
    """Command ``colbench tasks synthesize``."""

    model: str
    texts: Annotated[Path, arg(name="from")]
    out: Path
    seed: int = 0
    concurrency: int = 4
    sandbox: str = str(BackendOptions.sandbox)

    def run(self) -> int:
        """Run the command; the exit status is 1 where the model failed for texts that a second run tries again."""
        from colbench_gym.chat.spec import open_chat
        from colbench_gym.curation.synthesis import dropped_path, read_texts, synthesize
        from colbench_gym.evaluation.grade_files import check_writable
        from colbench_gym.sandboxes import open_sandbox

        if self.concurrency < 1:
            raise UsageError(f"concurrency is {self.concurrency}; expected at least 1")
        texts = read_texts(self.texts)
        check_writable(self.out)
        with (
            closing(open_chat(self.model)) as chat,
            closing(open_sandbox(self.sandbox)) as sandbox,
            progress_bar("texts") as progress,
        ):
            report = synthesize(
                texts, chat, sandbox, self.out, seed=self.seed, concurrency=self.concurrency, progress=progress
            )
        dropped = sum(report.dropped.values())
        print_note(f"{len(texts)} texts: {report.kept} tasks in {self.out}, {dropped} texts gave none")
        for reason, count in report.dropped.items():
            print_note(f"  {count} x {reason}")
        if dropped:
            print_note(f"why, for each text: {dropped_path(self.out)}")
        if report.failed:
            print_error(f"the model failed for {report.failed} texts; run the command again to try them again")
            return 1
        return 0
