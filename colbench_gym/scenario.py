"""What an episode is played with, opened and closed in one place: tasks, human, grader, rules, prompts and renderer."""

from __future__ import annotations

import platform
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, fields, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypedDict, TypeVar, cast

import numpy as np

from colbench_gym.dialogue import ChatMessage
from colbench_gym.errors import UnknownNameError, UsageError
from colbench_gym.graders import Grader
from colbench_gym.graders.similarities import SIMILARITIES, make_similarity
from colbench_gym.graders.unit_tests import GRADINGS, UnitTestGrader
from colbench_gym.humans import HumanSimulator, make_human
from colbench_gym.leases import ClosedAtExit
from colbench_gym.prompts import Prompts, check_human_wording, read_prompts
from colbench_gym.rendering import RENDERERS, Renderer, open_renderer
from colbench_gym.rules import RULES, Rules, Track
from colbench_gym.sandboxes import Sandbox, open_sandbox
from colbench_gym.task_episode import REWARD_KINDS, RewardKind, TaskEpisode, check_reward_kind
from colbench_gym.tasks import Task, TaskSet, load_tasks
from colbench_gym.version import __version__, installed_version

SANDBOXES = ("process", "docker", "unsafe")
_PACKAGES = {"layout": ("scipy", "pillow"), "clip": ("torch", "transformers", "pillow")}  # they can change a number


class HumanSeat(Enum):
    """Player of the human's seat that is no simulator. Not None, which is what a lost keyword value often is."""

    OUTSIDE = "the human's seat is played from outside"


Human = str | HumanSimulator | Literal[HumanSeat.OUTSIDE]
Resource = TypeVar("Resource", Sandbox, Renderer)
PromptSource = str | Path | Mapping[str, str] | Prompts | None


@dataclass(frozen=True, kw_only=True)
class Options:
    """Options that both tracks have; each field carries its default and its help."""

    tasks: str | Path | TaskSet = field(
        default="generated",
        metadata={"help": "generated[:SPLIT], official[:SPLIT], websight[:SPLIT] or a JSONL file of tasks"},
    )
    human: Human = field(
        default="scripted", metadata={"help": "who is asked: scripted, openai:MODEL[@BASE_URL], replay:FILE, console"}
    )
    leaks: str = field(
        default="refuse",
        metadata={"help": "a model human's replies that show code: refuse (ask again, then refuse), ask-again, count"},
    )
    human_knows: str = field(
        default="source",
        metadata={"help": "backend: what a model human is told: source, or claims (what the scripted human would say)"},
    )
    max_turns: int = field(
        default=Rules.max_turns, metadata={"help": "agent turns; 1 is the single-turn setting of Table 2"}
    )
    prompts: PromptSource = field(
        default=None,
        metadata={"help": "a folder with your copy of the official prompt files; our own wording when not given"},
    )


@dataclass(frozen=True, kw_only=True)
class BackendOptions(Options):
    """Options of a backend scenario."""

    sandbox: str | Sandbox = field(
        default="process", metadata={"help": "backend: where answers run: process (default), docker, unsafe"}
    )
    grading: str | Grader = field(
        default="strict",
        metadata={"help": "backend: strict (right; default) or paper (bug-compatible with the official grader)"},
    )
    reward: str = field(
        default=REWARD_KINDS["backend"][0], metadata={"help": "backend: success (0 or 1; default) or pass_rate"}
    )


@dataclass(frozen=True, kw_only=True)
class FrontendOptions(Options):
    """Options of a frontend scenario."""

    similarity: str | Grader = field(
        default="layout",
        metadata={"help": "frontend: layout (needs no model; default), clip (the paper's) or clip:PATH"},
    )
    renderer: str | Renderer = field(
        default="chromium", metadata={"help": "frontend: what renders pages: chromium, scripted (for tests)"}
    )


OPTIONS: Mapping[Track, type[BackendOptions] | type[FrontendOptions]] = {
    "backend": BackendOptions,
    "frontend": FrontendOptions,
}
HELP: Mapping[str, str] = {
    option.name: option.metadata["help"] for options in OPTIONS.values() for option in fields(options)
}


class PromptRow(TypedDict):
    """One row of a trainer's data set: a task, and the chat messages that its dialogue begins with."""

    task_id: str
    prompt: list[ChatMessage]


