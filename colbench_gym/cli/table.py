"""``colbench table`` and ``compare``: runs beside the paper's numbers, and beside each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Literal

from rich.markup import escape
from rich.table import Table
from tyro.conf import FlagCreatePairsOff, Positional, arg

from colbench_gym.cli.tables import (
    SCORE_NAMES,
    AsJson,
    named_runs,
    print_and_write,
    print_greyed,
    print_note,
    print_table,
    to_json,
)
from colbench_gym.cli.tables import table as empty_table
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.compare_runs import Comparison, ScoreComparison, compare
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.scored_runs import ScoredRun, read_run
from colbench_gym.evaluation.statistics.power import POWER, power_of, tasks_needed


def print_table_of_runs(
    runs: Annotated[Positional[tuple[str, ...]], arg(metavar="[METHOD=]RUN [...]")] = (),
    table: Literal[2, 3, 4] | None = None,
    figure: Literal["3", "3a", "3b"] | None = None,
    published: FlagCreatePairsOff[bool] = False,
    baseline: Path | None = None,
    out: Path | None = None,
    json: AsJson = False,
) -> None:
    """Run ``colbench table``."""
    if baseline is not None and (table not in (None, 2) or figure is not None):
        raise UsageError(f"got --baseline {baseline}, which only Table 2 reads; drop it")
    if published and not (runs or table or figure or out or json):
        for number in (2, 3, 4):
            _write((), number, published, baseline)
            print_note("")
        for part in ("3a", "3b"):
            _draw((), part, published)
    elif figure is not None:
        _draw(runs, "3b" if figure == "3b" else "3a", published, out, json)
    else:
        _write(runs, table or 2, published, baseline, out, json)


def _write(
    runs: tuple[str, ...],
    number: int,
    published: bool,
    baseline: Path | None = None,
    out: Path | None = None,
    json: bool = False,
) -> None:
    from colbench_gym.report.formats import FORMATS, to_text
    from colbench_gym.report.table import result_table

    ending = _ending(out, "txt", *FORMATS)
    against = None if baseline is None else read_run(baseline)
    shown = result_table(_methods(runs, _agent if number == 2 else _label), against, number, published)
    if out is not None:
        check_writable(out)
        out.write_text(FORMATS[ending](shown), encoding="utf-8")
    grey = len(shown.methods) + 2, len(shown.paper) + 1 if published else 0
    print_note(to_json(shown)) if json else print_greyed(to_text(shown), *grey)


def _draw(
    runs: tuple[str, ...], part: Literal["3a", "3b"], published: bool, out: Path | None = None, json: bool = False
) -> None:
    from colbench_gym.report.figure import PICTURES, curves, draw, paper_points, to_csv, to_text

    ending = _ending(out, "csv", "csv", *PICTURES)
    shown = curves(_methods(runs, _label), published)
    if out is not None:
        check_writable(out)
        if ending == "csv":
            out.write_text(to_csv(shown, part), encoding="utf-8")
        else:
            draw(shown, out, part)
    grey = sum(map(len, shown.values())) + 2, len(paper_points(part))
    print_note(to_json(shown)) if json else print_greyed(to_text(shown, part), *grey)


def _ending(out: Path | None, default: str, *known: str) -> str:
    ending = default if out is None else out.suffix.removeprefix(".").lower()
    if ending not in known:
        raise UsageError(f"--out {out} ends in {ending!r}; expected one of: .{', .'.join(known)}")
    return ending


def _agent(run: ScoredRun) -> str:
    return str(run.settings.get("agent") or run.name)


def _label(run: ScoredRun) -> str:
    if not run.label:
        raise UsageError(
            f"{run.name} has no label, by which Tables 3 and 4 and Figure 3 name runs; write LABEL={run.name}, or "
            "play it with colbench eval --label LABEL"
        )
    return run.label


def _methods(named: tuple[str, ...], name_of: Callable[[ScoredRun], str]) -> dict[str, list[ScoredRun]]:
    """Read the runs of each method; ``name_of`` names a run that comes without a method's name."""
    methods: dict[str, list[ScoredRun]] = {}
    for method, path in named_runs(named):
        run = read_run(path)
        methods.setdefault(method or name_of(run), []).append(run)
    return methods


def compare_runs(
    run_a: Annotated[Positional[Path], arg(metavar="RUN_A")],
    run_b: Annotated[Positional[Path], arg(metavar="RUN_B")],
    out: Path | None = None,
    power: float | None = None,
    json: AsJson = False,
) -> None:
    """Run ``colbench compare``."""
    a, b = read_run(run_a), read_run(run_b)
    if run_a.resolve() == run_b.resolve():
        raise UsageError(f"got the run {run_a} twice; expected two runs")
    comparison = compare(a, b)
    powers = {} if power is None else _powers(comparison, power)
    if print_and_write({**vars(comparison), **({"power": powers} if powers else {})}, out, json):
        return
    _print(comparison)
    for name, of in powers.items():
        _print_power(name, of, comparison.tasks, power or 0.0)


def _print(both: Comparison) -> None:
    shown = empty_table("", "A", "B", "A - B, paired, in points", title=escape(f"A: {both.a}\nB: {both.b}"))
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
    shown.add_row(name, measure.a.percent(), measure.b.percent(), measure.difference.points("+"))


def _powers(both: Comparison, difference: float) -> dict[str, dict[str, float | None]]:
    """Return of each number how many tasks show a difference, and the chance of those here; None where none tells."""
    measures = {SCORE_NAMES[both.track]: both.score, "success": both.success}
    return {
        name: {
            "spread": spread,
            "tasks_needed": tasks_needed(difference, spread) if spread else None,
            "power_here": (power_of(both.tasks, difference, spread) if both.tasks > 1 else 0.0) if spread else None,
        }
        for name, spread in ((name, of.spread) for name, of in measures.items() if of is not None)
    }


def _print_power(name: str, power: Mapping[str, float | None], tasks: int, difference: float) -> None:
    if not power["spread"]:
        print_note(f"{name}: the runs differ on no task, so nothing tells how many tasks would show a difference")
        return
    print_note(
        f"{name}: {power['tasks_needed']} tasks show a difference of {100 * difference:g} points with a chance of "
        f"{POWER:.0%}; these {tasks} do with {power['power_here']:.0%} (standard deviation over tasks: "
        f"{100 * power['spread']:.0f} points)"
    )
