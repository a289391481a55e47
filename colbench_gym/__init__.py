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

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from colbench_gym.envs.registration import register_envs
from colbench_gym.version import __version__ as __version__

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_MODULE_OF = {  # a name is loaded from its module when it is used for the first time
    name.name: node.module for node in _STUB.body if isinstance(node, ast.ImportFrom) for name in node.names
}
_STYLES = (str.isupper, lambda name: name[0].isupper(), lambda name: True)  # constants, classes, functions
__all__ = sorted(
    set(_MODULE_OF) - {"register_envs"}, key=lambda name: (next(n for n, of in enumerate(_STYLES) if of(name)), name)
)


def __getattr__(name: str) -> Any:  # Any: the type of each name, which checkers read in the stub
    if name in _MODULE_OF:
        value = getattr(import_module(str(_MODULE_OF[name])), name)
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
