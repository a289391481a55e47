"""Play one dialogue, or many at once, into trajectories."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import AssetError, InfrastructureError, PolicyError, TaskError, UsageError
from colbench_gym.graders import Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.policies import Policy, PrivilegedPolicy, SeededPolicy
from colbench_gym.prompts import Prompts
from colbench_gym.rendering import Renderer
from colbench_gym.rules import Rules
from colbench_gym.task_episode import Game, RewardKind, check_reward_kind
from colbench_gym.tasks import Task
from colbench_gym.trajectory import Trajectory

Result = TypeVar("Result")


@dataclass(frozen=True)
class Job:
    """One dialogue to play: a task, which repetition of it, and the seed of that dialogue."""

    task: Task
    repeat: int
    seed: int

    @property
    def key(self) -> tuple[str, int]:
        """What names the dialogue within a run."""
        return self.task.task_id, self.repeat


def make_jobs(tasks: Sequence[Task], repeats: int, seed: int) -> tuple[Job, ...]:
    """Every task ``repeats`` times, in order; each dialogue gets a seed of its own that depends on nothing else."""
    return tuple(
        Job(task, repeat, dialogue_seed(seed, task.task_id, repeat)) for task in tasks for repeat in range(repeats)
    )


def dialogue_seed(seed: int, task_id: str, repeat: int) -> int:
    """The seed of one dialogue: 31 bits, equal on every machine."""
    digest = hashlib.blake2b(f"{seed}/{repeat}/{task_id}".encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


@dataclass(frozen=True)
class Caps:
    """How much may happen at once: dialogues, and within them calls of each kind."""

    dialogues: int = 8
    agent: int = 8
    human: int = 8
    sandbox: int = 8

    def __post_init__(self) -> None:
        for name in ("dialogues", "agent", "human", "sandbox"):
            if getattr(self, name) < 1:
                raise UsageError(f"a concurrency of {getattr(self, name)} was got for {name}; expected at least 1")


@dataclass(frozen=True)
class Table:
    """Everything that two seats need to play: who sits there, who grades, and the rules.

    Attributes:
        reward: what is paid; the track's default when None.
        versions: of what can change a number; those of the renderer are added.
        renderer: frontend: makes the pictures that the human is shown.

    Raises:
        UnknownNameError: the track has no such reward.
    """

    policy: Policy | PrivilegedPolicy
    human: HumanSimulator
    grader: Grader
    rules: Rules
    prompts: Prompts
    reward: RewardKind | None = None
    env_id: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    renderer: Renderer | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "reward", check_reward_kind(self.reward, self.rules.track))
        if self.renderer is not None:
            object.__setattr__(self, "versions", {**self.versions, **self.renderer.versions})


class Stopped(Exception):
    """The run was asked to stop; this dialogue was left unfinished."""


class _Gates:
    """One gate for each kind of call; passing one notices a stop."""

    def __init__(self, caps: Caps) -> None:
        self.stop = threading.Event()
        self._gates = {name: threading.Semaphore(getattr(caps, name)) for name in ("agent", "human", "sandbox")}

    def through(self, kind: str, call: Callable[[], Result]) -> Result:
        with self._gates[kind]:
            if self.stop.is_set():
                raise Stopped
            return call()


def play(job: Job, table: Table, caps: Caps | None = None) -> Trajectory:
    """Play one dialogue to its end.

    A human or grader that fails gives a trajectory with outcome ``human_error`` or ``grader_error`` and no reward. So
    does a browser, by what was lost: the human's reply, and with it the rest of the dialogue, or the grade.

    Raises:
        PolicyError: the agent failed.
        TaskError: the task cannot be graded.
        AssetError: a page links an asset that has not been fetched.
    """
    return _play(job, table, _Gates(caps or Caps()))


def _play(job: Job, table: Table, gates: _Gates) -> Trajectory:
    game = Game(job.task, table.rules, table.prompts, table.renderer)
    policy = _seat(table.policy, job)
    while not game.episode.over:
        messages = game.messages("agent")
        text = gates.through("agent", partial(_act, policy, messages))
        try:
            game.say("agent", text, input=messages)
        except UsageError as e:
            raise PolicyError(f"the agent's message on task {job.task.task_id!r} cannot be used: {e}") from e
        try:
            if game.episode.over:
                gates.through("sandbox", partial(game.judge, table.grader))
            else:
                gates.through("human", partial(game.ask, table.human))
        except (Stopped, TaskError, AssetError):
            raise
        except Exception as e:  # noqa: BLE001  whatever a human or a grader of any make raises is an outcome
            failed = "grader_error" if game.episode.over else "human_error"
            return _trajectory(job, table, game, outcome=failed, error=f"{type(e).__name__}: {e}")
    return _trajectory(job, table, game, outcome=game.episode.outcome)


def _seat(policy: Policy | PrivilegedPolicy, job: Job) -> Policy:
    seat = policy.for_task(job.task) if isinstance(policy, PrivilegedPolicy) else policy
    return seat.seeded(job.seed) if isinstance(seat, SeededPolicy) else seat


def _act(policy: Policy, messages: Sequence[ChatMessage]) -> str:
    try:
        return policy.act(messages)
    except (InfrastructureError, UsageError):
        raise
    except Exception as e:
        raise PolicyError(f"the agent raised {type(e).__name__}: {e}; it must return its next message") from e


def _trajectory(job: Job, table: Table, game: Game, outcome: str, error: str = "") -> Trajectory:
    grade = game.grade
    score = None if grade is None else grade.score
    backend = job.task.track == "backend"
    return Trajectory(
        task=job.task,
        dialogue=game.episode.dialogue,
        answer=game.episode.answer or "",
        reward=None if grade is None else game.reward(table.reward),
        rules=table.rules,
        outcome=outcome,
        success=grade is not None and grade.success,
        pass_rate=score if backend else None,
        similarity=None if backend else score,
        metric="" if grade is None else grade.metric,
        test_outcomes=() if grade is None else grade.test_outcomes,
        env_id=table.env_id,
        repeat=job.repeat,
        seed=job.seed,
        leak=game.leak.as_info(),
        versions=table.versions,
        error=error,
    )


def collect(
    jobs: Iterable[Job], table: Table, finished: Callable[[Trajectory], None], caps: Caps | None = None
) -> None:
    """Play many dialogues at once.

    Args:
        jobs: what to play; drawn from only as seats become free.
        table: who plays.
        finished: called with each dialogue the moment it ends, one at a time, from the thread that played it.
        caps: how much may happen at once.

    When the agent fails, or Ctrl-C arrives, no further call is started, what is under way at a model server or in the
    sandbox is waited for, dialogues that end with it are still handed to ``finished``, and the exception is raised.

    Raises:
        PolicyError: the agent failed.
        TaskError: a task cannot be graded.
        AssetError: a page links an asset that has not been fetched.
    """
    caps = caps or Caps()
    gates = _Gates(caps)
    handing_over = threading.Lock()

    def run(job: Job) -> None:
        try:
            trajectory = _play(job, table, gates)
        except Stopped:
            return
        with handing_over:
            finished(trajectory)

    waiting = iter(jobs)
    running: set[Future[None]] = set()
    with ThreadPoolExecutor(max_workers=caps.dialogues, thread_name_prefix="dialogue") as executor:
        try:
            while True:
                while len(running) < 2 * caps.dialogues and (job := next(waiting, None)) is not None:
                    running.add(executor.submit(run, job))
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    future.result()
        finally:
            gates.stop.set()
            executor.shutdown(wait=False, cancel_futures=True)
