"""Pictures of many pages on one sheet, small enough to be looked at together."""

from __future__ import annotations

import io
from collections.abc import Sequence

from colbench_gym.errors import MissingExtraError
from colbench_gym.rendering import Renderer
from colbench_gym.tasks import FrontendTask

COLUMNS = 4
WIDTH_PX = 320  # ours: of one page on the sheet
MAX_HEIGHT_PX = 420  # ours: what is longer is cut at the bottom
_MARGIN_PX = 12


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
