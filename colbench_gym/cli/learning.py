"""``colbench small-table2`` and ``leaderboard``: algorithms that learn what to ask, and how they compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED
from colbench_gym.cli.tables import JsonFlag, print_error, print_note, progress_bar, to_json
from colbench_gym.learning.options import SmallTable2, quick
from colbench_gym.learning.summary import Line


@dataclass(frozen=True)
class SmallTable2Command(SmallTable2, JsonFlag):
    """Command ``colbench small-table2``."""

    quick: FlagCreatePairsOff[bool] = False

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.learning.experiment import Experiment
        from colbench_gym.learning.summary import RESULTS, draw, failed_gates, read_lines, write_json

        options = SmallTable2(**{field.name: getattr(self, field.name) for field in fields(SmallTable2)})
        options = quick(options) if self.quick else options
        with progress_bar("seeds") as progress:
            Experiment(options, progress).run()
        lines = read_lines(options.out / RESULTS)
        write_json(lines, options.out / "small_table2.json")
        draw(lines, options.out / "small_table2.png")
        print_note(to_json(lines) if self.json else _tables(lines))
        failed = failed_gates(lines["test"]) if self.quick else []
        for gate in failed:
            print_error(f"gate failed: {gate}")
        return FAILED if failed else DONE


@dataclass(frozen=True)
class Leaderboard(JsonFlag):
    """Command ``colbench leaderboard``."""

    runs: Annotated[Positional[tuple[Path, ...]], arg(metavar="RUN [...]")]

    def run(self) -> int:
        """Run the command; return the exit status."""
        from colbench_gym.learning.summary import RESULTS, leaderboard, read_lines

        ranked = leaderboard(read_lines(*(run / RESULTS if run.is_dir() else run for run in self.runs)))
        print_note(to_json(ranked) if self.json else _tables(ranked))
        return DONE


def _tables(lines: Mapping[str, Sequence[Line]]) -> str:
    from colbench_gym.learning.summary import markdown

    return "\n\n".join(f"{split}\n\n{markdown(of_split)}" for split, of_split in lines.items())
