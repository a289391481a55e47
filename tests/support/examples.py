"""The examples of the bridges: run as a user would, and counted."""

import ast
import os
import subprocess
import sys

from support.command import ROOT

FOLDER = ROOT / "examples" / "integrations"


def run_example(name, *arguments, cwd, timeout_s=600):
    """Return what an example of ``examples/integrations`` prints."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, FOLDER / f"{name}.py", *map(str, arguments)]
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=timeout_s)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def own_lines(path):
    """The statements' lines of an example that are neither imports nor its docstring."""
    body = ast.parse(path.read_text("utf-8")).body[1:]
    own = [node for node in body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    return sum(node.end_lineno - node.lineno + 1 for node in own)
