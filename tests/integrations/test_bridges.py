"""What holds for every bridge, without its framework: the missing one is named, and the table shows what is tested."""

import json
import re
import subprocess
import sys

import pytest
from support.command import ROOT
from support.examples import FOLDER, own_lines
from support.tables import program

from colbench_gym import EvalConfig, MissingExtraError
from colbench_gym.integrations.ray import RayWorkers

VERSIONS = dict(re.findall(r"^([\w.-]+)==(\S+)$", (ROOT / "tests/integrations/versions.txt").read_text("utf-8"), re.M))
BRIDGES = sorted(
    name
    for path in (ROOT / "tests" / "integrations").glob("test_*.py")
    for name in re.findall(r'^pytestmark = pytest\.mark\.integration\("(\w+)"\)', path.read_text("utf-8"), re.M)
)
MODULES = sorted(
    path.stem
    for path in (ROOT / "colbench_gym" / "integrations").glob("*.py")
    if "MissingExtraError.of(" in path.read_text("utf-8") and path.stem != "ray"  # which is needed with its first use
)
IMPORTS_WITHOUT_FRAMEWORKS = program(__file__, "imports_without_frameworks.txt")


def extras():
    pyproject = (ROOT / "pyproject.toml").read_text("utf-8")
    return re.findall(r"^(\w+) = \[", pyproject.partition("[project.optional-dependencies]")[2], re.M)


def test_a_bridge_without_its_framework_names_the_pip_line():
    command = [sys.executable, "-W", "error", "-c", IMPORTS_WITHOUT_FRAMEWORKS, *MODULES]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    messages = json.loads(done.stdout)
    assert sorted(messages) == MODULES
    for message in messages.values():
        (extra,) = re.findall(r'pip install "colbench-gym\[(\w+)\]"', message)
        assert extra in extras()


def test_a_cluster_without_ray_names_the_pip_line(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=re.escape('pip install "colbench-gym[ray]"')):
        RayWorkers(EvalConfig("ColBench-Backend-v0", tmp_path))


def test_each_bridge_is_an_extra_in_the_table_with_the_tested_version():
    table = (ROOT / "docs" / "integrations.md").read_text("utf-8").splitlines()
    for bridge in BRIDGES:
        assert bridge in extras()
        rows = [row for row in table if f"| `{bridge}` |" in row]
        assert rows, f"docs/integrations.md has no row of {bridge}"
        for row in rows:
            assert re.search(r"\| (\d+(?:\.\d+)+) \|", row)[1] in VERSIONS.values()


@pytest.mark.parametrize("example", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_short_run_and_in_the_table(example):
    assert own_lines(example) <= 10
    tests = [path.read_text("utf-8") for path in (ROOT / "tests" / "integrations").glob("test_*.py")]
    assert any(f'"{example.stem}"' in text for text in tests)
    assert f"`{example.name}`" in (ROOT / "docs" / "integrations.md").read_text("utf-8")
