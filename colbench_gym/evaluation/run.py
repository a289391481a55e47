"""One evaluation run: from its settings to a folder of results that can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.chat import check_server
from colbench_gym.curation.exclusion import without_findings
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.evaluation.grading_flags import GradingFlags, ModelFlags
from colbench_gym.evaluation.rollout import ConcurrencyLimits, Job, collect, make_jobs
from colbench_gym.evaluation.run_folder import RunFolder, content_hash
from colbench_gym.evaluation.summary import Summary, summarise
from colbench_gym.policies import Policy, PrivilegedPolicy, make_policy
from colbench_gym.rendering import Renderer
from colbench_gym.rules import ENV_IDS, Track
from colbench_gym.scenario import HELP, BackendOptions, FrontendOptions, Options, Scenario, first_tasks, open_scenario
from colbench_gym.scenario.paper import check_agrees, differences, profile_named, with_profile
from colbench_gym.trajectory import Trajectory, task_row

Json = dict[str, Any]  # Any: JSON
_NOT_PART_OF_RESULT = {
    "concurrency",
    "agent_concurrency",
    "human_concurrency",
    "sandbox_concurrency",
    "out",
    "resume",
    "overwrite",
    "record",
    "label",
    "profile",  # these two stand among the scenario's settings where there is a profile
    "official",
}


@dataclass(frozen=True)
class EvalConfig(ModelFlags, GradingFlags):
    """Settings of a run.

    Attributes:
        env_id: the environment: ColBench-Backend-v0 or ColBench-Frontend-v0.
        agent: who answers: oracle, asker:K (backend), designer:K (frontend), openai:MODEL[@BASE_URL], hf:PATH,
            best_of:N:RUN, replay:FILE, console, python:module:factory.
        n: how many tasks, the first of the spec; all of them when not given (generated tasks have no end).
        exclude_findings: leave out backend tasks with such findings: of weak, constant and random, comma-separated.
        repeats: dialogues per task.
        seed: of the whole run; each dialogue derives its own from it.
        concurrency: dialogues played at once.
        agent_concurrency: calls of the agent at once; as many as dialogues when not given.
        human_concurrency: calls of the human at once; as many as dialogues when not given.
        sandbox_concurrency: gradings at once; as many as dialogues when not given.
        label: what colbench table calls the run in Table 3 and Figure 3: a method's name, or NAME@X for a point of a
            curve, such as sweet@16.
        out: the folder for run.json and trajectories.jsonl.
        resume: go on with the run in that folder.
        overwrite: replace the run in that folder.
        record: keep every exchange with a model server in that folder, for --agent or --human replay:FILE.
    """

    env_id: Annotated[Positional[str], arg(metavar="ENV_ID")]
    out: Path
    agent: str = "oracle"
    human: Annotated[str, arg(help=HELP["human"])] = str(Options.human)
    leaks: Annotated[str | None, arg(help=HELP["leaks"])] = None
    human_knows: Annotated[str | None, arg(help=HELP["human_knows"])] = None
    tasks: Annotated[str, arg(help=HELP["tasks"])] = str(Options.tasks)
    n: Annotated[int | None, arg(aliases=["-n"], metavar="N")] = None
    exclude_findings: str = ""
    repeats: int = 1
    seed: int = 0
    concurrency: int = 8
    agent_concurrency: int | None = None
    human_concurrency: int | None = None
    sandbox_concurrency: int | None = None
    reward: Annotated[str | None, arg(help=HELP["reward"])] = None
    max_turns: Annotated[int, arg(help=HELP["max_turns"])] = Options.max_turns
    prompts: Annotated[Path | None, arg(help=HELP["prompts"])] = None
    official: Annotated[Path | None, arg(help=HELP["official"])] = None
    label: str = ""
    resume: FlagCreatePairsOff[bool] = False
    overwrite: FlagCreatePairsOff[bool] = False
    record: FlagCreatePairsOff[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "out", Path(self.out))  # a string, from Python
        if self.resume and self.overwrite:
            raise UsageError("got resume and overwrite, expected one of them; leave out the one that is not meant")
        if self.repeats < 1:
            raise UsageError(f"repeats is {self.repeats}; expected at least 1")
        self.check_models()

    def options(self) -> Json:
        """Return the options of the scenario.

        Raises:
            UnknownNameError: no such environment.
            UsageError: a setting of the other track was given, or one contradicts the profile.
        """
        track = track_of(self.env_id)
        given = {
            "tasks": self.tasks,
            "human": self.human,
            "leaks": self.leaks,
            "human_knows": self.human_knows,
            "max_turns": self.max_turns,
            "prompts": self.prompts,
            "official": self.official,
            **self.human_options(),
            "reward": self.reward,
            **self.grading_options(track),
        }
        return with_profile(track, {name: value for name, value in given.items() if value is not None})

    def sampling(self) -> tuple[float | None, int | None]:
        """Return temperature and new tokens at most of an agent that is a language model; None where none is given.

        Raises:
            UsageError: one of them contradicts the profile.
        """
        profile = profile_named(self.profile)
        if profile is None:
            return self.agent_temperature, self.agent_max_tokens
        for name in ("temperature", "max_tokens"):
            if (got := getattr(self, f"agent_{name}")) is not None:
                check_agrees(profile, f"agent_{name}", got, getattr(profile, name))
        return profile.temperature, profile.max_tokens

    def result_settings(self) -> Json:
        """Return the settings of both tracks that can change a number, as JSON."""
        shared = (flag.name for flags in (GradingFlags, ModelFlags) for flag in fields(flags))
        unread = {*_NOT_PART_OF_RESULT, "reward", *shared}
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in unread}
        options, (temperature, max_tokens) = self.options(), self.sampling()
        settings |= {name: options.get(name, getattr(Options, name)) for name in ("leaks", "human_knows")}
        models = {"max_tokens": max_tokens, "agent_extra_body": self.agent_extra_body}
        models |= {name: options.get(name) for name in ("human_temperature", "human_max_tokens", "human_extra_body")}
        settings |= {"temperature": temperature, **{name: value for name, value in models.items() if value is not None}}
        return {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()}

    def cassette(self, seat: Literal["agent", "human"]) -> Path | None:
        """Return where the exchanges of a seat are recorded, if they are."""
        uses_model = getattr(self, seat).startswith("openai:")
        return self.out / f"{seat}_chat.jsonl" if self.record and uses_model else None

    def limits(self) -> ConcurrencyLimits:
        """Return the concurrency settings."""
        return ConcurrencyLimits(
            dialogues=self.concurrency,
            agent=self.concurrency if self.agent_concurrency is None else self.agent_concurrency,
            human=self.concurrency if self.human_concurrency is None else self.human_concurrency,
            sandbox=self.concurrency if self.sandbox_concurrency is None else self.sandbox_concurrency,
        )


@dataclass(frozen=True)
class RunResult:
    """Result of a run; ``differences`` are those from the profile that it was played with."""

    out: Path
    summary: Summary
    used: Mapping[str, Any] = field(default_factory=dict)  # Any: nested counts
    differences: tuple[str, ...] = ()


def track_of(env_id: str) -> Track:
    """Return the track of an environment id.

    Raises:
        UnknownNameError: no such environment.
    """
    for track, known in ENV_IDS.items():
        if env_id == known:
            return track
    raise UnknownNameError.among("environment", env_id, ENV_IDS.values())


def evaluate(
    config: EvalConfig,
    progress: Callable[[int, int], None] = lambda done, total: None,
    opened: Callable[[int], None] = lambda kept: None,
    renderer: str | Renderer = FrontendOptions.renderer,
) -> RunResult:
    """Play and grade everything that the settings ask for, into ``config.out``.

    Args:
        config: the settings.
        progress: called with dialogues done and dialogues in all, from many threads, one at a time.
        opened: called once with the number of dialogues that an earlier session finished.
        renderer: frontend: what makes the pictures.

    Raises:
        UsageError: a setting cannot be used; nothing has been played then.
        ChatError: a model's server cannot be reached; there is no folder then.
        PolicyError: the agent failed; what was finished is kept and can be resumed. Ctrl-C does the same.
        AssetError: a page links an asset that has not been fetched; what was finished is kept.
    """
    options, limits = config.options(), config.limits()
    temperature, max_tokens = config.sampling()
    if track_of(config.env_id) == "frontend":
        options["renderer"] = renderer
    with (
        open_scenario(track_of(config.env_id), record=config.cassette("human"), **options) as scenario,
        closing(
            make_policy(
                config.agent,
                **config.agent_options() | {"temperature": temperature, "max_tokens": max_tokens},
                record=config.cassette("agent"),
                renderer=scenario.renderer,
            )
        ) as policy,
    ):
        check_server(policy)
        check_server(scenario.human)
        tasks = first_tasks(scenario.tasks, config.n)
        if config.exclude_findings:
            tasks = without_findings(tasks, config.exclude_findings, config.sandbox or str(BackendOptions.sandbox))
        jobs = make_jobs(tasks, config.repeats, config.seed)
        scenario.check_tasks({job.task.task_id: job.task for job in jobs}.values())
        configuration = {
            **config.result_settings(),
            **scenario.settings,
            **({} if isinstance(config.tasks, str) else {"tasks": scenario.tasks.spec}),
            "tasks_hash": content_hash(task_row(job.task) for job in jobs),
            "prompts_hash": content_hash([scenario.prompts.content()]),
            "versions": scenario.versions,
        }
        hashed = {"tasks": "tasks_hash", "prompts": "prompts_hash", "official": "prompts_hash"}
        with RunFolder(config.out, configuration, config.resume, hashed, config.overwrite) as folder:
            opened(len(folder.finished))
            return _fill(folder, jobs, policy, scenario, limits, progress, config)


def _fill(
    folder: RunFolder,
    jobs: tuple[Job, ...],
    policy: Policy | PrivilegedPolicy,
    scenario: Scenario,
    limits: ConcurrencyLimits,
    progress: Callable[[int, int], None],
    config: EvalConfig,
) -> RunResult:
    before = folder.finished
    done = len(before)

    def used() -> Json:
        return {"agent": _usage(policy), "human": _usage(scenario.human)}

    def report(summary: Summary) -> Json:
        apart = differences(scenario.rules.track, folder.configuration, summary.failed)
        return {
            **({"label": config.label} if config.label else {}),
            "profile": {"name": config.profile, "differences": list(apart)},
            **_report(summary, len(jobs), scenario),
        }

    def finished(trajectory: Trajectory) -> None:
        nonlocal done
        folder.add(trajectory, used())
        done += 1
        progress(done, len(jobs))

    try:
        collect((job for job in jobs if job.key not in before), policy, scenario, finished, limits)
        summary = summarise(folder.trajectories())
        folder.finish((job.key for job in jobs), report(summary), used())
    except BaseException:
        tokens = (count for seat in used().values() for name, count in seat.items() if name.endswith("_tokens"))
        if folder.finished or any(tokens):
            folder.interrupt(report(summarise(folder.trajectories())), used())
        else:
            folder.discard()
        raise
    apart = differences(scenario.rules.track, folder.configuration, summary.failed) if config.profile else ()
    return RunResult(folder.path, summary, used(), apart)


def _usage(seat: object) -> Json:
    """Return tokens and the like of a seat that counts them (see ``Usage`` and ``Withheld``)."""
    counts = (getattr(seat, name, None) for name in ("usage", "withheld"))
    return {name: value for count in counts if count is not None for name, value in asdict(count).items()}


def _report(summary: Summary, planned: int, scenario: Scenario) -> Json:
    def shown(name: str) -> Json | None:
        interval = getattr(summary, name)
        return None if interval is None else asdict(interval)

    if scenario.rules.track == "backend":
        metrics: Json = {"pass_rate": shown("score"), "success": shown("success")}
    else:
        metrics = {"similarity": shown("score"), "metric": scenario.versions.get("metric", "")}
    return {
        "versions": scenario.versions,
        "metrics": {
            **metrics,
            "mean_reward": summary.reward,
            "mean_turns": summary.turns,
            "leak": dict(summary.leak),
        },
        "coverage": {
            "planned": planned,
            "played": summary.dialogues,
            "counted": summary.counted,
            "not_counted": {k: v for k, v in summary.outcomes.items() if k not in ("answered", "out_of_turns")},
            "outcomes": dict(summary.outcomes),
        },
    }


def failed_reasons(trajectories: Iterable[Trajectory], most: int = 3) -> tuple[str, ...]:
    """Return the first few different reasons why dialogues do not count."""
    reasons: dict[str, None] = {}
    for trajectory in trajectories:
        if trajectory.error:
            reasons.setdefault(f"{trajectory.outcome}: {trajectory.error}")
    return tuple(reasons)[:most]
