"""One evaluation run: from its settings to a folder of results that can be resumed."""

from __future__ import annotations

import math
import platform
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Literal

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.evaluation.grading_settings import GradingSettings, grading_settings, open_grading
from colbench_gym.evaluation.rollout import Caps, Job, Table, collect, make_jobs, play
from colbench_gym.evaluation.run_folder import RunFolder, content_hash
from colbench_gym.evaluation.summary import Summary, summarise
from colbench_gym.humans import make_human
from colbench_gym.policies import make_policy
from colbench_gym.prompts import default_prompts, load_prompts
from colbench_gym.rendering import Renderer
from colbench_gym.rules import ENV_IDS, RULES, Track
from colbench_gym.tasks import Task, TaskSet, load_tasks
from colbench_gym.trajectory import Trajectory, task_row
from colbench_gym.version import __version__

Json = dict[str, Any]  # Any: JSON
_NOT_PART_OF_RESULT = {
    "concurrency",
    "agent_concurrency",
    "human_concurrency",
    "sandbox_concurrency",
    "out",
    "resume",
    "record",
}


@dataclass(frozen=True)
class EvalConfig:
    """The settings of a run.

    Attributes:
        env_id: the environment: ColBench-Backend-v0 or ColBench-Frontend-v0.
        agent: who answers: oracle, asker:K (backend), designer:K (frontend), openai:MODEL[@BASE_URL], hf:PATH,
            best_of:N:RUN, replay:FILE, console, python:module:factory.
        human: who is asked: scripted, openai:MODEL[@BASE_URL], replay:FILE, console.
        tasks: generated[:SPLIT], official[:SPLIT], or a JSONL file of tasks.
        n: how many tasks, the first of the spec; all of them when not given (generated tasks have no end).
        repeats: dialogues per task.
        seed: of the whole run; each dialogue derives its own from it.
        concurrency: dialogues played at once.
        agent_concurrency: calls of the agent at once; as many as dialogues when not given.
        human_concurrency: calls of the human at once; as many as dialogues when not given.
        sandbox_concurrency: gradings at once; as many as dialogues when not given.
        sandbox: backend: where answers run: process (default), docker, unsafe.
        grading: backend: strict (right; default) or paper (bug-compatible with the official grader).
        reward: backend: success (0 or 1; default) or pass_rate; frontend: similarity.
        similarity: frontend: layout (needs no model; default), clip (the paper's) or clip:PATH.
        max_turns: agent turns; 1 is the single-turn setting of Table 2.
        temperature: of an agent that is a language model.
        prompts: a folder with your copy of the official prompt files; our own wording when not given.
        out: the folder for run.json and trajectories.jsonl.
        resume: go on with the run in that folder.
        record: keep every exchange with a model server in that folder, for --agent or --human replay:FILE.
    """

    env_id: Annotated[Positional[str], arg(metavar="ENV_ID")]
    out: Path
    agent: str = "oracle"
    human: str = "scripted"
    tasks: str = "generated"
    n: Annotated[int | None, arg(aliases=["-n"], metavar="N")] = None
    repeats: int = 1
    seed: int = 0
    concurrency: int = 8
    agent_concurrency: int | None = None
    human_concurrency: int | None = None
    sandbox_concurrency: int | None = None
    sandbox: str | None = None
    grading: str | None = None
    reward: str | None = None
    similarity: str | None = None
    max_turns: int = 10
    temperature: float = 0.0
    prompts: Path | None = None
    resume: FlagCreatePairsOff[bool] = False
    record: FlagCreatePairsOff[bool] = False

    def __post_init__(self) -> None:
        if self.repeats < 1:
            raise UsageError(f"repeats is {self.repeats}; expected at least 1")
        if not 0 <= self.temperature < math.inf:
            raise UsageError(f"temperature is {self.temperature}; expected a number of at least 0")

    def grading_settings(self) -> GradingSettings:
        """How answers are graded.

        Raises:
            UnknownNameError: no such environment, or its track has no such reward.
            UsageError: a setting of the other track was given.
        """
        given = {"sandbox": self.sandbox, "grading": self.grading, "similarity": self.similarity}
        return grading_settings(track_of(self.env_id), self.reward, **given)

    def result_settings(self) -> Json:
        """The settings that can change a number, as JSON; those that the track does not read are left out."""
        unread = {*_NOT_PART_OF_RESULT, "sandbox", "grading", "reward", "similarity"}
        settings = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in unread}
        settings |= self.grading_settings().as_json()
        return {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()}

    def cassette(self, seat: Literal["agent", "human"]) -> Path | None:
        """Where the exchanges of a seat are recorded, if they are."""
        uses_model = getattr(self, seat).startswith("openai:")
        return self.out / f"{seat}_chat.jsonl" if self.record and uses_model else None

    def caps(self) -> Caps:
        """The concurrency settings."""
        return Caps(
            dialogues=self.concurrency,
            agent=self.concurrency if self.agent_concurrency is None else self.agent_concurrency,
            human=self.concurrency if self.human_concurrency is None else self.human_concurrency,
            sandbox=self.concurrency if self.sandbox_concurrency is None else self.sandbox_concurrency,
        )


