"""``colbench eval-set``: agents by tracks by humans from one file, into one folder, one table and one report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED
from colbench_gym.cli.report import REPORT_FILE, report_of_runs
from colbench_gym.cli.table import TableCommand
from colbench_gym.cli.tables import print_error, print_note, progress_bar
from colbench_gym.errors import InfrastructureError, UsageError
from colbench_gym.report.run_names import names_apart

if TYPE_CHECKING:
    from colbench_gym.evaluation.eval_set import RunOfSet

TABLE_FILE = "table.md"


@dataclass(frozen=True)
class EvalSet:
    """Command ``colbench eval-set``."""

    file: Annotated[Positional[Path], arg(metavar="FILE.toml")]
    out: Path
    resume: FlagCreatePairsOff[bool] = False
    report: bool = True

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.evaluation.eval_set import read_set, within_budget
        from colbench_gym.evaluation.run import evaluate

        runs = read_set(self.file, self.out)
        finished: list[RunOfSet] = []
        failed = False
        for run in runs:
            told = f"{run.name}, {run.track}"
            config, stopped = run.config, ""
            try:
                within, stopped = within_budget(run, runs)
                if not stopped:
                    config = replace(within.config, resume=self.resume)
                    with progress_bar(f"dialogues of {told}") as progress:
                        result = evaluate(config, progress)
                    stopped = result.stopped
            except InfrastructureError as e:
                print_error(f"{told}: {e}; go on with --resume")
                failed = True
                continue
            if stopped:
                print_error(f"{told}: {stopped}; raise it in {self.file} and go on with --resume")
                failed = True
                continue
            failed = failed or bool(result.summary.failed)
            finished.append(run)
            shown = result.summary.success or result.summary.score
            print_note(f"{told}: {'no dialogue counts' if shown is None else shown.percent()}, in {config.out}")
        return FAILED if not self._compare(finished) or failed else DONE

    def _compare(self, runs: Sequence[RunOfSet]) -> bool:
        """Write the table and the report of the runs that are finished; return whether they can stand in one."""
        if not runs:
            return True
        agents = list(dict.fromkeys(run.name for run in runs))
        short = {name: apart.replace("=", "-") for name, apart in zip(agents, names_apart(agents), strict=True)}
        tracks = {run.track for run in runs}
        try:
            TableCommand(tuple(f"{short[run.name]}={run.config.out}" for run in runs), out=self.out / TABLE_FILE).run()
        except UsageError as e:
            print_error(f"no table: {e}")
            return False
        if self.report:
            named = {f"{short[r.name]}, {r.track}" if len(tracks) > 1 else short[r.name]: r.config.out for r in runs}
            print_note(f"report: {report_of_runs(named, self.out / REPORT_FILE, 'frontend' in tracks)}")
        return True
