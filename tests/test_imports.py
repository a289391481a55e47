"""What importing costs, what is public, and who may import whom."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

import colbench_gym

PACKAGE = Path(colbench_gym.__file__).parent

# A module may import from its own layer and from those before it. A name is a module, or a folder with all that is in it.
LAYERS = (
    {"errors", "version"},
    {"rules", "tasks", "dialogue", "action", "jsonl", "prompts"},
    {"episode", "trajectory"},
    {"chat", "console_input", "sandboxes", "rendering"},
    {"humans", "graders", "policies"},
    {"game"},
    {"envs", "rollout", "evaluation", "testing", "testing_renderer", "testing_sandbox", "task_drafts", "synthesis"},
    {"run_folder", "grade_files", "scored_runs", "comparison", "grading_settings", "track_choice"},
    {"run", "demo", "demo_pictures", "doctor", "baselines"},
    {"report", "cli", "cli_tables", "cli_tasks", "cli_assets", "cli_sandbox", "cli_train"}
    | {"cli_compare", "cli_demo", "cli_grade", "__main__"},
)
BASELINES_MAY = {
    "baselines",
    "rules",
    "action",
    "prompts",
    "tasks",
    "dialogue",
    "jsonl",
    "trajectory",
    "chat",
    "errors",
    "policies",
}
HEAVY = {"torch", "transformers", "trl", "playwright", "docker", "openai", "ray", "huggingface_hub", "hypothesis"}
STDLIB_ONLY = sorted(path.name for path in (PACKAGE / "sandboxes").glob("worker*.py"))  # they run beside the answer
SILENT = """
import json, sys, threading
import colbench_gym
print(json.dumps([sorted({name.split(".")[0] for name in sys.modules}), threading.active_count()]))
"""


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py") if "image" not in path.parts)


def imports(path):
    """(what is imported, whether at the top of the module) for each import of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = set(map(id, _at_import(tree.body)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in top
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}, line {node.lineno}: a relative import; write it in full"
            for alias in node.names:
                yield f"{node.module}.{alias.name}", id(node) in top


def _at_import(body):
    """The statements that run when a module is imported, those for type checkers left out."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            test = ast.unparse(node.test)
            for_types = "TYPE_CHECKING" in test and "not TYPE_CHECKING" not in test
            yield from _at_import([*([] if for_types else node.body), *node.orelse])
        elif isinstance(node, ast.Try):
            yield from _at_import(node.body)


def room(name):
    """The room of a module of ours: ``colbench_gym.humans.llm.X`` is in ``humans``; "" is the package itself."""
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def layer(name):
    for at, rooms in enumerate(LAYERS):
        if name in rooms:
            return at
    raise AssertionError(f"{name!r} has no layer; say in tests/test_imports.py where it stands")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_who_may_import_whom(path):
    own = path.relative_to(PACKAGE).with_suffix("").parts[0]
    for name, at_top in imports(path):
        first = name.split(".")[0]
        if first == "colbench_gym" and own != "__init__":
            other = room(name)
            if own == "baselines":
                assert other in BASELINES_MAY, f"baselines import {name}"
            else:
                assert layer(other) <= layer(own), f"{own} imports {name}, which stands above it"
        elif first in HEAVY and own != "baselines":
            assert not at_top, f"{path.name} imports {first} at its top; import it in what needs it"


@pytest.mark.parametrize("name", STDLIB_ONLY)
def test_what_runs_inside_a_sandbox_needs_the_standard_library_only(name):
    for imported, at_top in imports(PACKAGE / "sandboxes" / name):
        first = imported.split(".")[0]
        beside = (PACKAGE / "sandboxes" / f"{first}.py").exists()
        assert first in sys.stdlib_module_names or beside or not at_top, f"{name} imports {imported}"


def test_importing_prints_nothing_starts_nothing_and_loads_nothing_heavy():
    done = subprocess.run([sys.executable, "-W", "error", "-c", SILENT], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    loaded, threads = json.loads(line)
    assert threads == 1
    unwanted = {*HEAVY, "scipy", "minari", "tyro", "rich", "pandas", "matplotlib", "PIL", "bs4", "httpx", "requests"}
    assert unwanted & set(loaded) == set()


def test_importing_twice_registers_once():
    colbench_gym.register_envs()


def test_the_public_names():
    assert colbench_gym.__all__ == [
        "BACKEND",
        "FRONTEND",
        "Action",
        "BackendTask",
        "ColBenchError",
        "Dialogue",
        "Episode",
        "FrontendTask",
        "Grade",
        "Grader",
        "HumanSimulator",
        "Policy",
        "Renderer",
        "Rules",
        "Sandbox",
        "Trajectory",
        "Turn",
        "__version__",
        "load_tasks",
        "parse_action",
        "read_trajectories",
        "write_trajectories",
    ]
    assert all(getattr(colbench_gym, name).__doc__ for name in colbench_gym.__all__)


def test_no_file_is_over_400_lines():
    long = {
        str(path.relative_to(PACKAGE)): count
        for path in modules()
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > 400
    }
    assert long == {}
