"""A result table as text: for a terminal, as Markdown, CSV, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from string import Template

from tabulate import tabulate

from colbench_gym.evaluation.statistics.intervals import Interval
from colbench_gym.person import harmless
from colbench_gym.report.table import Column, ResultTable, TableRow
from colbench_gym.rules import Track

MISSING = "–"
Number = Interval | float | None
_HEADS: Mapping[Column, str] = {
    "tests_passed": "tests passed, %",
    "success": "success, %",
    "similarity": "similarity, %",
    "win_rate": "win rate, %",
}
PAPER = "arXiv 2503.15478"
_TRACKS: tuple[Track, ...] = ("backend", "frontend")


def to_text(table: ResultTable) -> str:
    """Return the table for a terminal, with its notes below."""
    shown: str = tabulate(_body(table), headers=heads(table), tablefmt="simple", disable_numparse=True)
    return "\n".join([shown, "", *notes(table)])


def to_markdown(table: ResultTable) -> str:
    """Return the table as Markdown, as GitHub reads it."""
    rows = [[cell.replace("|", "\\|") for cell in row] for row in _body(table)]
    aligned = ("left", *["right"] * (len(heads(table)) - 1))
    shown: str = tabulate(rows, headers=heads(table), tablefmt="github", disable_numparse=True, colalign=aligned)
    return "\n".join([shown, "", *(f"{note}  " for note in notes(table)), ""])


def to_csv(table: ResultTable) -> str:
    """Return one line for each number: from 0 to 1, with the ends of its interval and what went in."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("source", "method", "metric", "mean", "low", "high", "dialogues", "tasks", "runs", "comparable"))
    for source, rows in (("run", table.methods), ("paper", table.paper)):
        for row in rows:
            for name in table.columns:
                number = getattr(row, name)
                ends = (
                    (number.mean, number.low, number.high, number.dialogues, number.tasks)
                    if isinstance(number, Interval)
                    else (number, "", "", "", "")
                )
                if number is not None:
                    metric = _HEADS[name].removesuffix(", %")
                    writer.writerow((source, _name(row), metric, *ends, row.runs or "", row.comparable))
            for track, turns in row.turns.items():
                writer.writerow((source, _name(row), f"{track} turns", turns, *[""] * 4, row.runs, row.comparable))
    return out.getvalue()


def to_latex(table: ResultTable) -> str:
    """Return the table for LaTeX with the package booktabs; methods that cannot be compared are grey (xcolor)."""
    width = len(heads(table))
    lines = [
        r"% needs \usepackage{booktabs} and \usepackage{xcolor}",
        rf"\begin{{tabular}}{{l{'r' * (width - 1)}}}",
        r"\toprule",
    ]
    lines += [" & ".join(map(_latex, heads(table))) + r" \\", r"\midrule"]
    for row in table.methods:
        cells = [_latex(cell) for cell in _cells(row, table)]
        lines.append(" & ".join(cells if row.comparable else [rf"\textcolor{{gray}}{{{c}}}" for c in cells]) + r" \\")
    lines += [r"\midrule", rf"\multicolumn{{{width}}}{{l}}{{\emph{{{_latex(_paper_head(table))}}}}} \\"]
    grey = r"\textcolor{gray}{%s}" if table.protocols else "%s"
    lines += [" & ".join(grey % _latex(cell) for cell in _cells(row, table)) + r" \\" for row in table.paper]
    lines += [r"\bottomrule", r"\end{tabular}", *(rf"\par\footnotesize {_latex(note)}" for note in notes(table))]
    return "\n".join(lines) + "\n"


def to_html(table: ResultTable) -> str:
    """Return the table as one page that loads nothing."""

    def line(row: TableRow, apart: bool = False) -> str:
        cells = "".join(f"<td>{html.escape(cell)}</td>" for cell in _cells(row, table))
        return f"<tr>{cells}</tr>" if row.comparable and not apart else f'<tr class="apart">{cells}</tr>'

    named = heads(table)
    shown = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in named)
    said = "<br>".join(html.escape(note) for note in notes(table))
    rows = "\n".join(
        [
            *map(line, table.methods),
            f'<tr><th colspan="{len(named)}">{html.escape(_paper_head(table))}</th></tr>',
            *(line(row, apart=bool(table.protocols)) for row in table.paper),
        ]
    )
    page = resources.files(__package__).joinpath("templates", "table.html").read_text(encoding="utf-8")
    return Template(page).substitute(heads=shown, rows=rows, said=said)


FORMATS: Mapping[str, Callable[[ResultTable], str]] = {
    "txt": to_text,
    "md": to_markdown,
    "csv": to_csv,
    "tex": to_latex,
    "html": to_html,
}


@dataclass(frozen=True)
class TableLines:
    """A table as cells of text: each line with its cells, and False where it must not stand beside the paper's."""

    heads: tuple[str, ...]
    methods: tuple[tuple[list[str], bool], ...]
    paper_head: str
    paper: tuple[tuple[list[str], bool], ...]
    notes: tuple[str, ...]


def table_lines(table: ResultTable) -> TableLines:
    """Return the table as text, cell by cell."""
    methods, paper = (
        tuple((_cells(row, table), row.comparable) for row in rows) for rows in (table.methods, table.paper)
    )
    return TableLines(heads(table), methods, _paper_head(table), paper, notes(table))


def notes(table: ResultTable) -> tuple[str, ...]:
    """Return what is said below the table: how to read it, and what keeps methods from the paper's numbers."""
    said = ["95 % intervals, clustered by task (and by run, where a method has several)."]
    if table.baseline:
        said.append(f"Win rate against {harmless(table.baseline)}; the paper's is against GPT-4o.")
    apart: dict[tuple[Track, tuple[str, ...]], list[str]] = {}
    for row in table.methods:
        for track, clauses in row.differences.items():
            if clauses:
                apart.setdefault((track, clauses), []).append(_name(row))
    if apart:
        said.append("* differs from the paper's set-up, so that its numbers do not stand beside the paper's:")
    said += [
        f"  {', '.join(methods)} ({of}): {harmless('; '.join(clauses))}." for (of, clauses), methods in apart.items()
    ]
    return (*said, *table.protocols)


def _body(table: ResultTable) -> list[list[str]]:
    head = [[_paper_head(table), *[""] * (len(heads(table)) - 1)]]
    return [*(_cells(row, table) for row in table.methods), *head, *(_cells(row, table) for row in table.paper)]


def heads(table: ResultTable) -> tuple[str, ...]:
    """Return the heads of its columns."""
    return ("method", *(_HEADS[name] for name in table.columns), "turns")


def _paper_head(table: ResultTable) -> str:
    return f"{PAPER}, Table {table.number}"


def _cells(row: TableRow, table: ResultTable) -> list[str]:
    name = _name(row) + (f" ({row.runs} runs)" if row.runs > 1 else "")
    turns = " / ".join(f"{row.turns[track]:.1f}" for track in _TRACKS if track in row.turns)
    numbers = [_number(getattr(row, name)) for name in table.columns]
    return [name if row.comparable else f"{name} *", *numbers, turns or MISSING]


def _name(row: TableRow) -> str:
    return " ".join(harmless(row.method).split())


def _number(number: Number) -> str:
    if number is None:
        return MISSING
    return f"{100 * number:.1f}" if isinstance(number, float) else number.points()


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
