"""Play one dialogue, or many at once, into trajectories."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Literal

from colbench_gym.chat import in_dialogue
from colbench_gym.dialogue import ChatMessage
from colbench_gym.episode import Episode
from colbench_gym.errors import InfrastructureError, PolicyError, UsageError
from colbench_gym.graders import Grade, Grader
from colbench_gym.humans import HumanSimulator
from colbench_gym.humans.leaks import Leak, measure_reply
from colbench_gym.policies import Policy, PrivilegedPolicy, SeededPolicy
from colbench_gym.prompts import Prompts
from colbench_gym.rules import Rules
from colbench_gym.tasks import BackendTask, Task
from colbench_gym.trajectory import Trajectory

Reward = Literal["success", "pass_rate"]
REWARDS: tuple[Reward, Reward] = ("success", "pass_rate")


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
    """Everything that two seats need to play: who sits there, who grades, and the rules."""

    policy: Policy | PrivilegedPolicy
    human: HumanSimulator
    grader: Grader
    rules: Rules
    prompts: Prompts
    reward: Reward = "success"
    env_id: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)


class Stopped(Exception):
    """The run was asked to stop; this dialogue was left unfinished."""


class _Gates:
    """One gate for each kind of call; passing one notices a stop."""

    def __init__(self, caps: Caps) -> None:
        self.stop = threading.Event()
        self._gates = {name: threading.Semaphore(getattr(caps, name)) for name in ("agent", "human", "sandbox")}

    def through(self, kind: str, call: Callable[[], object]) -> object:
        with self._gates[kind]:
            if self.stop.is_set():
                raise Stopped
            return call()


def play(job: Job, table: Table, caps: Caps | None = None) -> Trajectory:
    """Play one dialogue to its end.

    A human or grader that fails gives a trajectory with outcome ``human_error`` or ``grader_error`` and no reward.

    Raises:
        PolicyError: the agent failed.
        TaskError: the task cannot be graded.
    """
    return _play(job, table, _Gates(caps or Caps()))


def _play(job: Job, table: Table, gates: _Gates) -> Trajectory:
    with in_dialogue(f"task {job.task.task_id}, repeat {job.repeat}"):  # recorded models replay by this name
        return _play_named(job, table, gates)


def _play_named(job: Job, table: Table, gates: _Gates) -> Trajectory:
    episode = Episode(table.rules, job.task.description)
    brief = ChatMessage(role="system", content=table.prompts.agent_brief(table.rules))
    policy = _seat(table.policy, job)
    leak = Leak()
    while not episode.over:
        messages = (brief, *episode.dialogue.messages("agent"))
        text = gates.through("agent", lambda: _act(policy, messages))  # noqa: B023  called at once
        episode.say("agent", _checked(text), input=messages)
        if episode.over:
            break
        try:
            reply = gates.through("human", lambda: table.human.reply(job.task, episode.dialogue))
        except (Stopped, UsageError):
            raise
        except Exception as e:  # noqa: BLE001  whatever a human of any make raises is its own failure, and an outcome
            return _finish(job, table, episode, leak, outcome="human_error", error=_said(e))
        before = episode.dialogue
        episode.say("human", str(reply))
        said = episode.dialogue.turns[-1].content
        leak += measure_reply(job.task, before.turns[-1].content, said, said_before=before.transcript())
    try:
        answer = episode.answer or ""
        grade = gates.through("sandbox", lambda: table.grader.grade(job.task, answer))
    except (Stopped, UsageError):
        raise
    except Exception as e:  # noqa: BLE001  the same for a grader
        return _finish(job, table, episode, leak, outcome="grader_error", error=_said(e))
    assert isinstance(grade, Grade)
    return _finish(job, table, episode, leak, outcome=episode.outcome, grade=grade)


def _seat(policy: Policy | PrivilegedPolicy, job: Job) -> Policy:
    seat = policy.for_task(job.task) if isinstance(policy, PrivilegedPolicy) else policy
    return seat.seeded(job.seed) if isinstance(seat, SeededPolicy) else seat


def _act(policy: Policy, messages: Sequence[ChatMessage]) -> str:
    try:
        return policy.act(messages)
    except (InfrastructureError, UsageError):
        raise
    except Exception as e:
        raise PolicyError(f"the agent raised {_said(e)}; it must return its next message as a string") from e


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise PolicyError(f"the agent returned {type(text).__name__}; it must return its next message as a string")
    return text


def _said(e: Exception) -> str:
    return f"{type(e).__name__}: {e}"


def _finish(
    job: Job, table: Table, episode: Episode, leak: Leak, outcome: str, grade: Grade | None = None, error: str = ""
) -> Trajectory:
    backend = isinstance(job.task, BackendTask)
    score = None if grade is None else grade.score
    paid = None
    if grade is not None:
        paid = float(grade.success) if backend and table.reward == "success" else grade.score
    return Trajectory(
        task=job.task,
        dialogue=episode.dialogue,
        answer=episode.answer or "",
        reward=paid,
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
        leak=leak.as_info(),
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