@dataclass(frozen=True)
class RunResult:
    """How a run ended."""

    out: Path
    summary: Summary
    used: Mapping[str, Any] = field(default_factory=dict)  # Any: nested counts


def track_of(env_id: str) -> Track:
    """The track of an environment id.

    Raises:
        UnknownNameError: no such environment.
    """
    for track, known in ENV_IDS.items():
        if env_id == known:
            return track
    raise UnknownNameError.among("environment", env_id, ENV_IDS.values())


def first_tasks(tasks: TaskSet, n: int | None) -> tuple[Task, ...]:
    """The first ``n`` tasks, or all of them.

    Raises:
        UsageError: more than there are, or no ``n`` where there is no end.
    """
    if n is not None and n < 1:
        raise UsageError(f"n is {n}; expected at least 1 task")
    if tasks.size is None and n is None:
        raise UsageError(f"the tasks {tasks.spec!r} have no end; say how many to take with -n")
    count = n if n is not None else int(tasks.size or 0)
    if tasks.size is not None and count > tasks.size:
        raise UsageError(f"{count} tasks were asked for with -n; {tasks.spec} has {tasks.size}")
    return tuple(tasks.at(index) for index in range(count))


def versions() -> dict[str, str]:
    """The versions of what can change a number."""
    return {
        "colbench_gym": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
    }


def evaluate(
    config: EvalConfig,
    progress: Callable[[int, int], None] = lambda done, total: None,
    opened: Callable[[int], None] = lambda kept: None,
    renderer: str | Renderer = "chromium",
) -> RunResult:
    """Play and grade everything that the settings ask for, into ``config.out``.

    Args:
        config: the settings.
        progress: called with dialogues done and dialogues in all, from many threads, one at a time.
        opened: called once with the number of dialogues that an earlier session finished.
        renderer: frontend: what makes the pictures.

    Raises:
        UsageError: a setting cannot be used; nothing has been played then.
        PolicyError: the agent failed; what was finished is kept and can be resumed. Ctrl-C does the same.
        AssetError: a page links an asset that has not been fetched; what was finished is kept.
    """
    track = track_of(config.env_id)
    settings = config.grading_settings()
    rules = RULES[track].with_max_turns(config.max_turns)
    prompts = default_prompts(track) if config.prompts is None else load_prompts(config.prompts, track)
    jobs = make_jobs(first_tasks(load_tasks(config.tasks, track), config.n), config.repeats, config.seed)
    caps = config.caps()
    with ExitStack() as stack:
        grading = stack.enter_context(open_grading(settings, renderer))
        policy = make_policy(
            config.agent,
            temperature=config.temperature,
            record=config.cassette("agent"),
            renderer=grading.renderer,
        )
        stack.callback(policy.close)
        human = make_human(
            config.human,
            track=track,
            prompts=prompts,
            rules=rules,
            record=config.cassette("human"),
        )
        stack.callback(human.close)
        table = Table(
            policy,
            human,
            grading.grader,
            rules,
            prompts,
            settings.reward,
            config.env_id,
            versions() | dict(grading.versions),
            grading.renderer,
        )
        grading.check_tasks({job.task.task_id: job.task for job in jobs}.values())
        configuration = (
            config.result_settings()
            | dict(grading.settings)
            | {
                "tasks_hash": content_hash(task_row(job.task) for job in jobs),
                "prompts_hash": content_hash([asdict(prompts)]),
                "versions": dict(table.versions),
            }
        )
        named = {"tasks": "tasks_hash", "prompts": "prompts_hash"}
        with RunFolder(config.out, configuration, config.resume, named) as folder:
            opened(len(folder.finished))
            return _fill(folder, jobs, table, caps, progress)


