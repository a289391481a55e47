"""What importing costs, what is public, and who may import whom."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.tables import cases, program

import colbench_gym

PACKAGE = Path(colbench_gym.__file__).parent

# DESIGN: a room may import from its own layer and from those before it, in sub-folders too. A room is a module at the top
# of the package, or a folder with all that is in it.
LAYERS = tuple(cases(__file__, "layers"))
APART = ({"humans", "policies"}, {"chat", "models"})  # of one layer, yet neither imports the other
ROOMS_FOR_BASELINES = "rules action prompts tasks dialogue trajectory chat models errors jsonl concurrency version"
BASELINES_MAY = {"baselines", *ROOMS_FOR_BASELINES.split()}
HEAVY = {
    "torch", "transformers", "trl", "playwright", "docker", "openai", "ray", "huggingface_hub", "hypothesis",
    "starlette", "uvicorn",
}  # fmt: skip
FRAMEWORKS = {"trl", "skyrl_gym", "verl", "stable_baselines3", "ray", "verifiers", "openenv", "inspect_ai"}
WORKER = PACKAGE / "sandboxes" / "worker"  # runs beside the answer
SILENT = program(__file__, "imports_silent.txt")


def modules():
    return sorted(path for path in PACKAGE.rglob("*.py") if "context" not in path.parts)


def imports(path):
    """(what is imported, whether at the top of the module) for each import of a module."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    top = set(map(id, _at_import(tree.body)))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, id(node) in top
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0 or WORKER in path.parents, f"{path}, line {node.lineno}: a relative import"
            if node.level:
                continue
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
        if name in rooms.split():
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
                assert own == other or not any({own, other} <= pair for pair in APART), f"{own} imports {name}"
        elif own == "integrations" and first in FRAMEWORKS:
            pass  # a bridge is imported for its framework alone; it derives from the framework's classes
        elif first in HEAVY | FRAMEWORKS and own not in ("baselines", "learning"):
            assert not at_top, f"{path.name} imports {first} at its top; import it in what needs it"


@pytest.mark.parametrize("path", sorted(WORKER.glob("*.py")), ids=lambda path: path.name)
def test_what_runs_inside_a_sandbox_needs_the_standard_library_only(path):
    for imported, at_top in imports(path):
        first = imported.split(".")[0]
        assert first in sys.stdlib_module_names or not at_top, f"{path.name} imports {imported}"


def test_importing_prints_nothing_starts_nothing_and_loads_nothing_heavy():
    done = subprocess.run([sys.executable, "-W", "error", "-c", SILENT], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    (line,) = done.stdout.splitlines()
    loaded, threads = json.loads(line)
    assert threads == 1
    unwanted = {
        *HEAVY, *FRAMEWORKS, "gymnasium", "pettingzoo", "numpy", "scipy", "minari", "tyro", "rich", "pandas",
        "matplotlib",
    }  # fmt: skip
    unwanted |= {"PIL", "bs4", "httpx", "requests"}
    assert unwanted & set(loaded) == set()


@pytest.mark.parametrize("flag", ["--version", "--help"])
def test_the_command_line_loads_a_command_when_it_is_called(flag):
    code = program(__file__, "imports_command.txt")
    done = subprocess.run([sys.executable, "-c", code, flag], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""


def test_importing_twice_registers_once():
    colbench_gym.register_envs()


@pytest.mark.parametrize("first", ["colbench_gym", "gymnasium, pettingzoo"])
def test_the_ids_are_known_whichever_library_is_imported_first(first):
    code = f"import {first}\n" + program(__file__, "imports_ids.txt")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["BackendEnv", "backend_v0", "False"]


def test_the_public_names():
    assert " ".join(colbench_gym.__all__) == (
        "BACKEND FRONTEND Action AssetError BackendEnv BackendTask ChatError ColBenchError "
        "ConfigurationChangedError Dialogue Episode EvalConfig FrontendEnv FrontendTask Grade Grader GraderError "
        "HumanError HumanSimulator Info InfrastructureError InputFileError MissingExtraError Policy PolicyError "
        "Renderer RendererError Rules Sandbox SandboxError SandboxUnavailableError Scenario TaskEpisode TaskError "
        "TaskSet Trajectory Turn UnknownNameError UnknownTaskError UsageError __version__ evaluate load_tasks "
        "make_human make_policy open_scenario parse_action read_trajectories write_trajectories"
    )
    assert all(getattr(colbench_gym, name).__doc__ for name in colbench_gym.__all__)


def test_a_public_name_is_loaded_when_it_is_used():
    code = "import sys, colbench_gym; print(*(name for name in sys.modules if name.startswith('colbench_gym.')))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[1] for name in done.stdout.split()}
    assert loaded <= {"envs", "errors", "rules", "version"}
    assert set(dir(colbench_gym)) > set(colbench_gym.__all__)
    with pytest.raises(AttributeError, match=r"has no attribute 'open_scenari'; help\(colbench_gym\) lists"):
        colbench_gym.open_scenari  # noqa: B018  an attribute that is not there


def test_the_help_names_what_is_public():
    errors = {name for name in colbench_gym.__all__ if name.endswith("Error") and name != "ColBenchError"}
    named = set(re.findall(r":\w+:`([\w.]+)`", colbench_gym.__doc__))
    assert set(colbench_gym.__all__) - errors - {"__version__"} <= named


def parts_in_circles(folder):
    """The parts of a folder (a module, or a folder with all that is in it) that import each other in a circle.

    What the folder's ``__init__`` imports does not count: it is the protocol of its parts, and may name them.
    """
    prefix = ".".join(("colbench_gym", *folder.relative_to(PACKAGE).parts))
    needs = {}
    for path in modules():
        if folder in path.parents:
            part = path.relative_to(folder).with_suffix("").parts[0]
            others = {
                name[len(prefix) + 1 :].split(".")[0] for name, _ in imports(path) if name.startswith(f"{prefix}.")
            }
            if part != "__init__":
                needs.setdefault(part, set()).update(others - {part})

    def reached(part, seen):
        for other in needs.get(part, ()):
            if other in needs and other not in seen:
                seen.add(other)
                reached(other, seen)
        return seen

    return sorted(part for part in needs if part in reached(part, set()))


@pytest.mark.parametrize(
    "folder", sorted({path.parent for path in modules()} - {PACKAGE}), ids=lambda f: str(f.relative_to(PACKAGE))
)
def test_no_parts_import_each_other_in_a_circle(folder):
    assert parts_in_circles(folder) == []
