"""``colbench human check``: whether a human understands natural questions, and answers them truthfully."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import AsJson, print_and_write, print_note, print_rows, progress_bar
from colbench_gym.errors import UsageError
from colbench_gym.evaluation.grade_files import check_writable
from colbench_gym.evaluation.grading_flags import HumanModelFlags
from colbench_gym.evaluation.human_check import (
    HumanReport,
    Question,
    Shares,
    check_human,
    read_questions,
    shipped_questions,
)
from colbench_gym.evaluation.track_choice import TrackChoice, choose_track
from colbench_gym.humans import HUMAN_SPECS
from colbench_gym.humans.personas import MIXED, VOICES
from colbench_gym.scenario import Options, given_options, open_scenario

_SHOWN = ("settled", "rightly_unknown", "false", "evasive", "unsettled", "invented", "failed")


def check(
    human: Annotated[Positional[str], arg(metavar="SPEC")],
    flags: HumanModelFlags,
    tasks: str | None = None,
    questions: Path | None = None,
    leaks: str = Options.leaks,
    human_knows: str = Options.human_knows,
    track: TrackChoice = "auto",
    show: int = 0,
    out: Path | None = None,
    json: AsJson = False,
) -> int:
    """Run ``colbench human check``: ask every question and print the shares; 1 if a reply could not be had."""
    if (tasks is None) is not (questions is None):
        missing = "--questions" if questions is None else "--tasks"
        raise UsageError(f"got no {missing}; give both --tasks and --questions, or neither for those of the package")
    of = choose_track(track, tasks)
    known, asked = (tasks, questions) if tasks and questions else shipped_questions(of)
    rows = read_questions(asked, of)
    if out is not None:
        check_writable(out)
    given = given_options(of, flags) | {"human": human, "leaks": leaks, "human_knows": human_knows, "tasks": known}
    with open_scenario(of, **given) as scenario, progress_bar("questions") as progress:

        def ask(question: Question) -> str:
            return scenario.episode(question.task_id).say(question.text) or ""

        report = check_human(rows, ask, progress)
    if not print_and_write(report.as_json(), out, json):
        _print(human, report, show)
    return 1 if report.total.verdicts["failed"] else 0


def _print(human: str, report: HumanReport, show: int) -> None:
    missed = [c for c in report.replies if c.verdict not in ("settled", "rightly_unknown")]
    for checked in missed[:show]:
        print_note(f"[{checked.verdict}] task {checked.question.task_id}, {checked.question.kind}")
        print_note(f"  asked:   {checked.question.text}\n  replied: {checked.reply}")
    heads = ("kind", "questions", "good", *(name.replace("_", " ") for name in _SHOWN))
    rows = [(kind, *_cells(shares)) for kind, shares in (*report.by_kind.items(), ("all", report.total))]
    print_rows(heads, rows, f"human {human}")
    print_note("good: settled, or rightly said to be open; in percent of the questions")
    print_note(f"replies have {report.mean_chars:.0f} characters on average; talk settles questions, too")


def _cells(shares: Shares) -> tuple[str, ...]:
    percent = (shares.good, *(shares.verdicts[name] for name in _SHOWN))
    return (str(shares.questions), *(f"{100 * share:.1f}" for share in percent))


def list_humans() -> None:
    """Run ``colbench human list``."""
    voices = {f"scripted:{name}": (of.__doc__ or "").strip().splitlines()[0] for name, of in VOICES.items()}
    mixed = {f"scripted:{MIXED}": "Draw one of these for each task."}
    print_rows(("human", ""), {**HUMAN_SPECS, **voices, **mixed}.items())
