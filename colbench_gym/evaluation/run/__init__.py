"""One evaluation run: from its settings to a folder of results that can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from colbench_gym.chat import check_server
from colbench_gym.curation.exclusion import without_findings
from colbench_gym.evaluation.rollout import Gates, Job, Workers, make_jobs
from colbench_gym.evaluation.run.budget import (
    Budget,
    Prices,
    check_countable,
    cost,
    prices_of_seats,
    read_prices,
    tokens,
)
from colbench_gym.evaluation.run.monitor import Monitor, seconds_left
from colbench_gym.evaluation.run.settings import EvalConfig, track_of
from colbench_gym.evaluation.run_folder import RunFolder, content_hash, sum_counts
from colbench_gym.evaluation.summary import Summary, Tally, report_of
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.policies import Policy, PrivilegedPolicy, make_policy
from colbench_gym.rendering import Renderer
from colbench_gym.scenario import BackendOptions, FrontendOptions, Scenario, first_tasks, open_checked
from colbench_gym.scenario.paper import differences, texts_hash
from colbench_gym.trajectory import Trajectory, task_row

__all__ = ["EvalConfig", "RunResult", "evaluate", "track_of"]

Json = dict[str, Any]  # Any: JSON


@dataclass(frozen=True)
class RunResult:
    """Result of a run.

    Attributes:
        out: its folder.
        summary: of everything that was played.
        used: over all sessions: tokens and the like of each seat.
        differences: from the profile that it was played with.
        stopped: the budget that was spent before the end; "" for a finished run.
        cost: of each priced seat, and the total, over all sessions; empty without prices.
        planned: dialogues that the run asks for.
    """

    out: Path
    summary: Summary
    used: Mapping[str, Any] = field(default_factory=dict)  # Any: nested counts
    differences: tuple[str, ...] = ()
    stopped: str = ""
    cost: Mapping[str, float] = field(default_factory=dict)
    planned: int = 0


def evaluate(
    config: EvalConfig,
    progress: Callable[[int, int], None] = lambda done, total: None,
    renderer: str | Renderer = FrontendOptions.renderer,
    workers: Workers | None = None,
    ended: Callable[[RunResult], None] = lambda result: None,
) -> RunResult:
    """Play and grade everything that the settings ask for, into ``config.out``.

    Args:
        config: the settings.
        progress: called with dialogues done and dialogues in all, from many threads, one at a time.
        renderer: frontend: what makes the pictures.
        workers: what plays the dialogues; threads of this process by default.
        ended: called with the result when its folder is complete and what rendered its pages is still open.

    Raises:
        UsageError: a setting cannot be used; nothing has been played then.
        ChatError: a model's server cannot be reached; there is no folder then.
        PolicyError: the agent failed; what was finished is kept and can be resumed. Ctrl-C does the same.
        AssetError: a page links an asset that has not been fetched; what was finished is kept.
    """
    specs, file = {"agent": config.agent, "human": config.human}, config.prices
    prices = {} if file is None else prices_of_seats(read_prices(file), specs, file)
    with open_seats(config, renderer) as (scenario, policy):
        config.limits()  # refused where there is no folder yet
        check_countable(config, {"agent": usage_of(policy), "human": usage_of(scenario.human)}, prices)
        tasks = chosen = first_tasks(scenario.tasks, config.n)
        if config.exclude_findings:
            tasks = without_findings(tasks, config.exclude_findings, config.sandbox or str(BackendOptions.sandbox))
        jobs = make_jobs(tasks, config.repeats, config.seed)
        scenario.check_tasks({job.task.task_id: job.task for job in jobs}.values())

        def configuration(earlier: Mapping[str, Any] = MappingProxyType({})) -> Json:  # Any: JSON
            """Return the run's configuration; that of the part of it which is as large as an earlier one."""
            n, repeats = _size_to_resume(config, earlier)
            first = {task.task_id for task in chosen[:n]}
            hashed = (task_row(job.task) for job in jobs if job.task.task_id in first and job.repeat < repeats)
            return {
                **config.result_settings(),
                **scenario.settings,
                **({} if isinstance(config.tasks, str) else {"tasks": scenario.tasks.spec}),
                "n": n,
                "repeats": repeats,
                "tasks_hash": content_hash(hashed),
                "texts_hash": texts_hash(task for task in tasks if task.task_id in first),
                "prompts_hash": content_hash([scenario.prompts.content()]),
                "versions": scenario.versions,
            }

        with RunFolder(config.out, configuration(), config.resume, config.overwrite, configuration) as folder:
            result = _Session(folder, jobs, policy, scenario, config, prices, workers or Workers()).play(progress)
        ended(result)
    return result