def play_one(
    env_id: str,
    agent: str,
    human: str,
    tasks: str,
    task_id: str | None = None,
    settings: GradingSettings | None = None,
    renderer: str | Renderer = "chromium",
) -> Trajectory:
    """Play one dialogue, on the first task when no ``task_id`` is given.

    Raises:
        UsageError: a setting cannot be used.
        PolicyError: the agent failed.
    """
    track = track_of(env_id)
    found = load_tasks(tasks, track)
    task = found.at(0) if task_id is None else found.get(task_id)
    prompts = default_prompts(track)
    with ExitStack() as stack:
        grading = stack.enter_context(open_grading(settings or grading_settings(track), renderer))
        policy = make_policy(agent, renderer=grading.renderer)
        stack.callback(policy.close)
        simulator = make_human(human, track=track, prompts=prompts)
        stack.callback(simulator.close)
        table = Table(
            policy, simulator, grading.grader, RULES[track], prompts, env_id=env_id, renderer=grading.renderer
        )
        return play(make_jobs([task], repeats=1, seed=0)[0], table)


def _fill(
    folder: RunFolder, jobs: tuple[Job, ...], table: Table, caps: Caps, progress: Callable[[int, int], None]
) -> RunResult:
    before = folder.finished
    done = len(before)

    def used() -> Json:
        return {"agent": _usage(table.policy), "human": _usage(table.human)}

    def finished(trajectory: Trajectory) -> None:
        nonlocal done
        folder.add(trajectory, used())
        done += 1
        progress(done, len(jobs))

    try:
        collect((job for job in jobs if job.key not in before), table, finished, caps)
        summary = summarise(folder.trajectories())
        folder.finish((job.key for job in jobs), _report(summary, len(jobs), table), used())
    except BaseException:
        folder.interrupt(_report(summarise(folder.trajectories()), len(jobs), table), used())
        raise
    return RunResult(folder.path, summary, used())


def _usage(seat: object) -> Json:
    """Tokens and the like, of a seat that counts them (see ``Usage`` and ``Withheld``)."""
    counts = (getattr(seat, name, None) for name in ("usage", "withheld"))
    return {name: value for count in counts if count is not None for name, value in asdict(count).items()}


def _report(summary: Summary, planned: int, table: Table) -> Json:
    def shown(name: str) -> Json | None:
        found = getattr(summary, name)
        return None if found is None else asdict(found)

    backend = table.rules.track == "backend"
    metrics: Json = (
        {"pass_rate": shown("score"), "success": shown("success")} if backend else {"similarity": shown("score")}
    )
    if not backend:
        metrics["metric"] = table.versions.get("metric", "")
    return {
        "versions": dict(table.versions),
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
    """The first few different reasons why dialogues do not count."""
    reasons: dict[str, None] = {}
    for trajectory in trajectories:
        if trajectory.error:
            reasons.setdefault(f"{trajectory.outcome}: {trajectory.error}")
    return tuple(reasons)[:most]
