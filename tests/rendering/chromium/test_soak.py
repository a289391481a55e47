"""Episodes while browsers are killed at random: nothing is lost, and every score is the page's own."""

import re
import subprocess
import sys

import pytest
from support.command import ROOT, environment


@pytest.mark.full
@pytest.mark.browser
def test_episodes_while_browsers_are_killed(renderer):
    episodes = 60
    soak = [sys.executable, "benchmarks/soak_pages.py", "-n", str(episodes), "--tasks", "3", "--fault-every", "6"]
    done = subprocess.run(soak, cwd=ROOT, env=environment(), capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{episodes} episodes: nothing lost, every score is the page's own, nothing left" in done.stdout
    assert sum(map(int, re.findall(r"(\d+) [a-z ]+ killed", done.stdout))) >= episodes // 12
