"""``colbench grade`` and ``colbench oracle``: grade files of answers, and every task by its own reference."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from tyro.conf import arg

from colbench_gym.cli.tables import grade_summary, print_error, progress_bar, unwinnable_table
from colbench_gym.evaluation.track_choice import TrackChoice, choose_track

if TYPE_CHECKING:
    from colbench_gym.evaluation.grading_settings import GradingSettings
    from colbench_gym.tasks import Task

DONE, FAILED = 0, 1


@dataclass(frozen=True)
class Grade:
    """Grade a file of answers, or of trajectories (official or ours), and write it with the grades added.

    Attributes:
        answers: JSONL; each row has 'answer' and 'task_id' or 'index', or is a trajectory with its own task. An answer
            is code, or on the frontend track HTML with <html> or <body>.
        out: the file to write; its rows are the input's, in the input's order.
        tasks: generated[:SPLIT], official[:SPLIT] or a JSONL file; may be left out for trajectories.
        track: backend or frontend; auto is backend when a task has 'test_cases', and for a name such as generated.
        grading: backend: strict (right; default) or paper (bug-compatible with the official grader).
        sandbox: backend: where answers run: process (default), docker, unsafe.
        similarity: frontend: layout (needs no model; default), clip (the paper's) or clip:PATH.
        threads: gradings at once; twice the cores when not given.
    """

    answers: Path
    out: Path
    tasks: str | None = None
    track: TrackChoice = "auto"
    grading: str | None = None
    sandbox: str | None = None
    similarity: str | None = None
    threads: int | None = None

    def run(self) -> int:
        """Do it; the exit status."""
        from colbench_gym.evaluation.grade_files import grade_file
        from colbench_gym.evaluation.grading_settings import grading_settings, open_grading
        from colbench_gym.tasks import load_tasks

        track = choose_track(self.track, self.tasks, self.answers)
        given = {"grading": self.grading, "sandbox": self.sandbox, "similarity": self.similarity}
        settings = grading_settings(track, **given)
        tasks = None if self.tasks is None else load_tasks(self.tasks, track)
        with open_grading(settings) as opened, progress_bar("answers") as progress:
            result = grade_file(self.answers, self.out, tasks, opened.grader, track, self.threads, progress)
        grade_summary(result, track, settings.name, self.out)
        if result.errors:
            print_error(f"{result.errors} answers could not be graded and do not count: {result.first_error}")
            return FAILED
        return DONE


@dataclass(frozen=True)
class Oracle:
    """Answer every task with its own reference and name what nobody can win.

    Attributes:
        tasks: generated[:SPLIT], official[:SPLIT] or a JSONL file.
        n: how many tasks, the first of the spec; all of them when not given.
        track: backend or frontend; auto is backend when a task has 'test_cases', and for a name such as generated.
        grading: backend: strict, paper, or both (default).
        sandbox: backend: where answers run: process (default), docker, unsafe.
        similarity: frontend: layout (needs no model; default), clip (the paper's) or clip:PATH.
    """

    tasks: str
    n: Annotated[int | None, arg(aliases=["-n"], metavar="N")] = None
    track: TrackChoice = "auto"
    grading: Literal["strict", "paper", "both"] | None = None
    sandbox: str | None = None
    similarity: str | None = None

    def run(self) -> int:
        """Do it; the exit status."""
        from colbench_gym.evaluation.grading_settings import grading_settings
        from colbench_gym.evaluation.run import first_tasks
        from colbench_gym.tasks import load_tasks

        track = choose_track(self.track, self.tasks)
        given = {"grading": self.grading, "sandbox": self.sandbox, "similarity": self.similarity}
        settings = grading_settings(track, **given)
        tasks = first_tasks(load_tasks(self.tasks, track), self.n)
        if track == "frontend":
            return self._pages(tasks, settings)
        return self._programs(tasks, settings)

    def _programs(self, tasks: tuple[Task, ...], settings: GradingSettings) -> int:
        from contextlib import closing

        from colbench_gym.curation.program_checks import unwinnable
        from colbench_gym.sandboxes import open_sandbox
        from colbench_gym.tasks import backend_task

        with closing(open_sandbox(settings.sandbox)) as sandbox, progress_bar("references") as progress:
            for grading in (self.grading,) if self.grading in ("strict", "paper") else ("strict", "paper"):
                found = unwinnable(map(backend_task, tasks), sandbox, grading, progress)
                unwinnable_table(grading, len(tasks), found)
        return DONE

    def _pages(self, tasks: tuple[Task, ...], settings: GradingSettings) -> int:
        from colbench_gym.curation.page_oracle import unwinnable_pages
        from colbench_gym.evaluation.grading_settings import open_grading

        with open_grading(settings) as opened, progress_bar("references") as progress:
            found = unwinnable_pages(tasks, opened.grader, progress)
        unwinnable_table(settings.name, len(tasks), found)
        return DONE
