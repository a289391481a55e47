"""Play one dialogue, or many at once, into trajectories."""

from __future__ import annotations

import hashlib
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, TypeVar

from colbench_gym.chat.dialogue_name import in_dialogue
from colbench_gym.concurrency.threads import many_threads
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import AssetError, ColBenchError, InfrastructureError, PolicyError, TaskError, UsageError
from colbench_gym.policies import Policy, PrivilegedPolicy, SeededPolicy
from colbench_gym.rules import ENV_IDS
from colbench_gym.scenario import Scenario
from colbench_gym.task_episode import TaskEpisode
from colbench_gym.tasks import Task
from colbench_gym.trajectory import Trajectory

Result = TypeVar("Result")

KINDS = ("agent", "human", "sandbox")  # of calls
_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True)
class Job:
    """One dialogue to play: a task, which repetition of it, and the seed of that dialogue."""

    task: Task
    repeat: int
    seed: int

    @property
    def key(self) -> tuple[str, int]:
        """Name of the dialogue within a run."""
        return self.task.task_id, self.repeat


def make_jobs(tasks: Sequence[Task], repeats: int, seed: int) -> tuple[Job, ...]:
    """Return every task ``repeats`` times, in order; each dialogue has a seed that depends on nothing else."""
    return tuple(
        Job(task, repeat, dialogue_seed(seed, task.task_id, repeat)) for task in tasks for repeat in range(repeats)
    )


