"""Run ``colbench`` as a user does, in a process of its own; or in this one, where it shares what is open already."""

import io
import os
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def environment(**more: str) -> dict[str, str]:
    """The environment of a test's child process: this checkout first on the path."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "PYTHONWARNINGS": "error", **more}


def arguments(*args: object) -> list[str]:
    """The command line for ``colbench ARGS``."""
    return [sys.executable, "-m", "colbench_gym", *map(str, args)]


@dataclass(frozen=True)
class Done:
    """What a command wrote."""

    stdout: str
    stderr: str


def ended(status: object, expected: int | None, stdout: str, stderr: str) -> Done:
    assert expected in (status, None), stdout + stderr
    return Done(stdout, stderr)


def colbench(*args: object, cwd: Path | None = None, input: str = "", status: int | None = 0) -> Done:
    """Run ``colbench ARGS`` to its end, which must have this status (None: any)."""
    run = subprocess.run(
        arguments(*args), cwd=cwd, env=environment(), input=input, capture_output=True, text=True, timeout=240
    )
    return ended(run.returncode, status, run.stdout, run.stderr)


def colbench_here(*args: object, cwd: Path, status: int | None = 0) -> Done:
    """Run ``colbench ARGS`` in this process, whose browsers and sandboxes it shares; it must end with this status."""
    from colbench_gym.cli import main

    before, handler, out, err = Path.cwd(), signal.getsignal(signal.SIGTERM), io.StringIO(), io.StringIO()
    os.chdir(cwd)
    try:
        with redirect_stdout(out), redirect_stderr(err):
            main([str(arg) for arg in args])
    except SystemExit as exit:
        return ended(exit.code, status, out.getvalue(), err.getvalue())
    finally:
        os.chdir(before)
        signal.signal(signal.SIGTERM, handler)
    raise AssertionError("colbench did not end the process")
