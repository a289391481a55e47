"""``colbench grade`` and ``colbench oracle``: grade files of answers, and every task by its own reference."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal

from colbench_gym.cli import DONE, FAILED, print_error
from colbench_gym.cli.tables import AnyCount, grade_summary, progress_bar, unwinnable_table
from colbench_gym.curation.exclusion import without_findings
from colbench_gym.evaluation.grade_files import grade_file
from colbench_gym.evaluation.grading_flags import GradingFlags
from colbench_gym.evaluation.track_choice import TrackChoice, choose_track
from colbench_gym.scenario import BackendOptions, HumanSeat, check_options, first_tasks, given_options, open_scenario
from colbench_gym.tasks import backend_task, load_tasks


def grade(
    flags: GradingFlags,
    answers: Path,
    out: Path,
    tasks: str | None = None,
    track: TrackChoice = "auto",
    threads: int | None = None,
    exclude_findings: str = "",
) -> int:
    """Run ``colbench grade``."""
    of = choose_track(track, tasks, answers)
    where = flags.sandbox or str(BackendOptions.sandbox)
    select = partial(without_findings, names=exclude_findings, sandbox=where)
    given = given_options(of, flags) | ({} if tasks is None else {"tasks": tasks})
    with open_scenario(of, human=HumanSeat.OUTSIDE, **given) as scenario, progress_bar("answers") as progress:
        known, official = None if tasks is None else scenario.tasks, scenario.rules.official_addresses
        result = grade_file(answers, out, known, scenario.grader, of, threads, progress, select, official)
        grade_summary(result, of, scenario.grading_name, out)
    if result.errors:
        print_error(f"{result.errors} answers could not be graded and do not count: {result.first_error}")
    return FAILED if result.errors else DONE


def oracle(
    flags: GradingFlags,
    tasks: str,
    n: AnyCount = None,
    track: TrackChoice = "auto",
    exclude_findings: str = "",
    grading: Literal["strict", "paper", "both"] | None = None,
) -> None:
    """Run ``colbench oracle``."""
    flags = replace(flags, grading=grading)
    if choose_track(track, tasks) == "frontend":
        _win_pages(flags, tasks, n, exclude_findings)
    else:
        _win_programs(flags, tasks, n, exclude_findings)


def _win_programs(flags: GradingFlags, tasks: str, n: int | None, exclude_findings: str) -> None:
    from colbench_gym.curation.program_checks import unwinnable
    from colbench_gym.sandboxes import open_sandbox

    chosen = check_options("backend", given_options("backend", flags))
    grading = getattr(chosen, "grading", None) if flags.grading or flags.profile else "both"
    where = flags.sandbox or str(BackendOptions.sandbox)
    listed = first_tasks(load_tasks(tasks, "backend"), n)
    known = tuple(map(backend_task, without_findings(listed, exclude_findings, where)))
    with closing(open_sandbox(where)) as sandbox, progress_bar("references") as progress:
        for name in (grading,) if grading in ("strict", "paper") else ("strict", "paper"):
            unwinnable_table(name, len(known), unwinnable(known, sandbox, name, progress))


def _win_pages(flags: GradingFlags, tasks: str, n: int | None, exclude_findings: str) -> None:
    from colbench_gym.curation.page_oracle import unwinnable_pages

    given = given_options("frontend", flags) | {"tasks": tasks}
    with (
        open_scenario("frontend", human=HumanSeat.OUTSIDE, **given) as scenario,
        progress_bar("references") as progress,
    ):
        known = without_findings(first_tasks(scenario.tasks, n), exclude_findings)
        unwinnable_table(scenario.grading_name, len(known), unwinnable_pages(known, scenario.grader, progress))
