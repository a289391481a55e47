"""ColBench as Gymnasium and PettingZoo environments: find out by asking what a person wants, then build it.

An environment, as Gymnasium has it (``ColBench-Backend-v0``, ``ColBench-Frontend-v0``; the classes :class:`BackendEnv`
and :class:`FrontendEnv` hold the contracts; ``colbench/backend_v0`` and ``colbench/frontend_v0`` for PettingZoo):

>>> import gymnasium, colbench_gym
>>> env = gymnasium.make("ColBench-Backend-v0")
>>> observation, info = env.reset(seed=0)
>>> env.close()

A conversation, for whoever trains or evaluates a language model; ``await episode.asay(text)`` in an event loop:

>>> with colbench_gym.open_scenario("backend", tasks="generated:train") as scenario:
...     episode = scenario.episode(seed=0)
...     reply = episode.say("What should be returned for an empty list?")
...     branch = episode.fork()
...     episode.say("I WANT TO ANSWER: def f(): pass")
>>> episode.over, episode.reward, branch.over
(True, 0.0, False)

What there is, by purpose:

* play: :func:`open_scenario` gives a :class:`Scenario`, its ``.episode()`` a :class:`TaskEpisode` with ``.messages``,
  ``.say``, ``.asay``, ``.over``, ``.reward``, ``.info`` (an :class:`Info`) and ``.fork``; ``.rows(n)`` gives prompts;
* seats: :func:`make_human` (:class:`HumanSimulator`), :func:`make_policy` (:class:`Policy`);
* tasks: :func:`load_tasks` (:class:`TaskSet` of :class:`BackendTask` or :class:`FrontendTask`);
* evaluate: :class:`EvalConfig`, :func:`evaluate`; :class:`Trajectory`, :func:`read_trajectories`,
  :func:`write_trajectories`;
* the game: :class:`Rules`, :data:`BACKEND`, :data:`FRONTEND`, :class:`Episode`, :class:`Dialogue`, :class:`Turn`,
  :func:`parse_action` (gives an :class:`Action`);
* parts of your own: :class:`Grader` (gives a :class:`Grade`), :class:`Renderer`, :class:`Sandbox`;
* errors: :class:`ColBenchError` and its subclasses, drawn as a tree in :mod:`colbench_gym.errors`.

Importing the package registers the environments; it prints nothing, starts nothing and loads a name when it is used.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from colbench_gym.envs.registration import register_envs
from colbench_gym.version import __version__

if TYPE_CHECKING:
    from colbench_gym.action import Action, parse_action
    from colbench_gym.dialogue import Dialogue, Turn
    from colbench_gym.envs.backend import BackendEnv
    from colbench_gym.envs.frontend import FrontendEnv
    from colbench_gym.episode import Episode
    from colbench_gym.errors import (
        AssetError,
        ChatError,
        ColBenchError,
        ConfigurationChangedError,
        GraderError,
        HumanError,
        InfrastructureError,
        InputFileError,
        MissingExtraError,
        PolicyError,
        RendererError,
        SandboxError,
        SandboxUnavailableError,
        TaskError,
        UnknownNameError,
        UnknownTaskError,
        UsageError,
    )
    from colbench_gym.evaluation.run import EvalConfig, evaluate
    from colbench_gym.graders import Grade, Grader
    from colbench_gym.graders.rewards import Info
    from colbench_gym.humans import HumanSimulator, make_human
    from colbench_gym.policies import Policy, make_policy
    from colbench_gym.rendering import Renderer
    from colbench_gym.rules import BACKEND, FRONTEND, Rules
    from colbench_gym.sandboxes import Sandbox
    from colbench_gym.scenario import Scenario, open_scenario
    from colbench_gym.task_episode import TaskEpisode
    from colbench_gym.tasks import BackendTask, FrontendTask, TaskSet, load_tasks
    from colbench_gym.trajectory import Trajectory, read_trajectories, write_trajectories

_ERRORS = (
    "AssetError ChatError ColBenchError ConfigurationChangedError GraderError HumanError InfrastructureError "
    "InputFileError MissingExtraError PolicyError RendererError SandboxError SandboxUnavailableError TaskError "
    "UnknownNameError UnknownTaskError UsageError"
)
_NAMES_OF = {  # by module: a name is loaded from it when it is used for the first time
    "action": "Action parse_action",
    "dialogue": "Dialogue Turn",
    "envs.backend": "BackendEnv",
    "envs.frontend": "FrontendEnv",
    "episode": "Episode",
    "errors": _ERRORS,
    "evaluation.run": "EvalConfig evaluate",
    "graders": "Grade Grader",
    "graders.rewards": "Info",
    "humans": "HumanSimulator make_human",
    "policies": "Policy make_policy",
    "rendering": "Renderer",
    "rules": "BACKEND FRONTEND Rules",
    "sandboxes": "Sandbox",
    "scenario": "Scenario open_scenario",
    "task_episode": "TaskEpisode",
    "tasks": "BackendTask FrontendTask TaskSet load_tasks",
    "trajectory": "Trajectory read_trajectories write_trajectories",
}
_MODULE_OF = {name: module for module, names in _NAMES_OF.items() for name in names.split()}

__all__ = [
    "BACKEND",
    "FRONTEND",
    "Action",
    "AssetError",
    "BackendEnv",
    "BackendTask",
    "ChatError",
    "ColBenchError",
    "ConfigurationChangedError",
    "Dialogue",
    "Episode",
    "EvalConfig",
    "FrontendEnv",
    "FrontendTask",
    "Grade",
    "Grader",
    "GraderError",
    "HumanError",
    "HumanSimulator",
    "Info",
    "InfrastructureError",
    "InputFileError",
    "MissingExtraError",
    "Policy",
    "PolicyError",
    "Renderer",
    "RendererError",
    "Rules",
    "Sandbox",
    "SandboxError",
    "SandboxUnavailableError",
    "Scenario",
    "TaskEpisode",
    "TaskError",
    "TaskSet",
    "Trajectory",
    "Turn",
    "UnknownNameError",
    "UnknownTaskError",
    "UsageError",
    "__version__",
    "evaluate",
    "load_tasks",
    "make_human",
    "make_policy",
    "open_scenario",
    "parse_action",
    "read_trajectories",
    "write_trajectories",
]


def __getattr__(name: str) -> Any:  # Any: the type of each name, which checkers read above
    if name in _MODULE_OF:
        value = getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
        globals()[name] = value
        return value
    if not name.startswith("_") and find_spec(f"{__name__}.{name}") is not None:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}; help({__name__}) lists what it has", name=name
    )


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__file__", "__name__", "__path__", "register_envs"]


register_envs()
