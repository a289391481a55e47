"""Interpreters of other versions that have what the base install needs (COLBENCH_PYTHONS names more)."""

import os
import shutil
import subprocess
import sys

import pytest
from support.command import ROOT


def other_pythons() -> list[str]:
    """One of each other version; skips where there is none."""
    found = os.environ.get("COLBENCH_PYTHONS", "").split(os.pathsep)
    found += [path for path in map(shutil.which, ("python3.10", "python3.12", "python3.13")) if path]
    probe = "import sys, numpy, bs4, gymnasium, pettingzoo, tyro; print(sys.version_info[:2])"
    usable = {}
    for python in filter(None, found):
        run = subprocess.run([python, "-c", probe], capture_output=True, text=True, check=False)
        if run.returncode == 0 and run.stdout.strip() != str(sys.version_info[:2]):
            usable[run.stdout.strip()] = python
    if not usable:
        pytest.skip("no other Python with numpy, bs4, gymnasium, pettingzoo and tyro; name some in COLBENCH_PYTHONS")
    return list(usable.values())


def run_on(python: str, *args: object) -> subprocess.CompletedProcess[str]:
    """Run a program of this checkout."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [python, *map(str, args)], env=environment, capture_output=True, text=True, timeout=250, check=False
    )
