"""The report: one HTML file with the table, the plots and every dialogue, which loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.errors import MissingExtraError
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.jsonl import replacing
from colbench_gym.rendering import Renderer
from colbench_gym.report.dialogues import Runs, readable, report_data
from colbench_gym.report.formats import MISSING, table_lines
from colbench_gym.report.marks import add_marks
from colbench_gym.report.plots import plots
from colbench_gym.report.table import result_table
from colbench_gym.report.thumbnails import MAX_HEIGHT, NOT_DRAWN, WIDTH, draw_pages
from colbench_gym.report.verdicts import USED, facts, resources, verdicts
from colbench_gym.rules import Track

PAGES_FOLDER = "pages"
_TEMPLATES = Path(__file__).parent / "templates"
_TRACKS: tuple[Track, ...] = ("backend", "frontend")

Json = dict[str, Any]  # Any: JSON


@dataclass(frozen=True)
class Report:
    """Report that has been written."""

    path: Path
    not_drawn: int = 0  # pages that it shows no picture of since the time was over


def write_report(
    runs: Runs,
    scored: Mapping[str, ScoredRun],
    out: Path,
    open_renderer: Callable[[], Renderer] | None,
    within_s: float = math.inf,
) -> Report:
    """Write the report about some runs.

    Args:
        runs: the trajectories of each run, by its name.
        scored: the scores of those runs that have any, for the table.
        out: the file; whole pictures of pages go to the folder ``pages`` beside it.
        open_renderer: opens what renders pages; None for a report without pictures.
        within_s: time in which drawing a page is begun; the report shows the rest without pictures.

    Raises:
        MissingExtraError: Jinja2 or matplotlib is not installed, or what the renderer needs.
        RendererError, AssetError: pages cannot be rendered here.
        InputFileError: the file cannot be written.
    """
    try:
        from jinja2 import Environment, FileSystemLoader
    except ImportError as error:
        raise MissingExtraError.of("jinja2", "report", "a report") from error
    data = report_data(runs)
    folder = out.parent / PAGES_FOLDER
    pictures: Json = {}
    if open_renderer is not None:
        pictures = draw_pages(data.pages, folder, open_renderer, PAGES_FOLDER, within_s)
        add_marks(data.dialogues, data.tasks, folder, MAX_HEIGHT / WIDTH)
    table = table_lines(result_table({name: [run] for name, run in scored.items()})) if scored else None
    methods = table.methods if table else ()
    filled = [
        place for place, cells in enumerate(zip(*(cells for cells, _ in methods), strict=True)) if {*cells} != {MISSING}
    ]
    drawn = (
        plots({name: [t for t in run if t.rules.track == track] for name, run in runs.items()}) for track in _TRACKS
    )
    script, style = ((_TEMPLATES / name).read_text(encoding="utf-8") for name in ("report.js", "report.css"))
    text = (
        Environment(loader=FileSystemLoader(_TEMPLATES), autoescape=True, trim_blocks=True, lstrip_blocks=True)
        .get_template("report.html.jinja")
        .render(
            title=" and ".join(map(readable, runs)) if len(runs) < 3 else f"{len(runs)} runs",
            verdicts=verdicts(scored),
            facts=facts(scored),
            table=table,
            columns=[table.heads[place] for place in filled] if table else (),
            rows=[([cells[place] for place in filled], alike) for cells, alike in methods],
            used={"heads": USED, "rows": [([readable(cell) for cell in row], True) for row in resources(scored)]},
            plots=[{**vars(plot), "src": _inline(plot.svg)} for of_track in drawn for plot in of_track],
            data=_for_script(data.to_json() | {"pictures": pictures}),
            script=script,
            style=style,
            script_hash=_hash(script),
            style_hash=_hash(style),
        )
    )
    with replacing(out) as file:
        file.write(text)
    return Report(out, sum(picture["status"] == NOT_DRAWN for picture in pictures.values()))


def _for_script(data: Json) -> str:
    """Return JSON that ends no ``script`` element, whatever an agent wrote."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _inline(svg: bytes) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg).decode('ascii')}"


def _hash(text: str) -> str:
    """Return a text's hash as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
