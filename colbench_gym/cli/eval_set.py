"""``colbench eval-set``: agents by tracks by humans from one file, into one folder, one table and one report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED, print_error
from colbench_gym.cli.report import REPORT_FILE, report_of_runs
from colbench_gym.cli.table import print_table_of_runs
from colbench_gym.cli.tables import print_note, progress_bar
from colbench_gym.errors import InfrastructureError, UsageError
from colbench_gym.evaluation.eval_set import RunOfSet, read_set, within_budget
from colbench_gym.evaluation.run import evaluate
from colbench_gym.evaluation.run_folder import RUN_FILE
from colbench_gym.report.run_names import names_apart

TABLE_FILE = "table.md"


def eval_set(
    file: Annotated[Positional[Path], arg(metavar="FILE.toml")],
    out: Path,
    resume: FlagCreatePairsOff[bool] = False,
    report: bool = True,
) -> int:
    """Run ``colbench eval-set``."""
    runs = read_set(file, out)
    if not resume and any((run.config.out / RUN_FILE).exists() for run in runs):
        raise UsageError(f"{out} holds runs of a set already; go on with them by --resume, or name another --out")
    finished: list[RunOfSet] = []
    failed = False
    for run in runs:
        told, what = f"{run.name}, {run.track}", f"raise it in {file} and go on with --resume"
        try:
            within, stopped = within_budget(run, runs)
            if not stopped:
                with progress_bar(f"dialogues of {told}") as progress:
                    result = evaluate(replace(within.config, resume=resume), progress)
                stopped = result.stopped
        except InfrastructureError as e:
            stopped, what = str(e), "go on with --resume"
        if stopped:
            print_error(f"{told}: {stopped}; {what}")
            failed = True
            continue
        failed = failed or bool(result.summary.failed)
        finished.append(run)
        shown = result.summary.success or result.summary.score
        in_words = "no dialogue counts" if shown is None else shown.percent()
        print_note(f"{told}: {in_words}, in {within.config.out}")
    return FAILED if not _compared(finished, out, report) or failed else DONE


def _compared(runs: Sequence[RunOfSet], out: Path, report: bool) -> bool:
    """Write the table and the report of the runs that are finished; return whether they can stand in one."""
    if not runs:
        return True
    agents = list(dict.fromkeys(run.name for run in runs))
    short = {name: apart.replace("=", "-") for name, apart in zip(agents, names_apart(agents), strict=True)}
    tracks = {run.track for run in runs}
    try:
        print_table_of_runs(tuple(f"{short[run.name]}={run.config.out}" for run in runs), out=out / TABLE_FILE)
    except UsageError as e:
        print_error(f"no table: {e}")
        return False
    if report:
        named = {f"{short[r.name]}, {r.track}" if len(tracks) > 1 else short[r.name]: r.config.out for r in runs}
        print_note(f"report: {report_of_runs(named, out / REPORT_FILE, 'frontend' in tracks)}")
    return True
