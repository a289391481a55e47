"""colbench doctor and colbench sandbox check say what this machine has."""

import re

import pytest
from support.command import ROOT, colbench

from colbench_gym.cli.doctor import OPTIONAL, checks


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


@pytest.mark.parametrize(("module", "package", "extra"), [row[:3] for row in OPTIONAL])
def test_an_optional_package_is_in_the_extra_that_is_named(module, package, extra):
    (listed,) = re.findall(
        rf"^{extra} = \[(.*?)\]", (ROOT / "pyproject.toml").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    assert f'"{package}>=' in listed


def test_doctor_as_a_command(tmp_path):
    done = colbench("doctor", cwd=tmp_path)
    assert "sandbox process" in done.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.full
def test_sandbox_check_as_a_command(tmp_path):
    done = colbench("sandbox", "check", "--only", "process", cwd=tmp_path)
    assert done.stdout.count("kept") >= 10
    assert "broken" not in done.stdout


@pytest.mark.parametrize("args", [("sandbox", "check", "--only", "nowhere"), ("sandbox", "destroy")])
def test_bad_usage(tmp_path, args):
    colbench(*args, cwd=tmp_path, status=2)
