"""How answers of a track are graded: settings with the track's defaults filled in, and the grader that they open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version

from colbench_gym.errors import TaskError, UnknownNameError, UsageError
from colbench_gym.graders import Grader
from colbench_gym.graders.unit_tests import UnitTestGrader
from colbench_gym.rendering import Renderer, open_renderer
from colbench_gym.rules import Track
from colbench_gym.sandboxes import open_sandbox
from colbench_gym.task_episode import RewardKind, check_reward_kind
from colbench_gym.tasks import Task

DEFAULTS: Mapping[Track, Mapping[str, str]] = {
    "backend": {"sandbox": "process", "grading": "strict"},
    "frontend": {"similarity": "layout"},
}
_PACKAGES = {"layout": ("scipy", "pillow"), "clip": ("torch", "transformers", "pillow")}  # they can change a number


@dataclass(frozen=True)
class GradingSettings:
    """What a track's grader is opened with.

    Attributes:
        track: whose answers are graded.
        reward: what is paid for them.
        sandbox: backend: where answers run; "" on the frontend track.
        grading: backend: ``strict`` or ``paper``; "" on the frontend track.
        similarity: frontend: how pages are compared; "" on the backend track.
    """

    track: Track
    reward: RewardKind
    sandbox: str = ""
    grading: str = ""
    similarity: str = ""

    def as_json(self) -> dict[str, str]:
        """Those that the track reads."""
        return {name: value for name, value in asdict(self).items() if value and name != "track"}

    @property
    def name(self) -> str:
        """The grading or the similarity, for a line about it."""
        return self.grading or self.similarity


def grading_settings(track: Track, reward: str | None = None, **given: str | None) -> GradingSettings:
    """The settings of a track: those given, and its defaults for those that are None.

    Args:
        track: whose answers are graded.
        reward: what is paid for them.
        given: ``sandbox``, ``grading`` and ``similarity``, as far as the caller has them.

    Raises:
        UsageError: a setting was given that only the other track reads.
        UnknownNameError: the track has no such reward.
    """
    defaults = DEFAULTS[track]
    for name, value in given.items():
        if value is not None and name not in defaults:
            other = next(known for known in DEFAULTS if name in DEFAULTS[known])
            raise UsageError(
                f"--{name} {value} was got for the {track} track; only the {other} track reads it; leave it out"
            )
    chosen = {name: given.get(name) or default for name, default in defaults.items()}
    return GradingSettings(track, check_reward_kind(reward, track), **chosen)


@dataclass(frozen=True)
class OpenedGrading:
    """A grader at work.

    Attributes:
        grader: who grades.
        settings: what decided about it, the sandbox that COLBENCH_SANDBOX put in its place included.
        renderer: frontend: what makes the pictures.
        versions: of what can change a number, the renderer's own left out.
    """

    grader: Grader
    settings: Mapping[str, str]
    renderer: Renderer | None = None
    versions: Mapping[str, str] = field(default_factory=dict)

    def check_tasks(self, tasks: Iterable[Task]) -> None:
        """Find out before any dialogue what cannot be graded: every backend task, the first page of the frontend.

        Raises:
            TaskError: a task cannot be graded.
            AssetError: the first page links an asset that has not been fetched.
        """
        if isinstance(self.grader, UnitTestGrader):
            self.grader.check_tasks(tasks)
        elif self.renderer is not None and (first := next(iter(tasks), None)) is not None:
            rendered = self.renderer.render(first.reference)
            if rendered.status != "rendered":
                raise TaskError(
                    f"the reference of task {first.task_id!r} cannot be rendered ({rendered.status}); expected a page "
                    "that can be; leave the task out"
                )


@contextmanager
def open_grading(settings: GradingSettings, renderer: str | Renderer = "chromium") -> Iterator[OpenedGrading]:
    """Open the grader, and the sandbox or the browser that it needs, once; they close with the context.

    Args:
        settings: what to open.
        renderer: frontend: as for :func:`~colbench_gym.rendering.open_renderer`; a live one stays open.

    Raises:
        UnknownNameError: no such sandbox, grading or similarity.
        SandboxUnavailableError, RendererError: this machine cannot run it; the message names the ways out.
        MissingExtraError: a package that it needs is not installed.
    """
    with ExitStack() as opened:
        if settings.track == "backend":
            sandbox = opened.enter_context(closing(open_sandbox(settings.sandbox)))
            unit_tests = UnitTestGrader(sandbox, grading=settings.grading)
            kind = getattr(sandbox, "kind", settings.sandbox)  # COLBENCH_SANDBOX may have decided
            yield OpenedGrading(unit_tests, settings.as_json() | {"sandbox": kind}, versions=unit_tests.versions)
            return
        from colbench_gym.graders.similarities import SIMILARITIES, make_similarity

        name = settings.similarity.partition(":")[0]
        if name not in {known.partition(":")[0] for known in SIMILARITIES}:  # before a browser is started
            raise UnknownNameError.among("similarity", settings.similarity, SIMILARITIES)
        browser = open_renderer(renderer)
        if browser is not renderer:
            opened.enter_context(closing(browser))
        grader = opened.enter_context(closing(make_similarity(settings.similarity, browser)))
        packages = _PACKAGES.get(name, ())
        versions = {package: found for package in packages if (found := _version(package))}
        if metric := getattr(grader, "metric", ""):
            versions["metric"] = str(metric)
        yield OpenedGrading(grader, settings.as_json(), browser, versions)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
