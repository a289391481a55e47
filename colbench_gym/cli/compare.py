"""``colbench compare``: two runs side by side."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

from rich.markup import escape
from rich.table import Table
from tyro.conf import Positional, arg

from colbench_gym.cli.tables import SCORE_NAMES, print_note, print_table, table
from colbench_gym.evaluation.compare_runs import Comparison, ScoreComparison, compare
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.scored_runs import read_run


@dataclass(frozen=True)
class Compare:
    """Compare two runs on the tasks that both have: means, their paired difference, and the win rate of Table 2.

    Attributes:
        run_a: a folder of colbench eval, a file of trajectories, or what colbench grade wrote.
        run_b: the other one; for the win rate of Table 2 the run of the model to be compared with.
        out: a JSON file to write the same to.
    """

    run_a: Annotated[Positional[Path], arg(metavar="RUN_A")]
    run_b: Annotated[Positional[Path], arg(metavar="RUN_B")]
    out: Path | None = None

    def run(self) -> int:
        """Run the command; return the exit status."""
        comparison = compare(read_run(self.run_a), read_run(self.run_b))
        if self.out is not None:
            check_writable(self.out)
            self.out.write_text(json.dumps(asdict(comparison), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        _print(comparison)
        return 0


def _print(both: Comparison) -> None:
    shown = table("", "A", "B", "A - B, paired, in points", title=escape(f"A: {both.a}\nB: {both.b}"))
    name = SCORE_NAMES[both.track]
    _add(shown, f"{name} ({both.metric})" if both.track == "frontend" and both.metric else name, both.score)
    if both.success is not None:
        _add(shown, "success", both.success)
    print_table(shown)
    counts = f"{both.wins} wins, {both.ties} ties (half a win each), {both.losses} losses"
    print_note(f"win rate of A over B: {both.win_rate.percent()} of {both.tasks} tasks: {counts}")
    if both.only_a or both.only_b:
        print_note(f"left out: {both.only_a} tasks that only A has, {both.only_b} that only B has")
    if both.not_counted_a or both.not_counted_b:
        print_note(f"left out: dialogues that failed on our side: {both.not_counted_a} of A, {both.not_counted_b} of B")
    for name, (a, b) in both.settings.items():
        print_note(f"settings differ: {name} is {a} in A, {b} in B")


def _add(shown: Table, name: str, measure: ScoreComparison) -> None:
    shown.add_row(name, measure.a.percent(), measure.b.percent(), measure.difference.points())
