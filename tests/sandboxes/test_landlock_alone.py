"""Landlock without namespaces: the disk and the user's threads are shared with the host, and cost nobody a verdict."""

import subprocess
import sys
from pathlib import Path

import pytest
from hostile_programs import cage

from colbench_gym.sandboxes.worker import landlock

CAGED = Path(__file__).with_name("caged_landlock.py")


@pytest.mark.full
@pytest.mark.skipif(landlock.abi() < landlock.TRUNCATE_ABI, reason="this kernel's Landlock is missing or too old")
def test_what_landlock_shares_with_the_host_costs_nobody_a_verdict():
    token = "colbench-landlock-alone"
    try:
        caged = cage.command("ordinary", token)
    except LookupError as error:
        pytest.skip(str(error))
    command = [*caged, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", CAGED]
    done = subprocess.run(command, env=cage.environment(), capture_output=True, text=True)
    cage.remove_groups(token)
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 4 passed" in " " + done.stdout.splitlines()[-1], done.stdout
