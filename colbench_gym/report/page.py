"""The report: one HTML file with the table, the plots and every dialogue, which loads nothing from elsewhere."""

from __future__ import annotations

import base64
import hashlib
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from colbench_gym.errors import MissingExtraError
from colbench_gym.evaluation.scored_runs import ScoredRun
from colbench_gym.jsonl import replacing
from colbench_gym.rendering import Renderer
from colbench_gym.report.dialogues import Runs, readable, report_data
from colbench_gym.report.formats import MISSING, TableLines, table_lines
from colbench_gym.report.marks import add_marks
from colbench_gym.report.plots import Plot, plots
from colbench_gym.report.resources import HEADS, resources
from colbench_gym.report.table import result_table
from colbench_gym.report.thumbnails import MAX_HEIGHT, NOT_DRAWN, WIDTH, draw_pages
from colbench_gym.report.verdicts import facts, verdicts
from colbench_gym.rules import Track

PAGES_FOLDER = "pages"
_TEMPLATES = Path(__file__).parent / "templates"
_TRACKS: tuple[Track, ...] = ("backend", "frontend")

Json = dict[str, Any]  # Any: JSON


@dataclass(frozen=True)
class Report:
    """Report that has been written.

    Attributes:
        path: the file.
        not_drawn: how many pages it shows no picture of since the time was over.
    """

    path: Path
    not_drawn: int = 0


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
    filled = _filled(table) if table else []
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
            rows=[([cells[place] for place in filled], alike) for cells, alike in table.methods] if table else (),
            used={"heads": HEADS, "rows": [([readable(cell) for cell in row], True) for row in resources(scored)]},
            plots=[_shown(plot) for track in _TRACKS for plot in plots(_of_track(runs, track))],
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


def _filled(table: TableLines) -> list[int]:
    """Return the places of the columns in which some run has a number."""
    return [place for place in range(len(table.heads)) if any(cells[place] != MISSING for cells, _ in table.methods)]


def _of_track(runs: Runs, track: Track) -> dict[str, Sequence[Any]]:
    return {name: [t for t in run if t.rules.track == track] for name, run in runs.items()}


def _shown(plot: Plot) -> Json:
    return {
        "title": plot.title,
        "words": plot.words,
        "src": f"data:image/svg+xml;base64,{base64.b64encode(plot.svg).decode('ascii')}",
    }


def _for_script(data: Json) -> str:
    """Return JSON that ends no ``script`` element, whatever an agent wrote."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _hash(text: str) -> str:
    """Return a text's hash as a content security policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}'"
