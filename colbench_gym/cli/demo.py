"""``colbench demo``: what asking is worth on both tracks, as tables and a picture."""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tyro.conf import arg

from colbench_gym.cli.tables import demo_table, print_dialogue, print_note, progress_bar
from colbench_gym.errors import (
    AssetError,
    InputFileError,
    MissingExtraError,
    RendererError,
    SandboxUnavailableError,
    UsageError,
)

if TYPE_CHECKING:
    from colbench_gym.evaluation.demo import DemoTable
    from colbench_gym.rendering import Renderer

PICTURE_FILE = "pages.png"


@dataclass(frozen=True)
class Demo:
    """Command ``colbench demo``."""

    n: Annotated[int, arg(aliases=["-n"], metavar="N")] = 100
    pages: int = 10
    seed: int = 0
    out: Path = Path("colbench-demo")

    def run(self) -> int:
        """Run the command; return the exit status."""
        if self.n < 1:
            raise UsageError(f"n is {self.n}; expected at least 1 task")
        if self.pages < 1:
            raise UsageError(f"pages is {self.pages}; expected at least 1 task")
        existing = next(folder for folder in (self.out, *self.out.absolute().parents) if folder.exists())
        if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
            what = "cannot be written" if existing.is_dir() else "is a file"
            raise InputFileError(f"{self.out}: {existing} {what}; name a folder that you may write with --out")
        tables = []
        try:
            tables.append(self._backend())
        except SandboxUnavailableError as e:
            print_note(f"The backend track was left out: {e} With an engine: COLBENCH_SANDBOX=docker colbench demo")
        try:
            tables.append(self._frontend())
        except (MissingExtraError, RendererError, AssetError) as e:
            print_note(f"\nThe frontend track was left out: {e}")
        return int(not tables or any(row.summary.failed for table in tables for row in table.rows))

    def _backend(self) -> DemoTable:
        from colbench_gym.evaluation.demo import play_demo

        with progress_bar("dialogues") as progress:
            programs = play_demo("backend", self.n, self.seed, lambda agent, done, total: progress(done, total, agent))
        print_note("One dialogue, as both seats see it:")
        print_dialogue(programs.shown)
        demo_table(programs)
        return programs

    def _frontend(self) -> DemoTable:
        from colbench_gym.evaluation.demo import play_demo
        from colbench_gym.evaluation.demo_pictures import check_pillow
        from colbench_gym.rendering import open_renderer

        check_pillow()
        with closing(open_renderer()) as renderer:
            with progress_bar("dialogues") as progress:
                pages = play_demo(
                    "frontend", self.pages, self.seed, lambda agent, done, total: progress(done, total, agent), renderer
                )
            picture = self._picture(pages, renderer)
        print_note("")
        demo_table(pages)
        print_note(f"The wanted page beside the pages that {pages.shown_agent} proposed: {picture}")
        return pages

    def _picture(self, pages: DemoTable, renderer: Renderer) -> Path:
        from colbench_gym.evaluation.demo_pictures import panels, write_picture
        from colbench_gym.graders.similarities import make_similarity

        self.out.mkdir(parents=True, exist_ok=True)
        picture = self.out / PICTURE_FILE
        with closing(make_similarity("layout", renderer)) as grader:
            write_picture(picture, panels(pages.shown, renderer, grader))
        return picture
