"""Values of references on disk, for the next run: a file a task, which counts only where everything agrees."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import tempfile
import threading
from pathlib import Path
from typing import Any

from colbench_gym.rendering.assets import cache_folder
from colbench_gym.sandboxes import CallOutcome, Program, Status
from colbench_gym.sandboxes.values import Budget, NotDataError, decode
from colbench_gym.sandboxes.worker.values import Unserialisable, encode
from colbench_gym.version import __version__, installed_version

VARIABLE = "COLBENCH_REFERENCE_VALUES"  # a folder, or "off"
SCHEMA = 1
MAX_BYTES = 1 << 18  # ours: of one file; larger ones are computed again
KEPT: tuple[Status, ...] = ("returned", "raised", "unserialisable")  # how long a call takes depends on the machine
# What depends on the day, the machine or chance in a way that no seed decides: too many words cost time, no result.
_DEPENDS = re.compile(
    r"\b(now|today|utcnow|uuid\w*|urandom|secrets|SystemRandom|getpid|environ|getenv|gethostname|perf_counter\w*|"
    r"monotonic\w*|process_time\w*|ctime|localtime|gmtime|mktime|fromtimestamp|strftime|getcwd|tempfile|platform|"
    r"psutil|locale|tzinfo|astimezone|zoneinfo|import\s+time|from\s+time|open|input|gc|sys|os|threading|"
    r"id(?=\s*\()|hash(?=\s*\()|object(?=\s*\())\b"
)
_ENCODING = threading.Lock()  # the worker's encoder is for one thread

Json = dict[str, Any]  # Any: JSON


def values_folder() -> Path | None:
    """Return where values are kept: the variable COLBENCH_REFERENCE_VALUES, else beside other files that are cached.

    None where the variable is ``off``.
    """
    named = os.environ.get(VARIABLE)
    if named == "off":
        return None
    return Path(named) if named else cache_folder().parent / "reference_values"


class KeptValues:
    """Outcomes of references in a folder. Thread-safe, and safe for several processes at once.

    A file that is broken, of another version or another program's counts as none. What cannot be written is left out.
    The files say what tests expect, so they are as secret as the tasks; programs in a sandbox do not see the folder.

    Args:
        folder: made when something is kept.
        grading: version of the grading; with those of Python and this package it is part of every key.
    """

    def __init__(self, folder: Path, grading: str) -> None:
        self._folder = folder
        versions = (grading, platform.python_version(), platform.machine(), __version__, installed_version("numpy"))
        self._versions = [*map(str, versions)]

    def get(self, program: Program) -> tuple[CallOutcome, ...] | None:
        """Return the outcomes of a program's calls, if they are kept."""
        try:
            content = json.loads(self._file(program).read_bytes())
            if content != self._signed(content["program"], content["outcomes"]):
                return None
            if content["program"] != _digest(program) or len(content["outcomes"]) != len(program.calls):
                return None
            budget = Budget()
            return tuple(_outcome(status, text, budget) for status, text in content["outcomes"])
        except (OSError, ValueError, KeyError, TypeError, NotDataError, RecursionError):
            return None

    def put(self, program: Program, outcomes: tuple[CallOutcome, ...]) -> None:
        """Keep the outcomes of a program's calls, unless they may be others next time."""
        if _DEPENDS.search(program.source) or any(map(_DEPENDS.search, program.calls)):
            return
        if any(outcome.status not in KEPT for outcome in outcomes):
            return
        try:
            texts = [[outcome.status, _text(outcome)] for outcome in outcomes]
        except (Unserialisable, NotDataError):
            return
        data = json.dumps(self._signed(_digest(program), texts)).encode("ascii")
        if len(data) <= MAX_BYTES:
            with contextlib.suppress(OSError):
                _write(self._file(program), data)

    def _signed(self, program: str, outcomes: object) -> Json:
        content = {"schema": SCHEMA, "versions": self._versions, "program": program, "outcomes": outcomes}
        text = json.dumps(content, sort_keys=True).encode("ascii")
        return {**content, "check": hashlib.blake2b(text, digest_size=16).hexdigest()}

    def _file(self, program: Program) -> Path:
        name = hashlib.blake2b("\0".join([*self._versions, _digest(program)]).encode(), digest_size=16).hexdigest()
        return self._folder / name[:2] / f"{name}.json"


def _digest(program: Program) -> str:
    """Return a hash of everything that a program's outcomes can depend on."""
    return hashlib.blake2b(repr(program).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _text(outcome: CallOutcome) -> str | None:
    """Return an outcome's value as text that gives the same value back."""
    if outcome.status != "returned":
        return None
    with _ENCODING:
        text = encode(outcome.value, MAX_BYTES)
        if encode(decode(text), MAX_BYTES) != text:
            raise Unserialisable
    return text.decode("ascii")


def _outcome(status: str, text: str | None, budget: Budget) -> CallOutcome:
    if status not in KEPT or (status == "returned") != isinstance(text, str):
        raise ValueError(status)
    return CallOutcome(status, None if text is None else decode(text.encode("ascii"), budget))


def _write(file: Path, data: bytes) -> None:
    """Write a whole file or none: other processes may write the same."""
    file.parent.mkdir(parents=True, exist_ok=True)
    descriptor, partial = tempfile.mkstemp(dir=file.parent, suffix=".partial")
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(data)
        Path(partial).replace(file)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise
