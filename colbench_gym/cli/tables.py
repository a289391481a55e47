"""Output of ``colbench``: tables, progress and messages, with rich."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text
from tyro.conf import FlagCreatePairsOff, arg

from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.statistics.intervals import Interval
from colbench_gym.evaluation.summary import MIN_COVERAGE, Summary
from colbench_gym.person import Box, harmless
from colbench_gym.rules import Track

if TYPE_CHECKING:
    from colbench_gym.evaluation.demo import DemoTable
    from colbench_gym.evaluation.grade_files import GradedFile
    from colbench_gym.evaluation.run import RunResult
    from colbench_gym.trajectory import Trajectory

SCORE_NAMES: dict[Track, str] = {"backend": "tests passed", "frontend": "similarity"}
_ATTEMPTS = {"pass_at_k": "pass@{k}", "pass_hat_k": "pass^{k}", "best_of_k": "{score}, best of {k}"}
AsJson = Annotated[FlagCreatePairsOff[bool], arg(help="print JSON, for programs, in place of tables and words.")]
_N = arg(aliases=["-n"], metavar="N")
Count = Annotated[int, _N]
AnyCount = Annotated[int | None, _N]
WIDE = 10_000  # a file or a pipe gets each line whole; only a terminal is wrapped


class _HarmlessConsole(Console):
    """A console whose texts cannot move its cursor or retitle its window."""

    def render_str(self, text: str, **options: Any) -> Text:  # Any: as in Console
        """Return the text as rich's, without what is not harmless."""
        return super().render_str(harmless(text), **options)


def console(stderr: bool = False) -> Console:
    """Return the console of the moment: tests and pipes swap the streams."""
    stream = sys.stderr if stderr else sys.stdout
    return _HarmlessConsole(stderr=stderr, highlight=False, soft_wrap=True, width=None if stream.isatty() else WIDE)


def print_note(text: str) -> None:
    """Print a plain line on stdout."""
    print(harmless(text))  # noqa: T201


def print_greyed(text: str, first: int, count: int) -> None:
    """Print lines on stdout, some of them grey where it is a terminal that shows colours."""
    for at, line in enumerate(text.splitlines()):
        console().print(Text(line, style="dim" if first <= at < first + count else ""))


def named_runs(texts: Sequence[str]) -> list[tuple[str, Path]]:
    """Return the name, "" without, and the path of each run that is written as RUN or NAME=RUN.

    Raises:
        UsageError: a name without a run, a run without a name, or a run twice.
    """
    runs: dict[Path, tuple[str, Path]] = {}
    for text in texts:
        name, equals, path = ("", "", text) if Path(text).exists() else text.partition("=")
        if equals and not (name and path):
            raise UsageError(f"got the run {text!r}, expected RUN or NAME=RUN")
        run = (name, Path(path)) if equals else ("", Path(text))
        if runs.setdefault(run[1].resolve(), run) is not run:
            raise UsageError(f"got the run {run[1]} twice; expected each run once")
    return list(runs.values())


def to_json(data: object) -> str:
    """Return data classes and what JSON knows as indented JSON in ASCII, whatever a stranger's texts hold."""
    return json.dumps(data, default=vars, indent=2)


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[..., None]]:
    """Show a bar on stderr where that is a terminal; yields ``progress(done, total, label="")``."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(what, total=None)

        def progress(done: int, total: int, label: str = "") -> None:
            bar.update(task, completed=done, total=total, description=f"{label} {what}".strip())

        yield progress


def _percent(interval: Interval | None) -> str:
    return "no dialogue counts" if interval is None else interval.percent()


def table(*columns: str, title: str = "") -> Table:
    """Return an empty table with these column heads."""
    made = Table(title=title or None, title_justify="left", box=None, pad_edge=False, header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    return made


def print_table(shown: Table) -> None:
    """Print it; where nobody looks at a terminal, wide enough for long lines."""
    console().print(shown, width=None if sys.stdout.isatty() else 160)


def print_rows(heads: Sequence[str], rows: Iterable[Sequence[object]], title: str = "") -> None:
    """Print a table of texts as they are, whatever marks of rich's they hold."""
    shown = table(*heads, title=title)
    for row in rows:
        shown.add_row(*(escape(str(cell)) for cell in row))
    print_table(shown)


def print_and_write(data: object, out: Path | None, as_json: bool) -> bool:
    """Write data as JSON to a file that was asked for, and print it where that was; return whether it was printed."""
    text = to_json(data)
    if out is not None:
        check_writable(out)
        out.write_text(text + "\n", encoding="utf-8")
    if as_json:
        print_note(text)
    return as_json


