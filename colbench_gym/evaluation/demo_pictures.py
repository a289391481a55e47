"""One picture of a frontend dialogue for people: the wanted page beside each page that the agent proposed."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from colbench_gym.action import extract_page
from colbench_gym.errors import MissingExtraError
from colbench_gym.graders import Grader
from colbench_gym.jsonl import writing
from colbench_gym.rendering import Renderer
from colbench_gym.trajectory import Trajectory

if TYPE_CHECKING:
    from PIL import Image

COLUMN_PX = 480  # width of a page in the picture; pages are 1280 wide
MAX_PAGE_PX = 1500  # height of a page in the picture; longer ones are cut
GAP_PX = 24
TITLE_PX, TEXT_PX = 22, 15  # font sizes
LINE_CHARS = 58  # of the text below a page, capitals and all
MAX_LINES = 16
_PAPER, _INK, _EDGE = (244, 244, 242), (24, 24, 27), (161, 161, 170)


@dataclass(frozen=True)
class Panel:
    """One page in the picture: what stands above it, its PNG (b"" for one that cannot be rendered), and below it."""

    title: str
    png: bytes
    text: str = ""


def panels(trajectory: Trajectory, renderer: Renderer, grader: Grader) -> tuple[Panel, ...]:
    """Return the wanted page, then each proposal with its similarity and what the human said to it."""
    task = trajectory.task
    columns = [Panel("wanted (hidden from the agent)", renderer.render(task.reference).png, f'"{task.description}"')]
    turns = trajectory.dialogue.turns
    for place, turn in enumerate(turns):
        page = extract_page(turn.content) if turn.seat == "agent" else None
        if page is None:
            continue
        reply = f'human: "{turns[place + 1].content}"' if place + 1 < len(turns) else "the answer"
        title = f"page {len(columns)}: {100 * grader.grade(task, page).score:.1f} % alike"
        columns.append(Panel(title, renderer.render(page).png, reply))
    return tuple(columns)


def write_picture(path: Path, shown: tuple[Panel, ...]) -> None:
    """Draw the panels side by side into a PNG file.

    Raises:
        MissingExtraError: Pillow is not installed.
        InputFileError: the file cannot be written.
    """
    image, draw_on, font = check_pillow()
    pages = [_page(image, panel.png) for panel in shown]
    texts = ["\n".join(_lines(panel.text)) for panel in shown]
    top = 2 * GAP_PX + TITLE_PX
    bottom = top + max(page.height for page in pages) + GAP_PX
    below = (TEXT_PX + 6) * max(text.count("\n") + 1 for text in texts)
    sheet = image.new("RGB", (len(shown) * (COLUMN_PX + GAP_PX) + GAP_PX, bottom + below + GAP_PX), _PAPER)
    draw = draw_on(sheet)
    for column, (panel, page, text) in enumerate(zip(shown, pages, texts, strict=True)):
        left = GAP_PX + column * (COLUMN_PX + GAP_PX)
        draw.text((left, GAP_PX), panel.title, _INK, font(TITLE_PX))
        sheet.paste(page, (left, top))
        draw.rectangle((left - 1, top - 1, left + COLUMN_PX, top + page.height), outline=_EDGE)
        draw.multiline_text((left, bottom), text, _INK, font(TEXT_PX), spacing=4)
    with writing(path, "name a folder you may write with --out"):
        sheet.save(path, "PNG")


def check_pillow() -> tuple[Any, Callable[..., Any], Callable[[int], Any]]:  # Any: Pillow is optional
    """Return what makes pictures, draws on them and loads a font; for finding out before the work, too.

    Raises:
        MissingExtraError: Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as e:
        raise MissingExtraError.of("pillow", "render", "drawing pages beside each other") from e
    return Image, ImageDraw.Draw, ImageFont.load_default


def _page(image: Any, png: bytes) -> Image.Image:  # Any: the module Image of Pillow
    if not png:
        return image.new("RGB", (COLUMN_PX, COLUMN_PX // 2), (255, 255, 255))
    with image.open(io.BytesIO(png)) as opened:
        page = opened.convert("RGB")
    height = max(1, round(page.height * COLUMN_PX / page.width))
    return page.resize((COLUMN_PX, height)).crop((0, 0, COLUMN_PX, min(height, MAX_PAGE_PX)))


def _lines(text: str) -> list[str]:
    lines = [part for line in text.splitlines() for part in textwrap.wrap(line, LINE_CHARS)]
    return [*lines[:MAX_LINES], "..."] if len(lines) > MAX_LINES else lines
