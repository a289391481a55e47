"""``colbench human check``: whether a human understands natural questions, and answers them truthfully."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from tyro.conf import Positional, arg

from colbench_gym.cli.tables import JsonFlag, print_and_write, print_note, print_rows, progress_bar
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


@dataclass(frozen=True)
class HumanCheck(JsonFlag, HumanModelFlags):
    """Command ``colbench human check``."""

    human: Annotated[Positional[str], arg(metavar="SPEC")]
    tasks: str | None = None
    questions: Path | None = None
    leaks: str = Options.leaks
    human_knows: str = Options.human_knows
    track: TrackChoice = "auto"
    show: int = 0
    out: Path | None = None

    def run(self) -> int:
        """Ask every question and print the shares; return the exit status, 1 if a reply could not be had."""
        if (self.tasks is None) is not (self.questions is None):
            missing = "--questions" if self.questions is None else "--tasks"
            raise UsageError(
                f"got no {missing}; give both --tasks and --questions, or neither for those of the package"
            )
        track = choose_track(self.track, self.tasks)
        tasks, asked = (self.tasks, self.questions) if self.tasks and self.questions else shipped_questions(track)
        questions = read_questions(asked, track)
        if self.out is not None:
            check_writable(self.out)
        with (
            open_scenario(track, **given_options(track, self) | {"tasks": tasks}) as scenario,
            progress_bar("questions") as progress,
        ):

            def ask(question: Question) -> str:
                return scenario.episode(question.task_id).say(question.text) or ""

            report = check_human(questions, ask, progress)
        if not print_and_write(report.as_json(), self.out, self.json):
            _print(self.human, report, self.show)
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


@dataclass(frozen=True)
class HumanList:
    """Command ``colbench human list``."""

    def run(self) -> int:
        """Print a line for each human; return the exit status."""
        voices = {f"scripted:{name}": (of.__doc__ or "").strip().splitlines()[0] for name, of in VOICES.items()}
        mixed = {f"scripted:{MIXED}": "Draw one of these for each task."}
        print_rows(("human", ""), {**HUMAN_SPECS, **voices, **mixed}.items())
        return 0
