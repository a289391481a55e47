"""``colbench small-table2`` and ``leaderboard``: algorithms that learn what to ask, and how they compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli import DONE, FAILED, print_error
from colbench_gym.cli.tables import AsJson, print_note, progress_bar, to_json
from colbench_gym.errors import UsageError
from colbench_gym.learning.options import SmallTable2
from colbench_gym.learning.options import quick as quick_options
from colbench_gym.learning.summary import Line


def small_table2(options: SmallTable2, json: AsJson = False, quick: FlagCreatePairsOff[bool] = False) -> int:
    """Run ``colbench small-table2``."""
    from colbench_gym.learning.experiment import Experiment
    from colbench_gym.learning.summary import RESULTS, differences, draw, failed_gates, read_lines, write_json

    options = quick_options(options) if quick else options
    with progress_bar("seeds") as progress:
        Experiment(options, progress).run()
    lines = read_lines(options.out / RESULTS)
    write_json(lines, options.out / "small_table2.json")
    print_note(to_json(lines) if json else f"{_tables(lines)}\n\n{differences(options.out / RESULTS)}")
    draw(lines, options.out / "small_table2.png")
    failed = failed_gates(lines["test"]) if quick else []
    for gate in failed:
        print_error(f"gate failed: {gate}")
    return FAILED if failed else DONE


def leaderboard(runs: Annotated[Positional[tuple[Path, ...]], arg(metavar="RUN [...]")], json: AsJson = False) -> None:
    """Run ``colbench leaderboard``."""
    from colbench_gym.learning.summary import RESULTS, read_lines
    from colbench_gym.learning.summary import leaderboard as ranked_lines

    if not runs:
        raise UsageError(f"got no run; expected folders of colbench small-table2, or files such as their {RESULTS}")
    ranked = ranked_lines(read_lines(*(run / RESULTS if run.is_dir() else run for run in runs)))
    print_note(to_json(ranked) if json else _tables(ranked))


def _tables(lines: Mapping[str, Sequence[Line]]) -> str:
    from colbench_gym.learning.summary import markdown

    return "\n\n".join(f"{split}\n\n{markdown(of_split)}" for split, of_split in lines.items())
