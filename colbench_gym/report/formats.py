"""A result table as text: for a terminal, as Markdown, CSV, LaTeX and HTML."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from importlib import resources
from string import Template

from tabulate import tabulate

from colbench_gym.evaluation.statistics.groups import grouped
from colbench_gym.evaluation.statistics.intervals import Interval
from colbench_gym.person import harmless
from colbench_gym.report.table import Column, ResultTable, TableRow
from colbench_gym.rules import Track

MISSING = "–"
_HEADS: Mapping[Column, str] = {
    "tests_passed": "tests passed, %",
    "success": "success, %",
    "similarity": "similarity, %",
    "win_rate": "win rate, %",
}
PAPER = "arXiv 2503.15478"
_TRACKS: tuple[Track, ...] = ("backend", "frontend")
_CSV = ("source", "method", "metric", "mean", "low", "high", "dialogues", "tasks", "runs", "comparable")


@dataclass(frozen=True)
class TableLines:
    """A table as cells of text: each line with its cells, and False where it must not stand beside the paper's."""

    heads: tuple[str, ...]
    methods: tuple[tuple[list[str], bool], ...]
    paper_head: str
    paper: tuple[tuple[list[str], bool], ...]
    notes: tuple[str, ...]

    def drawn(self, form: str, cell: Callable[[str], str] = str, **options: object) -> str:
        """Return all lines in one of tabulate's forms; ``cell`` makes a cell's text fit for it."""
        between = [self.paper_head, *[""] * (len(self.heads) - 1)]
        rows = [cells for cells, _ in (*self.methods, (between, True), *self.paper)]
        body = [[cell(text) for text in row] for row in rows]
        shown: str = tabulate(body, headers=self.heads, tablefmt=form, disable_numparse=True, **options)
        return shown


def table_lines(table: ResultTable) -> TableLines:
    """Return the table as text, cell by cell."""
    methods, paper = (
        tuple((_cells(row, table), row.comparable) for row in rows) for rows in (table.methods, table.paper)
    )
    return TableLines(heads(table), methods, f"{PAPER}, Table {table.number}", paper, notes(table))


def to_text(table: ResultTable) -> str:
    """Return the table for a terminal, with its notes below."""
    lines = table_lines(table)
    return "\n".join([lines.drawn("simple"), "", *lines.notes])


def to_markdown(table: ResultTable) -> str:
    """Return the table as Markdown, as GitHub reads it."""
    lines = table_lines(table)
    aligned = ("left", *["right"] * (len(lines.heads) - 1))
    shown = lines.drawn("github", lambda text: text.replace("|", "\\|"), colalign=aligned)
    return "\n".join([shown, "", *(f"{note}  " for note in lines.notes), ""])


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([head, *rows])
    return out.getvalue()


def to_csv(table: ResultTable) -> str:
    """Return one line for each number: from 0 to 1, with the ends of its interval and what went in."""

    def lines(source: str, row: TableRow) -> Iterator[tuple[object, ...]]:
        for column in table.columns:
            number, metric = getattr(row, column), _HEADS[column].removesuffix(", %")
            ends = astuple(number) if isinstance(number, Interval) else (number, *[""] * 4)
            if number is not None:
                yield source, _name(row), metric, *ends, row.runs or "", row.comparable
        for track, turns in row.turns.items():
            yield source, _name(row), f"{track} turns", turns, *[""] * 4, row.runs, row.comparable

    rows = [("run", row) for row in table.methods] + [("paper", row) for row in table.paper]
    return csv_text(_CSV, (line for source, row in rows for line in lines(source, row)))


def to_latex(table: ResultTable) -> str:
    """Return the table for LaTeX with the package booktabs; methods that cannot be compared are grey (xcolor)."""
    lines, width = table_lines(table), len(heads(table))

    def line(cells: Sequence[str], plain: bool = True) -> str:
        form = "%s" if plain else r"\textcolor{gray}{%s}"
        return " & ".join(form % _latex(cell) for cell in cells) + r" \\"

    made = [r"% needs \usepackage{booktabs} and \usepackage{xcolor}", rf"\begin{{tabular}}{{l{'r' * (width - 1)}}}"]
    made += [r"\toprule", line(lines.heads), r"\midrule", *(line(*row) for row in lines.methods), r"\midrule"]
    made += [rf"\multicolumn{{{width}}}{{l}}{{\emph{{{_latex(lines.paper_head)}}}}} \\"]
    made += [line(cells, not table.protocols) for cells, _ in lines.paper]
    made += [r"\bottomrule", r"\end{tabular}", *(rf"\par\footnotesize {_latex(note)}" for note in lines.notes)]
    return "\n".join(made) + "\n"


def to_html(table: ResultTable) -> str:
    """Return the table as one page that loads nothing."""
    lines = table_lines(table)

    def line(cells: Sequence[str], plain: bool) -> str:
        shown = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        return f"<tr>{shown}</tr>" if plain else f'<tr class="apart">{shown}</tr>'

    rows = [line(*row) for row in lines.methods]
    rows.append(f'<tr><th colspan="{len(lines.heads)}">{html.escape(lines.paper_head)}</th></tr>')
    rows += [line(cells, not table.protocols) for cells, _ in lines.paper]
    page = resources.files(__package__).joinpath("templates", "table.html").read_text(encoding="utf-8")
    named = "".join(f'<th scope="col">{html.escape(head)}</th>' for head in lines.heads)
    return Template(page).substitute(heads=named, rows="\n".join(rows), said="<br>".join(map(html.escape, lines.notes)))


FORMATS: Mapping[str, Callable[[ResultTable], str]] = {
    "txt": to_text,
    "md": to_markdown,
    "csv": to_csv,
    "tex": to_latex,
    "html": to_html,
}


def notes(table: ResultTable) -> tuple[str, ...]:
    """Return what is said below the table: how to read it, and what keeps methods from the paper's numbers."""
    said = ["95 % intervals, clustered by task (and by run, where a method has several)."]
    if table.baseline:
        said.append(f"Win rate against {harmless(table.baseline)}; the paper's is against GPT-4o.")
    rows = ((of, _name(row)) for row in table.methods for of in row.differences.items())
    apart = grouped((of, name) for of, name in rows if of[1])
    if apart:
        said.append("* differs from the paper's set-up, so that its numbers do not stand beside the paper's:")
    said += [
        f"  {', '.join(methods)} ({of}): {harmless('; '.join(clauses))}." for (of, clauses), methods in apart.items()
    ]
    return (*said, *table.protocols)


def heads(table: ResultTable) -> tuple[str, ...]:
    """Return the heads of its columns."""
    return ("method", *(_HEADS[name] for name in table.columns), "turns")


def _cells(row: TableRow, table: ResultTable) -> list[str]:
    name = _name(row) + (f" ({row.runs} runs)" if row.runs > 1 else "")
    turns = " / ".join(f"{row.turns[track]:.1f}" for track in _TRACKS if track in row.turns)
    numbers = [getattr(row, name) for name in table.columns]
    shown = [
        MISSING if number is None else f"{100 * number:.1f}" if isinstance(number, float) else number.points()
        for number in numbers
    ]
    return [name if row.comparable else f"{name} *", *shown, turns or MISSING]


def _name(row: TableRow) -> str:
    return " ".join(harmless(row.method).split())


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in text)
