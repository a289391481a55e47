"""``colbench table``: Tables 2 and 3 of the paper, and its Figure 3, with runs beside them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import print_note
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.scored_runs import ScoredRun, read_run


@dataclass(frozen=True)
class TableCommand:
    """Print a table of the paper with runs beside it: Table 2 (tests passed, success, similarity, win rate, turns).

    A method that differs from the paper's set-up is marked, and the differences are listed below.

    Attributes:
        runs: folders of colbench eval, or files that colbench grade wrote, each as RUN or METHOD=RUN; runs of one
            method and track count as its training seeds, and its runs of both tracks share a line.
        table: 2, or 3 (ablations): the runs go by the METHOD or by what colbench eval --label called them; sweet,
            no-privileged, regression and no-length-normalisation are the paper's rows.
        figure: 3 in place of a table: success by N, a curve for each NAME of the labels NAME@N.
        baseline: Table 2: a frontend run that win rates are against (the paper's is GPT-4o).
        out: a file to write it to; its ending says how: .txt, .md, .csv, .tex or .html for a table, .csv, .svg, .png
            or .pdf for a figure.
    """

    runs: Annotated[Positional[tuple[str, ...]], arg(metavar="[METHOD=]RUN [...]")]
    table: Literal[2, 3] = 2
    figure: Literal[3] | None = None
    baseline: Path | None = None
    out: Path | None = None

    def run(self) -> int:
        """Run the command; return the exit status."""
        if self.baseline is not None and (self.table != 2 or self.figure is not None):
            raise UsageError(f"got --baseline {self.baseline}, which only Table 2 reads; drop it")
        return self._draw() if self.figure is not None else self._write()

    def _write(self) -> int:
        from colbench_gym.report.formats import FORMATS, to_text
        from colbench_gym.report.table import ablation_table, result_table

        ending = self._ending("txt", *FORMATS)
        if self.table == 3:
            shown = ablation_table(_methods(self.runs, _label))
        else:
            baseline = None if self.baseline is None else read_run(self.baseline)
            shown = result_table(_methods(self.runs, _agent), baseline)
        if self.out is not None:
            check_writable(self.out)
            self.out.write_text(FORMATS[ending](shown), encoding="utf-8")
        print_note(to_text(shown))
        return 0

    def _draw(self) -> int:
        from colbench_gym.report.figure import PICTURES, curves, draw, to_csv, to_text

        ending = self._ending("csv", "csv", *PICTURES)
        shown = curves(_methods(self.runs, _label))
        if self.out is not None:
            check_writable(self.out)
            if ending == "csv":
                self.out.write_text(to_csv(shown), encoding="utf-8")
            else:
                draw(shown, self.out)
        print_note(to_text(shown))
        return 0

    def _ending(self, default: str, *known: str) -> str:
        ending = default if self.out is None else self.out.suffix.removeprefix(".").lower()
        if ending not in known:
            raise UsageError(f"--out {self.out} ends in {ending!r}; expected one of: .{', .'.join(known)}")
        return ending


def _agent(run: ScoredRun) -> str:
    return str(run.settings.get("agent") or run.name)


def _label(run: ScoredRun) -> str:
    if not run.label:
        raise UsageError(
            f"{run.name} has no label, by which Table 3 and Figure 3 name runs; write LABEL={run.name}, or play it "
            "with colbench eval --label LABEL"
        )
    return run.label


def _methods(named: tuple[str, ...], name_of: Callable[[ScoredRun], str]) -> dict[str, list[ScoredRun]]:
    """Read the runs of each method; ``name_of`` names a run that comes without a method's name."""
    methods: dict[str, list[ScoredRun]] = {}
    for text in named:
        method, equals, path = text.partition("=")
        if not equals or Path(text).exists():
            method, path = "", text
        elif not method or not path:
            raise UsageError(f"got the run {text!r}, expected RUN or METHOD=RUN")
        run = read_run(Path(path))
        methods.setdefault(method or name_of(run), []).append(run)
    return methods
