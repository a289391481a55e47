"""The exception tree: whose failure it was can be read off the class.

::

    ColBenchError
    ├── UsageError (ValueError)         what the caller gave cannot be used; exit status 2
    │   ├── UnknownNameError            no such agent, human, sandbox, grading, split, option ...
    │   ├── UnknownTaskError            no task with that id
    │   ├── TaskError                   a task that cannot be played or graded
    │   ├── InputFileError              a file that cannot be read: names file, line and field
    │   ├── ConfigurationChangedError   a run resumed with another configuration
    │   ├── MissingExtraError (ImportError)   an optional package is not installed: names the pip line
    │   └── AssetError                  a page links an asset that has not been fetched: names the command
    └── InfrastructureError             ours, not the program's: never turned into a reward
        ├── HumanError                  the simulated human failed: outcome ``human_error``
        ├── GraderError                 grading failed: outcome ``grader_error``
        │   ├── SandboxError            the sandbox failed (not the program inside it)
        │   │   └── SandboxUnavailableError   this machine cannot run that sandbox
        │   └── RendererError           the browser failed (not the page inside it)
        ├── PolicyError                 the agent failed: the run stops, what is finished is kept
        └── ChatError                   a model server refused, failed or could not be reached

An answer that is wrong, crashes, hangs or is killed is none of these: it is data in a
:class:`~colbench_gym.graders.Grade`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ColBenchError(Exception):
    """Base of every error that this package raises on purpose."""


class UsageError(ColBenchError, ValueError):
    """Value from the caller that cannot be used. The message says what was got, what was expected, what to do."""


class UnknownNameError(UsageError):
    """A name that is not in a closed list of names."""

    @classmethod
    def among(cls, kind: str, got: str, known: Iterable[str]) -> UnknownNameError:
        """Build the message: what was got, the known names, and the nearest one."""
        names = sorted(known)
        near = difflib.get_close_matches(str(got), names, n=1)  # got may be anything that was no name
        hint = f" Did you mean {near[0]!r}?" if near else ""
        return cls(f"unknown {kind} {got!r}; expected one of: {', '.join(names)}.{hint}")


def check_instance(kind: str, given: object) -> None:
    """Refuse a class where an object of it is wanted; its methods are there, but nobody's.

    Raises:
        UsageError: it is a class.
    """
    if isinstance(given, type):
        raise UsageError(
            f"got the class {given.__name__} as {kind}, expected an object of it; write {given.__name__}() with its "
            "arguments"
        )


class UnknownTaskError(UsageError):
    """No task with that id in the task set."""


class TaskError(UsageError):
    """A task that cannot be played or graded, such as one whose reference raises."""


class InputFileError(UsageError):
    """A file that cannot be read or written; the message names the file, and the line and field where there is one."""


class ConfigurationChangedError(UsageError):
    """A run folder holds another configuration than the one asked for."""


class MissingExtraError(UsageError, ImportError):
    """An optional package is not installed."""

    @classmethod
    def of(cls, package: str, extra: str, purpose: str) -> MissingExtraError:
        """Build the message that names the pip line."""
        return cls(f'{purpose} needs the package {package!r}. Install it with: pip install "colbench-gym[{extra}]"')


class AssetError(UsageError):
    """An asset that a page needs has not been fetched, or is not what was pinned; the message names the command."""


class InfrastructureError(ColBenchError):
    """Our side failed. Never turned into a reward."""


class HumanError(InfrastructureError):
    """Failure of the simulated human to reply."""


class GraderError(InfrastructureError):
    """Failure of the grader itself."""


class SandboxError(GraderError):
    """Failure of the sandbox after its retries; the program in it is not to blame."""


class SandboxUnavailableError(SandboxError):
    """This machine cannot run that sandbox; the message names what is missing and the ways out."""


class RendererError(GraderError):
    """Failure of the renderer after its retries; the page in it is not to blame."""


class PolicyError(InfrastructureError):
    """Failure of the agent to act."""


class ChatError(InfrastructureError):
    """A model server refused, failed, or could not be reached after the retries."""