@contextmanager
def open_seats(
    config: EvalConfig, renderer: str | Renderer = FrontendOptions.renderer
) -> Iterator[tuple[Scenario, Policy | PrivilegedPolicy]]:
    """Open the scenario and the agent of a run, and close them after the block.

    Raises:
        UsageError: a setting cannot be used.
        ChatError: a model's server cannot be reached.
    """
    options = config.scenario
    if isinstance(options, FrontendOptions):
        options = replace(options, renderer=renderer)
    given = {**config.agent_settings, "record": config.cassette("agent")}
    with (
        open_checked(options, config.cassette("human")) as scenario,
        closing(make_policy(config.agent, **given, renderer=scenario.renderer, track=scenario.rules.track)) as policy,
    ):
        check_server(policy)
        check_server(scenario.human)
        if isinstance(scenario.grader, UnitTestGrader):
            scenario.grader.use_kept_values()
        yield scenario, policy


@dataclass
class _Session:
    """One session of a run: plays what is missing, and writes what can be seen of it meanwhile."""

    folder: RunFolder
    jobs: Sequence[Job]
    policy: Policy | PrivilegedPolicy
    scenario: Scenario
    config: EvalConfig
    prices: Prices
    workers: Workers

    def __post_init__(self) -> None:
        self.folder.counts = self._used
        self._kept, self._tally = self.folder.finished, Tally(self.folder.trajectories())
        self._done = len(self._kept)
        self._budget = Budget(self.config, self.folder.used_so_far, self.prices)
        self._gates = Gates(self.config.limits(), self._budget.spent)

    def play(self, progress: Callable[[int, int], None]) -> RunResult:
        """Play it to its end, or to that of a budget."""
        folder, total = self.folder, len(self.jobs)

        def finished(trajectory: Trajectory) -> None:
            folder.add(trajectory)
            self._tally.add(trajectory)
            self._done += 1
            progress(self._done, total)

        monitor = Monitor(self._refresh, folder.path)
        try:
            with monitor:
                rest = (job for job in self.jobs if job.key not in self._kept)
                self.workers.collect(rest, self.policy, self.scenario, finished, self._gates)
            stopped = self._budget.reason if self._done < total else ""
            report = self._report() | ({"stopped": stopped} if stopped else {})
            if stopped:
                folder.interrupt(report)
            else:
                folder.finish((job.key for job in self.jobs), report)
        except BaseException:
            if self._done or tokens(folder.used_so_far()):
                folder.interrupt(self._report())
            else:
                folder.discard()
            raise
        finally:
            if folder.content:
                monitor.log(folder.content)
        apart, spent = report["profile"]["differences"] if self.config.profile else (), report.get("cost", {})
        return RunResult(folder.path, self._tally.summary(), folder.used_so_far(), tuple(apart), stopped, spent, total)

    def _used(self) -> Json:
        here = {"agent": usage_of(self.policy), "human": usage_of(self.scenario.human)}
        return sum_counts([here, dict(self.workers.used())])

    def _report(self) -> Json:
        summary = self._tally.summary()
        apart = differences(self.scenario.rules.track, self.folder.configuration, summary.failed)
        return {
            **({"label": self.config.label} if self.config.label else {}),
            "profile": {"name": self.config.profile, "differences": list(apart)},
            **report_of(summary, len(self.jobs), self.scenario),
            **({"cost": cost(self.prices, self.folder.used_so_far())} if self.config.prices else {}),
        }

    def _refresh(self, progress: Json) -> Json:
        """Write ``run.json`` as it is now and return it."""
        running, waiting = self._gates.counts()
        rest, here = len(self.jobs) - self._done, self._done - len(self._kept)
        left = seconds_left(here, running, rest, self.folder.seconds)
        progress |= {"kept": len(self._kept), "running": running, "waiting": waiting, "seconds_left": left}
        self.folder.refresh({**self._report(), "progress": progress})
        return self.folder.content


def _size_to_resume(config: EvalConfig, earlier: Mapping[str, Any]) -> tuple[int | None, int]:  # Any: JSON
    """Return tasks and repeats of the part of a run that an earlier one may hold: all that it asked for, or fewer."""
    n, repeats = earlier.get("n"), earlier.get("repeats")
    sizes = [size for size in (n, config.n) if isinstance(size, int)]
    return min(sizes, default=None), min(repeats, config.repeats) if isinstance(repeats, int) else config.repeats


def usage_of(seat: object) -> Json:
    """Return tokens and the like of a seat that counts them (see ``Usage`` and ``Withheld``)."""
    counts = (getattr(seat, name, None) for name in ("usage", "withheld"))
    return {name: value for count in counts if count is not None for name, value in asdict(count).items()}
