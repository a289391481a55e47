"""The wheel, installed in a virtual environment: its sandbox works, and shows answers nothing of that environment."""

import importlib.util
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from support.tables import program

from colbench_gym.sandboxes.local_worker import package_files

PROJECT = Path(__file__).resolve().parents[1]
PROBE = program(__file__, "probe_of_a_wheel.txt")


def pip(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=200)


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A virtual environment with the wheel in it: its interpreter and its site-packages.

    The packages for programs lie beside the wheel, as if installed there; other dependencies are the running
    interpreter's.
    """
    if importlib.util.find_spec("pip") is None:
        pytest.skip("no pip here")
    top = tmp_path_factory.mktemp("wheel")
    isolation = ["--no-build-isolation"] if importlib.util.find_spec("hatchling") else []
    built = pip("wheel", "--no-deps", *isolation, "--wheel-dir", top, PROJECT)
    if "hatchling" in built.stderr and "No matching distribution" in built.stderr:
        pytest.skip("no hatchling here, nor where to get it from")
    assert not built.returncode, built.stderr
    venv.create(top / "venv", symlinks=True)
    (site,) = (top / "venv" / "lib").glob("python*/site-packages")
    (wheel,) = top.glob("*.whl")
    installed = pip("install", "--no-deps", "--no-index", "--target", site, wheel)
    assert not installed.returncode, installed.stderr
    for path in package_files():
        (site / Path(path).name).symlink_to(path)
    others = [path for path in sys.path if Path(path).is_dir() and Path(path).resolve() != PROJECT]
    (site / "dependencies.pth").write_text("".join(f"{path}\n" for path in others))
    return top / "venv" / "bin" / "python", site


def run(python: Path, *arguments: str, folder: Path, **variables: str) -> str:
    plain = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "COLBENCH_SANDBOX")}
    result = subprocess.run(
        [python, *arguments], cwd=folder, env=plain | variables, capture_output=True, text=True, timeout=280
    )
    assert not result.returncode, result.stderr
    return result.stdout


def test_answers_import_their_packages_and_see_no_others(environment, tmp_path):
    python, site = environment
    empty, mine = tmp_path / "empty", tmp_path / "mine"
    empty.mkdir()
    mine.mkdir()
    (mine / "secret.py").touch()
    folders = [str(folder) for folder in (site, empty, mine)]
    result = json.loads(run(python, "-c", PROBE, *folders, folder=empty, PYTHONPATH=str(mine)))
    assert Path(result["code"]).parent == site / "colbench_gym"
    imports, beside, path, *listed = result["values"]
    assert tuple(imports) == (4.0, "x")
    assert beside == "not found"
    assert not set(path) & {*folders, ""}
    assert listed == ["closed"] * 3
    assert result["preloaded"] == 3
    inside = [path for path in result["layout"] if any(Path(folder).is_relative_to(path) for folder in folders)]
    assert not inside  # what is mounted in bubblewrap


@pytest.mark.full
def test_demo_runs_from_an_empty_folder(environment, tmp_path):
    assert "oracle" in run(environment[0], "-m", "colbench_gym", "demo", "-n", "2", "--pages", "2", folder=tmp_path)
    assert {file.name for file in tmp_path.iterdir()} <= {"colbench-demo"}  # its picture, where there is a browser


def test_frameworks_find_the_bridges(environment, tmp_path):
    """Inspect AI by an entry point, verifiers by a module at the top."""
    python, site = environment
    found = (
        "import importlib.metadata, importlib.util\n"
        "entry, = {e for e in importlib.metadata.entry_points(group='inspect_ai') if e.name == 'colbench_gym'}\n"
        "print(importlib.util.find_spec(entry.module).origin)\n"
        "print(importlib.util.find_spec('colbench_vf').origin)"
    )
    inspect_ai, verifiers = map(Path, run(python, "-c", found, folder=tmp_path).split())
    assert inspect_ai == site / "colbench_gym" / "integrations" / "inspect_ai.py"
    assert verifiers == site / "colbench_vf" / "__init__.py"
