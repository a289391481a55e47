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
        found = compare(read_run(self.run_a), read_run(self.run_b))
        if self.out is not None:
            check_writable(self.out)
            self.out.write_text(json.dumps(asdict(found), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        _print(found)
        return 0


def _print(found: Comparison) -> None:
    shown = table("", "A", "B", "A - B, paired, in points", title=escape(f"A: {found.a}\nB: {found.b}"))
    name = SCORE_NAMES[found.track]
    _add(shown, f"{name} ({found.metric})" if found.track == "frontend" and found.metric else name, found.score)
    if found.success is not None:
        _add(shown, "success", found.success)
    print_table(shown)
    counts = f"{found.wins} wins, {found.ties} ties (half a win each), {found.losses} losses"
    print_note(f"win rate of A over B: {found.win_rate.percent()} of {found.tasks} tasks: {counts}")
    if found.only_a or found.only_b:
        print_note(f"left out: {found.only_a} tasks that only A has, {found.only_b} that only B has")
    if found.not_counted_a or found.not_counted_b:
        print_note(
            f"left out: dialogues that failed on our side: {found.not_counted_a} of A, {found.not_counted_b} of B"
        )
    for name, (a, b) in found.settings.items():
        print_note(f"settings differ: {name} is {a} in A, {b} in B")


def _add(shown: Table, name: str, measure: ScoreComparison) -> None:
    shown.add_row(name, measure.a.percent(), measure.b.percent(), measure.difference.points())