def run_summary(env_id: str, result: RunResult, track: Track, profile: str | None = None, report: str = "") -> None:
    """Print the table at the end of ``colbench eval``; ``report`` is a line about its report."""
    summary, planned = result.summary, result.planned or result.summary.dialogues
    shown = table("", "", title=f"{env_id}: {summary.counted} of {planned} dialogues count")
    if summary.coverage(planned) < MIN_COVERAGE:
        shown.add_row(
            "[bold red]no result[/]",
            f"only {summary.coverage(planned):.0%} of the dialogues count, at least {MIN_COVERAGE:.0%} are needed: "
            "what is missing may be unlike the rest; go on with --resume",
        )
    else:
        _add_results(shown, summary, track)
    shown.add_row("outcomes", ", ".join(f"{count} {name}" for name, count in summary.outcomes.items()))
    for seat in ("agent", "human"):
        counts = result.used.get(seat, {}).items()
        if used := ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in counts if value):
            shown.add_row(f"{seat} tokens", used)
    if result.cost:
        shown.add_row("cost", ", ".join(f"{name} {value:.4g}" for name, value in result.cost.items()))
    if profile is not None:
        for at, text in enumerate(result.differences or ("nothing: its numbers stand beside the paper's",)):
            shown.add_row("" if at else "differs from the paper in", escape(text))
    shown.add_row("written to", escape(str(result.out)))
    if report:
        shown.add_row("report", escape(report))
    print_table(shown)


def _add_results(shown: Table, summary: Summary, track: Track) -> None:
    shown.add_row(SCORE_NAMES[track], _percent(summary.score))
    if track == "backend":
        shown.add_row("success", _percent(summary.success))
    for k, attempts in summary.attempts.items():
        for name, interval in attempts.items():
            label = _ATTEMPTS[name].format(k=k, score=SCORE_NAMES[track])
            shown.add_row(label, interval.percent())
    for name in ("turns", "questions"):
        if count := summary.per_dialogue.get(name):
            shown.add_row(f"agent's {name}", f"{count.mean:.1f} [{count.low:.1f}, {count.high:.1f}] a dialogue")
        elif name == "turns" and summary.turns is not None:  # of one task
            shown.add_row("agent's turns", f"{summary.turns:.1f} a dialogue")
    main = "success" if track == "backend" else "score"
    for about, groups in summary.groups.items():
        for group, of in groups.items():
            if main in of:
                text = f"{of[main].percent()} of {of[main].dialogues} dialogues"
                shown.add_row(escape(f"{about}: {group}"), text)


def grade_summary(result: GradedFile, track: Track, grading: str, out: Path) -> None:
    """Print the line at the end of ``colbench grade``."""
    how = f"{grading}, contained by {result.containment}" if result.containment else grading
    success = f"success {_percent(result.success)}, " if track == "backend" else ""
    left_out = f", {result.left_out} left out for findings of their tasks" if result.left_out else ""
    print_note(
        f"{result.answers} answers graded ({how}): {success}{SCORE_NAMES[track]} {_percent(result.score)}, "
        f"{result.errors} not graded{left_out}; written to {out}"
    )


def unwinnable_table(grading: str, tasks: int, findings: Sequence[Any]) -> None:  # Any: Finding of curation
    """Print what ``colbench oracle`` says about one grading."""
    print_note(f"{grading}: {tasks - len(findings)} of {tasks} references succeed")
    if findings:
        print_rows(("task", "why nobody can win it"), ((finding.task_id, finding.text) for finding in findings))


def print_dialogue(trajectory: Trajectory, ending_only: bool = False) -> None:
    """Print one dialogue and its grade; ``ending_only`` where its words stand on the screen already."""
    names = {"human": "[bold cyan]human[/]", "agent": "[bold green]agent[/]"}
    out = console()
    for turn in () if ending_only else trajectory.dialogue.turns:
        out.print(f"{names[turn.seat]}: {escape(turn.content.strip())}")
    if trajectory.score is None:
        score = f"not graded ({trajectory.error})" if trajectory.error else "not graded"
    elif trajectory.rules.track == "backend":
        score = f"{100 * trajectory.score:.0f} % of tests passed"
    else:
        score = f"similarity {100 * trajectory.score:.1f} % ({trajectory.metric})"
    out.print(f"[bold]{escape(trajectory.outcome)}[/]: {escape(score)}, reward {trajectory.reward}\n")


def print_box(box: Box) -> None:
    """Print a text under its title."""
    console().print(f"[bold]{escape(harmless(box.title))}[/]:\n{escape(harmless(box.text.strip()))}")


def demo_table(played: DemoTable) -> None:
    """Print one of the tables of ``colbench demo``."""
    score = SCORE_NAMES[played.track]
    backend = played.track == "backend"
    numbers = ("success [95 % interval]", score) if backend else (f"{score} [95 % interval]",)
    rows = []
    for row in played.rows:
        summary = row.summary
        turns = "-" if summary.turns is None else f"{summary.turns:.1f}"
        mean = "-" if summary.score is None else f"{100 * summary.score.mean:.1f} %"
        values = (_percent(summary.success), mean) if backend else (_percent(summary.score),)
        rows.append((row.agent, row.does, *values, turns))
    title = f"What asking is worth: {played.tasks} generated {'tasks' if backend else 'pages'}, scripted human"
    print_rows(("agent", "what it does", *numbers, "turns"), rows, title)
