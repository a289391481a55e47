"""Fixtures for all tests, and the rule that in CI a skip is a failure."""

import os
import re
import signal
from collections import Counter
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest
import support.measured  # noqa: F401  before the package is imported
from hypothesis import settings
from support.samples import FULL, sample

# A shell starts background jobs with Ctrl-C ignored, which children inherit: here it always works, so it can be tested.
signal.signal(signal.SIGINT, signal.default_int_handler)
os.environ["COLBENCH_REFERENCE_VALUES"] = "off"  # no test depends on what an earlier one left on disk

TAILWIND = "https://cdn.jsdelivr.net/npm/tailwindcss@2.2.19/dist/tailwind.min.css"
pytest_plugins = ["support.training_fixtures"]
settings.register_profile("sampled", max_examples=sample(100), deadline=None)  # a busy machine meets no deadline
settings.load_profile("sampled")
REQUIRE_ALL = os.environ.get("COLBENCH_REQUIRE_ALL") == "1"
SLOW_MARKERS = {"browser", "docker", "train", "network"}
SLOW_FIXTURES = {"renderer", "docker_engine", "official_data"}
STARTS_PROCESSES = ("subprocess", "colbench", "colbench_here", "ProcessSandbox", "LocalWorker", "cage", "arena")


def pytest_addoption(parser):
    parser.addoption("--integrations", default="", help="names of frameworks whose bridges are tested, by commas")


def pytest_report_header(config):
    looked_at = "all cases" if FULL else "a sample (COLBENCH_FULL=1 runs all cases)"
    bridges = config.getoption("integrations") or "none here (.ci/integrations runs them against the real frameworks)"
    return [f"colbench-gym: {looked_at} of the longest tests", f"bridges tested: {bridges}"]


def _group(item):
    """Return the name of those that share a worker of pytest-xdist: what counts containers or browsers of the machine; else a file."""
    file = item.nodeid.partition("::")[0]
    if item.get_closest_marker("docker") or "hostile_programs" in file:
        return "containers"
    if item.get_closest_marker("browser") or "renderer" in item.fixturenames:
        return "browsers"
    return file


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    """Mark what is slow, group for pytest-xdist, and take the sample of the longest tests."""
    seen: Counter[str] = Counter()
    left_out = []
    frameworks = config.getoption("integrations").split(",")
    for item in items:
        integration = item.get_closest_marker("integration")
        if integration and integration.args[0] not in frameworks:
            left_out.append(item)
            continue
        needs = not SLOW_MARKERS.isdisjoint(marker.name for marker in item.iter_markers())
        uses = not SLOW_FIXTURES.isdisjoint(item.fixturenames)
        starts = any(hasattr(item.module, name) for name in STARTS_PROCESSES)
        if needs or uses or starts:
            item.add_marker(pytest.mark.slow)
        item.add_marker(pytest.mark.xdist_group(_group(item)))
        if item.get_closest_marker("full") and not FULL:
            left_out.append(item)
            continue
        sampled = item.get_closest_marker("sampled")
        if sampled and not FULL:
            cases = item.nodeid.partition("[")[0]
            if seen[cases] % sampled.args[0]:
                left_out.append(item)
            seen[cases] += 1
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_node_collection_finished(node, ids):
    """Stop where pytest-xdist was asked for groups and made none (it adds a test's group to its id)."""
    ungrouped = [test for test in ids if "@" not in test]
    if node.config.option.dist == "loadgroup" and ungrouped:
        pytest.exit(
            f"{len(ungrouped)} tests have no group, so tests that count containers would run at once: "
            "install the versions of pytest and pytest-xdist that pyproject.toml asks for",
            returncode=pytest.ExitCode.USAGE_ERROR,
        )


def _missing_package(report):
    """Return the package of an extra whose absence made a test, or the import of its module, fail; "" otherwise."""
    said = re.findall(r"needs the package '([\w-]+)'|No module named '([\w]+)", str(report.longrepr))
    names = [(one or other).replace("-", "_") for one, other in said]
    return next((name for name in names if name not in ("colbench_gym", "tests") and find_spec(name) is None), "")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    if report.failed and not REQUIRE_ALL and (package := _missing_package(report)):
        report.outcome, report.longrepr = "skipped", (str(collector.path), 0, f"Skipped: no package {package!r} here")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed and not REQUIRE_ALL and (package := _missing_package(report)):
        report.outcome, report.longrepr = "skipped", (str(item.path), 0, f"Skipped: no package {package!r} here")
    if REQUIRE_ALL and report.skipped and not hasattr(report, "wasxfail"):
        report.outcome = "failed"
        report.longrepr = f"skipped, but COLBENCH_REQUIRE_ALL=1 asks for every part: {report.longrepr}"
    return report


def _official_data() -> Path | None:
    named = os.environ.get("COLBENCH_OFFICIAL_DATA")
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(named) if named else beside
    return folder if folder.is_dir() else None


@pytest.fixture(scope="session")
def official_data() -> Path:
    """The folder of official tasks and grades; they are not part of the project."""
    folder = _official_data()
    if folder is None:
        pytest.skip("no official data: set COLBENCH_OFFICIAL_DATA to a folder with backend_tasks.jsonl and the like")
    return folder


@pytest.fixture
def no_model_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key, server or patience of the machine that runs the tests."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "COLBENCH_CHAT_TIMEOUT_S", "COLBENCH_CHAT_RETRIES"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def docker_engine() -> None:
    """Skip where no Docker engine answers."""
    from colbench_gym.errors import ColBenchError
    from colbench_gym.sandboxes.docker import connect

    try:
        connect().close()
    except ColBenchError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def client(docker_engine):
    """A client of the Docker engine, which has our image."""
    from colbench_gym.sandboxes.docker import connect, ensure_image

    with closing(connect()) as client:
        ensure_image(client)
        yield client


@pytest.fixture(scope="session")
def renderer():
    """A lease on the shared Chromium; skip where no browser can be started or the assets have not been fetched."""
    from colbench_gym.errors import AssetError, MissingExtraError, RendererError
    from colbench_gym.rendering import open_renderer

    try:
        lease = open_renderer("chromium")
        lease.render(f'<link rel="stylesheet" href="{TAILWIND}"><p>Ready</p>')
    except (MissingExtraError, RendererError, AssetError) as error:
        pytest.skip(str(error))
    yield lease
    lease.close()


@pytest.fixture
def browser(renderer):
    """A browser that shows our own pages as people see them."""
    sync_api = pytest.importorskip("playwright.sync_api")
    from colbench_gym.rendering.chromium.containment import find_executable

    with sync_api.sync_playwright() as playwright:
        executable = find_executable(playwright.chromium.executable_path)
        with closing(playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])) as opened:
            yield opened


@pytest.fixture(scope="session")
def tailwind():
    """Assets with the real stylesheet; skip where it has not been fetched."""
    from colbench_gym.errors import AssetError
    from colbench_gym.rendering.assets import TAILWIND as ASSET
    from colbench_gym.rendering.assets import Assets, cache_folder, read_asset

    try:
        read_asset(ASSET, cache_folder())
    except AssetError as error:
        pytest.skip(str(error))
    return Assets()


@pytest.fixture(scope="module", autouse=True)
def shared_sandboxes_end_with_the_module():
    """Gymnasium's check_env makes a second environment and never closes it: modules that count processes come after."""
    yield
    from colbench_gym.concurrency import leases

    leases.close_all()
