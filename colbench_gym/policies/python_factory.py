"""Agents of the user's own: ``python:MODULE:FACTORY`` names a callable without arguments that returns a Policy."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path

from colbench_gym.errors import ColBenchError, UsageError
from colbench_gym.policies import Policy, PrivilegedPolicy


def policy_from(target: str) -> Policy | PrivilegedPolicy:
    """Import ``MODULE``, call its ``FACTORY`` and check what comes back. The current directory is importable.

    Raises:
        UsageError: the target is no ``MODULE:FACTORY``, the module cannot be imported, has no such attribute, or the
            attribute is not a callable without arguments that returns an object with ``act(messages)`` and
            ``close()``. What the module or the factory raised is its cause.
        ColBenchError: one that the module or the factory raised passes as it is.
    """
    spec = f"python:{target}"
    module_name, _, name = target.partition(":")
    if not module_name or not name or ":" in name:
        raise UsageError(
            f"the agent {spec!r} was got; expected python:MODULE:FACTORY; write for example "
            "python:my_agent:make_policy for the function make_policy in my_agent.py"
        )
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except (ImportError, SyntaxError) as e:
        raise UsageError(
            f"the agent {spec!r} cannot be imported ({e}); expected a module that Python finds from {here}; check its "
            "name, run from the folder that holds it, or install it"
        ) from e
    except ColBenchError:
        raise
    except (Exception, SystemExit) as e:
        raise UsageError(
            f"the agent {spec!r}: importing {module_name!r} raised {_told(e)}; expected a module that can be imported; "
            f'see where with: python -c "import {module_name}"'
        ) from e
    factory: object = getattr(module, name, None)
    if factory is None:
        known = ", ".join(n for n in vars(module) if not n.startswith("_")) or "nothing public"
        raise UsageError(f"the agent {spec!r}: {module_name!r} has no {name!r}; it has: {known}")
    if not callable(factory):
        raise UsageError(
            f"the agent {spec!r}: {name!r} is of type {type(factory).__name__}; expected a callable without arguments "
            "that returns an object with act(messages) and close()"
        )
    try:
        inspect.signature(factory).bind()
    except TypeError as e:
        raise UsageError(
            f"the agent {spec!r}: {name!r} cannot be called without arguments ({e}); expected a factory that takes "
            "none; wrap it in a function that gives it what it needs"
        ) from e
    except ValueError:
        pass  # no signature to be had (a builtin); calling it will tell
    try:
        policy: object = factory()
    except ColBenchError:
        raise
    except (Exception, SystemExit) as e:
        raise UsageError(
            f"the agent {spec!r}: calling {name!r} raised {_told(e)}; expected a factory that returns an object with "
            f'act(messages) and close(); see where with: python -c "import {module_name} as m; m.{name}()"'
        ) from e
    if isinstance(policy, (Policy, PrivilegedPolicy)):
        return policy
    raise UsageError(
        f"the agent {spec!r}: {name!r} returned a {type(policy).__name__} without act() or close(); expected an object "
        "with act(messages) -> str and close(); return one from the factory"
    )


def _told(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
