"""Look at this machine: what works, what is missing, and what to do about it."""

from __future__ import annotations

import importlib.util
import os
import platform
import socket
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rich.markup import escape

from colbench_gym.cli import COMMANDS, DONE, FAILED
from colbench_gym.cli.tables import AsJson, print_note, print_table, table, to_json
from colbench_gym.errors import ColBenchError
from colbench_gym.sandboxes import Program, containment_of, open_sandbox
from colbench_gym.sandboxes.control_groups import limits_in_use
from colbench_gym.version import __version__, installed_version

PROBE_S = 0.2  # what a page asked for comes at once or never
State = Literal["ok", "missing", "failed"]

OPTIONAL: list[tuple[str, str, str, str]] = COMMANDS["doctor"]["optional"]


@dataclass(frozen=True)
class Check:
    """One line of the report. ``needed``: without it nothing works."""

    name: str
    state: State
    text: str
    needed: bool = False


def doctor(json: AsJson = False) -> int:
    """Run ``colbench doctor``; the exit status is 1 where something is missing that everything needs."""
    results = tuple(checks())
    print_note(to_json(results)) if json else _print(results)
    return FAILED if any(check.needed and check.state != "ok" for check in results) else DONE


def checks() -> Iterator[Check]:
    """Yield every check, one after the other; takes some seconds."""
    yield Check("python", "ok", f"{platform.python_version()} on {platform.platform()}, {os.cpu_count()} cores")
    yield Check("colbench-gym", "ok", __version__)
    for name in ("gymnasium", "pettingzoo", "numpy", "beautifulsoup4"):
        yield _installed(name)
    yield _sandbox("process", needed=True)
    yield _docker()
    yield from _assets()
    yield _chromium()
    for module, package, extra, purpose in OPTIONAL:
        if importlib.util.find_spec(module):
            yield Check(package, "ok", f"{installed_version(package)}: {purpose}")
        else:
            yield Check(package, "missing", f'{purpose}; install it with: pip install "colbench-gym[{extra}]"')
    key = "set" if os.environ.get("OPENAI_API_KEY") else "not set (only hosted models need one)"
    yield Check("OPENAI_API_KEY", "ok", key)


def _installed(package: str) -> Check:
    if installed := installed_version(package):
        return Check(package, "ok", installed)
    return Check(package, "failed", f"not installed; install it with: pip install {package}", needed=True)


def _assets() -> Iterator[Check]:
    """Check the files that pages link; without them the backend track works all the same."""
    from colbench_gym.rendering.assets import ASSETS, cache_folder, state_of
    from colbench_gym.rendering.assets.placeholders import RealPictures

    for asset in ASSETS:
        state, problem = state_of(asset, cache_folder())
        text = problem or f"{asset.size_bytes:,} bytes, the pinned ones, in {cache_folder()}"
        states: dict[str, State] = {"fetched": "ok", "missing": "missing", "damaged": "failed"}
        yield Check(asset.name, states[state], text)
    if named := os.environ.get("COLBENCH_PICTURES"):
        try:
            yield Check("COLBENCH_PICTURES", "ok", f"{len(RealPictures(Path(named)).hashes)} pictures in {named}")
        except ColBenchError as e:
            yield Check("COLBENCH_PICTURES", "failed", str(e))


def _chromium() -> Check:
    """Start one, render one page, and see whether one that links what listens here reaches it."""
    from colbench_gym.rendering.chromium import Chromium

    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        page = f"<link rel=prefetch href={address}><link rel=preconnect href={address}><img src={address}>"
        try:
            with Chromium(browsers=1) as renderer:
                status, versions, contained = renderer.render(page).status, renderer.versions, renderer.containment
        except ColBenchError as e:
            return Check("chromium", "missing", str(e))
        listener.settimeout(PROBE_S)
        try:
            listener.accept()[0].close()
        except TimeoutError:
            if status == "rendered":
                text = f"{versions['browser']}, fonts {versions['fonts']}: renders pages; no network; {contained}"
                return Check("chromium", "ok", text)
            return Check("chromium", "failed", f"a trivial page ended as {status!r}")
    return Check("chromium", "failed", f"a page reached {address}: it is not contained ({contained})")


def _docker() -> Check:
    """Check the engine, and the image if it is built; looking builds none."""
    from colbench_gym.sandboxes.docker import connect
    from colbench_gym.sandboxes.docker.image import image_name

    try:
        with closing(connect()) as client:
            built = any(image_name() in image.tags for image in client.images.list())
    except ColBenchError as e:
        return Check("sandbox docker", "missing", str(e))
    if not built:
        return Check("sandbox docker", "ok", "an engine answers; build the image ahead with: colbench sandbox build")
    return _sandbox("docker", needed=False)


def _sandbox(name: str, needed: bool) -> Check:
    """Start it and run one program, which is the only proof that counts."""
    program = Program(source="def double(x):\n    return 2 * x\n", calls=("double(21)",))
    try:
        with closing(open_sandbox(name)) as sandbox:
            outcome = sandbox.run(program)[0]
            contained = containment_of(sandbox)
    except ColBenchError as e:
        return Check(f"sandbox {name}", "failed" if needed else "missing", str(e), needed)
    if outcome.value != 42:
        return Check(f"sandbox {name}", "failed", f"a trivial program ended as {outcome.status!r}", needed)
    limits = f"; limited by {limits_in_use()}" if name == "process" else ""
    text = f"runs programs, contained by {contained}{limits}; colbench sandbox check --only {name} attacks it"
    return Check(f"sandbox {name}", "ok", text)


def _print(checks: Sequence[Check]) -> None:
    colours = {"ok": "green", "missing": "yellow", "failed": "red"}
    shown = table("what", "state", "")
    for check in checks:
        shown.add_row(escape(check.name), f"[{colours[check.state]}]{check.state}[/]", escape(check.text))
    print_table(shown)
