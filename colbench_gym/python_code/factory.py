"""Parts of the user's own: ``python:MODULE:FACTORY`` names a callable without arguments that returns one."""

from __future__ import annotations

import importlib
import inspect
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar, cast

from colbench_gym.errors import ColBenchError, UsageError

Part = TypeVar("Part")


def made_by(target: str, role: str, methods: str, accepts: Callable[[object], Part | None]) -> Part:
    """Import ``MODULE``, call its ``FACTORY`` and check what comes back. The current directory is importable.

    Args:
        target: ``MODULE:FACTORY``.
        role: what is made, for error messages, such as ``agent``.
        methods: what it must have, for error messages, such as ``act(messages)``; ``close()`` is added where there is
            none.
        accepts: returns what was made, or None if it is not what is wanted.

    Raises:
        UsageError: the target is no ``MODULE:FACTORY``, the module cannot be imported, has no such attribute, or the
            attribute is not a callable without arguments that returns what is wanted. What the module or the factory
            raised is its cause.
        ColBenchError: one that the module or the factory raised passes as it is.
    """
    spec = f"the {role} 'python:{target}'"
    module_name, _, name = target.partition(":")
    if not module_name or not name or ":" in name:
        raise UsageError(
            f"got {spec}; expected python:MODULE:FACTORY; write for example python:my_{role}:make_{role} for the "
            f"function make_{role} in my_{role}.py"
        )
    factory = _attribute(spec, module_name, name, methods)
    try:
        inspect.signature(factory).bind()
    except TypeError as e:
        raise UsageError(
            f"{spec}: {name!r} cannot be called without arguments ({e}); expected a factory that takes none; wrap it "
            "in a function that gives it what it needs"
        ) from e
    except ValueError:
        pass  # no signature to be had (a builtin); calling it will tell
    try:
        made: object = factory()
    except ColBenchError:
        raise
    except (Exception, SystemExit) as e:
        raise UsageError(
            f"{spec}: calling {name!r} raised {_described(e)}; expected a factory that returns an object with "
            f'{methods}; see where with: python -c "import {module_name} as m; m.{name}()"'
        ) from e
    accepted = accepts(made)
    if accepted is None and not hasattr(made, "close"):
        with suppress(AttributeError, TypeError):  # it takes no attributes
            vars(made)["close"] = _nothing
            accepted = accepts(made)
    if accepted is None:
        raise UsageError(
            f"{spec}: {name!r} returned an object of type {type(made).__name__}; expected one with {methods}; return "
            "such an object from the factory"
        )
    return accepted


def _nothing() -> None:
    """Close what has nothing to close."""


def _attribute(spec: str, module_name: str, name: str, methods: str) -> Callable[[], object]:
    """Import a module and return its attribute, which must be callable."""
    here = str(Path.cwd())
    if here not in sys.path and "" not in sys.path:
        sys.path.insert(0, here)
    try:
        module = importlib.import_module(module_name)
    except ColBenchError:
        raise
    except (Exception, SystemExit) as e:
        if isinstance(e, ModuleNotFoundError) and e.name and f"{module_name}.".startswith(f"{e.name}."):
            raise UsageError(
                f"{spec} cannot be found ({e}); expected a module that Python finds from {here}; check its name, run "
                "from the folder that holds it, or install it"
            ) from e
        raise UsageError(
            f"{spec}: importing {module_name!r} raised {_described(e)}; expected a module that can be imported; see "
            f'where with: python -c "import {module_name}"'
        ) from e
    factory: object = getattr(module, name, None)
    if factory is None:
        known = ", ".join(n for n in vars(module) if not n.startswith("_")) or "nothing public"
        raise UsageError(f"{spec}: {module_name!r} has no {name!r}; it has: {known}")
    if not callable(factory):
        raise UsageError(
            f"{spec}: {name!r} is of type {type(factory).__name__}; expected a callable without arguments that returns "
            f"an object with {methods}"
        )
    return cast("Callable[[], object]", factory)  # of any arguments: binding them tells


def _described(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
