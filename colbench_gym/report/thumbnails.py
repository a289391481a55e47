"""Pictures of pages for the report: small ones that stand in it, whole ones in a folder beside it."""

from __future__ import annotations

import base64
import io
import json
import math
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

from colbench_gym.concurrency import cores
from colbench_gym.rendering import Renderer
from colbench_gym.report.marks import parts_of

WIDTH = 480  # pixels of a small picture, ours
MAX_HEIGHT = 960  # pixels; a longer page is cut there
QUALITY = 60  # of WebP, ours
MAX_BYTES = 40 * 1024**2  # of all small pictures, ours: base64 makes 53 MB of them, in a file of at most 60 MB

NOT_DRAWN = "not_drawn"  # status of a page for which there was no time

Json = dict[str, Any]  # Any: JSON


def draw_pages(
    pages: Mapping[str, str], folder: Path, open_renderer: Callable[[], Renderer], link: str, within_s: float = math.inf
) -> dict[str, Json]:
    """Render pages and return what the report shows of each, by its key: ``src``, ``full``, ``status``.

    Args:
        pages: HTML by key.
        folder: where whole pictures are written as ``KEY.png``, and what is where on them as ``KEY.json``; pages that
            are there are not drawn again.
        open_renderer: opens what renders; not called without pages.
        link: address of the folder, seen from the report.
        within_s: time in which drawing a page is begun; the status of the rest is NOT_DRAWN.

    Raises:
        MissingExtraError, RendererError, AssetError: pages cannot be rendered here.
    """
    if not pages:
        return {}
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + within_s
    with closing(open_renderer()) as renderer, ThreadPoolExecutor(cores()) as pool:
        drawn = pool.map(lambda key: _draw(key, pages[key], folder, renderer, until), pages)
        statuses = dict(zip(pages, drawn, strict=True))
    shown: dict[str, Json] = {}
    room = MAX_BYTES
    for key, status in statuses.items():
        shown[key] = {"status": status}
        if status == "rendered":
            small = _small(folder / f"{key}.png")
            shown[key]["full"] = f"{link}/{key}.png"
            room -= len(small)
            if room >= 0:
                shown[key]["src"] = f"data:image/webp;base64,{base64.b64encode(small).decode('ascii')}"
    return shown


def _draw(key: str, html: str, folder: Path, renderer: Renderer, until: float) -> str:
    file, parts = folder / f"{key}.png", folder / f"{key}.json"
    if file.is_file() and parts.is_file():
        return "rendered"
    if time.monotonic() >= until:
        return NOT_DRAWN
    page = renderer.render(html)
    if page.status == "rendered":
        for path, data in ((file, page.png), (parts, json.dumps(parts_of(page.layout)).encode("utf-8", "replace"))):
            partial = path.with_suffix(".partial")
            partial.write_bytes(data)
            partial.replace(path)
    return page.status


def _small(file: Path) -> bytes:
    from PIL import Image

    with Image.open(file) as picture:
        scale = WIDTH / picture.width
        height = max(1, min(round(picture.height * scale), MAX_HEIGHT))
        box = (0, 0, picture.width, min(picture.height, round(height / scale)))
        small = picture.convert("RGB").resize((WIDTH, height), box=box)
    out = io.BytesIO()
    small.save(out, "WEBP", quality=QUALITY)
    return out.getvalue()
