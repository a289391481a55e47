"""``colbench table``: Table 2 of the paper, with runs beside it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import print_note
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.scored_runs import ScoredRun, read_run


@dataclass(frozen=True)
class TableCommand:
    """Print Table 2 of the paper with runs beside it: tests passed, success, similarity, win rate, turns.

    A method that differs from the paper's set-up is marked, and the differences are listed below.

    Attributes:
        runs: folders of colbench eval, or files that colbench grade wrote, each as RUN or METHOD=RUN; runs of one
            method and track count as its training seeds, and its runs of both tracks share a line.
        baseline: a frontend run that win rates are against (the paper's is GPT-4o).
        out: a file to write the table to; its ending says how: .txt, .md, .csv, .tex or .html.
    """

    runs: Annotated[Positional[tuple[str, ...]], arg(metavar="[METHOD=]RUN [...]")]
    baseline: Path | None = None
    out: Path | None = None

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.report.formats import FORMATS, to_text
        from colbench_gym.report.table import result_table

        ending = "txt" if self.out is None else self.out.suffix.removeprefix(".").lower()
        if ending not in FORMATS:
            raise UsageError(f"--out {self.out} ends in {ending!r}; expected one of: .{', .'.join(FORMATS)}")
        baseline = None if self.baseline is None else read_run(self.baseline)
        table = result_table(_methods(self.runs), baseline)
        if self.out is not None:
            check_writable(self.out)
            self.out.write_text(FORMATS[ending](table), encoding="utf-8")
        print_note(to_text(table))
        return 0


def _methods(named: tuple[str, ...]) -> dict[str, list[ScoredRun]]:
    """Read the runs of each method; a run without a method's name goes by its agent, else by its path."""
    methods: dict[str, list[ScoredRun]] = {}
    for text in named:
        method, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            method, path = "", text
        elif not method or not path:
            raise UsageError(f"got the run {text!r}, expected RUN or METHOD=RUN")
        run = read_run(Path(path))
        methods.setdefault(method or str(run.settings.get("agent") or run.name), []).append(run)
    return methods
