"""Write a contact sheet of generated pages: ``contact_sheet.py --out sheet.png --split test -n 12``."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro

from colbench_gym.errors import MissingExtraError
from colbench_gym.rendering import Renderer, open_renderer
from colbench_gym.tasks import FrontendTask
from colbench_gym.tasks.generated_frontend.task_set import GeneratedFrontendTasks

COLUMNS = 4
WIDTH_PX = 320  # ours: of one page on the sheet
MAX_HEIGHT_PX = 420  # ours: what is longer is cut at the bottom
_MARGIN_PX = 12


@dataclass(frozen=True)
class Sheet:
    """Settings of the sheet.

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


def contact_sheet(tasks: Sequence[FrontendTask], renderer: Renderer) -> bytes:
    """Return a PNG that shows the wanted pages of tasks, in rows of :data:`COLUMNS`.

    Raises:
        MissingExtraError: Pillow is not installed.
        RendererError: the browser failed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError.of("pillow", "render", "a contact sheet") from error
    rows = -(-len(tasks) // COLUMNS)
    step_x, step_y = WIDTH_PX + _MARGIN_PX, MAX_HEIGHT_PX + _MARGIN_PX
    sheet = Image.new("RGB", (COLUMNS * step_x + _MARGIN_PX, rows * step_y + _MARGIN_PX), "#9CA3AF")
    for place, task in enumerate(tasks):
        page = Image.open(io.BytesIO(renderer.render(task.reference).png)).convert("RGB")
        height = round(page.height * WIDTH_PX / page.width)
        small = page.resize((WIDTH_PX, height)).crop((0, 0, WIDTH_PX, min(height, MAX_HEIGHT_PX)))
        row, column = divmod(place, COLUMNS)
        sheet.paste(small, (_MARGIN_PX + column * step_x, _MARGIN_PX + row * step_y))
    written = io.BytesIO()
    sheet.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(written, "PNG", optimize=True)
    return written.getvalue()


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