@dataclass(frozen=True)
class Scenario(ClosedAtExit):
    """Everything that episodes of one track are played with. :func:`open_scenario` makes it; it is a context manager.

    Attributes:
        tasks: what there is to play.
        human: replies to the agent; None where its seat is played from outside.
        grader: grades answers.
        rules: the track's rules.
        prompts: the wording for both seats.
        reward: what is paid.
        renderer: frontend: renders pages for human, grader and observations.
        settings: names of what decides about numbers, the sandbox that COLBENCH_SANDBOX put in its place included.
    """

    tasks: TaskSet
    human: HumanSimulator | None
    grader: Grader
    rules: Rules
    prompts: Prompts
    reward: RewardKind
    renderer: Renderer | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    _opened: ExitStack = field(repr=False, default_factory=ExitStack)

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
            seed: of that draw, which is the one that ``env.reset(seed=seed)`` makes.

        Raises:
            UnknownTaskError: no such task.
        """
        return self.episode_of(
            self.tasks.sample(np.random.default_rng(seed)) if task_id is None else self.tasks.get(task_id)
        )

    def episode_of(self, task: Task) -> TaskEpisode:
        """Begin an episode about a task, also one that is not among :attr:`tasks`."""
        return TaskEpisode(
            task,
            self.rules,
            self.prompts,
            human=self.human,
            grader=self.grader,
            reward=self.reward,
            renderer=self.renderer,
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

    def close(self) -> None:
        """Close what was opened for this scenario; live objects that were handed in stay open."""
        self._opened.close()


def open_scenario(track: Track, *, record: Path | None = None, **options: Any) -> Scenario:  # Any: see the classes
    """Open everything that episodes of a track are played with, or nothing.

    Args:
        track: ``backend`` or ``frontend``.
        record: a JSONL file for every exchange with a language-model human, for ``human="replay:FILE"``.
        options: fields of :class:`BackendOptions` or :class:`FrontendOptions`. Live objects stay open on ``close``.

    Raises:
        UnknownNameError: a name that is not known; the known ones are listed.
        UsageError: a value of the wrong type or out of range.
        InputFileError: a file of tasks, prompts or recordings cannot be read.
        MissingExtraError: a package that is needed is not installed.
        SandboxUnavailableError, RendererError: this machine cannot run it; the message names the ways out.
    """
    chosen = read_options(track, options, f"{track} scenario")
    rules = RULES[track].with_max_turns(chosen.max_turns)
    reward = check_reward_kind(chosen.reward if isinstance(chosen, BackendOptions) else None, track)
    prompts = read_prompts(chosen.prompts, track)
    if isinstance(chosen, FrontendOptions):
        _check_frontend(chosen)
    tasks = load_tasks(chosen.tasks, track)
    with ExitStack() as opened:
        renderer = None
        if isinstance(chosen, BackendOptions):
            grader, settings = _backend_grader(chosen, opened)
        else:
            renderer = _given_or_opened(chosen.renderer, open_renderer, opened)
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
            )
            if isinstance(chosen.human, str):
                opened.callback(human.close)
        settings = {"reward": reward, **settings}
        return Scenario(tasks, human, grader, rules, prompts, reward, renderer, settings, opened.pop_all())


def read_options(
    track: Track,
    given: Mapping[str, object],
    kind: str,
    also: tuple[str, ...] = (),
    without: tuple[str, ...] = (),
) -> BackendOptions | FrontendOptions:
    """Return the options of a track.

    Args:
        track: which track's.
        given: those that differ from the defaults.
        kind: what takes them, for the error message.
        also: other keywords that ``kind`` knows, for the error message.
        without: options of the track that ``kind`` does not take.

    Raises:
        UnknownNameError: nobody reads one of them.
    """
    known = [option.name for option in fields(OPTIONS[track]) if option.name not in without]
    for name in given:
        if name == "max_episode_steps":
            raise UnknownNameError(
                f"got max_episode_steps={given[name]!r} for {kind}; expected max_turns, as the number of the agent's "
                "turns belongs to the task and ends it; write max_turns instead"
            )
        if name not in known:
            raise UnknownNameError.among(f"keyword argument of {kind}", name, (*known, *also))
    return OPTIONS[track](**cast("Any", given))  # Any: each value is checked where it is used


def first_tasks(tasks: TaskSet, n: int | None) -> tuple[Task, ...]:
    """Return the first ``n`` tasks, or all of them.

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


def _backend_grader(options: BackendOptions, opened: ExitStack) -> tuple[Grader, dict[str, str]]:
    if not isinstance(options.sandbox, (str, Sandbox)):
        raise _wrong_value("sandbox", options.sandbox, SANDBOXES, "run(program) and close()")
    if not isinstance(options.grading, (str, Grader)):
        raise _wrong_value("grading", options.grading, tuple(GRADINGS), "grade(task, answer) and close()")
    if not isinstance(options.grading, str):
        return options.grading, {}
    sandbox = _given_or_opened(options.sandbox, open_sandbox, opened)
    grader = opened.enter_context(closing(UnitTestGrader(sandbox, grading=options.grading)))
    kind = str(getattr(sandbox, "kind", options.sandbox))  # COLBENCH_SANDBOX may have decided
    return grader, {"sandbox": kind, "grading": options.grading}


def _check_frontend(options: FrontendOptions) -> None:
    """Refuse before a browser is started."""
    if not isinstance(options.renderer, (str, Renderer)):
        raise _wrong_value("renderer", options.renderer, RENDERERS, "versions, render(html) and close()")
    if not isinstance(options.similarity, (str, Grader)):
        raise _wrong_value("similarity", options.similarity, SIMILARITIES, "grade(task, answer) and close()")
    known = {name.partition(":")[0] for name in SIMILARITIES}
    if isinstance(options.similarity, str) and options.similarity.partition(":")[0] not in known:
        raise UnknownNameError.among("similarity", options.similarity, SIMILARITIES)


def _frontend_grader(options: FrontendOptions, renderer: Renderer, opened: ExitStack) -> tuple[Grader, dict[str, str]]:
    if not isinstance(options.similarity, str):
        return options.similarity, {}
    grader = opened.enter_context(closing(make_similarity(options.similarity, renderer)))
    return grader, {"similarity": options.similarity}


def _given_or_opened(given: str | Resource, opener: Callable[[str], Resource], opened: ExitStack) -> Resource:
    """Return a live object as it is, or open what a name stands for, to be closed with ``opened``."""
    return opened.enter_context(closing(opener(given))) if isinstance(given, str) else given


def _wrong_value(option: str, value: object, names: tuple[str, ...], methods: str) -> UsageError:
    known = ", ".join(map(repr, names))
    return UsageError(
        f"got {option}={value!r}, expected one of {known}, or an object with {methods}; leave {option} out for the "
        "default"
    )
