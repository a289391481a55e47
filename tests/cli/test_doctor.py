"""colbench doctor and colbench sandbox check say what this machine has."""

from __future__ import annotations

import pytest
from support.command import colbench

from colbench_gym.cli.doctor import checks


def test_doctor_finds_what_is_needed():
    found = {check.name: check for check in checks()}
    assert found["sandbox process"].state == "ok"
    assert all(check.state == "ok" for check in found.values() if check.needed)
    assert found["sandbox docker"].state in ("ok", "missing")
    assert found["sandbox docker"].text


@pytest.mark.browser
@pytest.mark.usefixtures("renderer")
def test_doctor_renders_a_page():
    (found,) = (check for check in checks() if check.name == "chromium")
    assert found.state == "ok", found.text
    assert "sandbox" in found.text or "bubblewrap" in found.text


def test_doctor_as_a_command(tmp_path):
    done = colbench("doctor", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "sandbox process" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_sandbox_check_as_a_command(tmp_path):
    done = colbench("sandbox", "check", "--only", "process", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("kept") >= 10
    assert "broken" not in done.stdout


@pytest.mark.parametrize("args", [("sandbox", "check", "--only", "nowhere"), ("sandbox", "destroy")])
def test_bad_usage(tmp_path, args):
    assert colbench(*args, cwd=tmp_path).returncode == 2
