"""Tasks: the functions and pages to be built, and where they come from.

A task spec is ``NAME[:SPLIT]``, split ``test`` by default:

* ``generated[:SPLIT[:DIFFICULTY]]``: endless tasks that need no download (splits ``train``, ``validation``, ``test``,
  ``test_compositions``, ``test_domains``; difficulties ``easy``, ``medium``, ``hard``, of functions also
  ``habits``: what is left open can be learnt);
* ``examples``: five functions and three pages, written by hand, short enough to follow;
* a path to a JSONL file of tasks in the official format;
* ``official``: the official backend tasks, downloaded from the hub (splits ``train``, ``test``);
* ``websight``: frontend tasks as the paper made them of WebSight, from the hub (splits ``train``, ``test``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar, overload, runtime_checkable

from colbench_gym.errors import InputFileError, TaskError, UnknownNameError, UsageError, check_instance
from colbench_gym.rules import Track, check_track

if TYPE_CHECKING:
    import numpy as np

SPLITS = ("train", "validation", "test")
SET_NAMES = ("generated", "examples", "official", "websight")  # what load_tasks knows by name


@dataclass(frozen=True)
class Decision:
    """One thing that was decided, in plain words.

    Attributes:
        key: a short name, unique within the task.
        about: what it is about, in several phrasings, none of which gives the choice away; one that several decisions
            share is a clause of the description that hints at all of them.
        says: what was decided, in several phrasings (whole sentences that a person would say).
        topics: lower-case words by which a question about it can be known.
        kind: what sort of thing it is, the same word in all tasks: "rounding", "empty", "limit".
        off: the program does nothing of the kind, and ``says`` tells so.
        stated: the description tells it already.
    """

    key: str
    about: tuple[str, ...] = ()
    says: tuple[str, ...] = field(default=(), repr=False)
    topics: tuple[str, ...] = field(default=(), repr=False)
    kind: str = ""
    off: bool = field(default=False, repr=False)
    stated: bool = False


@dataclass(frozen=True)
class BackendTask:
    """A Python function to write.

    Attributes:
        task_id: unique within its task set.
        description: the vague public request, with the signature; all that the agent is told.
        reference: hidden: source of the wanted function.
        calls: hidden: the test call expressions.
        test_names: one name for each call.
        hidden_information: hidden: what the human is shown; the reference in every official task.
        decisions: hidden: what the description leaves open, where the task's author wrote it down.
        row: hidden: the task as its file has it, other fields included.
    """

    task_id: str
    description: str
    reference: str = field(repr=False)
    calls: tuple[str, ...] = field(repr=False)
    test_names: tuple[str, ...] = field(repr=False)
    hidden_information: str = field(repr=False)
    decisions: tuple[Decision, ...] = field(default=(), repr=False)
    row: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)  # Any: JSON of other people

    @property
    def track(self) -> Track:
        """Track whose rules apply."""
        return "backend"


@dataclass(frozen=True)
class FrontendTask:
    """A web page to build.

    Attributes:
        task_id: unique within its task set.
        description: the vague public request.
        reference: hidden: HTML of the wanted page.
        row: hidden: the task as its file has it.
    """

    task_id: str
    description: str
    reference: str = field(repr=False)
    row: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)  # Any: JSON of other people

    @property
    def track(self) -> Track:
        """Track whose rules apply."""
        return "frontend"


Task = BackendTask | FrontendTask
T_co = TypeVar("T_co", bound=Task, covariant=True)


def backend_task(task: Task) -> BackendTask:
    """Return the task, which must be of the backend track.

    Raises:
        TaskError: it is of another track.
    """
    if not isinstance(task, BackendTask):
        raise TaskError(f"task {task.task_id!r} is of the {task.track} track; expected a backend task")
    return task


@runtime_checkable
class TaskSet(Protocol):
    """Tasks in a fixed order."""

    @property
    def spec(self) -> str:
        """Spec it was loaded from."""

    @property
    def size(self) -> int | None:
        """Number of tasks; None when there is no end to them."""

    def at(self, index: int) -> Task:
        """Return the task at a position, from 0.

        Raises:
            UnknownTaskError: no such position.
        """

    def get(self, task_id: str | int) -> Task:
        """Return the task with that id.

        Raises:
            UnknownTaskError: no such id.
        """

    def sample(self, rng: np.random.Generator) -> Task:
        """Return one task, drawn with replacement."""


class TasksOf(TaskSet, Protocol[T_co]):
    """Tasks of one track in a fixed order."""

    def at(self, index: int) -> T_co:
        """Return the task at a position, from 0."""

    def get(self, task_id: str | int) -> T_co:
        """Return the task with that id."""

    def sample(self, rng: np.random.Generator) -> T_co:
        """Return one task, drawn with replacement."""


BackendTasks = TasksOf[BackendTask]
FrontendTasks = TasksOf[FrontendTask]


class Rows(Protocol):
    """Rows with a length, such as a ``datasets.Dataset``."""

    def __len__(self) -> int: ...

    def __getitem__(self, index: int, /) -> Any: ...  # Any: a row of other people


TaskRows = Sequence[Mapping[str, Any]] | Sequence[Task] | Rows  # Any: JSON of other people
TaskSource = str | Path | TaskSet | TaskRows


@overload
def load_tasks(spec: TaskSource, track: Literal["backend"] = "backend") -> BackendTasks: ...
@overload
def load_tasks(spec: TaskSource, track: Literal["frontend"]) -> FrontendTasks: ...
@overload
def load_tasks(spec: TaskSource, track: Track) -> TaskSet: ...
def load_tasks(spec: TaskSource, track: Track = "backend") -> TaskSet:
    """Open a task set.

    Args:
        spec: see the module's docstring; a list of task rows, a ``datasets.Dataset`` of them or a list of tasks; a
            TaskSet is returned as it is.
        track: which kind of task is wanted.

    Raises:
        UsageError: the spec is empty, or none of these; or a row of a list is broken.
        UnknownNameError: no such name or split.
        InputFileError: there is no such file, or a row of the file is broken; file, line and field are named and
            nothing is loaded.
    """
    check_track(track)
    if not isinstance(spec, (str, Path)):
        check_instance("tasks", spec)
        if isinstance(spec, TaskSet):
            return spec
        from colbench_gym.tasks.rows import tasks_from_rows

        return tasks_from_rows(spec, track)
    text = str(spec)
    if not text:
        raise UsageError(
            f"the task spec is empty; expected one of {', '.join(map(repr, SET_NAMES))}, or the path of a JSONL file"
        )
    name, _, split = text.partition(":")
    if name == "generated":
        return _generated(split or "test", track)
    if name == "examples":
        from colbench_gym.tasks.examples import load_examples

        return load_examples(split or "test", track)
    if name == "official":
        from colbench_gym.tasks.official import download

        return download(split or "test", track)
    if name == "websight":
        from colbench_gym.tasks.websight import load_websight

        return load_websight(split or "test", track)
    path = Path(text)
    if path.is_file():
        from colbench_gym.tasks.official import read_tasks

        return read_tasks(path, track)
    if isinstance(spec, Path) or path.suffix or "/" in text or path.exists():
        problem = "is a folder" if path.is_dir() else "no such task file"
        raise InputFileError(
            f"{text}: {problem}; expected a JSONL file of tasks, or one of the names {', '.join(map(repr, SET_NAMES))}"
        )
    raise UnknownNameError.among("task set", text, (*SET_NAMES, "PATH.jsonl"))


def _generated(part: str, track: Track) -> TaskSet:
    split, _, difficulty = part.partition(":")
    if track == "backend":
        from colbench_gym.tasks.generated_backend.task_set import GeneratedBackendTasks

        return GeneratedBackendTasks(split, difficulty or "default")
    from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

    return GeneratedFrontendTasks(split, difficulty or "default")
