"""Write a contact sheet of generated pages: ``contact_sheet.py --out sheet.png --split test -n 12``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from colbench_gym.curation.contact_sheet import contact_sheet
from colbench_gym.rendering import open_renderer
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks


@dataclass(frozen=True)
class Sheet:
    """What to show.

    Attributes:
        out: the PNG to write.
        split: of the generated pages.
        n: how many pages.
        first: position of the first one.
    """

    out: Path
    split: str = "test"
    n: Annotated[int, tyro.conf.arg(aliases=["-n"])] = 12
    first: int = 0


def main(sheet: Sheet) -> int:
    """Render the pages and write the sheet."""
    tasks = GeneratedFrontendTasks(sheet.split)
    renderer = open_renderer("chromium")
    try:
        png = contact_sheet([tasks.at(sheet.first + index) for index in range(sheet.n)], renderer)
    finally:
        renderer.close()
    sheet.out.write_bytes(png)
    print(f"{sheet.out}: {sheet.n} pages of {tasks.spec}, {len(png):,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(tyro.cli(Sheet, description=__doc__)))
