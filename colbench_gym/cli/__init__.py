"""The ``colbench`` command: parses, calls, prints. Exit status 0 done, 1 our side failed, 2 bad usage or input."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import tyro
from tyro.conf import FlagCreatePairsOff, Positional, arg, subcommand

from colbench_gym.cli.assets import AssetsCommand
from colbench_gym.cli.demo import Demo
from colbench_gym.cli.grade import DONE, FAILED, GradeCommand, OracleCommand
from colbench_gym.cli.help_text import quiet_defaults
from colbench_gym.cli.human import HumanCommand
from colbench_gym.cli.report import ExportCommand, ReportCommand, ShowCommand, report_of_run
from colbench_gym.cli.sandbox import SandboxCommand
from colbench_gym.cli.table import Compare, TableCommand
from colbench_gym.cli.tables import (
    JsonFlag,
    doctor_table,
    print_dialogue,
    print_error,
    print_note,
    print_solution,
    progress_bar,
    run_summary,
    to_json,
)
from colbench_gym.cli.tasks import TasksCommand
from colbench_gym.cli.train import TrainCommand
from colbench_gym.cli.watch import WatchCommand
from colbench_gym.errors import ColBenchError, UsageError
from colbench_gym.evaluation.grading_flags import GradingFlags, ModelFlags
from colbench_gym.evaluation.run import EvalConfig
from colbench_gym.scenario import HELP, Options
from colbench_gym.version import __version__

if TYPE_CHECKING:
    from colbench_gym.evaluation.rollout import Workers
    from colbench_gym.trajectory import Trajectory

INTERRUPTED, TERMINATED = 130, 143
_DESCRIPTION = (
    "ColBench: an agent works with a simulated human on tasks that it has to ask about.\n\n"
    "Exit status: 0 done (wrong answers included), 1 something failed on our side, 2 bad usage or input, "
    f"{INTERRUPTED} stopped by Ctrl-C, {TERMINATED} stopped by SIGTERM (what was finished is kept)."
)
_TRAINED_BY = {"filtered-bc": "bc", "multiturn-dpo": "dpo", "sweet-rl": "sweet"}  # as the methods are called elsewhere


@dataclass(frozen=True)
class Eval(EvalConfig):
    """Play an agent against a human on a set of tasks, grade it, and write the results to a folder.

    The folder gets run.json (settings, versions, metrics with 95 % intervals, coverage, tokens; refreshed while it
    runs: colbench watch), trajectories.jsonl (every dialogue) and report.html (to read them in a browser). Ctrl-C or a
    spent budget loses nothing that was finished: --resume goes on.

    Attributes:
        report: write report.html.
        ray: play on a Ray cluster: local, or the address of a running one; the limits of concurrency are for each node.
    """

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
                reports.append(report_of_run(result.out, track))

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


@dataclass(frozen=True)
class Play(ModelFlags, GradingFlags):
    """Play one dialogue, in the terminal or at a local page; by default you are the agent.

    With --people, one person after the other plays the same tasks at the page, until Ctrl-C.

    Attributes:
        env_id: the environment: ColBench-Backend-v0 or ColBench-Frontend-v0.
        agent: who answers: console (you), web (you, at a page), oracle, asker:K (backend), designer:K (frontend),
            openai:MODEL[@BASE_URL], hf:PATH, best_of:N:RUN, replay:FILE, python:module:factory.
        task_id: which task; the first when not given.
        web: sit at a page in the browser of this machine instead of the terminal.
        people: at the page: a study; each person's run is written to a folder of theirs in this one.
        n: with --people: how many tasks each person plays, the first of the spec.
    """

    env_id: Annotated[Positional[str], arg(metavar="ENV_ID")] = "ColBench-Backend-v0"
    agent: str = "console"
    human: Annotated[str, arg(help=HELP["human"])] = str(Options.human)
    leaks: Annotated[str | None, arg(help=HELP["leaks"])] = None
    human_knows: Annotated[str | None, arg(help=HELP["human_knows"])] = None
    tasks: Annotated[str, arg(help=HELP["tasks"])] = str(Options.tasks)
    task_id: str | None = None
    web: FlagCreatePairsOff[bool] = False
    people: Path | None = None
    n: Annotated[int, arg(aliases=["-n"], metavar="N")] = 1

    def run(self) -> int:
        """Run the command; return the exit status."""
        if self.web:
            return self._at_page()
        if self.people is not None:
            raise UsageError("got --people without --web; people sit at the page: add --web")
        from colbench_gym.evaluation.rollout import make_jobs, play
        from colbench_gym.evaluation.run import open_seats

        with open_seats(self._config()) as (scenario, policy):
            task = scenario.tasks.at(0) if self.task_id is None else scenario.tasks.get(self.task_id)
            trajectory = play(make_jobs([task], repeats=1, seed=0)[0], policy, scenario)
        print_dialogue(trajectory, ending_only=self.agent == "console")
        print_solution(trajectory)
        return self._end(trajectory)

    def _at_page(self) -> int:
        from colbench_gym.report.web_play import Study, play_once

        config = self._config()
        if self.people is not None:
            if self.task_id is not None:
                raise UsageError(
                    "got --task-id with --people; people play the first -n tasks of --tasks: drop --task-id"
                )
            Study(config).run()
            return DONE
        trajectory = play_once(config, self.task_id)
        print_dialogue(trajectory, ending_only=True)
        return self._end(trajectory)

    def _config(self) -> EvalConfig:
        flags = {flag.name: getattr(self, flag.name) for flag in fields(EvalConfig) if hasattr(self, flag.name)}
        return EvalConfig(**flags, out=self.people or Path())

    @staticmethod
    def _end(trajectory: Trajectory) -> int:
        if trajectory.error:
            print_error(f"{trajectory.outcome}: {trajectory.error}")
            return FAILED
        return DONE


@dataclass(frozen=True)
class Doctor(JsonFlag):
    """Look at this machine: what works, what is missing, and what to do about it."""

    def run(self) -> int:
        """Run the command; the exit status is 1 where something is missing that everything needs."""
        from colbench_gym.cli.doctor import checks

        results = tuple(checks())
        print_note(to_json(results)) if self.json else doctor_table(results)
        return FAILED if any(check.needed and check.state != "ok" for check in results) else DONE


Command = (
    Annotated[Eval, subcommand("eval", prefix_name=False)]
    | Annotated[GradeCommand, subcommand("grade", prefix_name=False)]
    | Annotated[WatchCommand, subcommand("watch", prefix_name=False)]
    | Annotated[Compare, subcommand("compare", prefix_name=False)]
    | Annotated[ReportCommand, subcommand("report", prefix_name=False)]
    | Annotated[ShowCommand, subcommand("show", prefix_name=False)]
    | Annotated[ExportCommand, subcommand("export", prefix_name=False)]
    | Annotated[TableCommand, subcommand("table", prefix_name=False)]
    | Annotated[OracleCommand, subcommand("oracle", prefix_name=False)]
    | Annotated[Play, subcommand("play", prefix_name=False)]
    | Annotated[Demo, subcommand("demo", prefix_name=False)]
    | Annotated[HumanCommand, subcommand("human", prefix_name=False)]
    | Annotated[TasksCommand, subcommand("tasks", prefix_name=False)]
    | Annotated[AssetsCommand, subcommand("assets", prefix_name=False)]
    | Annotated[SandboxCommand, subcommand("sandbox", prefix_name=False)]
    | Annotated[TrainCommand, subcommand("train", prefix_name=False)]
    | Annotated[Doctor, subcommand("doctor", prefix_name=False)]
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``colbench``; ends the process with its exit status."""
    signal.signal(signal.SIGTERM, _terminated)
    if (sys.argv[1:] if arguments is None else list(arguments)) == ["--version"]:
        print_note(f"colbench-gym {__version__}")
        sys.exit(DONE)
    try:
        command = tyro.cli(
            Command,
            config=(tyro.conf.OmitArgPrefixes, tyro.conf.DisallowNone),
            prog="colbench",
            args=_with_short_names(sys.argv[1:] if arguments is None else arguments),
            description=_DESCRIPTION,
            registry=quiet_defaults(),
        )
        sys.exit(command.run())
    except UsageError as e:
        print_error(str(e))
        sys.exit(2)
    except ColBenchError as e:
        print_error(str(e))
        sys.exit(FAILED)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(FAILED)
    except KeyboardInterrupt:
        print_error("stopped by Ctrl-C; what was finished is kept (colbench eval goes on with --resume)")
        _leave(INTERRUPTED)
    except Terminated:
        print_error("stopped by SIGTERM; what was finished is kept (colbench eval goes on with --resume)")
        _leave(TERMINATED)


def _with_short_names(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the names of algorithms that have a shorter one in ``colbench train``."""
    words = list(arguments)
    if len(words) > 1 and words[0] == "train":
        words[1] = _TRAINED_BY.get(words[1].replace("_", "-"), words[1])
    return words


class Terminated(BaseException):
    """SIGTERM arrived."""


def _terminated(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise Terminated


def _leave(status: int) -> None:
    """End now, also when a second Ctrl-C left calls to a model server hanging in their threads."""
    sys.stdout.flush()
    sys.stderr.flush()
    from colbench_gym.concurrency.leases import close_all

    if threading.active_count() > 1:
        close_all()
        os._exit(status)
    sys.exit(status)