def dialogue_seed(seed: int, task_id: str, repeat: int) -> int:
    """Return the seed of one dialogue: 31 bits, equal on every machine."""
    digest = hashlib.blake2b(f"{seed}/{repeat}/{task_id}".encode("utf-8", "replace"), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


@dataclass(frozen=True)
class ConcurrencyLimits:
    """Limits of what happens at once: dialogues, and within them calls of each kind."""

    dialogues: int = 8
    agent: int = 8
    human: int = 8
    sandbox: int = 8

    def __post_init__(self) -> None:
        for name, limit in vars(self).items():
            if limit < 1:
                raise UsageError(f"got a concurrency of {limit} for {name}, expected at least 1")


class Stopped(Exception):
    """Request to stop the run; this dialogue was left unfinished."""


class Gates:
    """One gate for each kind of call, and counts of the dialogues under way and of those that wait. Thread-safe.

    Args:
        limits: how much may happen at once.
        spent: returns whether a budget is spent: then neither agent nor human is asked any more, answers that are
            there are graded, and dialogues without one are left unfinished.
    """

    def __init__(self, limits: ConcurrencyLimits, spent: Callable[[], bool] = lambda: False) -> None:
        self.limits, self.spent = limits, spent
        self.stop = threading.Event()
        self._gates = {name: threading.Semaphore(getattr(limits, name)) for name in KINDS}
        self._lock, self._counts = threading.Lock(), Counter[str]()

    def through(self, kind: str, call: Callable[[], Result]) -> Result:
        """Make a call when its gate has room, or raise Stopped where the run is to end."""
        with self.counted(kind), self._gates[kind]:
            if self.stop.is_set() or (kind != "sandbox" and self.spent()):
                raise Stopped
            return call()

    @contextmanager
    def counted(self, kind: str = "dialogue") -> Iterator[None]:
        """Count one more dialogue, or one more that waits for a call of this kind, inside the block."""
        with self._lock:
            self._counts[kind] += 1
        try:
            yield
        finally:
            with self._lock:
                self._counts[kind] -= 1

    def counts(self) -> tuple[int, dict[str, int]]:
        """Return how many dialogues are under way, and how many of them wait for what, queued or under way."""
        with self._lock:
            return self._counts["dialogue"], {kind: self._counts[kind] for kind in KINDS}


def play(job: Job, policy: Policy | PrivilegedPolicy, scenario: Scenario, gates: Gates | None = None) -> Trajectory:
    """Play one dialogue to its end.

    A human or grader that fails gives a trajectory with outcome ``human_error`` or ``grader_error`` and no reward. So
    does a browser, by what was lost: the human's reply, and with it the rest of the dialogue, or the grade. Dialogues
    that are played at once share ``gates``.

    Raises:
        PolicyError: the agent failed.
        TaskError: the task cannot be graded.
        AssetError: a page links an asset that has not been fetched.
    """
    began = time.monotonic()
    with in_dialogue(f"task {job.task.task_id}, repeat {job.repeat}") as spent:
        trajectory = _play_turns(job, _seat(policy, job), scenario, gates or Gates(ConcurrencyLimits()))
    return replace(trajectory, seconds=round(time.monotonic() - began, 3), tokens=spent.tokens or None)


def _play_turns(job: Job, policy: Policy, scenario: Scenario, gates: Gates) -> Trajectory:
    episode = scenario.episode_of(job.task)
    while not episode.over:
        messages = episode.messages
        text = gates.through("agent", partial(_act, policy, messages))
        try:
            episode.speak("agent", text, input=messages)
        except UsageError as e:
            raise PolicyError(f"the agent's message on task {job.task.task_id!r} cannot be used: {e}") from e
        try:
            gates.through("sandbox" if episode.over else "human", episode.respond)
        except (Stopped, TaskError, AssetError):
            raise
        except Exception as e:  # noqa: BLE001  whatever a human or a grader of any make raises is an outcome
            failed = "grader_error" if episode.over else "human_error"
            return _trajectory(job, scenario, episode, outcome=failed, error=_described(e))
    return _trajectory(job, scenario, episode, outcome=episode.episode.outcome)


def _described(error: Exception) -> str:
    """Return an error as a line; one that is not ours with the place outside this package that it came through."""
    text = f"{type(error).__name__}: {error}"
    frames = [] if isinstance(error, ColBenchError) else traceback.extract_tb(error.__traceback__)
    place = next((frame for frame in frames if not Path(frame.filename).is_relative_to(_PACKAGE)), None)
    return text if place is None else f"{text} ({Path(place.filename).name}, line {place.lineno})"


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


def _trajectory(job: Job, scenario: Scenario, episode: TaskEpisode, outcome: str, error: str = "") -> Trajectory:
    grade, graded = episode.final_grade, dict[str, Any]()
    if grade is not None:
        score = "pass_rate" if job.task.track == "backend" else "similarity"
        graded = {name: getattr(grade, name) for name in ("success", "metric", "test_outcomes")} | {score: grade.score}
    return Trajectory(
        task=job.task,
        dialogue=episode.episode.dialogue,
        answer=episode.episode.answer or "",
        reward=None if grade is None else episode.reward,
        rules=scenario.rules,
        outcome=outcome,
        env_id=ENV_IDS[job.task.track],
        repeat=job.repeat,
        seed=job.seed,
        leak=episode.leak.as_info(),
        versions=scenario.versions,
        error=error,
        **graded,
    )


def collect(
    jobs: Iterable[Job],
    policy: Policy | PrivilegedPolicy,
    scenario: Scenario,
    finished: Callable[[Trajectory], None],
    limits: ConcurrencyLimits | None = None,
    gates: Gates | None = None,
) -> None:
    """Play many dialogues at once.

    Args:
        jobs: what to play; drawn from only as seats become free.
        policy: the agent.
        scenario: what it plays with.
        finished: called with each dialogue the moment it ends, one at a time, from the thread that played it.
        limits: how much may happen at once.
        gates: in place of the limits, where somebody counts what is under way or a budget may be spent.

    When the agent fails, or Ctrl-C arrives, no further call is started, what is under way at a model server or in the
    sandbox is waited for, dialogues that end with it are still handed to ``finished``, and the exception is raised.

    Raises:
        PolicyError, TaskError, AssetError: as :func:`play` does.
    """
    gates = gates or Gates(limits or ConcurrencyLimits())
    handing_over = threading.Lock()

    def run(job: Job) -> None:
        with gates.counted():
            try:
                trajectory = play(job, policy, scenario, gates)
            except Stopped:
                return
            with handing_over:
                finished(trajectory)

    waiting, most = iter(jobs), gates.limits.dialogues
    ended: SimpleQueue[Future[None]] = SimpleQueue()
    running = 0
    with many_threads(most), ThreadPoolExecutor(most, thread_name_prefix="dialogue") as executor:
        try:
            while True:
                while running < 2 * most and not gates.spent() and (job := next(waiting, None)) is not None:
                    executor.submit(run, job).add_done_callback(ended.put)
                    running += 1
                if not running:
                    return
                ended.get().result()
                running -= 1
        finally:
            gates.stop.set()
            executor.shutdown(wait=False, cancel_futures=True)


class Workers:
    """Threads of this process that play dialogues; a subclass plays them on other machines."""

    def collect(
        self,
        jobs: Iterable[Job],
        policy: Policy | PrivilegedPolicy,
        scenario: Scenario,
        finished: Callable[[Trajectory], None],
        gates: Gates,
    ) -> None:
        """Play many dialogues at once; see :func:`collect`."""
        collect(jobs, policy, scenario, finished, gates=gates)

    def used(self) -> Mapping[str, Mapping[str, Any]]:  # Any: counts
        """Return tokens and the like of each seat that was not played in this process."""
        return {}
