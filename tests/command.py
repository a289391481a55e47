"""Run ``colbench`` as a user does: in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def environment(**more: str) -> dict[str, str]:
    """The environment of a test's child process: this checkout first on the path."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error", **more}


def arguments(*args: object) -> list[str]:
    """The command line for ``colbench ARGS``."""
    return [sys.executable, "-m", "colbench_gym", *map(str, args)]


def colbench(*args: object, cwd: Path | None = None, input: str = "") -> subprocess.CompletedProcess[str]:
    """Run ``colbench ARGS`` to its end."""
    return subprocess.run(
        arguments(*args), cwd=cwd, env=environment(), input=input, capture_output=True, text=True, timeout=240
    )
