"""``colbench eval``: play tasks, grade them, and write the results to a folder."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Annotated

from tyro.conf import arg

from colbench_gym.cli import DONE, FAILED, print_error
from colbench_gym.cli.report import REPORT_FILE, report_of_runs
from colbench_gym.cli.tables import print_note, progress_bar, run_summary
from colbench_gym.evaluation.run import EvalConfig, RunResult, evaluate, track_of


def eval_agent(config: EvalConfig, report: bool = True, ray: Annotated[str, arg(metavar="local|ADDRESS")] = "") -> int:
    """Run ``colbench eval``."""
    track = track_of(config.env_id)
    reports: list[str] = []

    def ended(result: RunResult) -> None:
        if report and not result.stopped:
            reports.append(report_of_runs({config.agent: result.out}, result.out / REPORT_FILE, track == "frontend"))

    if ray:
        from colbench_gym.integrations.ray import RayWorkers
    with (
        RayWorkers(config, ray, print_note) if ray else nullcontext() as workers,
        progress_bar("dialogues") as progress,
    ):
        result = evaluate(config, progress, workers=workers, ended=ended)
    run_summary(config.env_id, result, track, config.profile, *reports)
    if result.stopped:
        print_error(f"{result.stopped}; raise it and go on with --resume")
    if not result.summary.failed:
        return FAILED if result.stopped else DONE
    print_error(
        f"{result.summary.failed} of {result.summary.dialogues} dialogues failed on our side and do not count: "
        f"{'; '.join(result.summary.reasons)}. Fix that and rerun with --resume"
    )
    return FAILED
