"""Dialogues of some runs as JSON data for the report: each task once, texts made harmless, runs side by side."""

from __future__ import annotations

import difflib
import hashlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from colbench_gym.action import extract_code, extract_page
from colbench_gym.evaluation.run_folder import content_hash
from colbench_gym.evaluation.statistics.groups import groups_of
from colbench_gym.person import harmless
from colbench_gym.tasks import BackendTask, Task
from colbench_gym.trajectory import Trajectory, task_row

MAX_TEXT_CHARS = 20_000  # ours: of one text in the report, which opens in time then; the whole is in trajectories.jsonl
MAX_REQUEST_WORDS = 40  # ours: in the list, which shows two lines of them
MAX_DIFF_LINES = 400  # ours: of an answer or a reference that are set side by side
Json = dict[str, Any]  # Any: JSON
Runs = Mapping[str, Sequence[Trajectory]]


@dataclass
class ReportData:
    """Data of a report."""

    runs: list[str]  # their names, in the order in which they were named
    tasks: list[Json] = field(default_factory=list)  # what was to be built, each once
    dialogues: list[Json] = field(default_factory=list)  # one for each task, repeat and run
    pages: dict[str, str] = field(default_factory=dict)  # HTML that is shown as a picture, by its key
    _known: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, run: int, trajectory: Trajectory) -> None:
        """Add one dialogue of a run."""
        official = trajectory.rules.official_addresses
        turns = [self._turn(turn.seat, turn.content, turn.output, official) for turn in trajectory.dialogue.turns]
        before, marker, code = turns[-1]["text"].partition(trajectory.rules.answer_marker)
        if trajectory.rules.track == "backend" and marker and code.strip():
            turns[-1] |= {"text": before + marker, "code": code.strip("\n")}
        self.dialogues.append(
            {
                "run": run,
                "task": self._task(trajectory.task),
                "repeat": trajectory.repeat,
                "outcome": trajectory.outcome,
                "success": trajectory.success,
                "score": trajectory.score,
                "asked": trajectory.dialogue.count("agent"),
                "error": readable(trajectory.error),
                "seconds": trajectory.seconds,
                "tokens": trajectory.tokens,
                "tests": list(trajectory.test_outcomes),
                "turns": turns,
                "answer": readable(trajectory.answer),
                "page": self._page(trajectory.answer) if trajectory.rules.track == "frontend" else None,
                "diff": line_diff(extract_code(trajectory.answer), trajectory.task.reference),
            }
        )

    def _task(self, task: Task) -> int:
        key = (task.track, content_hash([task_row(task)]))
        if key not in self._known:
            self._known[key] = len(self.tasks)
            calls = zip(task.test_names, task.calls, strict=True) if isinstance(task, BackendTask) else ()
            self.tasks.append(
                {
                    "id": readable(task.task_id),
                    "track": task.track,
                    "request": readable(" ".join(task.description.split()[:MAX_REQUEST_WORDS])),
                    "groups": {readable(about): readable(group) for about, group in groups_of(task).items()},
                    "reference": readable(task.reference),
                    "page": self._page(task.reference) if task.track == "frontend" else None,
                    "calls": [[readable(name), readable(call)] for name, call in calls],
                }
            )
        return self._known[key]

    def _turn(self, seat: str, said: str, output: str | None, official: bool) -> Json:
        page = extract_page(said, official) if seat == "agent" else None
        before, _, after = said.partition(page) if page else (said, "", "")
        turn: Json = {"seat": seat, "text": readable(_without_fence(before) if page else before)}
        if page:
            turn |= {"page": self._page(page), "html": readable(page), "after": readable(after.strip().strip("`"))}
        if output is not None and output.strip() != said.strip():
            turn["output"] = readable(output)
        return turn

    def _page(self, html: str) -> str | None:
        if not html.strip():
            return None
        key = hashlib.sha256(html.encode("utf-8", "replace")).hexdigest()[:16]
        self.pages[key] = html
        return key

    def to_json(self) -> Json:
        """Return what the report's script reads; pictures are added by whoever renders :attr:`pages`."""
        return {"runs": [readable(run) for run in self.runs], "tasks": self.tasks, "dialogues": self.dialogues}


def report_data(runs: Runs) -> ReportData:
    """Return the data of a report about some runs."""
    data = ReportData(list(runs))
    for number, trajectories in enumerate(runs.values()):
        for trajectory in trajectories:
            data.add(number, trajectory)
    return data


def readable(text: str) -> str:
    """Return a text without characters that hide or reorder others, cut to :data:`MAX_TEXT_CHARS`."""
    left_out = len(text) - MAX_TEXT_CHARS
    shown = harmless(text[:MAX_TEXT_CHARS])
    return f"{shown}\n[{left_out:,} more characters are in trajectories.jsonl]" if left_out > 0 else shown


def _without_fence(text: str) -> str:
    head, fence, language = text.rpartition("```")
    return head if fence and not language.strip().removeprefix("html") else text


def line_diff(answer: str, reference: str) -> list[list[str]] | None:
    """Return lines of the two texts, side by side: ``[kind, left, right]``, kind one of ``=``, ``~``, ``-``, ``+``.

    None where one of them is empty or has more than :data:`MAX_DIFF_LINES` lines or :data:`MAX_TEXT_CHARS` characters.
    """
    if max(len(answer), len(reference)) > MAX_TEXT_CHARS or not answer.strip():
        return None
    left, right = _lines(answer), _lines(reference)
    if max(len(left), len(right)) > MAX_DIFF_LINES:
        return None
    rows: list[list[str]] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for here, there in itertools.zip_longest(left[a:b], right[c:d]):
            sign = "=" if kind == "equal" else "+" if here is None else "-" if there is None else "~"
            rows.append([sign, here or "", there or ""])
    return rows


def _lines(text: str) -> list[str]:
    return [readable(line) for line in text.strip().expandtabs(4).splitlines()]
