"""``colbench grade`` and ``colbench oracle``: grade files of answers, and every task by its own reference."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import arg

from colbench_gym.cli import DONE, FAILED
from colbench_gym.cli.tables import grade_summary, print_error, progress_bar, unwinnable_table
from colbench_gym.evaluation.grading_flags import GradingFlags
from colbench_gym.evaluation.track_choice import TrackChoice, choose_track
from colbench_gym.scenario import BackendOptions, HumanSeat, check_options, first_tasks, given_options, open_scenario
from colbench_gym.tasks import backend_task, load_tasks


@dataclass(frozen=True)
class GradeCommand(GradingFlags):
    """Command ``colbench grade``."""

    answers: Path
    out: Path
    tasks: str | None = None
    track: TrackChoice = "auto"
    threads: int | None = None
    exclude_findings: str = ""

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.curation.exclusion import without_findings
        from colbench_gym.evaluation.grade_files import grade_file

        track = choose_track(self.track, self.tasks, self.answers)
        where = self.sandbox or str(BackendOptions.sandbox)
        select = partial(without_findings, names=self.exclude_findings, sandbox=where)
        with (
            open_scenario(track, human=HumanSeat.OUTSIDE, **given_options(track, self)) as scenario,
            progress_bar("answers") as progress,
        ):
            tasks = None if self.tasks is None else scenario.tasks
            result = grade_file(
                self.answers, self.out, tasks, scenario.grader, track, self.threads, progress, select,
                scenario.rules.official_addresses,
            )  # fmt: skip
            grade_summary(result, track, scenario.grading_name, self.out)
        if result.errors:
            print_error(f"{result.errors} answers could not be graded and do not count: {result.first_error}")
            return FAILED
        return DONE


@dataclass(frozen=True, kw_only=True)
class OracleCommand(GradingFlags):
    """Command ``colbench oracle``."""

    tasks: str
    n: Annotated[int | None, arg(aliases=["-n"], metavar="N")] = None
    track: TrackChoice = "auto"
    exclude_findings: str = ""
    grading: Annotated[
        Literal["strict", "paper", "both"] | None, arg(help="backend: strict, paper, or both (default)")
    ] = None

    def run(self) -> int:
        """Run the command; return the exit status."""
        track = choose_track(self.track, self.tasks)
        return self._pages() if track == "frontend" else self._programs()

    def _programs(self) -> int:
        from colbench_gym.curation.exclusion import without_findings
        from colbench_gym.curation.program_checks import unwinnable
        from colbench_gym.sandboxes import open_sandbox

        chosen = check_options("backend", given_options("backend", self))
        grading = getattr(chosen, "grading", None) if self.grading or self.profile else "both"
        where = self.sandbox or str(BackendOptions.sandbox)
        listed = first_tasks(load_tasks(self.tasks, "backend"), self.n)
        tasks = tuple(map(backend_task, without_findings(listed, self.exclude_findings, where)))
        with (
            closing(open_sandbox(where)) as sandbox,
            progress_bar("references") as progress,
        ):
            for name in (grading,) if grading in ("strict", "paper") else ("strict", "paper"):
                unwinnable_table(name, len(tasks), unwinnable(tasks, sandbox, name, progress))
        return DONE

    def _pages(self) -> int:
        from colbench_gym.curation.page_oracle import unwinnable_pages

        with (
            open_scenario("frontend", human=HumanSeat.OUTSIDE, **given_options("frontend", self)) as scenario,
            progress_bar("references") as progress,
        ):
            tasks = first_tasks(scenario.tasks, self.n)
            findings = unwinnable_pages(tasks, scenario.grader, progress)
            unwinnable_table(scenario.grading_name, len(tasks), findings)
        return DONE
