"""``colbench watch``: the state of a run that goes on in another terminal."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from rich.console import Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.progress_bar import ProgressBar
from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED
from colbench_gym.cli.tables import console, print_note, table
from colbench_gym.evaluation.run.monitor import duration, silent_for_s, state
from colbench_gym.evaluation.run_folder import read_run_file
from colbench_gym.person import harmless

POLL_S = 1.0


def watch(run_folder: Annotated[Positional[Path], arg(metavar="RUN")], once: FlagCreatePairsOff[bool] = False) -> int:
    """Run ``colbench watch``."""
    run = read_run_file(run_folder)
    if once:
        for name, text in _lines(run):
            print_note(f"{name}: {text}")
    else:
        with Live(_picture(run), console=console(), auto_refresh=False) as live:
            while run["status"] == "running" and silent_for_s(run) is None:
                time.sleep(POLL_S)
                run = read_run_file(run_folder)
                live.update(_picture(run), refresh=True)
    return DONE if silent_for_s(run) is None else FAILED


def _lines(run: Mapping[str, Any]) -> list[tuple[str, str]]:  # Any: JSON
    settings = run["configuration"]
    head = f"{settings.get('agent')} with the human {settings.get('human')} on {settings.get('tasks')}"
    lines = [(str(settings.get("env_id")), harmless(head)), *state(run)]
    silent_s = silent_for_s(run)
    if silent_s is not None:
        text = f"no news for {duration(silent_s)}: the process seems to have ended; go on with --resume"
        lines.append(("status", text))
    return lines


def _picture(run: Mapping[str, Any]) -> RenderableType:  # Any: JSON
    coverage = run.get("coverage", {})
    shown = table("", "")
    for name, text in _lines(run):
        shown.add_row(f"[bold]{escape(name)}[/]", escape(text))
    return Group(ProgressBar(total=coverage.get("planned") or 1, completed=coverage.get("played", 0), width=60), shown)
