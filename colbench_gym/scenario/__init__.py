"""Parts of an episode, opened and closed in one place: tasks, human, grader, rules, prompts and renderer."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, TypeVar, overload

import numpy as np

from colbench_gym.concurrency.leases import ClosedAtExit
from colbench_gym.concurrency.threads import CallThreads
from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UsageError
from colbench_gym.graders import Grader
from colbench_gym.graders.rewards import Reward, name_of, read_reward
from colbench_gym.graders.similarities import make_similarity
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.humans import HumanSimulator, make_human
from colbench_gym.prompts import Prompts, check_human_wording, read_prompts
from colbench_gym.prompts.official import load_official
from colbench_gym.python_code.factory import made_by
from colbench_gym.rendering import OFFICIAL_WINDOW, WINDOW, Renderer, open_renderer
from colbench_gym.rendering.assets import Assets
from colbench_gym.rules import RULES, Rules, Track
from colbench_gym.sandboxes import Sandbox, open_sandbox
from colbench_gym.scenario.options import MODEL_SETTINGS as MODEL_SETTINGS
from colbench_gym.scenario.options import OPTIONS as OPTIONS
from colbench_gym.scenario.options import BackendOptions as BackendOptions
from colbench_gym.scenario.options import FrontendOptions as FrontendOptions
from colbench_gym.scenario.options import Human as Human
from colbench_gym.scenario.options import HumanSeat as HumanSeat
from colbench_gym.scenario.options import Options as Options
from colbench_gym.scenario.options import check_options as check_options
from colbench_gym.scenario.options import given_options as given_options
from colbench_gym.scenario.paper import PHOTO, official_checkout
from colbench_gym.task_episode import TaskEpisode
from colbench_gym.tasks import Task, TaskSet, load_tasks
from colbench_gym.version import __version__, installed_version

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from colbench_gym.scenario.keywords import BackendKeywords, FrontendKeywords

_PACKAGES = {"layout": ("scipy", "pillow"), "clip": ("torch", "transformers", "pillow")}  # they can change a number

Resource = TypeVar("Resource", Sandbox, Renderer)


class PromptRow(TypedDict):
    """One row of a trainer's data set: a task, and the chat messages that its dialogue begins with."""

    task_id: str
    prompt: list[ChatMessage]


