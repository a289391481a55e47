"""``colbench eval``: play tasks, grade them, and write the results to a folder."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated

from tyro.conf import arg

from colbench_gym.cli import DONE, FAILED
from colbench_gym.cli.report import REPORT_FILE, report_of_runs
from colbench_gym.cli.tables import print_error, print_note, progress_bar, run_summary
from colbench_gym.evaluation.run import EvalConfig

if TYPE_CHECKING:
    from colbench_gym.evaluation.rollout import Workers


@dataclass(frozen=True)
class Eval(EvalConfig):
    """Command ``colbench eval``."""

    report: bool = True
    ray: Annotated[str, arg(metavar="local|ADDRESS")] = ""

    def __post_init__(self) -> None:
        """Check nothing yet: :meth:`run` does, so that what is refused is printed like everything else."""

    def run(self) -> int:
        """Run the command; return the exit status."""
        super().__post_init__()
        from colbench_gym.evaluation.run import RunResult, evaluate, failed_reasons, track_of
        from colbench_gym.evaluation.run_folder import trajectories_file
        from colbench_gym.trajectory import read_trajectories

        track = track_of(self.env_id)
        reports: list[str] = []

        def ended(result: RunResult) -> None:
            if self.report and not result.stopped:
                reports.append(report_of_runs({self.agent: result.out}, result.out / REPORT_FILE, track == "frontend"))

        with self._workers() as workers, progress_bar("dialogues") as progress:
            result = evaluate(self, progress, workers=workers, ended=ended)
        run_summary(self.env_id, result, track, self.profile, *reports)
        if result.stopped:
            print_error(f"{result.stopped}; raise it and go on with --resume")
        if not result.summary.failed:
            return FAILED if result.stopped else DONE
        reasons = failed_reasons(read_trajectories(trajectories_file(self.out)))
        print_error(
            f"{result.summary.failed} of {result.summary.dialogues} dialogues failed on our side and do not count: "
            f"{'; '.join(reasons)}. Fix that and rerun with --resume"
        )
        return FAILED

    def _workers(self) -> AbstractContextManager[Workers | None]:
        if not self.ray:
            return nullcontext()
        from colbench_gym.integrations.ray import RayWorkers

        config = EvalConfig(**{flag.name: getattr(self, flag.name) for flag in fields(EvalConfig)})
        return RayWorkers(config, self.ray, print_note)
