"""``colbench demo``: what asking is worth on both tracks, as tables and a picture."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path

from colbench_gym.cli.tables import Count, demo_table, print_dialogue, print_note, progress_bar
from colbench_gym.errors import (
    AssetError,
    InputFileError,
    MissingExtraError,
    RendererError,
    SandboxUnavailableError,
    UsageError,
)
from colbench_gym.evaluation.demo import DemoTable, play_demo
from colbench_gym.rendering import Renderer, open_renderer

PICTURE_FILE = "pages.png"


def demo(n: Count = 100, pages: int = 10, seed: int = 0, out: Path = Path("colbench-demo")) -> int:
    """Run ``colbench demo``."""
    if min(n, pages) < 1:
        raise UsageError(f"n is {n} and pages is {pages}; expected at least 1 task of each track")
    existing = next(folder for folder in (out, *out.absolute().parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        what = "cannot be written" if existing.is_dir() else "is a file"
        raise InputFileError(f"{out}: {existing} {what}; name a folder that you may write with --out")
    tables = []
    try:
        tables.append(_backend(n, seed))
    except SandboxUnavailableError as e:
        print_note(f"The backend track was left out: {e} With an engine: COLBENCH_SANDBOX=docker colbench demo")
    try:
        tables.append(_frontend(pages, seed, out))
    except (MissingExtraError, RendererError, AssetError) as e:
        print_note(f"\nThe frontend track was left out: {e}")
    return int(not tables or any(row.summary.failed for table in tables for row in table.rows))


def _backend(n: int, seed: int) -> DemoTable:
    with progress_bar("dialogues") as progress:
        programs = play_demo("backend", n, seed, lambda agent, done, total: progress(done, total, agent))
    print_note("One dialogue, as both seats see it:")
    print_dialogue(programs.shown)
    demo_table(programs)
    return programs


def _frontend(n: int, seed: int, out: Path) -> DemoTable:
    from colbench_gym.evaluation.demo_pictures import check_pillow

    check_pillow()
    with closing(open_renderer()) as renderer:
        with progress_bar("dialogues") as progress:
            pages = play_demo("frontend", n, seed, lambda agent, done, total: progress(done, total, agent), renderer)
        picture = _picture(pages, renderer, out)
    print_note("")
    demo_table(pages)
    print_note(f"The wanted page beside the pages that {pages.shown_agent} proposed: {picture}")
    return pages


def _picture(pages: DemoTable, renderer: Renderer, out: Path) -> Path:
    from colbench_gym.evaluation.demo_pictures import panels, write_picture
    from colbench_gym.graders.similarities import make_similarity

    out.mkdir(parents=True, exist_ok=True)
    with closing(make_similarity("layout", renderer)) as grader:
        write_picture(out / PICTURE_FILE, panels(pages.shown, renderer, grader))
    return out / PICTURE_FILE