@dataclass(frozen=True)
class Scenario(ClosedAtExit):
    """Everything that episodes of one track are played with. :func:`open_scenario` makes it; it is a context manager.

    Its episodes may be played in many threads and asyncio tasks at once; they share its human, grader, sandbox or
    renderer.

    >>> with open_scenario("backend", tasks="generated:train") as scenario:
    ...     prompts = scenario.rows(2)
    ...     episode = scenario.episode(task_id=prompts[0]["task_id"])
    ...     while not episode.over:
    ...         reply = episode.say("I WANT TO ANSWER: def f(): pass")  # your agent's next message
    >>> episode.reward, episode.info["outcome"]
    (0.0, 'answered')

    Attributes:
        tasks: what there is to play.
        human: replies to the agent; None where its seat is played from outside.
        grader: grades answers.
        rules: the track's rules.
        prompts: the wording for both seats.
        reward: what is paid.
        renderer: frontend: renders pages for human, grader and observations.
        settings: names of what decides about numbers, the sandbox that COLBENCH_SANDBOX put in its place included.
        keeps_draft: frontend: a turn without a page shows the human the last one again.
    """

    tasks: TaskSet
    human: HumanSimulator | None
    grader: Grader
    rules: Rules
    prompts: Prompts = field(repr=False)
    reward: Reward
    renderer: Renderer | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    keeps_draft: bool = True
    _opened: ExitStack = field(repr=False, default_factory=ExitStack)
    _threads: CallThreads = field(repr=False, default_factory=CallThreads)
    _asked: tuple[BackendOptions | FrontendOptions, Path | None] | None = field(repr=False, default=None)

    @cached_property
    def versions(self) -> dict[str, str]:
        """Versions of what can change a number."""
        packages = ("numpy", *_PACKAGES.get(self.settings.get("similarity", "").partition(":")[0], ()))
        metric = str(getattr(self.grader, "metric", "")) if self.rules.track == "frontend" else ""
        return {
            "colbench_gym": __version__,
            "python": platform.python_version(),
            **{package: installed for package in packages if (installed := installed_version(package))},
            **({"metric": metric} if metric else {}),
            **(self.grader.versions if isinstance(self.grader, UnitTestGrader) else {}),
            **({} if self.renderer is None else self.renderer.versions),
        }

    @property
    def grading_name(self) -> str:
        """Grading or similarity, for a line about it."""
        return self.settings.get("grading") or self.settings.get("similarity", "")

    def episode(self, task_id: str | int | None = None, seed: int | None = None) -> TaskEpisode:
        """Begin an episode.

        Args:
            task_id: which task; drawn from the tasks when None.
            seed: of that draw, which is the one that ``env.reset(seed=seed)`` makes; not needed for a task that is
                named.

        Raises:
            UnknownTaskError: no such task.
            UsageError: what is no id or no seed, or the scenario is closed.
        """
        if task_id is not None:
            return self.episode_of(self.tasks.get(read_task_id(task_id)))
        if seed is not None and (not isinstance(seed, Integral) or isinstance(seed, bool) or seed < 0):
            raise UsageError(f"got seed={seed!r}, expected an integer of at least 0, or None")
        return self.episode_of(self.tasks.sample(np.random.default_rng(seed)))

    def episode_of(self, task: Task) -> TaskEpisode:
        """Begin an episode about a task, also one that is not among :attr:`tasks`.

        Raises:
            UsageError: the scenario is closed.
        """
        self._threads.check_open()
        return TaskEpisode(
            task,
            self.rules,
            self.prompts,
            human=self.human,
            grader=self.grader,
            reward=self.reward,
            renderer=self.renderer,
            keeps_draft=self.keeps_draft,
            threads=self._threads,
        )

    def rows(self, n: int | None = None) -> list[PromptRow]:
        """Return the first ``n`` tasks, or all, as rows for a trainer: their ids and the messages they begin with."""
        return [
            PromptRow(task_id=task.task_id, prompt=list(self.episode_of(task).messages))
            for task in first_tasks(self.tasks, n)
        ]

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Find out before any dialogue what cannot be graded: every backend task, the first page of the frontend.

        Raises:
            TaskError: a task cannot be graded.
            AssetError: the first page links an asset that has not been fetched.
        """
        if isinstance(self.grader, UnitTestGrader):
            self.grader.check_tasks(tasks)
        elif self.renderer is not None and (first := next(iter(tasks), None)) is not None:
            self.episode_of(first).shown()

    def lent(self) -> Scenario:
        """Return the same scenario for somebody who must not close it."""
        return replace(self, _opened=ExitStack())

    def __deepcopy__(self, memo: dict[int, Any]) -> Scenario:  # Any: as in copy
        """Return itself: it is live, and Gymnasium copies an environment's arguments when its spec is looked at."""
        return self

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle as what was asked for: another process opens a scenario of its own.

        Raises:
            UsageError: a part of it is a live object.
        """
        chosen, record = self._asked or (None, None)
        options = {"scenario": self} if chosen is None else {f.name: getattr(chosen, f.name) for f in fields(chosen)}
        named = (str, int, float, Mapping, Sequence, PathLike, HumanSeat, type(None))
        if live := [name for name, value in options.items() if not isinstance(value, named)]:
            raise UsageError(
                f"got the live object {live[0]}, which another process cannot have; expected names only; pickle an "
                "environment or scenario that was made with names, or make it there"
            )
        return open_checked, (chosen, record)

    @property
    def closed(self) -> bool:
        """True once it has been closed by whoever opened it."""
        return self._threads.closed

    def close(self) -> None:
        """Close what was opened for this scenario; live objects that were handed in stay open."""
        self._opened.close()


@overload
def open_scenario(
    track: Literal["backend"], *, record: Path | None = None, **options: Unpack[BackendKeywords]
) -> Scenario: ...
@overload
def open_scenario(
    track: Literal["frontend"], *, record: Path | None = None, **options: Unpack[FrontendKeywords]
) -> Scenario: ...
def open_scenario(track: Track, *, record: Path | None = None, **options: Any) -> Scenario:  # Any: see the classes
    """Open everything that episodes of a track are played with, or nothing.

    Args:
        track: ``backend`` or ``frontend``.
        record: a JSONL file for every exchange with a language-model human, for ``human="replay:FILE"``.
        options: fields of :class:`BackendOptions` or :class:`FrontendOptions`. Live objects stay open on ``close``.

    Raises:
        UnknownNameError: a name that is not known; the known ones are listed.
        UsageError: a value of the wrong type or out of range, or one that contradicts the profile.
        InputFileError: a file of tasks, prompts, recordings or the official code cannot be read.
        MissingExtraError: a package that is needed is not installed.
        SandboxUnavailableError, RendererError: this machine cannot run it; the message names the ways out.
    """
    return open_checked(check_options(track, options), record)


def open_checked(chosen: BackendOptions | FrontendOptions, record: Path | None = None) -> Scenario:
    """Open what options stand for that :func:`check_options` has returned; see :func:`open_scenario`."""
    track: Track = "backend" if isinstance(chosen, BackendOptions) else "frontend"
    paper = chosen.profile is not None
    rules = replace(
        RULES[track],
        max_turns=chosen.max_turns,
        max_questions=chosen.max_questions,
        official_addresses=paper and track == "frontend",
    )
    reward = read_reward(chosen.reward, track)
    official = official_checkout(chosen.official, chosen.prompts) if paper else None
    prompts = (
        read_prompts(chosen.prompts, track) if official is None else load_official(official, track, str(chosen.profile))
    )
    tasks = load_tasks(chosen.tasks, track)
    with ExitStack() as opened:
        renderer = None
        if isinstance(chosen, BackendOptions):
            grader, settings = _backend_grader(chosen, opened)
        else:
            opener = partial(open_renderer, window=OFFICIAL_WINDOW if paper else WINDOW)
            renderer = _given_or_opened(chosen.renderer, opener, opened)
            grader, settings = _frontend_grader(chosen, renderer, opened)
        human = None
        if chosen.human is HumanSeat.OUTSIDE:
            check_human_wording(prompts, track)
        else:
            human = make_human(
                chosen.human,
                track=track,
                prompts=prompts,
                rules=rules,
                record=record,
                leaks=chosen.leaks,
                knows=chosen.human_knows,
                model=chosen.human_model,
            )
            if isinstance(chosen.human, str):
                opened.callback(human.close)
        settings = {"reward": name_of(chosen.reward, track), **settings, **_profile_settings(chosen, official)}
        threads = CallThreads()
        opened.callback(threads.close)
        return Scenario(
            tasks,
            human,
            grader,
            rules,
            prompts,
            reward,
            renderer,
            settings,
            not paper,
            opened.pop_all(),
            threads,
            (chosen, record),
        )


def read_task_id(task_id: object) -> str | int:
    """Return a task's id as task sets take it.

    Raises:
        UsageError: it is neither a string nor an integer.
    """
    if isinstance(task_id, str):
        return task_id
    if isinstance(task_id, Integral) and not isinstance(task_id, bool):
        return int(task_id)
    raise UsageError(
        f"got a task_id of type {type(task_id).__name__}, expected a task's id, a string or an integer; the ids are in "
        "scenario.rows(n), and printed by: colbench tasks list SPEC"
    )


def first_tasks(tasks: TaskSet, n: int | None) -> tuple[Task, ...]:
    """Return the first ``n`` tasks, or all of them.

    Raises:
        UsageError: more than there are, or no ``n`` where there is no end.
    """
    if n is not None and (not isinstance(n, Integral) or isinstance(n, bool)):
        raise UsageError(f"got n={n!r} of type {type(n).__name__}, expected a number of tasks, such as 100")
    if n is not None and n < 1:
        raise UsageError(f"n is {n}; expected at least 1 task")
    if tasks.size is None and n is None:
        raise UsageError(f"the tasks {tasks.spec!r} have no end; say how many to take: n, or -n on the command line")
    count = n if n is not None else int(tasks.size or 0)
    if tasks.size is not None and count > tasks.size:
        raise UsageError(f"got n={count} tasks (-n), but {tasks.spec} has {tasks.size}; ask for at most {tasks.size}")
    return tuple(tasks.at(index) for index in range(count))


def _backend_grader(options: BackendOptions, opened: ExitStack) -> tuple[Grader, dict[str, str]]:
    if not isinstance(options.grading, str):
        return options.grading, {}
    name, _, target = options.grading.partition(":")
    if name == "python":
        made = made_by(target, "grader", "grade(task, answer)", lambda made: made if isinstance(made, Grader) else None)
        return opened.enter_context(closing(made)), {"grading": options.grading}
    sandbox = _given_or_opened(options.sandbox, open_sandbox, opened)
    grader = opened.enter_context(closing(UnitTestGrader(sandbox, grading=options.grading)))
    kind = str(getattr(sandbox, "kind", options.sandbox))  # COLBENCH_SANDBOX may have decided
    return grader, {"sandbox": kind, "grading": options.grading}


def _profile_settings(options: BackendOptions | FrontendOptions, official: Path | None) -> dict[str, str]:
    """Return the settings that only a run with a profile has."""
    if options.profile is None:
        return {}
    settings = {"profile": options.profile} | ({} if official is None else {"official": str(official)})
    if isinstance(options, FrontendOptions):
        settings["photo"] = PHOTO if options.renderer == "chromium" and Assets().has_picture(PHOTO) else "stand-in"
    return settings


def _frontend_grader(options: FrontendOptions, renderer: Renderer, opened: ExitStack) -> tuple[Grader, dict[str, str]]:
    if isinstance(options.similarity, Grader):
        return options.similarity, {}
    black = options.profile is not None
    grader = opened.enter_context(closing(make_similarity(options.similarity, renderer, missing_is_black=black)))
    return grader, {"similarity": options.similarity} if isinstance(options.similarity, str) else {}


def _given_or_opened(given: str | Resource, opener: Callable[[str], Resource], opened: ExitStack) -> Resource:
    """Return a live object as it is, or open what a name stands for, to be closed with ``opened``."""
    return opened.enter_context(closing(opener(given))) if isinstance(given, str) else given
